//! Whatever an agent writes, what is drawn neither acts nor hides, and from it the bytes can be told.

use std::sync::LazyLock;

use proptest::prelude::*;
use regex::Regex;
use sayso::domain::Untrusted;
use sayso::domain::ink::{self, Form};

/// What must never reach a screen: another crate's Unicode tables, not those of the program.
static HIDDEN: LazyLock<Regex> = LazyLock::new(|| {
    let classes = concat!(
        r"[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Default_Ignorable_Code_Point}",
        r"\p{Noncharacter_Code_Point}\u{2800}]|[^\P{Zs} ]"
    );
    Regex::new(classes).unwrap()
});

/// What a drawn text uses for what it does not draw as it is.
static TOKEN: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"<U\+([0-9A-F]{4,6})>|<([0-9A-F]{2})>|⟨([0-9]+) blanks⟩|⏎|→|⇥").unwrap());

static MARKS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"<\+[0-9]+ marks?>").unwrap());

/// The bytes that a drawn text stands for.
fn unescape(lines: &[String], form: Form) -> String {
    let read = |shown: &String| {
        TOKEN
            .replace_all(shown, |found: &regex::Captures<'_>| {
                let code = found.get(1).or_else(|| found.get(2));
                let whole = found.get(0).unwrap().as_str();
                match (code, found.get(3), whole, form) {
                    (Some(code), ..) => {
                        char::from_u32(u32::from_str_radix(code.as_str(), 16).unwrap()).unwrap().to_string()
                    }
                    (_, Some(blanks), _, Form::Command) => " ".repeat(blanks.as_str().parse().unwrap()),
                    (_, _, "⏎", Form::Line) => "\n".to_owned(),
                    (_, _, "→", Form::Command) | (_, _, "⇥", Form::Line | Form::Block) => "\t".to_owned(),
                    _ => whole.to_owned(),
                }
            })
            .into_owned()
    };
    lines.iter().map(read).collect::<Vec<_>>().join("\n")
}

fn draw(text: &str, form: Form) -> Vec<String> {
    let text = Untrusted::from(text);
    match form {
        Form::Line => vec![ink::line(&text)],
        Form::Block => ink::block(&text),
        Form::Command => ink::command(&text),
    }
}

const FORMS: [Form; 3] = [Form::Line, Form::Block, Form::Command];

#[test]
fn every_code_point_is_either_drawn_as_it_is_or_told_by_its_number() {
    let mut text = String::new();
    for c in '\0'..=char::MAX {
        text.clear();
        text.extend(['a', c, 'b']);
        let evil = HIDDEN.is_match(&text);
        if !evil && !"⏎→⇥".contains(c) {
            assert_eq!(draw(&text, Form::Command), [text.as_str()], "{c:?} has a look of its own");
            continue;
        }
        for form in FORMS {
            let lines = draw(&text, form);
            assert_eq!(unescape(&lines, form), text, "{c:?} as {form:?}");
            let shown = lines.concat();
            assert!(!HIDDEN.is_match(&shown), "{c:?} is drawn as {shown:?}");
        }
        let token = evil && !['\n', '\t'].contains(&c);
        assert_eq!(ink::has_tokens(&Untrusted::from(text.as_str())), token, "{c:?}");
    }
}

/// Bits that are dangerous together: pretended tokens, controls, blanks, signs, marks.
fn bits() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("<".to_owned()),
        Just("<U+".to_owned()),
        Just("202E>".to_owned()),
        Just("<1B>".to_owned()),
        Just("<+3 marks>".to_owned()),
        Just("⟨12 blanks⟩".to_owned()),
        Just("⟨".to_owned()),
        Just("⏎→⇥".to_owned()),
        Just("\u{1b}]52;c;aGk=\u{7}".to_owned()),
        Just("\r\n".to_owned()),
        Just("\u{202e}\u{2066}\u{200b}".to_owned()),
        Just("e\u{301}".to_owned()),
        (1..40_usize).prop_map(|n| " ".repeat(n)),
        any::<char>().prop_map(String::from),
        "[ -~]{0,6}",
    ];
    prop::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_mix_acts_or_hides(text in bits()) {
            for form in FORMS {
            for shown in draw(&text, form) {
                prop_assert!(!HIDDEN.is_match(&shown), "{shown:?}");
            }
        }
    }

    #[test]
    fn the_bytes_can_be_told_from_what_is_drawn(text in bits()) {
        for form in FORMS {
            let lines = draw(&text, form);
            if !lines.iter().any(|shown| MARKS.is_match(shown)) {
                prop_assert_eq!(unescape(&lines, form), text.clone());
            }
        }
    }

    #[test]
    fn pieces_lose_no_byte(text in bits()) {
        let text = Untrusted::from(text);
        for form in FORMS {
            let raw: String = ink::pieces(&text, form).iter().map(|piece| piece.raw).collect();
            prop_assert_eq!(raw.as_str(), text.raw());
        }
    }

    #[test]
    fn a_cut_text_fits_and_starts_alike(text in bits(), columns in 0..40_usize) {
        let shown = ink::line(&Untrusted::from(text));
        let cut = ink::fit(&shown, columns);
        prop_assert!(ink::width(&cut) <= columns);
        prop_assert!(shown.starts_with(cut.strip_suffix('…').unwrap_or(&cut)));
    }
}
