//! Random histories of all actors against the real store, with clock jumps: after every step every invariant holds, and
//! the pure machines agree with the rows.

use std::sync::Arc;

use proptest::prelude::*;

use super::call::{self, Facts};
use super::{decide, deliver, effect, settle};
use crate::domain::approval::{ApprovalEvent, ApprovalState};
use crate::domain::decision::{DecisionEvent, Verdict};
use crate::domain::payload::{ApprovalPayload, Kind, Payload, QuestionPayload};
use crate::domain::push::{CanonicalPush, RefChange};
use crate::domain::question::QuestionEvent;
use crate::domain::turn::{TurnEvent, TurnKind};
use crate::domain::{Actor, Stamp, Untrusted};
use crate::harness::HookReply;
use crate::store::request::{self, ApprovalExtra, By, NewRequest};
use crate::store::run::{self, NewRun, Run};
use crate::store::turn::{self, Turn};
use crate::store::{Store, StoreError, Tx, approval_use, card, check, decision};

#[derive(Clone, Copy, Debug)]
enum Op {
    Ask { blocking: bool },
    Withdraw(u8),
    Answer(u8),
    Decide(u8, bool),
    StaleDecide(u8),
    TakeBack,
    TakeEffect,
    Call { id: u8, commit: u8, alone: bool, seen: bool },
    Result { id: u8, ok: bool, rewritten: bool },
    NoResult,
    Revoke(u8),
    SettleByHand(u8, bool),
    Expire,
    Wait(u16),
    WallJump(i32),
    Reboot,
}

fn ops() -> impl Strategy<Value = Op> {
    prop_oneof![
        2 => any::<bool>().prop_map(|blocking| Op::Ask { blocking }),
        1 => any::<u8>().prop_map(Op::Withdraw),
        3 => any::<u8>().prop_map(Op::Answer),
        6 => (any::<u8>(), prop::bool::weighted(0.8)).prop_map(|(id, yes)| Op::Decide(id, yes)),
        1 => any::<u8>().prop_map(Op::StaleDecide),
        1 => Just(Op::TakeBack),
        6 => Just(Op::TakeEffect),
        8 => (0..6_u8, 0..3_u8, prop::bool::weighted(0.8), prop::bool::weighted(0.9))
            .prop_map(|(id, commit, alone, seen)| Op::Call { id, commit, alone, seen }),
        4 => (0..6_u8, any::<bool>(), prop::bool::weighted(0.1)).prop_map(|(id, ok, rewritten)| Op::Result { id, ok, rewritten }),
        1 => Just(Op::NoResult),
        1 => any::<u8>().prop_map(Op::Revoke),
        1 => (any::<u8>(), any::<bool>()).prop_map(|(id, ok)| Op::SettleByHand(id, ok)),
        2 => Just(Op::Expire),
        3 => any::<u16>().prop_map(Op::Wait),
        1 => (-10_000_000..10_000_000_i32).prop_map(Op::WallJump),
        1 => Just(Op::Reboot),
    ]
}

struct Bench {
    _folder: tempfile::TempDir,
    store: Store,
    runtime: tokio::runtime::Runtime,
    now: Stamp,
    run: i64,
    turn: i64,
    /// What calls got an allow, by call id: the outside world's own record.
    allowed: Vec<String>,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("sayso.db")).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let now = Stamp { wall_ms: 1_800_000_000_000, boot_ms: 1_000_000, boot_id: "boot-0".to_owned() };
        let mut bench = Self { _folder: folder, store, runtime, now, run: 0, turn: 0, allowed: Vec::new() };
        let by = bench.by(Actor::Owner);
        let (run, turn) = bench.write(move |tx| a_running_turn(tx, &by)).unwrap();
        bench.run = run;
        bench.turn = turn;
        bench
    }

    fn by(&self, actor: Actor) -> By {
        By::new(actor, self.now.clone())
    }

    fn write<R: Send + 'static>(
        &self,
        work: impl FnOnce(&mut dyn Tx) -> Result<R, StoreError> + Send + 'static,
    ) -> Result<R, StoreError> {
        self.runtime.block_on(self.store.write(work))
    }

    /// A step that the machines may refuse; a refusal must change nothing, a fault of the store or the program is a failure.
    fn may(&self, work: impl FnOnce(&mut dyn Tx) -> Result<(), StoreError> + Send + 'static) {
        match self.write(work) {
            Ok(()) | Err(StoreError::Refused(_) | StoreError::Stale(_) | StoreError::Missing(_)) => {}
            Err(error) => panic!("{error}"),
        }
    }

    fn pick(&self, kind: Kind, nth: u8) -> i64 {
        self.write(move |tx| {
            let all = request::list(tx, "kind = $1 ORDER BY id DESC LIMIT 4", &[kind.as_str().into()])?;
            Ok(all.get(usize::from(nth) % all.len().max(1)).map_or(0, |row| row.id))
        })
        .unwrap()
    }

    fn call(&mut self, id: u8, commit: u8, alone: bool, seen: bool) {
        let (run, turn, by) = (self.run, self.turn, self.by(Actor::Hook));
        let name = format!("call-{id}");
        let facts = facts(&name, commit, alone, seen);
        let verdict = self
            .write(move |tx| {
                let (run, turn) = (run::get(tx, run)?, turn::get(tx, turn)?);
                call::judge(tx, &run, &turn, &facts, &by)
            })
            .unwrap();
        if verdict.used {
            assert!(matches!(verdict.reply, HookReply::Allow { .. }));
            assert!(!self.allowed.contains(&name), "{name} was let through twice");
            self.allowed.push(name);
        }
    }

    fn step(&mut self, op: Op) {
        match op {
            Op::Ask { blocking } => {
                let (by, run) = (self.by(Actor::Agent), self.run);
                self.may(move |tx| ask(tx, run, blocking, &by));
            }
            Op::Withdraw(nth) => {
                let (by, id) = (self.by(Actor::Agent), self.pick(Kind::Question, nth));
                self.may(move |tx| {
                    let row = request::get(tx, id)?;
                    request::step_question(tx, &row, QuestionEvent::Withdraw, &by, "")
                });
            }
            Op::Answer(nth) => self.word(Kind::Question, nth, Verdict::Answer, false),
            Op::Decide(nth, yes) => {
                self.word(Kind::Approval, nth, if yes { Verdict::Approve } else { Verdict::Refuse }, false);
            }
            Op::StaleDecide(nth) => self.word(Kind::Approval, nth, Verdict::Approve, true),
            Op::TakeBack => {
                let by = self.by(Actor::Owner);
                self.may(move |tx| match decision::pending(tx)?.into_iter().next() {
                    Some(made) => {
                        let row = request::get(tx, made.request)?;
                        decision::step(tx, &made, DecisionEvent::TakeBack, &row, &by).map(|_| ())
                    }
                    None => Ok(()),
                });
            }
            Op::TakeEffect => self.take_effect(),
            Op::Call { id, commit, alone, seen } => self.call(id, commit, alone, seen),
            Op::Result { id, ok, rewritten } => {
                let (run, by, name) = (self.run, self.by(Actor::Hook), format!("call-{id}"));
                self.may(move |tx| {
                    let run = run::get(tx, run)?;
                    let act = if rewritten { "another act" } else { "act" };
                    settle::settle(tx, &run, &name, act, true, ok, "words", &by)
                });
            }
            Op::NoResult => {
                let (run, by) = (self.run, self.by(Actor::Harness));
                self.may(move |tx| {
                    for used in approval_use::unsettled(tx, run)? {
                        let row = request::get(tx, used.request)?;
                        if row.approval_state()? == ApprovalState::Used {
                            request::step_approval(tx, &row, ApprovalEvent::NoResult, &by, ApprovalExtra::default())?;
                        }
                    }
                    Ok(())
                });
            }
            Op::Revoke(nth) => self.on_approval(nth, ApprovalEvent::Revoke),
            Op::SettleByHand(nth, ok) => self.on_approval(nth, ApprovalEvent::Result { ok }),
            Op::Expire => {
                let by = self.by(Actor::Timer);
                self.may(move |tx| effect::expire_due(tx, &by).map(|_| ()));
            }
            Op::Wait(ms) => self.now = self.now.plus(i64::from(ms) * 200),
            Op::WallJump(ms) => self.now.wall_ms += i64::from(ms),
            Op::Reboot => {
                self.now.boot_id = format!("boot-{}", self.now.wall_ms);
                self.now.boot_ms = 1_000;
            }
        }
    }

    fn word(&self, kind: Kind, nth: u8, verdict: Verdict, stale: bool) {
        let (by, id) = (self.by(Actor::Owner), self.pick(kind, nth));
        self.may(move |tx| {
            let row = request::get(tx, id)?;
            let word = decide::Word::of(&row, i64::from(stale), verdict, "the owner's words");
            let repeats = decision::pending_of(tx, id)?.is_some();
            let made = decide::store_decision(tx, id, kind, &word, (4_000, "policy"), &by, "decide.before_commit");
            assert!(!(stale && made.is_ok() && row.is_open() && !repeats), "a word about other bytes was taken");
            made.map(|_| ())
        });
    }

    fn take_effect(&self) {
        let by = self.by(Actor::Timer);
        self.may(move |tx| {
            for made in decision::pending(tx)? {
                if made.is_due(&by.now) {
                    effect::effect(tx, &made, &effect::Target::Same, &by)?;
                }
            }
            Ok(())
        });
    }

    fn on_approval(&self, nth: u8, what: ApprovalEvent) {
        let (by, id) = (self.by(Actor::Owner), self.pick(Kind::Approval, nth));
        self.may(move |tx| {
            let row = request::get(tx, id)?;
            request::step_approval(tx, &row, what, &by, ApprovalExtra::default())
        });
    }

    /// All invariants but the run's own: here one turn runs for ever.
    fn check(&self) -> Result<(), TestCaseError> {
        let found = self.write(check::run).unwrap();
        prop_assert!(found.broken.is_empty(), "{:?}", found.broken);
        Ok(())
    }
}

fn a_running_turn(tx: &mut dyn Tx, by: &By) -> Result<(i64, i64), StoreError> {
    let card = card::insert(tx, "app", "/srv/app", "A card", by)?;
    let new = NewRun {
        card: card.id,
        harness: "script".to_owned(),
        folder: "/srv/app".to_owned(),
        mode: "default".to_owned(),
        model: None,
        script: None,
        session: "s".to_owned(),
        token_digest: String::new(),
        env_names: Vec::new(),
        version: None,
    };
    let run = run::insert(tx, new, by)?;
    let queued = turn::insert(tx, &run, TurnKind::Prompt, "go", None, |id| deliver::marker("s", id), by)?;
    let (run, turn): (Run, Turn) =
        deliver::claim(tx, run.id, "token", by)?.ok_or_else(|| StoreError::Missing("turn".to_owned()))?;
    assert_eq!(turn.id, queued.id);
    turn::step(tx, &turn, run.card, TurnEvent::Started, by, None)?;
    Ok((run.id, turn.id))
}

fn ask(tx: &mut dyn Tx, run: i64, blocking: bool, by: &By) -> Result<(), StoreError> {
    let run = run::get(tx, run)?;
    if request::open_count(tx, Kind::Question, run.card)? >= crate::domain::limits::OPEN_QUESTIONS {
        return Ok(());
    }
    let n = tx.number("SELECT COUNT(*) AS n FROM request", &[])?;
    let payload = Payload::Question(QuestionPayload {
        text: Untrusted::new(format!("Question {n}?")),
        default: Untrusted::new("yes"),
        options: Vec::new(),
        blocking,
    });
    let new = NewRequest {
        card: run.card,
        run: run.id,
        payload,
        idempotency: format!("question {n}"),
        blocking,
        held: false,
        follows: None,
    };
    request::insert(tx, new, by).map(|_| ())
}

fn facts(call_id: &str, commit: u8, alone: bool, seen: bool) -> Facts {
    let push = CanonicalPush {
        folder: "/srv/app".into(),
        remote: "origin".to_owned(),
        address: "/srv/remote.git".to_owned(),
        shown_address: Untrusted::new("/srv/remote.git"),
        mode: "plain".to_owned(),
        updates: vec![RefChange {
            name: "refs/heads/fix-1".to_owned(),
            new: Some(format!("commit-{commit}")),
            old: None,
        }],
        commits: Vec::new(),
        ahead: None,
        behind: None,
    };
    Facts {
        call_id: call_id.to_owned(),
        act_digest: "act".to_owned(),
        payload: ApprovalPayload {
            action: "push".to_owned(),
            target: "origin/fix-1".to_owned(),
            command: Untrusted::new("git push origin fix-1"),
            folder: Untrusted::new("/srv/app"),
            rule: "push needs approval".to_owned(),
            policy: "policy".to_owned(),
            valid_minutes: 120,
            agent_says: Untrusted::default(),
            tool: "Bash".to_owned(),
            push,
            read_at: 0,
            expired: None,
        },
        alone,
        in_work_tree: true,
        policy_allows: true,
        seen_in_output: seen,
        can_hold: true,
        pid: 1,
        pid_start: 1,
        lives: |_, _| true,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, max_shrink_iters: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_history_breaks_an_invariant(history in prop::collection::vec(ops(), 1..70)) {
        let mut bench = Bench::new();
        for op in history {
            bench.step(op);
            bench.check()?;
        }
    }
}

#[test]
fn the_check_has_power_each_planted_fault_is_found() {
    let plants: &[(&str, &str)] = &[
        ("A-1", "DELETE FROM approval_use"),
        ("A-4", "UPDATE approval_use SET target_digest = 'x'"),
        ("A-8", "UPDATE request SET valid_wall = 5 WHERE kind = 'approval'"),
        ("A-7", "UPDATE request SET state = 'expired' WHERE kind = 'approval'"),
        ("D-1", "DELETE FROM delivery WHERE kind = 'decision'"),
        ("Q-4", "DELETE FROM delivery WHERE kind = 'answer'"),
        ("Q-5", "UPDATE delivery SET text = 'other words' WHERE kind = 'answer'"),
        ("chain", "UPDATE event SET note = 'x' WHERE n = 3"),
        ("chain", "DELETE FROM event WHERE n = 3"),
        ("A-3", "UPDATE event SET actor = 'agent' WHERE name = 'approval.approved'"),
        ("Q-2", "UPDATE event SET actor = 'agent' WHERE name = 'question.answered'"),
        ("steps", "UPDATE request SET state = 'approved' WHERE kind = 'approval'"),
        ("R-3", "UPDATE run SET state = 'idle'"),
        ("E-2", "UPDATE decision SET state = 'void'"),
    ];
    for (invariant, sql) in plants {
        let mut bench = Bench::new();
        for op in [
            Op::Ask { blocking: true },
            Op::Answer(0),
            Op::Call { id: 1, commit: 1, alone: true, seen: true },
            Op::Decide(0, true),
            Op::Wait(1_000),
            Op::TakeEffect,
            Op::Call { id: 1, commit: 1, alone: true, seen: true },
        ] {
            bench.step(op);
        }
        assert_eq!(bench.allowed.len(), 1, "the history uses its approval");
        bench.check().unwrap();
        let plant = (*sql).to_owned();
        bench.write(move |tx| tx.execute(&plant, &[]).map(|_| ())).unwrap();
        let found = bench.write(check::run).unwrap();
        assert!(
            found.broken.iter().any(|one| one.invariant == *invariant),
            "{invariant} after {sql}: {:?}",
            found.broken
        );
    }
}

#[test]
fn two_deciders_at_once_one_wins_and_the_other_gets_the_row() {
    let bench = Arc::new(Bench::new());
    let by = bench.by(Actor::Hook);
    let (run, turn) = (bench.run, bench.turn);
    let held = bench
        .write(move |tx| {
            let (run, turn) = (run::get(tx, run)?, turn::get(tx, turn)?);
            call::judge(tx, &run, &turn, &facts("c", 1, true, true), &by)
        })
        .unwrap();
    let row = held.fresh.unwrap();
    let results: Vec<_> = [Verdict::Approve, Verdict::Refuse]
        .into_iter()
        .map(|verdict| {
            let (by, id, row) = (bench.by(Actor::Owner), row.id, row.clone());
            bench.write(move |tx| {
                let word = decide::Word::of(&row, 0, verdict, "x");
                decide::store_decision(tx, id, Kind::Approval, &word, (0, "policy"), &by, "decide.before_commit")
            })
        })
        .collect();
    assert_eq!(results.iter().filter(|one| one.is_ok()).count(), 1);
}
