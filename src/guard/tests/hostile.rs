use proptest::prelude::*;

use super::*;
use crate::domain::Limits;

#[test]
fn hostile_texts_get_an_answer_and_none_gets_through() {
    let deep = |open: &str, close: &str, n: usize| format!("{}git push origin main{}", open.repeat(n), close.repeat(n));
    for text in [
        deep("$(echo ", ")", 50),
        deep("$(echo ", ")", 20_000),
        deep("(", ")", 5_000),
        deep("{ ", "; }", 400),
        format!("{}git push", "true;".repeat(100_000)),
        format!("echo '{}'; git push", "x".repeat(1 << 20)),
        format!("cat <<'EOF'\n{}\nEOF\ngit push", "x\n".repeat(500_000)),
        format!("{} git push", "w ".repeat(200_000)),
        "git push 'unclosed".to_owned(),
        "if git push".to_owned(),
        "git push origin main )".to_owned(),
    ] {
        let report = report(&text);
        assert!(report.is_guarded(), "{}", text.get(..40).unwrap_or(""));
        assert_eq!(report.shape, Shape::WithOthers);
    }
    let long = report(&format!("{}git push", "true;".repeat(100_000)));
    assert_eq!(long.limits, Limits::TooLong);
    assert!(!report(&"true;".repeat(100_000)).is_guarded(), "long and harmless");
}

#[test]
fn texts_that_call_themselves_end() {
    let world = Table::with(&[("alias.a", "b"), ("alias.b", "a"), ("alias.c", "!git c")])
        .file("/repo/x.sh", "#!/bin/sh\n./x.sh; git push origin main\n")
        .file("/repo/Makefile", "a: b\n\tmake a\nb: a\n\tgit push origin main\n");
    for text in [
        "git a",
        "git c",
        "f() { f; f; git push; }; f",
        "f() { g; }; g() { f; }; f",
        "./x.sh",
        "make a",
        "alias a=a; a",
        "x='eval \"$x\"'; eval \"$x\"",
        "for a in 1 2 3 4 5 6 7 8 9; do for b in 1 2 3 4 5 6 7 8 9; do for c in 1 2 3 4 5 6 7 8 9; do for d in 1 2 3 4 5 6 7 8 9; do for e in 1 2 3 4 5 6 7 8 9; do git push; done; done; done; done; done",
        "echo {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}",
        "x=a; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; x=$x$x; git push origin $x",
    ] {
        report_in(&world, text);
    }
    assert!(report_in(&world, "./x.sh").is_guarded());
    assert!(report_in(&world, "make a").is_guarded());
}

/// One way to write the same command for bash.
fn disguised(word: &str, how: u8, at: usize) -> String {
    let at = at % word.len().max(1);
    let (head, tail) = word.split_at(at);
    match how % 8 {
        0 => format!("'{word}'"),
        1 => format!("\"{word}\""),
        2 => format!("{head}''{tail}"),
        3 => format!("{head}\"\"{tail}"),
        4 => format!("$'{word}'"),
        5 => format!("\\{word}"),
        6 => format!("{head}\\\n{tail}"),
        _ => word.to_owned(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Blanks and quotes that bash removes change nothing.
    #[test]
    fn quotes_and_blanks_do_not_hide_a_push(
        which in 0_usize..6,
        ways in proptest::collection::vec((any::<u8>(), 0_usize..12, 0_usize..4), 8),
    ) {
        let plain = [
            "git push origin main",
            "git -C /other push",
            "git push --force origin HEAD:main",
            "cd /other && git push",
            "timeout 5 git push origin main",
            "gh pr merge 12",
        ][which];
        let words = plain.split(' ').zip(ways.iter().cycle()).map(|(word, (how, at, blanks))| {
            let word = if word == "&&" { word.to_owned() } else { disguised(word, *how, *at) };
            format!("{}{word}", [" ", "  ", "\t", " \\\n "][*blanks])
        });
        let text: String = words.collect();
        let (before, after) = (report(plain), report(&text));
        prop_assert_eq!(said(&before), said(&after), "{}", text);
        prop_assert_eq!(before.opaque.len(), after.opaque.len(), "{}", text);
        prop_assert_eq!(before.shape, after.shape, "{}", text);
    }

    /// Whatever the text is, there is an answer, and a plain push behind it is seen unless it became text.
    #[test]
    fn any_text_is_answered(text in "\\PC{0,80}") {
        report(&text);
        let after = report(&format!("{text}\ngit push origin main"));
        // What makes the line a document, a file's name or an error of bash's own is no miss.
        let hidden = text.contains("<<") || text.trim_end().ends_with(['<', '>', '&', '|', '\\']);
        prop_assert!(hidden || after.is_guarded(), "{}", text);
    }

    /// Pieces of shell in any order never crash the reader.
    #[test]
    fn mixed_pieces_are_answered(pieces in proptest::collection::vec(0_usize..28, 0..14)) {
        const PIECES: [&str; 28] = [
            "git", "push", " ", "'", "\"", "$(", ")", "`", "${x:-", "}", "{", "<<EOF\n", "EOF\n", "\n", ";", "&&", "|", "x=", "eval ",
            "bash -c ", "$x", "\\", "for i in a; do ", "; done", "case x in ", "esac", "<(", "#",
        ];
        let text: String = pieces.iter().map(|i| PIECES[*i]).collect();
        report(&text);
        looks_guarded(text.as_bytes());
    }
}

/// What a substitution within a substitution costs grows with the depth, not with its power.
#[test]
fn nested_substitutions_are_not_read_again_and_again() {
    struct Opens(std::cell::Cell<usize>);
    impl crate::domain::repo::RepoWorld for Opens {
        fn open(&self, _: &std::path::Path) -> Option<Box<dyn crate::domain::repo::RepoView + '_>> {
            None
        }
        fn read_text(&self, _: &std::path::Path, _: u64) -> Option<String> {
            self.0.set(self.0.get() + 1);
            None
        }
        fn home(&self) -> Option<PathBuf> {
            None
        }
    }
    let world = Opens(std::cell::Cell::new(0));
    let depth = 14;
    let text = format!("{}$(cat x){}", "$(echo ".repeat(depth), ")".repeat(depth));
    super::super::read(&crate::guard::bash(&text, PathBuf::from("/repo")), &Policy::built_in(), &world);
    let looks = world.0.get();
    assert!(looks <= 16 * depth, "{looks} looks at one file");
}

#[test]
fn wrappers_of_wrappers_and_loops_of_loops_end() {
    let deep = |word: &str| format!("{}git push origin main", word.repeat(3_000));
    for text in [deep("sudo "), deep("xargs "), deep("env "), deep("timeout 5 "), deep("find . -exec "), deep("nohup ")]
    {
        assert!(report(&text).is_guarded(), "{}", text.get(..40).unwrap_or(""));
    }
    let around = |n: usize| format!("{}git push{}", "for v in {1..60}; do ".repeat(n), "; done".repeat(n));
    for depth in [2, 4, 8] {
        let start = std::time::Instant::now();
        assert!(report(&around(depth)).is_guarded());
        assert!(start.elapsed() < std::time::Duration::from_secs(5), "{depth} loops: {:?}", start.elapsed());
    }
    let refs: Vec<String> = (0..2_000).map(|i| format!("b{i}")).collect();
    assert_eq!(said(&report(&format!("git push origin {}", refs.join(" ")))), "origin/* plain");
}

#[test]
fn a_word_of_the_inner_command_does_not_hide_it() {
    for text in [
        "aws-vault exec prod -- helm upgrade web ./c",
        "foo git push origin install",
        "cross-env A=b kubectl apply -f x -n add",
    ] {
        assert!(report(text).is_guarded(), "{text}");
    }
    assert!(!report("asdf install kubectl apply").is_guarded());
}
