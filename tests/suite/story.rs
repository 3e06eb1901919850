//! The owner's story with the scripted agent: asked, answered, held, approved, pushed once, held again; refused.

use sayso::domain::decision::Verdict;
use sayso::wire::view::Body;

use crate::support::world::{World, is_approval};

const STORY: &str = r#"
[[step]]
say = "The report has an old column."
[[step]]
ask = { text = "Keep the old invoice column for one release?", default = "keep it", options = ["keep", "drop now"], blocking = true }
[[step]]
expect = "Owner's answer to question"
[[step]]
run = "git push -u origin fix-1"
[[step]]
run = "git commit -q --allow-empty -m second && true"
[[step]]
run = "git push -u origin fix-1"
[[step]]
say = "Done."
"#;

#[test]
fn an_answer_and_an_approval_go_the_whole_way_and_the_second_push_is_held_again() {
    let mut world = World::new();
    world.start_core(None);
    let card = world.card("Invoice rounding");
    let run = world.script(card, STORY).run.id;

    let asked = world.wait_request("the question", |one| one.row.state == "open");
    assert!(asked.row.blocking);
    let waiting = world.wait_run(run, "waiting");
    assert_eq!(waiting.waits_for, [format!("Q{}", asked.row.id)]);

    world.answer(asked.row.id, "Keep it.\nBut say so in the changelog.").expect("an answer");
    let held = world.wait_request("the approval", |one| is_approval(one, "requested"));
    let turn = world.wait_run(run, "waiting").turns.into_iter().nth(1).expect("a second turn");
    assert_eq!(
        turn.prompt.raw(),
        format!(
            "Owner's answer to question {} (\"Keep the old invoice column for one release?\"): Keep it.\nBut say so in the changelog.",
            asked.row.id
        )
    );
    let Body::Approval(view) = &held.body else { panic!("an approval") };
    assert!(view.held);
    assert_eq!((view.action.as_str(), view.target.raw(), view.mode.as_str()), ("push", "origin/fix-1", "plain"));
    assert_eq!(view.command.raw(), "git push -u origin fix-1");
    assert_eq!(view.checked.commits.len(), 1);
    assert_eq!(world.pushed("fix-1"), None, "nothing left before the owner's word");

    let first = world.git(&["rev-parse", "HEAD"]);
    world.decide(held.row.id, Verdict::Approve, None).expect("a yes");
    let again =
        world.wait_request("the second push is held", |one| is_approval(one, "requested") && one.row.id != held.row.id);
    assert_eq!(world.pushed("fix-1"), Some(first));
    let used = world.request(held.row.id);
    assert_eq!(used.row.state, "succeeded");
    let Body::Approval(view) = &used.body else { panic!("an approval") };
    assert!(view.used.as_ref().is_some_and(|used| used.settled_at.is_some()));

    world.wait_run(run, "waiting");
    world.decide(again.row.id, Verdict::Refuse, Some("Not today.")).expect("a no");
    let idle = world.wait_run(run, "idle");
    assert_eq!(
        idle.turns.last().and_then(|turn| turn.last.clone()).map(|last| last.raw().to_owned()),
        Some("Done.".to_owned())
    );
    assert_ne!(world.pushed("fix-1"), Some(world.git(&["rev-parse", "HEAD"])), "the refused push did not go out");
    world.check();
}
