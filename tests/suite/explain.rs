//! `sayso explain` as people use it: a command, a statement or a text, from the line or from standard input, under the
//! policy that holds where they stand. No core is needed, and none is started.

use std::io::Write;
use std::process::Stdio;

use serde_json::Value;

use crate::support::world::World;

/// Exit code, standard output, standard error.
fn explain(world: &World, words: &[&str], input: impl AsRef<[u8]>) -> (i32, String, String) {
    let words = [&["explain"], words].concat();
    let mut child =
        world.sayso(&words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("sayso");
    // It may end without reading.
    let _ = child.stdin.take().expect("its input").write_all(input.as_ref());
    let done = child.wait_with_output().expect("sayso");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (done.status.code().expect("a code"), text(done.stdout), text(done.stderr))
}

#[test]
fn a_command_is_explained_under_the_policy_that_holds_here() {
    let world = World::new();
    let (code, said, _) = explain(&world, &["git commit -m x"], "");
    assert!(code == 0 && said.contains("nothing in it needs the owner's word"), "{said}");

    world.policy("[approvals]\ncommit = true\n");
    let (_, said, _) = explain(&world, &["git commit -m x"], "");
    assert!(said.contains("rule        commit needs approval (projects/app.toml, line 5)"), "{said}");
    assert!(said.contains("in a driven run: denied."), "only a push can be asked for: {said}");

    let other = world.home().join("other.toml");
    let head = format!("[project]\nname = \"app\"\nfolder = \"{}\"\n", world.repo().display());
    std::fs::write(&other, format!("{head}[approvals]\npush = false\n")).expect("a policy");
    let file = other.to_str().expect("a path");
    let (_, said, _) = explain(&world, &["--policy", file, "git push origin fix-1"], "");
    assert!(said.ends_with("in a driven run: it runs\n"), "{said}");
    std::fs::write(&other, format!("{head}[approvals]\npushh = false\n")).expect("a policy");
    let (code, said, why) = explain(&world, &["--policy", file, "git push"], "");
    assert!(code != 0 && said.is_empty() && why.contains("other.toml:5"), "{code} {said} {why}");

    world.policy("[approvals]\nhold = \"deny\"\n");
    let (_, said, _) = explain(&world, &["git push origin fix-1"], "");
    assert!(said.contains("the agent makes exactly this call again"), "{said}");
    assert!(!world.paths().owner_socket().exists(), "no core was started");
}

#[test]
fn it_reads_from_standard_input_and_answers_as_json() {
    let world = World::new();
    let (_, said, _) = explain(&world, &["-"], "cd . &&\n\tgit push origin fix-1\n");
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[..3], ["  cd . &&", "  →git push origin fix-1", "   ^^^^^^^^^^^^^^^^^^^^^"], "{said}");
    let (code, said, _) = explain(&world, &["--json", "-"], "true; git push origin fix-1");
    let value: Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!((code, &value["outcome"]["word"]), (0, &Value::from("asked")));
    assert_eq!(value["report"]["why_not_alone"], "another command `true` runs too");
    let (code, said, _) = explain(&world, &["--json", "echo \u{1b}[31m\u{202e}"], "");
    assert!(code == 0 && said.is_ascii() && !said.contains('\u{1b}'), "{said}");
    assert_eq!(explain(&world, &[], "").0, 2);
    assert_eq!(explain(&world, &["-"], "\n").0, 2, "nothing to explain");
}

#[test]
fn statements_and_texts_have_words_too() {
    let world = World::new();
    let token = ["ghp_", "NzdXRYm6pzag3Vmkb8ywlvWwEm2ce8iONFLm"].concat();
    let (_, said, _) = explain(&world, &["--text", "-"], format!("my token is {token}"));
    assert_eq!(said, "it holds a secret: GitHub token\n");
    assert_eq!(explain(&world, &["--text", "hello"], "").1, "no secret was found in it\n");
    let (code, said, _) = explain(&world, &["--sql", "DROP TABLE x", "--client", "psql"], "");
    assert!(code == 0 && said.contains("needs the owner's word"), "{said}");
    assert_eq!(explain(&world, &["--client", "psql", "ls"], "").0, 2, "a client of no statement");
    assert_eq!(explain(&world, &["--jsonl", "--json"], "").0, 2);
}

/// A line that is no text has its answer, and so has every line behind it.
#[test]
fn a_broken_line_does_not_end_the_answers() {
    let world = World::new();
    let input = b"\xff\xfe\n{\"id\":2,\"kind\":\"command\",\"command\":\"git push origin main\",\"cwd\":\"/\"}\n";
    let (code, said, _) = explain(&world, &["--jsonl"], input);
    let answers: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((code, answers.len()), (0, 2), "{said}");
    assert!(answers[0]["error"].is_string() && answers[1]["actions"][0]["action"] == "push", "{said}");
}
