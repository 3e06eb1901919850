//! What a command prints, where the call itself says it: `echo`, `printf`, `cat` of a document or a file.

use super::reader::Reader;
use super::scene::{Field, Scene, Stdin, Text};
use crate::shell::Node;

/// A file larger than this is not read for what it would print or run.
pub(super) const FILE: u64 = 64 * 1024;

impl Reader<'_> {
    /// What the nodes print, or `None` where that is not known. Reports nothing.
    pub(super) fn says(&mut self, nodes: &[Node], scene: &Scene, stdin: &Stdin) -> Option<Text> {
        let [node] = nodes else { return None };
        let simple = match node {
            Node::Simple(simple) => simple,
            Node::List(items) => match items.as_slice() {
                [item] => return self.says(std::slice::from_ref(&item.node), scene, stdin),
                _ => return None,
            },
            Node::Pipe(_) | Node::For { .. } | Node::Function { .. } | Node::Subshell { .. } | Node::Block { .. } => {
                return None;
            }
        };
        let quiet = std::mem::replace(&mut self.quiet, true);
        let fields = self.fields(&simple.words, scene);
        let own = self.redirects(&simple.redirects, &mut scene.clone());
        self.quiet = quiet;
        self.prints(&fields, own.as_ref().unwrap_or(stdin), scene)
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
            "cat" if args.is_empty() => self.comes_in(stdin),
            "cat" => match args {
                [file] => self.file(file, scene),
                _ => None,
            },
            "tee" => self.comes_in(stdin),
            "which" => one(args),
            "pwd" => scene.cwd.as_ref().map(|cwd| Text { text: cwd.display().to_string(), holes: false }),
            "git" => self.git_says(args, scene),
            "command" => args.split_first().filter(|(first, _)| first.text == "-v").and_then(|(_, rest)| one(rest)),
            _ => None,
        }
    }

    /// What git says of where the call stands, read from the repository's files.
    fn git_says(&self, args: &[Field], scene: &Scene) -> Option<Text> {
        let words: Vec<&str> = args.iter().map(|f| f.text.as_str()).collect();
        let repo = self.world.open(scene.cwd.as_deref()?)?;
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
            Stdin::File(path) => self.world.read_text(path, FILE).map(|text| Text { text, holes: false }),
            Stdin::Inherited | Stdin::Unknown => None,
        }
    }
}

fn one(args: &[Field]) -> Option<Text> {
    match args {
        [only] => Some(Text { text: only.text.clone(), holes: only.holes }),
        _ => None,
    }
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
    text.text.push('\n');
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
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            out.text.push(c);
            continue;
        }
        match chars.next()? {
            '%' => out.text.push('%'),
            's' | 'b' | 'q' | 'd' => {
                if let Some(value) = values.next() {
                    out.text.push_str(&value.text);
                    out.holes |= value.holes;
                }
            }
            _ => return None,
        }
    }
    // The format is used again for what is left over: one text after the other is all that matters here.
    for value in values {
        out.text.push_str(&value.text);
        out.text.push('\n');
        out.holes |= value.holes;
    }
    Some(out)
}

/// Backslash escapes of `printf` and `echo -e`.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.peek().copied() {
            Some('0'..='7') => out.push(number(&mut chars, 8, 3)),
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
