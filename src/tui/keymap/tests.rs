use super::*;

fn with(text: &str) -> (Keymap, Vec<String>) {
    let file = Source { name: "keymaps/mine.toml".to_owned(), text: format!("inherits = \"default\"\n{text}") };
    let (map, problems) = Keymap::load(&[file]);
    (map, problems.iter().map(Problem::to_string).collect())
}

fn press(map: &Keymap, place: Place, keys: &str) -> Found {
    map.find(place, &Key::parse_sequence(keys).unwrap())
}

#[test]
fn the_default_has_a_key_for_everything_and_no_conflict() {
    let (map, problems) = Keymap::load(&[]);
    assert_eq!(problems, []);
    for entry in TABLE {
        assert!(!map.keys(entry.context, entry.action).is_empty(), "{:?} {:?}", entry.context, entry.action);
    }
}

#[test]
fn sequences_and_places() {
    let map = Keymap::default();
    assert_eq!(press(&map, Place::Inbox, "g"), Found::Prefix);
    assert_eq!(press(&map, Place::Inbox, "g g"), Found::Action(Action::Top, 0));
    assert_eq!(press(&map, Place::Inbox, "g x"), Found::Nothing);
    assert_eq!(press(&map, Place::Approval, "A"), Found::Action(Action::Approve, 0));
    assert_eq!(press(&map, Place::Inbox, "A"), Found::Nothing, "nothing decides in the list");
    assert_eq!(press(&map, Place::Approval, "y"), Found::Nothing);
    assert_eq!(press(&map, Place::Question, "3"), Found::Action(Action::Choose, 2));
    assert_eq!(map.hint(Place::Inbox, Action::Top), Some(("gg".to_owned(), "top")));
}

#[test]
fn a_users_file_changes_what_it_names() {
    let (map, problems) = with("[approval]\napprove = [\"P\"]\n[list]\nshow_new = []\n");
    assert_eq!(problems, [] as [&str; 0]);
    assert_eq!(press(&map, Place::Approval, "P"), Found::Action(Action::Approve, 0));
    assert_eq!(press(&map, Place::Approval, "A"), Found::Nothing);
    assert_eq!(map.key(Place::Inbox, Action::ShowNew), None);
    let changed = map.changed(Context::Approval, Action::Approve).unwrap();
    assert_eq!((changed.file.as_str(), show(&changed.was[0]).as_str()), ("keymaps/mine.toml", "A"));
    assert_eq!(map.changed(Context::Approval, Action::Refuse), None);
}

#[test]
fn keys_may_be_swapped() {
    let (map, problems) = with("[approval]\napprove = [\"R\"]\nrefuse = [\"A\"]\n");
    assert_eq!(problems, [] as [&str; 0]);
    assert_eq!(press(&map, Place::Approval, "A"), Found::Action(Action::Refuse, 0));
}

#[test]
fn what_is_wrong_is_said_with_file_and_line_and_the_default_stays() {
    let cases = [
        ("[approvel]\n", "keymaps/mine.toml:2: unknown context \"approvel\"; did you mean \"approval\"?"),
        (
            "[approval]\naprove = [\"P\"]\n",
            "keymaps/mine.toml:3: unknown action \"aprove\" in [approval]; did you mean \"approve\"?",
        ),
        ("[list]\nopen = [\"entre\"]\n", "keymaps/mine.toml:3: open: \"entre\" is not a key; did you mean \"enter\"?"),
        ("[list]\nopen = \"o\"\n", "keymaps/mine.toml:3: open must be a list of keys, as in open = [\"x\"]"),
        (
            "[list]\nopen = [\"j\"]\n",
            "keymaps/mine.toml:3: \"j\" is bound twice: down in [list] and open in [list]; it stays \"enter\"",
        ),
        (
            "[list]\nopen = [\"z\"]\n",
            "keymaps/mine.toml:3: \"z\" (open in [list]) and \"za\" (fold in [list]) start alike; it stays \"enter\"",
        ),
        (
            "[approval]\napprove = [\"?\"]\n",
            "keymaps/mine.toml:3: \"?\" is bound twice: help in [global] and approve in [approval]; it stays \"A\"",
        ),
        (
            "[approval]\napprove = [\"enter\"]\n",
            "keymaps/mine.toml:3: approve in [approval] decides; \"enter\" is pressed for other reasons too; it stays \"A\"",
        ),
        (
            "[confirm]\nyes = [\"A\"]\n",
            "keymaps/mine.toml:3: approve in [approval] and yes in [confirm] must differ, both are \"A\"; it stays \"y\"",
        ),
        ("[global]\nhelp = []\n", "keymaps/mine.toml:3: help in [global] needs a key; it stays \"?\""),
        (
            "[answer]\nsend = [\"s\"]\n",
            "keymaps/mine.toml:3: \"s\" is text where send in [answer] holds; it stays \"ctrl-s\"",
        ),
    ];
    for (text, want) in cases {
        let (map, problems) = with(text);
        assert_eq!(problems, [want], "{text}");
        assert_eq!(press(&map, Place::Approval, "A"), Found::Action(Action::Approve, 0), "{text}");
        assert_eq!(press(&map, Place::Inbox, "enter"), Found::Action(Action::Open, 0), "{text}");
    }
}

#[test]
fn a_file_that_is_no_key_map_is_not_used() {
    for (text, want) in [("[list]\nopen = [\"o\"]\n", "must start with inherits"), ("inherits = ", "not TOML")] {
        let (map, problems) = Keymap::load(&[Source { name: "k.toml".to_owned(), text: text.to_owned() }]);
        assert!(problems[0].to_string().contains(want), "{problems:?}");
        assert_eq!(press(&map, Place::Inbox, "enter"), Found::Action(Action::Open, 0));
    }
}
