//! Why a guarded call does not stand alone: the first thing that was met, put into words only when somebody reads them.

use crate::shell::{Item, Node, Piece, Simple, Value, Word};

/// How much of another command is named, in characters.
const NAMED: usize = 60;

/// What stands around a guarded action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Around {
    /// Something within a part that is named later.
    Something,
    /// `|`.
    Pipe,
    /// `&`.
    Background,
    /// `||`.
    Or,
    /// `( … )`.
    Subshell,
    /// `for`, `select`.
    Loop,
    /// A function is defined.
    Function,
    /// Another keyword of the shell.
    Keyword(&'static str),
    /// A word of it runs something.
    Substitution,
    /// Another command of the call, by its place.
    Other((usize, usize)),
    /// A wrapper or a text that holds it.
    Within(String),
    /// Its program is named by its path.
    Path(String),
    /// Its program is not named at all.
    Guessed,
    /// A variable or a setting that can change what runs or where it goes.
    Chooses(String),
    /// An option of it that runs or chooses a program.
    Option,
}

impl Around {
    /// In words, for the owner and the agent. `command` is the whole call.
    pub(super) fn words(&self, command: &str) -> String {
        match self {
            Self::Something => "something else runs with it".to_owned(),
            Self::Option => "an option of it runs or chooses a program".to_owned(),
            Self::Pipe => "a pipe stands around it".to_owned(),
            Self::Background => "a part of the call runs in the background".to_owned(),
            Self::Or => "`||` decides what runs".to_owned(),
            Self::Subshell => "a subshell ( ) is part of the call".to_owned(),
            Self::Loop => "a loop is part of the call".to_owned(),
            Self::Function => "the call defines a function".to_owned(),
            Self::Keyword(word) => format!("`{word}` is part of the call"),
            Self::Substitution => "a substitution, `$(…)` or `<(…)`, in it runs something of its own".to_owned(),
            Self::Other(span) => format!("another command `{}` runs too", shortened(part(command, *span))),
            Self::Within(via) => format!("`{via}` runs it"),
            Self::Path(program) => format!("`{program}` names the program by its path"),
            Self::Guessed => "its program is made while the call runs".to_owned(),
            Self::Chooses(name) => format!("{name} can change what it runs or where it goes"),
        }
    }
}

/// The part of a command between two places.
fn part(command: &str, (start, end): (usize, usize)) -> &str {
    command.get(start..end).unwrap_or(command).trim()
}

fn shortened(text: &str) -> String {
    let first = text.lines().next().unwrap_or_default();
    let mut short: String = first.chars().take(NAMED).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// What stands before the one command of a call that stands alone: folder changes, and its own variables.
pub(super) fn prefix(body: &[Node], command: &str) -> Vec<String> {
    let mut simples = Vec::new();
    collect(body, &mut simples);
    let Some((last, before)) = simples.split_last() else { return Vec::new() };
    let folders = before.iter().map(|simple| part(command, simple.span).to_owned());
    folders.chain(last.assigns.iter().map(|assign| format!("{}={}", assign.name, value(&assign.value)))).collect()
}

fn collect<'n>(nodes: &'n [Node], simples: &mut Vec<&'n Simple>) {
    for node in nodes {
        match node {
            Node::Simple(simple) => simples.push(simple),
            Node::List(items) => {
                for Item { node, .. } in items {
                    collect(std::slice::from_ref(node), simples);
                }
            }
            Node::Pipe(_) | Node::For { .. } | Node::Function { .. } | Node::Subshell { .. } | Node::Block { .. } => {}
        }
    }
}

fn value(value: &Value) -> String {
    match value {
        Value::One(word) => literal(word),
        Value::Many(_) | Value::Named(_) => "?".to_owned(),
    }
}

fn literal(word: &Word) -> String {
    word.pieces
        .iter()
        .map(|piece| match piece {
            Piece::Bare(text) | Piece::Quoted(text) => text.as_str(),
            Piece::Beside(_) => "",
            Piece::Var { .. }
            | Piece::Run { .. }
            | Piece::Process { .. }
            | Piece::Arithmetic(_)
            | Piece::Unknown
            | Piece::Braces(_) => "?",
        })
        .collect()
}
