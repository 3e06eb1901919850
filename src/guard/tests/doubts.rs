//! Pushes that are another thing than their words say: never approvable.

use super::*;

fn denied(world: &Table, command: &str) -> String {
    let report = report_in(world, command);
    assert!(report.is_guarded(), "{command}");
    let approvable = report.approvable().is_some_and(|action| action.push.is_some());
    assert!(!approvable, "{command}: {report:?}");
    report.opaque.iter().map(|o| o.reason.as_str()).collect::<Vec<_>>().join("; ")
}

fn asked(world: &Table, command: &str) {
    let report = report_in(world, command);
    assert!(report.approvable().is_some_and(|action| action.push.is_some()), "{command}: {report:?}");
}

#[test]
fn a_repository_that_cannot_be_read_hides_no_push() {
    let world = Table { unreadable: true, ..Table::default() };
    asked(&Table::default(), "git push origin main");
    assert!(denied(&world, "git push origin main").contains("cannot be read whole"));
    assert!(denied(&world, "git p").contains("may be an alias"));
    assert!(!report_in(&world, "git status && git log && git fetch").is_guarded());
    assert!(!report_in(&Table::default(), "git p").is_guarded());
}
