//! What a command text is made of, independent of the crate that parsed it.

use crate::domain::Limits;

/// A whole command text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// Its parts in order; empty when a limit struck.
    pub body: Vec<Node>,
    /// Why there is no tree.
    pub limits: Limits,
    /// Some word was accepted by the parser and not understood here: the text must be looked at as a whole too.
    pub unsure: bool,
}

/// One part of a command text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// Assignments, words and redirections.
    Simple(Simple),
    /// Parts one after the other.
    List(Vec<Item>),
    /// Parts joined by `|`.
    Pipe(Vec<Node>),
    /// `for` and `select`.
    For {
        /// The variable.
        name: String,
        /// What it goes over; `None` is `"$@"`.
        words: Option<Vec<Word>>,
        /// What is done.
        body: Box<Node>,
        /// Around the whole.
        redirects: Vec<Redirect>,
    },
    /// A definition; nothing runs yet.
    Function {
        /// Its name.
        name: String,
        /// What it does when it is called.
        body: Box<Node>,
    },
    /// `( … )`: a change of folder or variables inside does not come out.
    Subshell {
        /// What is inside.
        body: Box<Node>,
        /// Around the whole.
        redirects: Vec<Redirect>,
    },
    /// Everything else that only stands around parts (`if`, `while`, `case`, `{ }`, `!`, `time`, `coproc`, `[[`, `((`).
    Block {
        /// The keyword.
        word: &'static str,
        /// Words that are expanded.
        words: Vec<Word>,
        /// The parts in the order in which they may run.
        parts: Vec<Node>,
        /// Around the whole.
        redirects: Vec<Redirect>,
    },
}

/// One part of a list and what joins it to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The part.
    pub node: Node,
    /// What follows it.
    pub join: Join,
}

/// What stands between two parts of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// `;`, a line break or the end.
    Then,
    /// `&&`.
    And,
    /// `||`.
    Or,
    /// `&`.
    Background,
}

/// A simple command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simple {
    /// `NAME=value` in front.
    pub assigns: Vec<Assign>,
    /// Its words, not expanded.
    pub words: Vec<Word>,
    /// Its redirections.
    pub redirects: Vec<Redirect>,
    /// Where it stands in the whole text, in bytes.
    pub span: (usize, usize),
}

/// An assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assign {
    /// The name.
    pub name: String,
    /// What stands in brackets behind it.
    pub subscript: Option<Word>,
    /// `+=`.
    pub append: bool,
    /// The value.
    pub value: Value,
}

/// What is assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// One text.
    One(Word),
    /// `( … )`.
    Many(Vec<Word>),
    /// `([name]=value …)`.
    Named(Vec<(Word, Word)>),
}

/// A redirection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// The operator, `<<` for a document.
    pub op: String,
    /// The file, the here-string or the document.
    pub target: Word,
}

/// A word before expansion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// Its pieces in order.
    pub pieces: Vec<Piece>,
}

/// A piece of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Characters without quotes; glob characters are still in it.
    Bare(String),
    /// Characters as they are.
    Quoted(String),
    /// A parameter.
    Var {
        /// Its name (`x`, `1`, `@`, `a[@]`).
        name: String,
        /// What is done to it (`:-`, `#`, `,,`), or `!` in front, or `len`.
        op: Option<String>,
        /// The operand.
        arg: Word,
        /// Within double quotes.
        quoted: bool,
    },
    /// A command substitution.
    Run {
        /// What runs.
        body: Vec<Node>,
        /// Within double quotes.
        quoted: bool,
    },
    /// `<( … )`, `>( … )`.
    Process {
        /// What runs.
        body: Vec<Node>,
    },
    /// Whatever gives a text that is not known here.
    Unknown,
    /// What is expanded beside the word and adds nothing to it: a subscript.
    Beside(Word),
    /// `$(( … ))`, `$[ … ]`: its text as a document, with what runs in it.
    Arithmetic(Word),
    /// `{a,b}`.
    Braces(Vec<Word>),
}
