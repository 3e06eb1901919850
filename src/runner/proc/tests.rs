use super::*;

#[test]
fn this_process_is_found_with_its_ancestors() {
    let me = read(std::process::id()).unwrap();
    assert!(alive(me.pid, me.start_time) && !alive(me.pid, me.start_time + 1));
    let up = ancestors(me.pid);
    assert_eq!(up[0], me);
    assert_eq!(up[1].pid, me.ppid);
    assert_eq!(up.last().unwrap().ppid, 0);
    assert!(family(me.pid, me.start_time).contains(&me.id()));
    assert!(family(me.pid, me.start_time + 1).is_empty(), "a number used again is somebody else");
}

#[test]
fn nothing_is_said_of_a_process_that_is_not_there() {
    assert_eq!(read(u32::MAX), None);
    assert_eq!(ancestors(0), []);
    assert!(!kill(0, 0) && !kill(u32::MAX, 1));
    assert!(environ_value(u32::MAX, "HOME").is_err());
    assert_eq!(boot_id().len(), 36);
}
