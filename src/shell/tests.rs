use super::*;

/// Every simple command anywhere in the text, its literal words joined; `?` for what is expanded.
fn commands(text: &str) -> Vec<String> {
    let tree = parse(text);
    assert_eq!(tree.limits, Limits::None, "{text}");
    let mut out = Vec::new();
    for node in &tree.body {
        walk(node, &mut out);
    }
    out
}

fn walk(node: &Node, out: &mut Vec<String>) {
    let (mut words, mut redirects): (Vec<&Word>, &[Redirect]) = (Vec::new(), &[]);
    match node {
        Node::Simple(simple) => {
            for assign in &simple.assigns {
                assign.subscript.iter().for_each(|w| inside(w, out));
                match &assign.value {
                    Value::One(word) => inside(word, out),
                    Value::Many(words) => words.iter().for_each(|w| inside(w, out)),
                    Value::Named(words) => words.iter().flat_map(|(k, w)| [k, w]).for_each(|w| inside(w, out)),
                }
            }
            let literals: Vec<String> = simple.words.iter().map(literal).collect();
            if !literals.is_empty() {
                out.push(literals.join("|"));
            }
            words.extend(&simple.words);
            redirects = &simple.redirects;
        }
        Node::List(items) => items.iter().for_each(|item| walk(&item.node, out)),
        Node::Pipe(nodes) => nodes.iter().for_each(|node| walk(node, out)),
        Node::For { words: over, body, redirects: around, .. } => {
            over.iter().flatten().for_each(|w| inside(w, out));
            walk(body, out);
            redirects = around;
        }
        Node::Function { body, .. } => walk(body, out),
        Node::Subshell { body, redirects: around } => {
            walk(body, out);
            redirects = around;
        }
        Node::Block { words: expanded, parts, redirects: around, .. } => {
            for w in expanded {
                inside(w, out);
            }
            for p in parts {
                walk(p, out);
            }
            redirects = around;
        }
    }
    words.into_iter().chain(redirects.iter().map(|r| &r.target)).for_each(|word| inside(word, out));
}

fn inside(word: &Word, out: &mut Vec<String>) {
    for piece in &word.pieces {
        match piece {
            Piece::Run { body, .. } | Piece::Process { body } => body.iter().for_each(|node| walk(node, out)),
            Piece::Var { arg, .. } | Piece::Arithmetic(arg) | Piece::Beside(arg) => inside(arg, out),
            Piece::Braces(words) => words.iter().for_each(|w| inside(w, out)),
            Piece::Bare(_) | Piece::Quoted(_) | Piece::Unknown => {}
        }
    }
}

fn literal(word: &Word) -> String {
    let text = |piece: &Piece| match piece {
        Piece::Bare(text) | Piece::Quoted(text) => text.clone(),
        Piece::Braces(words) => words.iter().map(literal).collect::<Vec<_>>().join("|"),
        Piece::Beside(_) => String::new(),
        Piece::Var { .. } | Piece::Run { .. } | Piece::Process { .. } | Piece::Arithmetic(_) | Piece::Unknown => {
            "?".to_owned()
        }
    };
    word.pieces.iter().map(text).collect()
}

#[test]
fn words_lose_the_quotes_that_bash_removes() {
    for (text, wanted) in [
        ("git push", "git|push"),
        ("g'i't pu\"s\"h", "git|push"),
        ("git $'\\x70ush' $'a\\'b'", "git|push|a'b"),
        ("git pu\\\nsh", "git|push"),
        ("\\git \\push", "git|push"),
        ("git ''", "git|"),
        ("a \"b \\\" \\$ \\x '\"", "a|b \" $ \\x '"),
        ("git {push,origin,main}", "git|push|origin|main"),
        ("git push ma{in,}", "git|push|main|ma"),
        ("a {x,y{1,2}}", "a|x|y1|x|y2"),
        ("a '{x,y}' {x} ${x}", "a|{x,y}|{x}|?"),
        ("a $x \"$y\" ${z:-q}", "a|?|?|?"),
        ("$\"git\" push", "git|push"),
        ("a\u{a0}b\rc", "a\u{a0}b\rc"),
        ("a#b # comment", "a#b"),
        ("a $ b$", "a|$|b$"),
    ] {
        assert_eq!(commands(text), [wanted], "{text}");
    }
}

#[test]
fn commands_are_found_wherever_they_run() {
    for (text, wanted) in [
        ("a; b && c || d & e\nf", "a b c d e f"),
        ("a | b |& c", "a b c"),
        ("(a; b) > c", "a b"),
        ("{ a; }", "a"),
        ("! a; time b; coproc c", "a b c"),
        ("if a; then b; elif c; then d; else e; fi", "a b c d e"),
        ("while a; do b; done; until c; do d; done", "a b c d"),
        ("for x in 1 $(a); do b; done", "a b"),
        ("for ((i=$(a);i<1;i++)); do b; done", "a b"),
        ("case $(a) in x|$(b)) c;; *) d;; esac", "a b c d"),
        ("f() { a; }", "a"),
        ("function f { a; }", "a"),
        ("x=$(a) y=(1 $(b)) q", "a b q"),
        ("z[$(a)]=1 b", "a b"),
        ("x=`a \\`b\\``", "a|? b"),
        ("echo \"x $(a \"$(b)\") `c`\"", "echo|x ? ? a|? b c"),
        ("echo ${x:-$(a)} \"${y:=`b`}\" ${z[$(c)]}", "echo|?|?|? a b c"),
        ("echo $((1 + $(a))) $(( $(b) ))", "echo|?|? a b"),
        ("[[ $(a) == $(b) && -f $(c) ]]", "a b c"),
        ("(( x = $(a) ))", "a"),
        ("cat <(a) >(b)", "cat|?|? a b"),
        ("x >$(a) 2>&1 <<<\"$(b)\"", "x a b"),
        ("echo \"${x:-\")\"}\"; a", "echo|? a"),
        ("echo \"$(cat <<'EOF'\nshe said \"hello (\nEOF\n)\" && a", "echo|? cat a"),
        ("echo $(case x in x) a;; esac) b", "echo|?|b a"),
        ("echo $(a # )\n)", "echo|? a"),
    ] {
        assert_eq!(commands(text).join(" "), wanted, "{text}");
    }
}

#[test]
fn here_documents_end_where_bash_ends_them() {
    for (text, wanted) in [
        ("cat <<EOF\na\nEOF\nb", "cat b"),
        ("cat <<'EOF'\n$(a)\nEOF\nb", "cat b"),
        ("cat <<EOF\n$(a) `b` \\$(c) \"$(d)\"\nEOF", "cat a b d"),
        ("cat <<EOF\ntext\nb", "cat"),
        ("cat <<'EOF'\nEOF \nb\nEOF", "cat"),
        ("cat <<'EOF'\nEOF \nb\nEOF\nc", "cat c"),
        ("cat <<-EOF\n\ta\n\tEOF\nb", "cat b"),
        ("cat <<A <<B\nA\nx\nB\nb", "cat b"),
        ("cat <<'EOF' > f; b\nx\nEOF", "cat b"),
        ("cat <<\"E F\"\nx\nE F\nb", "cat b"),
        ("cat <<EOF | a\nx\nEOF", "cat a"),
    ] {
        assert_eq!(commands(text).join(" "), wanted, "{text}");
    }
}

#[test]
fn a_place_in_the_text_is_counted_in_bytes() {
    let text = "echo 'ü'; git push";
    let tree = parse(text);
    let [Node::List(items)] = tree.body.as_slice() else { panic!("{tree:?}") };
    let Node::Simple(simple) = &items[1].node else { panic!("{tree:?}") };
    assert_eq!(&text[simple.span.0..simple.span.1], "git push");
}

#[test]
fn lists_keep_what_joins_them() {
    let tree = parse("a && b || c; d & e");
    let [Node::List(items)] = tree.body.as_slice() else { panic!("{tree:?}") };
    let joins: Vec<Join> = items.iter().map(|i| i.join).collect();
    assert_eq!(joins, [Join::And, Join::Or, Join::Then, Join::Background, Join::Then]);
    let tree = parse("a &");
    let [Node::List(items)] = tree.body.as_slice() else { panic!("{tree:?}") };
    assert_eq!(items[0].join, Join::Background);
}

#[test]
fn what_bash_would_refuse_is_a_parse_error() {
    for text in ["if", "a 'b", "(a", "a )", "\"", "$(", "a | | b", "{ a"] {
        assert_eq!(parse(text).limits, Limits::ParseError, "{text}");
    }
}

#[test]
fn hostile_texts_are_answered_in_time() {
    let deep = |open: &str, close: &str, n: usize| format!("{}true{}", open.repeat(n), close.repeat(n));
    for (text, wanted) in [
        (deep("$(echo ", ")", 17), Limits::TooDeep),
        (deep("$(echo ", ")", 20_000), Limits::TooLong),
        (deep("(", ")", 5_000), Limits::TooDeep),
        (deep("{ ", "; }", 200), Limits::TooDeep),
        ("true;".repeat(100_000), Limits::TooLong),
        ("true;".repeat(2_001), Limits::TooLong),
        (format!("echo '{}'", "x".repeat(1 << 20)), Limits::TooLong),
        ("a\n".repeat(2_500), Limits::TooLong),
    ] {
        assert_eq!(parse(&text).limits, wanted, "{}", text.get(..20).unwrap_or(""));
    }
    for fine in [
        deep("$(echo ", ")", 16),
        "true;".repeat(1_999),
        format!("echo '{}'", "x".repeat(60_000)),
        "w ".repeat(32_000),
        "echo `echo \\`echo \\\\\\`a\\\\\\`\\``".to_owned(),
    ] {
        let limits = parse(&fine).limits;
        // On a busy machine the deadline may strike: an answer all the same.
        assert!(matches!(limits, Limits::None | Limits::Deadline), "{limits:?}");
    }
    for odd in [
        "\0",
        "\u{1}",
        "$",
        "`",
        "\\",
        "${",
        "$((",
        "<<",
        "<<<",
        "<(",
        "{,",
        "a{b",
        "$'",
        "[[",
        "((",
        "case",
        "&",
        "\u{feff}x",
    ] {
        parse(odd);
    }
    assert_eq!(commands("a"), ["a"], "the parser still works");
}
