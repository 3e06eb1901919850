//! The guard against real bash: random mixes of labelled commands, run in a sandbox and read by the guard.
//!
//! `tests/tools/mix_guard.py` makes the mixes from a seed; what bash pushed and the guard did not see is a fault, and so is
//! a mix of harmless pieces that the guard stops.

use std::process::Command;

use crate::support::world::SAYSO;

/// The mixes of this seed are the same on every machine.
const SEED: &str = "1";
const COUNT: &str = "100";
/// What the tool ends with where it can have no sandbox.
const NO_SANDBOX: i32 = 3;

#[test]
fn what_real_bash_pushes_the_guard_sees() {
    let tool = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tools/mix_guard.py");
    let required = std::env::var("SAYSO_TEST_REQUIRE").is_ok_and(|what| what == "all");
    let ran = Command::new("python3").args([tool, "--sayso", SAYSO, "--seed", SEED, "--count", COUNT]).output();
    let why = match &ran {
        Ok(done) if done.status.code() != Some(NO_SANDBOX) => None,
        Ok(done) => Some(String::from_utf8_lossy(&done.stderr).into_owned()),
        Err(error) => Some(format!("python3 does not start: {error}")),
    };
    if let Some(why) = why {
        assert!(!required, "SAYSO_TEST_REQUIRE=all asks for the comparison with bash: {why}");
        eprintln!("left out: the comparison with real bash ({})", why.trim());
        return;
    }
    let done = ran.expect("it was started");
    let said = String::from_utf8_lossy(&done.stdout);
    let counts: serde_json::Value = said.lines().last().and_then(|l| serde_json::from_str(l).ok()).unwrap_or_default();
    assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
    assert_eq!(counts["missed"], 0, "{said}");
    assert!(counts["pushed"].as_u64().is_some_and(|n| n >= 30), "bash pushed too seldom to compare: {said}");
}
