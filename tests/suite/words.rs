//! The shared words: fixed texts, events, routes, verbs and limits, compared with the tables in `tests/words/words.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde::Deserialize;

use sayso::domain::approval::ExpiryReason;
use sayso::domain::payload::Kind;
use sayso::domain::{EventName, Letter, limits, texts};
use sayso::wire::routes;

use crate::support::world::{SAYSO, World};

#[derive(Deserialize)]
struct Words {
    letters: BTreeMap<String, Vec<String>>,
    verbs: BTreeMap<String, Vec<String>>,
    routes: BTreeMap<String, Vec<String>>,
    events: BTreeMap<String, Vec<String>>,
    texts: BTreeMap<String, String>,
    reasons: BTreeMap<String, Vec<String>>,
    limits: BTreeMap<String, i64>,
}

fn words() -> Words {
    toml::from_str(include_str!("../words/words.toml")).expect("the tables")
}

fn filled(template: &str) -> String {
    let parts = [
        ("<N>", "41"),
        ("<M>", "42"),
        ("<question>", "Which one?"),
        ("<answer>", "the \"first\"\none"),
        ("<action>", "push"),
        ("<target>", "origin/main"),
        ("<text>", "not today"),
        ("<command>", "git push origin main"),
        ("<reason>", "target moved"),
        ("<what>", "2 new commits"),
        ("<field>", "text"),
        ("<kind>", "aws access key"),
        ("<time>", "14:30"),
    ];
    parts.iter().fold(template.to_owned(), |text, (mark, value)| text.replace(mark, value))
}

#[test]
fn the_fixed_texts_are_exact() {
    let words = words();
    let (push, main) = ("push", "origin/main");
    let approved_whole = ["approved", "approved_text", "approved_run"].map(|key| words.texts[key].clone()).join("\n");
    let ours: Vec<(String, String)> = vec![
        (words.texts["answer"].clone(), texts::answer(41, "Which one?", "the \"first\"\none")),
        (words.texts["late_answer"].clone(), texts::late_answer(41, "Which one?", "the \"first\"\none")),
        (words.texts["closed"].clone(), texts::closed(41, "Which one?")),
        (words.texts["approved"].clone(), texts::approved(push, main, None, None)),
        (approved_whole, texts::approved(push, main, Some("not today"), Some("git push origin main"))),
        (words.texts["refused"].clone(), texts::refused(push, main, Some("not today"))),
        (words.texts["refused_plain"].clone(), texts::refused(push, main, None)),
        (words.texts["expired"].clone(), texts::expired(push, main, ExpiryReason::TargetMoved)),
        (words.texts["revoked"].clone(), texts::revoked(push, main)),
        (words.texts["held"].clone(), texts::held(push, main, 41)),
        (words.texts["not_alone"].clone(), texts::not_alone(41, "git push origin main")),
        (words.texts["moved"].clone(), texts::moved(main, "2 new commits", 42)),
        (words.texts["core_away"].clone(), texts::CORE_AWAY.to_owned()),
        (words.texts["needs_default"].clone(), texts::NEEDS_DEFAULT.to_owned()),
        (words.texts["five_open"].clone(), texts::FIVE_OPEN.to_owned()),
        (words.texts["secret"].clone(), texts::secret("text", "aws access key")),
        (words.texts["asked_blocking"].clone(), texts::asked_blocking(41)),
        (words.texts["asked"].clone(), texts::asked(41, "14:30")),
    ];
    for (template, ours) in &ours {
        assert_eq!(filled(template), *ours);
    }
    assert_eq!(ours.len() + 1, words.texts.len(), "every text of the table is compared");
    let reasons: Vec<&str> = ExpiryReason::ALL.iter().map(|reason| reason.as_str()).collect();
    assert_eq!(reasons, words.reasons["words"]);
}

#[test]
fn events_letters_routes_and_limits_are_the_tables() {
    let words = words();
    let ours: BTreeSet<&str> = EventName::ALL.iter().map(|name| name.as_str()).collect();
    let table: BTreeSet<&str> = words.events["names"].iter().map(String::as_str).collect();
    assert_eq!(ours, table);

    for (kind, letter) in [(Kind::Question, Letter::Q), (Kind::Approval, Letter::A)] {
        assert_eq!(kind.letter(), letter);
        assert!(words.letters[letter.as_str()].iter().any(|word| word == kind.as_str()));
    }
    assert_eq!(words.letters.len(), 5);

    let owner: BTreeSet<String> = routes::OWNER_ONLY.iter().map(|(method, path)| format!("{method} {path}")).collect();
    assert_eq!(owner, words.routes["owner"].iter().cloned().collect());
    let shared = [routes::VERSION, routes::REQUEST, routes::EVENTS].map(|path| format!("GET {path}"));
    assert_eq!(words.routes["both"], shared);
    assert_eq!(words.routes["agent"], [routes::HOOK, routes::TOOL].map(|path| format!("POST {path}")));

    let big = |size: usize| i64::try_from(size).expect("a size");
    let ours: BTreeMap<&str, i64> = BTreeMap::from([
        ("question_text", big(limits::QUESTION_TEXT)),
        ("question_default", big(limits::QUESTION_DEFAULT)),
        ("answer", big(limits::ANSWER)),
        ("options", big(limits::OPTIONS)),
        ("option_label_chars", big(limits::OPTION_LABEL_CHARS)),
        ("option_description_chars", big(limits::OPTION_DESCRIPTION_CHARS)),
        ("open_questions", limits::OPEN_QUESTIONS),
        ("open_approvals", limits::OPEN_APPROVALS),
        ("summary", big(limits::SUMMARY)),
        ("decision_text", big(limits::DECISION_TEXT)),
        ("tool_input", big(limits::TOOL_INPUT)),
        ("hook_stdin", big(limits::HOOK_STDIN)),
        ("http_body", big(limits::HTTP_BODY)),
        ("stream_line", big(limits::STREAM_LINE)),
        ("command", big(limits::COMMAND)),
        ("command_separators", big(limits::COMMAND_SEPARATORS)),
        ("command_depth", big(limits::COMMAND_DEPTH)),
        ("hook_ms", i64::try_from(limits::HOOK_MS).expect("a time")),
        ("take_back_ms", limits::TAKE_BACK_MS),
        ("take_back_max_ms", limits::TAKE_BACK_MAX_MS),
        ("valid_minutes", limits::VALID_MINUTES),
        ("call_window_minutes", limits::CALL_WINDOW_MINUTES),
        ("requests_per_minute", limits::REQUESTS_PER_MINUTE),
        ("calls_days", limits::CALLS_DAYS),
    ]);
    let table: BTreeMap<&str, i64> = words.limits.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    assert_eq!(ours, table);
}

#[test]
fn every_verb_is_known_and_what_is_not_built_yet_says_so() {
    let world = World::new();
    let words = words();
    for verb in words
        .verbs
        .values()
        .flatten()
        .filter(|verb| !matches!(verb.as_str(), "hook" | "mcp" | "run-exec" | "play" | "core" | "demo"))
    {
        let done = Command::new(SAYSO)
            .args([verb.as_str(), "--help"])
            .env_clear()
            .envs(world.env())
            .current_dir(world.repo())
            .output()
            .expect("sayso");
        let said = String::from_utf8_lossy(&done.stderr).into_owned() + &String::from_utf8_lossy(&done.stdout);
        assert!(!said.contains("unrecognized subcommand"), "{verb}: {said}");
        let fine = done.status.success() || said.contains("not built yet") || said.contains("needs the script");
        assert!(fine, "{verb}: {said}");
    }
}
