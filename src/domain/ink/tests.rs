use super::*;

fn shown(text: &str) -> String {
    line(&Untrusted::from(text))
}

#[test]
fn what_would_act_or_hide_is_seen() {
    let cases = [
        ("plain text", "plain text"),
        ("a\x1b[31mb", "a<1B>[31mb"),
        ("two\nlines", "two⏎lines"),
        ("a\tb", "a⇥b"),
        ("a\u{9b}b", "a<9B>b"),
        ("txt.\u{202e}exe", "txt.<U+202E>exe"),
        ("a\u{200b}b\u{ad}c", "a<U+200B>b<U+00AD>c"),
        ("tag\u{e0041}", "tag<U+E0041>"),
        ("no\u{a0}break", "no<U+00A0>break"),
        ("e\u{301}\u{302}", "e\u{301}\u{302}"),
        ("e\u{301}\u{302}\u{303}\u{304}", "e\u{301}\u{302}<+2 marks>"),
        ("e\u{301}\u{302}\u{303}", "e\u{301}\u{302}<+1 mark>"),
        ("\u{301}x", "<U+0301>x"),
        ("文書 ✓ → é", "文書 ✓ → é"),
    ];
    for (text, want) in cases {
        assert_eq!(shown(text), want, "{text:?}");
    }
}

#[test]
fn a_text_cannot_pretend_to_hold_a_token() {
    assert_eq!(shown("<U+202E>"), "<U+003C>U+202E>");
    assert_eq!(shown("<u+202e> <1B> <+4 marks>"), "<U+003C>u+202e> <U+003C>1B> <U+003C>+4 marks>");
    assert_eq!(shown("<dd> <div> a < b <41> <U+>"), "<dd> <div> a < b <41> <U+>");
    assert_eq!(shown("a⏎b"), "a<U+23CE>b");
}

#[test]
fn a_command_shows_tabs_and_long_runs_of_blanks() {
    let text = Untrusted::from(format!("git push\t{}origin\nmain", " ".repeat(300)));
    assert_eq!(command(&text), ["git push→⟨300 blanks⟩origin", "main"]);
    assert_eq!(command(&Untrusted::from("a        b → ⟨9 blanks⟩")), ["a        b <U+2192> <U+27E8>9 blanks⟩"]);
    assert!(!has_tokens(&text), "tabs and blanks are plain to see");
    assert!(has_tokens(&Untrusted::from("git push origin ma\u{200b}in")));
    assert!(has_tokens(&Untrusted::from("echo '<U+200B>'")), "a pretended token is a reason to look twice");
}

#[test]
fn a_block_splits_at_line_ends_only() {
    assert_eq!(block(&Untrusted::from("one\n\ntwo\r\n")), ["one", "", "two<0D>", ""]);
    assert_eq!(block(&Untrusted::from("")), [""]);
}

#[test]
fn cutting_counts_columns() {
    assert_eq!(fit("invoice", 7), "invoice");
    assert_eq!(fit("invoice", 6), "invoi…");
    assert_eq!(fit("文書文書", 5), "文書…");
    assert_eq!(fit("文書文書", 4), "文…");
    assert_eq!(fit("e\u{301}e\u{301}e\u{301}", 2), "e\u{301}…");
    assert_eq!(fit("invoice", 0), "");
    assert_eq!(width("文書e\u{301}"), 5);
}
