use super::*;

fn shown(id: i64, digest: &str) -> Shown {
    Shown { id, digest: Digest(digest.to_owned()), rev: 1, size: (80, 24) }
}

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// An intent whose request has been on the screen for a second.
fn ripe(start: Instant) -> (Intent, Instant) {
    let mut intent = Intent::default();
    intent.observe(Some(shown(17, "d1")));
    intent.drawn(start);
    (intent, start + ms(1_000))
}

#[test]
fn two_keys_with_a_pause_decide_about_what_was_shown() {
    let (mut intent, now) = ripe(Instant::now());
    intent.first(What::Approve, Press::Once, now).unwrap();
    intent.drawn(now + ms(5));
    let bound = intent.second(Press::Once, now + GAP).unwrap();
    assert_eq!((bound.what, bound.id, bound.digest.0.as_str(), bound.rev), (What::Approve, 17, "d1", 1));
    assert_eq!(intent.second(Press::Once, now + ms(900)), Err(Why::Nothing), "one question, one decision");
}

#[test]
fn keys_rest_after_the_screen_changed() {
    let start = Instant::now();
    let mut intent = Intent::default();
    assert_eq!(intent.first(What::Approve, Press::Once, start), Err(Why::Nothing));
    intent.observe(Some(shown(17, "d1")));
    let late = start + ms(10_000);
    assert_eq!(intent.first(What::Approve, Press::Once, late), Err(Why::Resting), "never drawn");
    intent.drawn(late);
    assert_eq!(intent.first(What::Approve, Press::Once, late + ms(599)), Err(Why::Resting));
    assert_eq!(intent.wake(late), Some(late + REST));
    assert!(intent.first(What::Approve, Press::Once, late + REST).is_ok());
    intent.observe(Some(shown(17, "d2")));
    intent.drawn(late + ms(700));
    assert_eq!(intent.first(What::Approve, Press::Once, late + ms(1_299)), Err(Why::Resting), "other facts");
    intent.disturb();
    intent.drawn(late + ms(5_000));
    assert_eq!(intent.first(What::Approve, Press::Once, late + ms(5_599)), Err(Why::Resting), "focus");
}

#[test]
fn a_change_between_the_keys_ends_the_question() {
    for change in [Some(shown(17, "d2")), Some(shown(18, "d1")), None] {
        let (mut intent, now) = ripe(Instant::now());
        intent.first(What::Approve, Press::Once, now).unwrap();
        intent.drawn(now);
        assert!(intent.observe(change));
        intent.drawn(now + ms(300));
        assert_eq!(intent.second(Press::Once, now + ms(2_000)), Err(Why::Nothing));
    }
}

#[test]
fn a_quick_a_repeated_or_an_undrawn_second_key_decides_nothing() {
    let (ripe, now) = ripe(Instant::now());
    let asked = |drawn: bool| {
        let mut intent = ripe.clone();
        intent.first(What::Refuse, Press::Once, now).unwrap();
        if drawn {
            intent.drawn(now);
        }
        intent
    };
    assert_eq!(asked(true).second(Press::Once, now + ms(249)), Err(Why::TooSoon));
    assert_eq!(asked(true).second(Press::Repeat, now + ms(800)), Err(Why::Repeat));
    assert_eq!(asked(false).second(Press::Once, now + ms(800)), Err(Why::TooSoon));
    assert!(asked(true).second(Press::Once, now + ms(800)).is_ok());
    assert_eq!(ripe.clone().first(What::Approve, Press::Repeat, now), Err(Why::Repeat));
}

#[test]
fn a_line_in_between_makes_the_second_key_wait_again() {
    let (mut intent, now) = ripe(Instant::now());
    intent.first(What::Approve, Press::Once, now).unwrap();
    intent.drawn(now);
    intent.put_again(now + ms(5_000));
    assert!(!intent.ready(now + ms(5_300)), "not drawn yet");
    intent.drawn(now + ms(5_010));
    assert!(!intent.ready(now + ms(5_249)));
    assert!(intent.ready(now + ms(5_250)));
}
