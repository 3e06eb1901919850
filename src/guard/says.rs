//! What a command prints, where the call itself says it: `echo`, `printf`, `cat` of a document or a file.

use super::reader::Reader;
use super::scene::{Field, Scene, Stdin, Text};
use crate::shell::Node;

/// A file larger than this is not read for what it would print or run.
pub(super) const FILE: u64 = 64 * 1024;
/// Functions, groups and loops within each other whose output is followed.
const DEPTH: usize = 8;
/// An output that grows longer is not known any more.
const LONGEST: usize = 128 * 1024;
/// How often the format of `printf` is used again.
const TURNS: usize = 64;

impl Reader<'_> {
    /// What the nodes print, or `None` where that is not known. Reports nothing.
    pub(super) fn says(&mut self, nodes: &[Node], scene: &Scene, stdin: &Stdin) -> Option<Text> {
        let quiet = std::mem::replace(&mut self.quiet, true);
        let mut inside = scene.clone();
        let said = self.said_by(nodes, &mut inside, stdin, DEPTH);
        self.quiet = quiet;
        said
    }

    fn said_by(&mut self, nodes: &[Node], scene: &mut Scene, stdin: &Stdin, depth: usize) -> Option<Text> {
        let mut out = Text::default();
        for node in nodes {
            let said = self.node_says(node, scene, stdin, depth.checked_sub(1)?)?;
            out.text.push_str(&said.text);
            out.holes |= said.holes;
        }
        (out.text.len() <= LONGEST).then_some(out)
    }

    fn node_says(&mut self, node: &Node, scene: &mut Scene, stdin: &Stdin, depth: usize) -> Option<Text> {
        match node {
            Node::Simple(simple) => self.simple_says(simple, scene, stdin, depth),
            Node::List(items) => {
                let mut out = Text::default();
                for item in items {
                    let said = self.node_says(&item.node, scene, stdin, depth)?;
                    out.text.push_str(&said.text);
                    out.holes |= said.holes;
                }
                Some(out)
            }
            Node::Pipe(nodes) => {
                let mut stdin = stdin.clone();
                for node in nodes {
                    stdin = Stdin::Text(self.node_says(node, scene, &stdin, depth)?);
                }
                self.comes_in(&stdin)
            }
            Node::Subshell { body, .. } => self.node_says(body, &mut scene.clone(), stdin, depth.checked_sub(1)?),
            Node::Block { word: "{" | "time", parts, .. } => self.said_by(parts, scene, stdin, depth),
            Node::For { name, words: Some(words), body, .. } => {
                let fields = self.fields(words, scene);
                let mut out = Text::default();
                for field in fields.iter().take(16) {
                    scene.set_text(name, Text { text: field.text.clone(), holes: field.holes });
                    let said = self.node_says(body, scene, stdin, depth.checked_sub(1)?)?;
                    out.text.push_str(&said.text);
                    out.holes |= said.holes;
                }
                Some(out)
            }
            _ => None,
        }
    }

    fn simple_says(
        &mut self,
        simple: &crate::shell::Simple,
        scene: &mut Scene,
        stdin: &Stdin,
        depth: usize,
    ) -> Option<Text> {
        let fields = self.fields(&simple.words, scene);
        let own = self.redirects(&simple.redirects, scene);
        for assign in simple.assigns.iter().filter(|_| fields.is_empty()) {
            let value = self.assigned(assign, scene);
            self.sets(assign, value, scene);
        }
        let stdin = own.stdin.as_ref().unwrap_or(stdin);
        let Some(first) = fields.first() else {
            // `$(< file)` prints it.
            let reads = simple.assigns.is_empty() && own.stdin.is_some();
            return if reads { self.comes_in(stdin) } else { Some(Text::default()) };
        };
        if let Some(function) = scene.functions.get(&first.text).filter(|f| f.bodies.len() == 1).cloned() {
            let args = scene.args.replace(fields.iter().skip(1).cloned().collect());
            let said = self.said_by(&[function.bodies.first()?.as_ref().clone()], scene, stdin, depth);
            scene.args = args;
            return said;
        }
        self.prints(&fields, stdin, scene)
    }

    /// The file that `cat FILE` prints, when the call does not write it itself.
    pub(super) fn file_said(&mut self, node: &Node, scene: &Scene) -> Option<std::path::PathBuf> {
        let Node::Simple(simple) = node else { return None };
        let quiet = std::mem::replace(&mut self.quiet, true);
        let fields = self.fields(&simple.words, scene);
        self.quiet = quiet;
        let [program, file] = fields.as_slice() else { return None };
        let path = scene.path(file.known().filter(|_| program.base() == "cat")?, self.world.home().as_deref())?;
        let as_it_is = simple.redirects.is_empty() && !scene.written.iter().any(|(written, _)| *written == path);
        (as_it_is && self.world.read_text(&path, FILE).is_some()).then_some(path)
    }

    fn prints(&self, fields: &[Field], stdin: &Stdin, scene: &Scene) -> Option<Text> {
        let (program, args) = fields.split_first()?;
        match program.base() {
            "echo" => Some(echo(args)),
            "printf" => printf(args),
            "cat" if args.iter().all(|f| f.text == "-") => self.comes_in(stdin),
            ":" | "true" | "sleep" | "cd" | "set" | "shopt" | "export" | "local" | "declare" => Some(Text::default()),
            "cat" => match args {
                [file] => self.file(file, scene),
                _ => None,
            },
            "tee" => self.comes_in(stdin),
            "which" | "type" => one(args.iter().filter(|f| !f.text.starts_with('-'))),
            "pwd" => scene.cwd.as_ref().map(|cwd| Text { text: cwd.display().to_string(), holes: false }),
            "git" => self.git_says(args, scene),
            "command" => {
                args.split_first().filter(|(first, _)| first.text == "-v").and_then(|(_, rest)| one(rest.iter()))
            }
            "dirname" => args.last().filter(|_| args.len() == 1).map(|file| Text {
                text: format!("{}\n", file.text.rsplit_once('/').map_or(".", |(front, _)| front)),
                holes: file.holes,
            }),
            "basename" => args
                .first()
                .filter(|_| args.len() == 1)
                .map(|file| Text { text: format!("{}\n", file.base()), holes: file.holes }),
            "head" | "tail" => some_lines(program.base(), args, &self.comes_in(stdin)?),
            "seq" => sequence(args),
            "tr" | "rev" => changed(program.base(), args, &self.comes_in(stdin)?),
            _ => None,
        }
    }

    /// What git says of where the call stands, read from the repository's files.
    fn git_says(&self, args: &[Field], scene: &Scene) -> Option<Text> {
        let words: Vec<&str> = args.iter().map(|f| f.text.as_str()).collect();
        let repo = self.repos.open(scene.cwd.as_deref()?)?;
        let text = match words.as_slice() {
            ["rev-parse", "--show-toplevel"] => repo.work_tree().display().to_string(),
            ["branch", "--show-current"]
            | ["rev-parse", "--abbrev-ref", "HEAD"]
            | ["symbolic-ref", "--short", "HEAD"] => scene.branch.clone().or_else(|| repo.current_branch())?,
            _ => return None,
        };
        Some(Text { text, holes: false })
    }

    fn file(&self, file: &Field, scene: &Scene) -> Option<Text> {
        let path = scene.path(file.known()?, self.world.home().as_deref())?;
        self.script(&path, scene)
    }

    /// The text of a file: as the call wrote it, else as it is.
    pub(super) fn script(&self, path: &std::path::Path, scene: &Scene) -> Option<Text> {
        match scene.written.iter().rev().find(|(written, _)| written == path) {
            Some((_, text)) => text.clone(),
            None => self.world.read_text(path, FILE).map(|text| Text { text, holes: false }),
        }
    }

    /// The text that a program finds at its standard input.
    pub(super) fn comes_in(&self, stdin: &Stdin) -> Option<Text> {
        match stdin {
            Stdin::Text(text) => Some(text.clone()),
            Stdin::Empty => Some(Text::default()),
            Stdin::File(path) => self.world.read_text(path, FILE).map(Text::of),
            Stdin::Inherited | Stdin::Unknown => None,
        }
    }
}

fn one<'f>(mut args: impl Iterator<Item = &'f Field>) -> Option<Text> {
    match (args.next(), args.next()) {
        (Some(only), None) => Some(Text { text: only.text.clone(), holes: only.holes }),
        _ => None,
    }
}

/// `head -1`, `tail -n 2`.
fn some_lines(program: &str, args: &[Field], text: &Text) -> Option<Text> {
    let words: Vec<&str> = args.iter().map(|f| f.text.as_str()).collect();
    let count: usize = match words.as_slice() {
        [] => 10,
        ["-n", count] => count.parse().ok()?,
        [one] => one.trim_start_matches("-n").trim_start_matches('-').parse().ok()?,
        _ => return None,
    };
    let lines: Vec<&str> = text.text.split_inclusive('\n').collect();
    let skip = if program == "tail" { lines.len().saturating_sub(count) } else { 0 };
    let kept = lines.into_iter().skip(skip).take(count).collect::<String>();
    Some(Text { text: kept, holes: text.holes })
}

/// `seq 3`, `seq 2 4`.
fn sequence(args: &[Field]) -> Option<Text> {
    let numbers: Vec<i64> = args.iter().map(|f| f.known()?.parse().ok()).collect::<Option<_>>()?;
    let (from, to) = match numbers.as_slice() {
        [to] => (1, *to),
        [from, to] => (*from, *to),
        _ => return None,
    };
    let lines: Vec<String> = (from..=to).take(64).map(|n| format!("{n}\n")).collect();
    Some(Text::of(lines.concat()))
}

/// `tr a-z A-Z`, `tr -d x`, `rev`: the simple ways to write a text in another way.
fn changed(program: &str, args: &[Field], text: &Text) -> Option<Text> {
    let words: Vec<&str> = args.iter().map(|f| f.text.as_str()).collect();
    let made = match (program, words.as_slice()) {
        ("rev", []) => text.text.lines().map(|line| line.chars().rev().collect::<String>() + "\n").collect(),
        ("tr", ["-d", set]) => {
            let set = spelled(&unescaped(set))?;
            text.text.chars().filter(|c| !set.contains(c)).collect()
        }
        ("tr", [from, to]) if !from.starts_with('-') => {
            let (from, to) = (spelled(&unescaped(from))?, spelled(&unescaped(to))?);
            let change = |c: char| match from.iter().position(|f| *f == c) {
                Some(at) => to.get(at).or(to.last()).copied().unwrap_or(c),
                None => c,
            };
            text.text.chars().map(change).collect()
        }
        _ => return None,
    };
    Some(Text { text: made, holes: text.holes })
}

/// The characters of a set of `tr`.
fn spelled(set: &str) -> Option<Vec<char>> {
    match set {
        "[:lower:]" => return Some(('a'..='z').collect()),
        "[:upper:]" => return Some(('A'..='Z').collect()),
        _ if set.contains("[:") => return None,
        _ => {}
    }
    let chars: Vec<char> = set.chars().collect();
    let (mut out, mut rest) = (Vec::new(), chars.as_slice());
    while let Some((first, behind)) = rest.split_first() {
        if let ['-', last, more @ ..] = behind {
            out.extend(*first..=*last);
            rest = more;
        } else {
            out.push(*first);
            rest = behind;
        }
    }
    Some(out)
}

fn joined(args: &[Field]) -> Text {
    let text = args.iter().map(|f| f.text.as_str()).collect::<Vec<_>>().join(" ");
    Text { text, holes: args.iter().any(|f| f.holes) }
}

fn echo(args: &[Field]) -> Text {
    let is_option = |f: &&Field| {
        f.text.len() > 1 && f.text.starts_with('-') && f.text.trim_start_matches(['-', 'n', 'e', 'E']).is_empty()
    };
    let options = args.iter().take_while(is_option).count();
    let escapes = args.iter().take(options).any(|f| f.text.contains('e'));
    let mut text = joined(args.get(options..).unwrap_or(&[]));
    if escapes {
        text.text = unescaped(&text.text);
    }
    if !args.iter().take(options).any(|f| f.text.contains('n')) {
        text.text.push('\n');
    }
    text
}

pub(super) fn printf(args: &[Field]) -> Option<Text> {
    let args = match args {
        [dashes, rest @ ..] if dashes.text == "--" => rest,
        [option, ..] if option.text.starts_with('-') => return None,
        _ => args,
    };
    let (format, values) = args.split_first()?;
    let (mut out, mut values) = (Text { text: String::new(), holes: format.holes }, values.iter());
    let format = unescaped(&format.text);
    // The format is used again for what is left over.
    for turn in 0..TURNS {
        let left = values.len();
        if turn > 0 && left == 0 {
            break;
        }
        let mut chars = format.chars();
        while let Some(c) = chars.next() {
            if c != '%' {
                out.text.push(c);
                continue;
            }
            let kind = chars.by_ref().find(|c| !(c.is_ascii_digit() || matches!(c, '-' | '.' | '+' | ' ' | '#')))?;
            match kind {
                '%' => out.text.push('%'),
                's' | 'b' | 'q' | 'd' | 'i' => {
                    if let Some(value) = values.next() {
                        let text = if kind == 'b' { unescaped(&value.text) } else { value.text.clone() };
                        out.text.push_str(&text);
                        out.holes |= value.holes;
                    }
                }
                _ => return None,
            }
        }
        if values.len() == left {
            break;
        }
    }
    Some(out)
}

/// Backslash escapes of `printf` and `echo -e`.
pub(super) fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.peek().copied() {
            Some('0') => out.push(number(&mut chars, 8, 4)),
            Some('1'..='7') => out.push(number(&mut chars, 8, 3)),
            Some('x') => {
                chars.next();
                out.push(number(&mut chars, 16, 2));
            }
            Some(c) => {
                chars.next();
                match c {
                    'n' => out.push('\n'),
                    't' => out.push('\t'),
                    'r' => out.push('\r'),
                    '\\' | '\'' | '"' => out.push(c),
                    other => {
                        out.push('\\');
                        out.push(other);
                    }
                }
            }
            None => out.push('\\'),
        }
    }
    out
}

/// A character by its number.
fn number(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, radix: u32, most: usize) -> char {
    let mut value = 0;
    for _ in 0..most {
        let Some(digit) = chars.peek().and_then(|c| c.to_digit(radix)) else { break };
        value = value * radix + digit;
        chars.next();
    }
    char::from_u32(value & 0xff).unwrap_or(' ')
}
