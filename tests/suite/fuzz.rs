//! The corpora of the fuzz targets, replayed: every input that ever reached a new place of the parser, the hook's reader or
//! the policy's reader, and every one that was a finding.

use std::path::PathBuf;

#[path = "../fuzz/check.rs"]
mod check;

fn replay(name: &str, check: fn(&[u8])) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(name);
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).expect("the corpus").flatten() {
        check(&std::fs::read(entry.path()).expect("an input"));
        count += 1;
    }
    assert!(count >= 20, "only {count} inputs in {}", folder.display());
}

#[test]
fn commands_of_the_corpus_are_answered() {
    replay("guard", check::guard);
}

#[test]
fn hook_inputs_of_the_corpus_are_answered() {
    replay("hook", check::hook);
}

#[test]
fn policy_files_of_the_corpus_are_answered() {
    replay("policy", check::policy);
}
