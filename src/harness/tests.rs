use super::*;

#[test]
fn harnesses_are_named() {
    for harness in [Harness::Claude, Harness::Script] {
        assert_eq!(harness.as_str().parse(), Ok(harness));
    }
    let error = "codex".parse::<Harness>().unwrap_err();
    assert!(error.to_string().contains("\"codex\""), "{error}");
}
