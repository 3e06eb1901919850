//! The labelled commands, through the library, in repositories laid on disk: floors under what the guard reaches.
//!
//! A line of `tests/corpus/guard_commands.jsonl`: `command` (`{{REPO}}`, `{{OTHER}}` are the laid repositories),
//! `cwd_branch`, `setup` (`git_config`, `files`), `expect` (a list of `action`, `target`, `mode`; empty = harmless), `alt`
//! (further right answers), `either` (both answers count), `alone`, `class`. A line of `secret_texts.jsonl`: `parts` (joined
//! with nothing between, so that no scanner of a repository trips over a made-up key) and `expect`; of
//! `sql_statements.jsonl`: `client`, `sql`, `expect`. The `further_` files have the same form and were written apart.

use std::collections::BTreeMap;

use sayso::domain::{Limits, Report, Shape};
use sayso::guard;
use serde_json::Value;

use crate::support::laid::{Laid, lines};

/// Classes and the rates that they never fall below: found, exact among those found, `alone` right among those found.
/// Found means read as an action, or held where the label allows that.
const FLOORS: &[(&str, u32, u32, u32)] = &[
    ("plain", 100, 100, 100),
    ("prefix", 100, 100, 100),
    ("git-options", 100, 100, 100),
    ("git-plumbing", 100, 100, 100),
    ("front-end", 100, 100, 100),
    ("merge", 100, 96, 100),
    ("publish", 100, 100, 100),
    ("http", 100, 100, 100),
    ("stand", 100, 100, 100),
    ("ssh", 100, 95, 100),
    ("sql", 100, 100, 100),
    ("alias", 100, 100, 100),
    ("function", 100, 100, 100),
    ("compound", 100, 100, 100),
    ("wrapper", 100, 100, 97),
    ("quoting", 100, 100, 96),
    ("substitution", 100, 100, 100),
    ("heredoc", 100, 100, 100),
    ("eval", 90, 100, 100),
    ("beyond static", 80, 0, 0),
    ("script-file", 85, 0, 0),
];

fn labels(list: &Value) -> Vec<String> {
    let label = |l: &Value| {
        let part = |name: &str| l[name].as_str().unwrap_or("?").to_owned();
        format!("{} {} {}", part("action"), part("target"), part("mode"))
    };
    let mut labels: Vec<String> = list.as_array().into_iter().flatten().map(label).collect();
    labels.sort();
    labels.dedup();
    labels
}

#[derive(Default)]
struct Count {
    all: u32,
    found: u32,
    read: u32,
    exact: u32,
    alone: u32,
    wrong: Vec<String>,
}

impl Count {
    fn add(&mut self, laid: &Laid, record: &Value, report: &Report) {
        let command = record["command"].as_str().expect("a command");
        let (wanted, also) = (labels(&record["expect"]), labels(&record["alt"]));
        let mut said: Vec<String> =
            report.actions.iter().map(|a| laid.named(a.action.as_str(), &a.target, &a.mode)).collect();
        said.sort();
        said.dedup();
        let hard = matches!(record["class"].as_str(), Some("beyond static" | "script-file"));
        let may_be_held = hard || also.iter().any(|label| label.starts_with("opaque"));
        self.all += 1;
        if said.is_empty() && !(may_be_held && report.is_guarded()) {
            self.wrong.push(format!("missed: {command}"));
            return;
        }
        self.found += 1;
        if said.is_empty() {
            return;
        }
        let within = said.iter().all(|label| wanted.contains(label) || also.contains(label));
        let exact = said == wanted || (within && said.len() == wanted.len());
        let alone = (report.shape == Shape::Alone) == record["alone"].as_bool().unwrap_or(false);
        self.read += 1;
        self.exact += u32::from(exact);
        self.alone += u32::from(alone);
        if !exact || !alone {
            self.wrong.push(format!("{}: {command}: {said:?}", if exact { "alone" } else { "inexact" }));
        }
    }
}

/// Reads every command of a corpus file: counts by class, and the harmless ones that are stopped.
fn read_all(file: &str) -> (BTreeMap<String, Count>, Vec<String>) {
    let mut laid: BTreeMap<String, Laid> = BTreeMap::new();
    let mut classes: BTreeMap<String, Count> = BTreeMap::new();
    let mut stopped = Vec::new();
    for record in lines(file) {
        if record["either"].as_bool() == Some(true) {
            continue;
        }
        let branch = record["cwd_branch"].as_str().unwrap_or("main");
        let own = (!record["setup"].is_null()).then(|| Laid::new(branch, &record));
        let shared = laid.entry(branch.to_owned()).or_insert_with(|| Laid::new(branch, &Value::Null));
        let here = own.as_ref().unwrap_or(shared);
        let report = here.read(record["command"].as_str().expect("a command"));
        if labels(&record["expect"]).is_empty() {
            if report.is_guarded() {
                stopped.push(record["command"].to_string());
            }
        } else {
            let class = record["class"].as_str().expect("a class").to_owned();
            classes.entry(class).or_default().add(here, &record, &report);
        }
    }
    (classes, stopped)
}

fn rate(part: u32, all: u32) -> u32 {
    (part * 100).checked_div(all).unwrap_or(100)
}

#[test]
fn the_labelled_commands_stay_above_their_floors() {
    let (classes, stopped) = read_all("guard_commands.jsonl");
    assert!(stopped.is_empty(), "harmless commands are stopped: {stopped:#?}");
    for (class, found, exact, alone) in FLOORS {
        let count = &classes[*class];
        let reached = [rate(count.found, count.all), rate(count.exact, count.read), rate(count.alone, count.read)];
        let fine = reached.iter().zip([found, exact, alone]).all(|(reached, floor)| reached >= floor);
        assert!(fine, "{class}: {reached:?}, at least {:?}: {:#?}", [found, exact, alone], count.wrong);
    }
}

/// Written by someone who did not know the guard, with the oracle beside: the bars hold on these too.
#[test]
fn the_further_commands_stay_above_the_bars() {
    let (classes, stopped) = read_all("further_commands.jsonl");
    assert!(stopped.is_empty(), "harmless commands are stopped: {stopped:#?}");
    let hard = |class: &str| matches!(class, "beyond static" | "script-file");
    let sum = |what: fn(&Count) -> u32, which: &dyn Fn(&str) -> bool| -> u32 {
        classes.iter().filter(|(class, _)| which(class)).map(|(_, count)| what(count)).sum()
    };
    let (all, found, read, exact, alone) =
        (|c: &Count| c.all, |c: &Count| c.found, |c: &Count| c.read, |c: &Count| c.exact, |c: &Count| c.alone);
    let everything: &dyn Fn(&str) -> bool = &|_| true;
    let reached = [
        rate(sum(found, &|class| !hard(class)), sum(all, &|class| !hard(class))),
        rate(sum(found, &hard), sum(all, &hard)),
        rate(sum(exact, everything), sum(read, everything)),
        rate(sum(alone, everything), sum(read, everything)),
    ];
    let wrong: Vec<&String> = classes.values().flat_map(|count| &count.wrong).collect();
    let fine = reached.iter().zip([98, 70, 95, 98]).all(|(reached, bar)| *reached >= bar);
    assert!(fine, "found, found beyond static, exact, alone: {reached:?}: {wrong:#?}");
}

#[test]
fn statements_that_write_are_found_and_reads_pass() {
    for (file, stopped_at_most) in [("sql_statements.jsonl", 0), ("further_statements.jsonl", 3)] {
        let (mut missed, mut stopped) = (Vec::new(), Vec::new());
        for record in lines(file).iter().filter(|record| record["either"].as_bool() != Some(true)) {
            let text = record["sql"].as_str().expect("a statement");
            let client = guard::sql::Client::named(record["client"].as_str().unwrap_or_default());
            let reads = guard::sql::classify(text, client) == guard::sql::Kind::Read;
            match (record["expect"] == "read", reads) {
                (true, false) => stopped.push(text.to_owned()),
                (false, true) => missed.push(text.to_owned()),
                _ => {}
            }
        }
        assert!(missed.is_empty(), "{file}: writes that pass: {missed:#?}");
        assert!(stopped.len() <= stopped_at_most, "{file}: reads that are stopped: {stopped:#?}");
    }
}

#[test]
fn known_key_shapes_are_found_and_nothing_else_is() {
    for record in lines("secret_texts.jsonl").into_iter().chain(lines("further_texts.jsonl")) {
        let text: String = record["parts"].as_array().expect("parts").iter().filter_map(Value::as_str).collect();
        let wanted = record["expect"] == "secret";
        assert_eq!(guard::secret::find(&text).is_some(), wanted, "{text}");
    }
}

/// The parser's limits do not let anything through: the same push behind each of them.
#[test]
fn a_push_behind_every_labelled_harmless_command_is_seen() {
    let laid = Laid::new("main", &Value::Null);
    for record in lines("guard_commands.jsonl") {
        let command = record["command"].as_str().expect("a command");
        let is_text = command.contains("<<") || command.contains('#') || record["either"].as_bool() == Some(true);
        if is_text || !labels(&record["expect"]).is_empty() || !record["setup"].is_null() {
            continue;
        }
        let report = laid.read(&format!("{command}\ngit push origin main"));
        assert_eq!(report.limits, Limits::None, "{command}");
        let seen = report.actions.iter().any(|a| a.target == "origin/main");
        assert!(seen, "{command}: {report:?}");
    }
}
