use super::*;
use crate::domain::{Digest, Letter};
use crate::wire::view::CardRef;

fn row(id: i64) -> Row {
    Row {
        id,
        letter: Letter::Q,
        rev: 1,
        digest: Digest::of_bytes(b""),
        state: "open".to_owned(),
        line: "?".into(),
        card: CardRef { id: 1, title: "t".into(), project: "p".into() },
        run: None,
        blocking: false,
        asked_at: 0,
        decision: None,
        attention: None,
        count: 1,
    }
}

fn group(key: GroupKey, ids: &[i64]) -> Group {
    Group { key, rows: ids.iter().copied().map(row).collect() }
}

fn list(ids: &[i64]) -> List {
    let mut list = List::default();
    list.merge(vec![group(GroupKey::Questions, ids)], false);
    list
}

#[test]
fn the_selection_is_held_by_id_and_keeps_its_row_on_the_screen() {
    let mut list = list(&[1, 2, 3, 4, 5, 6, 7, 8]);
    list.select(5);
    list.offset = 3;
    let on_screen = |list: &List| list.cursor_row().unwrap() - list.offset;
    let before = on_screen(&list);
    list.merge(vec![group(GroupKey::Questions, &[11, 12, 1, 2, 3, 4, 5, 6, 7, 8])], false);
    assert_eq!(list.cursor(), Some(Cursor::Item(5)));
    assert_eq!(on_screen(&list), before, "two rows more above it, and it stands where it stood");
}

#[test]
fn with_hands_on_the_keys_rows_change_their_words_but_not_their_places() {
    let mut list = list(&[1, 2]);
    let mut fresh = vec![group(GroupKey::Questions, &[9, 1, 2])];
    fresh[0].rows[1].state = "answered".to_owned();
    list.merge(fresh, true);
    assert_eq!(list.ids(), [1, 2]);
    assert_eq!((list.new_count(), list.waits()), (1, true));
    assert!(list.any(|row| row.id == 1 && row.state == "answered"));
    list.show_waiting();
    assert_eq!((list.ids(), list.new_count()), (vec![9, 1, 2], 0));
}

#[test]
fn when_the_selected_row_is_gone_the_next_one_is_taken_then_the_one_before() {
    let mut list = list(&[1, 2, 3]);
    list.select(2);
    list.merge(vec![group(GroupKey::Questions, &[1, 3])], false);
    assert_eq!(list.cursor(), Some(Cursor::Item(3)));
    list.merge(vec![group(GroupKey::Questions, &[1])], false);
    assert_eq!(list.cursor(), Some(Cursor::Item(1)));
    list.merge(Vec::new(), false);
    assert_eq!(list.cursor(), None);
}

#[test]
fn closing_a_group_leaves_its_head_to_open_it_again() {
    let mut list = list(&[1, 2]);
    list.select(2);
    list.fold(None);
    assert_eq!((list.cursor(), list.ids()), (Some(Cursor::Head(GroupKey::Questions)), vec![]));
    list.step(1);
    list.fold(None);
    assert_eq!(list.cursor(), Some(Cursor::Item(1)));
    list.fold_all(true);
    list.fold_all(false);
    assert_eq!((list.cursor(), list.ids()), (Some(Cursor::Item(1)), vec![1, 2]));
}

#[test]
fn the_cursor_stays_in_sight_and_at_the_top_the_head_does_too() {
    let mut list = list(&[1, 2, 3, 4, 5, 6]);
    list.step(isize::MAX);
    list.keep_in_sight(3);
    assert_eq!(list.offset, 4);
    list.step(isize::MIN);
    list.keep_in_sight(3);
    assert_eq!(list.offset, 0);
}

#[test]
fn a_cursor_that_lost_its_request_to_a_closed_group_takes_the_next_one_that_comes() {
    let mut list = list(&[1]);
    list.merge(vec![group(GroupKey::Closed, &[1])], false);
    assert_eq!(list.cursor(), Some(Cursor::Head(GroupKey::Closed)));
    list.merge(vec![group(GroupKey::Approvals, &[2]), group(GroupKey::Closed, &[1])], false);
    assert_eq!(list.cursor(), Some(Cursor::Item(2)));
    list.step(1);
    list.merge(vec![group(GroupKey::Approvals, &[2, 3]), group(GroupKey::Closed, &[1])], false);
    assert_eq!(list.cursor(), Some(Cursor::Head(GroupKey::Closed)), "put there by the owner, it stays");
}
