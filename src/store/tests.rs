//! The store on a real file: what is refused, what survives, what is said of a damaged or newer one.

use super::change::{self, Change, Table};
use super::event::{self, NewEvent};
use super::{Store, StoreError, Tx, migrate};
use crate::domain::{Actor, EventName};

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

fn line(object: &str) -> NewEvent {
    NewEvent::new(1, EventName::CardCreated, Actor::Owner, object)
}

fn with_a_card(tx: &mut dyn Tx) -> Result<(), StoreError> {
    tx.execute("INSERT INTO project (id, name, folder, created_at) VALUES (1, 'app', '/app', 0)", &[])?;
    tx.execute(
        "INSERT INTO card (id, project_id, title, state, rev, created_at) VALUES (1, 1, 'c', 'open', 0, 0)",
        &[],
    )?;
    Ok(())
}

fn step(rev: i64, from: &'static str) -> Change<'static> {
    Change { table: Table::Card, id: 1, rev, from, to: "done", set: Vec::new() }
}

#[test]
fn a_change_from_an_old_state_or_rev_changes_nothing_and_writes_no_event() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("s.db")).unwrap();
    runtime().block_on(async {
        store.write(with_a_card).await.unwrap();
        for (rev, from) in [(1, "open"), (0, "done")] {
            let stale = store.write(move |tx| change::apply(tx, &step(rev, from), line("card 1"), Vec::new())).await;
            assert!(matches!(stale, Err(StoreError::Stale(_))), "{stale:?}");
        }
        assert_eq!(store.read(event::chain).await.unwrap(), (0, 0));
        store.write(|tx| change::apply(tx, &step(0, "open"), line("card 1"), Vec::new())).await.unwrap();
        assert_eq!(store.read(event::chain).await.unwrap(), (1, 1));
        let again = store.write(|tx| change::apply(tx, &step(0, "open"), line("card 1"), Vec::new())).await;
        assert!(matches!(again, Err(StoreError::Stale(_))), "the second of two who read the same row");
    });
}

#[test]
fn a_failure_or_a_panic_in_the_middle_leaves_nothing_behind_and_the_store_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("s.db")).unwrap();
    runtime().block_on(async {
        let failed: Result<(), _> = store
            .write(|tx| {
                with_a_card(tx)?;
                event::append(tx, line("card 1"))?;
                Err(StoreError::Refused("no".to_owned()))
            })
            .await;
        assert!(failed.is_err());
        let panicked: Result<(), _> = store
            .write(|tx| {
                with_a_card(tx)?;
                panic!("a planted panic")
            })
            .await;
        assert!(matches!(panicked, Err(StoreError::Closed)));
        let left = store.read(|tx| tx.number("SELECT COUNT(*) AS n FROM card", &[])).await.unwrap();
        assert_eq!(left, 0);
        store.write(with_a_card).await.unwrap();
    });
}

#[test]
fn what_was_written_is_there_after_opening_again_and_readers_cannot_write() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.db");
    runtime().block_on(async {
        let store = Store::open(&path).unwrap();
        let mut told = store.last_event();
        store.write(|tx| event::append(tx, line("core"))).await.unwrap();
        told.changed().await.unwrap();
        assert_eq!(*told.borrow(), 1);
        assert!(store.read(with_a_card).await.is_err(), "a read that writes");
        drop(store);
        let store = Store::open(&path).unwrap();
        assert_eq!(store.read(event::chain).await.unwrap(), (1, 1));
    });
}

#[test]
fn a_newer_store_is_not_touched_and_a_file_that_is_none_is_said_to_be_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.db");
    drop(Store::open(&path).unwrap());
    let newer = migrate::current() + 1;
    rusqlite::Connection::open(&path).unwrap().pragma_update(None, "user_version", newer).unwrap();
    let before = std::fs::read(&path).unwrap();
    assert!(matches!(Store::open(&path), Err(StoreError::Newer { have, .. }) if have == newer));
    assert_eq!(std::fs::read(&path).unwrap(), before);

    let junk = folder.path().join("junk.db");
    std::fs::write(&junk, "this is not a database, whatever its name says ".repeat(100)).unwrap();
    assert!(Store::open(&junk).is_err());
    assert!(std::fs::read_to_string(&junk).unwrap().starts_with("this is not"), "a damaged file is never overwritten");
}

#[test]
fn a_file_that_was_moved_away_or_replaced_takes_no_word() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.db");
    let store = Store::open(&path).unwrap();
    runtime().block_on(async {
        std::fs::rename(&path, folder.path().join("away.db")).unwrap();
        let gone = store.write(with_a_card).await;
        assert!(matches!(gone, Err(StoreError::Replaced(_))), "{gone:?}");
        drop(Store::open(&path).unwrap());
        let other = store.write(with_a_card).await;
        assert!(matches!(other, Err(StoreError::Replaced(_))), "another file in its place: {other:?}");
        std::fs::rename(folder.path().join("away.db"), &path).unwrap();
        store.write(with_a_card).await.unwrap();
    });
}

#[test]
fn every_state_of_the_machines_has_a_word_that_finds_it_again() {
    use crate::domain::{approval, decision, delivery, question, run, turn};
    macro_rules! round {
        ($($state:path),*) => {$(
            for state in <$state>::ALL {
                assert_eq!(<$state>::named(state.as_str()), Some(*state));
            }
            assert_eq!(<$state>::named("nothing of the kind"), None);
        )*};
    }
    round!(
        approval::ApprovalState,
        approval::ExpiryReason,
        decision::DecisionState,
        decision::Verdict,
        delivery::DeliveryState,
        delivery::DeliveryKind,
        question::QuestionState,
        run::RunState,
        turn::TurnState,
        turn::TurnKind
    );
}
