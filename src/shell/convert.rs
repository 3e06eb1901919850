//! The parser crate's tree → ours. Lists are flattened: the crate nests them to the left.

use rable::{ListOperator, Node as Raw, NodeKind};

use super::tree::{Assign, Item, Join, Node, Redirect, Simple, Tree, Value, Word};
use super::word;
use crate::domain::Limits;

/// Substitutions within substitutions that are followed.
const DEPTH: usize = 18;

/// Parses a whole text.
pub(super) fn tree(text: &str) -> Tree {
    let text = keep_heredoc_ends_strict(text);
    let mut reader = Reader::new(&text);
    match rable::parse(&text, true) {
        Ok(nodes) => {
            let body = reader.nodes(&nodes);
            Tree { body, limits: Limits::None, unsure: reader.unsure }
        }
        Err(_) => Tree { body: Vec::new(), limits: Limits::ParseError, unsure: false },
    }
}

/// Bash ends a here-document only at a line that is exactly its word; the crate also takes one with blanks behind it.
/// A character that is no blank keeps the two apart, at the same length.
fn keep_heredoc_ends_strict(text: &str) -> String {
    if !text.contains("<<") {
        return text.to_owned();
    }
    let lines = text.split_inclusive('\n').map(|line| {
        let (body, end) = line.strip_suffix('\n').map_or((line, ""), |body| (body, "\n"));
        let word = body.trim();
        let loose = body.ends_with([' ', '\t']) && !word.is_empty() && !word.contains([' ', '\t']);
        match body.char_indices().last() {
            Some((at, _)) if loose => format!("{}\u{1}{end}", body.get(..at).unwrap_or(body)),
            _ => line.to_owned(),
        }
    });
    lines.collect()
}

/// Turns nodes of one text into ours.
pub(super) struct Reader {
    /// Byte offset of each character, and of the end.
    offsets: Vec<usize>,
    /// Where everything stands, for a text that is itself only a part.
    fixed: Option<(usize, usize)>,
    /// How deep this text lies in others.
    pub(super) depth: usize,
    /// Something was accepted and not understood.
    pub(super) unsure: bool,
}

impl Reader {
    fn new(text: &str) -> Self {
        let offsets = text.char_indices().map(|(i, _)| i).chain([text.len()]).collect();
        Self { offsets, fixed: None, depth: 0, unsure: false }
    }

    /// A text found inside of this one, as its nodes; `None` when it does not parse.
    pub(super) fn inner(&mut self, text: &str, span: (usize, usize)) -> Option<Vec<Node>> {
        if self.depth >= DEPTH {
            self.unsure = true;
            return None;
        }
        let nodes = rable::parse(text, true).ok()?;
        let mut reader = Self { offsets: Vec::new(), fixed: Some(span), depth: self.depth + 1, unsure: false };
        let body = reader.nodes(&nodes);
        self.unsure |= reader.unsure;
        Some(body)
    }

    fn nodes(&mut self, nodes: &[Raw]) -> Vec<Node> {
        nodes.iter().filter_map(|node| self.node(node)).collect()
    }

    fn span(&self, raw: &Raw) -> (usize, usize) {
        self.fixed.unwrap_or_else(|| {
            let end = self.offsets.last().copied().unwrap_or(0);
            let at = |i: usize| self.offsets.get(i).copied().unwrap_or(end);
            (at(raw.span.start), at(raw.span.end))
        })
    }

    fn boxed(&mut self, raw: &Raw) -> Box<Node> {
        Box::new(self.node(raw).unwrap_or(Node::List(Vec::new())))
    }

    fn node(&mut self, raw: &Raw) -> Option<Node> {
        let span = self.span(raw);
        Some(match &raw.kind {
            NodeKind::Command { assignments, words, redirects } => Node::Simple(Simple {
                assigns: assignments
                    .iter()
                    .chain(words.iter().filter(|word| declares_array(words, word)))
                    .filter_map(|a| self.assign(a, span))
                    .collect(),
                words: words.iter().filter(|word| !declares_array(words, word)).map(|w| self.word(w, span)).collect(),
                redirects: self.redirects(redirects, span),
                span,
            }),
            NodeKind::Pipeline { commands, .. } => Node::Pipe(self.nodes(commands)),
            NodeKind::List { .. } => self.list(raw),
            NodeKind::For { var, words, body, redirects } | NodeKind::Select { var, words, body, redirects } => {
                Node::For {
                    name: var.clone(),
                    words: words.as_ref().map(|words| words.iter().map(|w| self.word(w, span)).collect()),
                    body: self.boxed(body),
                    redirects: self.redirects(redirects, span),
                }
            }
            NodeKind::Function { name, body } => Node::Function { name: name.clone(), body: self.boxed(body) },
            NodeKind::Subshell { body, redirects } => {
                Node::Subshell { body: self.boxed(body), redirects: self.redirects(redirects, span) }
            }
            NodeKind::Empty | NodeKind::Comment { .. } => return None,
            _ => self.block(raw, span),
        })
    }

    fn block(&mut self, raw: &Raw, span: (usize, usize)) -> Node {
        let none: &[Raw] = &[];
        let (word, texts, parts, redirects): (_, Vec<&str>, Vec<&Raw>, _) = match &raw.kind {
            NodeKind::If { condition, then_body, else_body, redirects } => {
                let mut parts: Vec<&Raw> = vec![condition, then_body];
                parts.extend(else_body.as_deref());
                ("if", Vec::new(), parts, redirects.as_slice())
            }
            NodeKind::While { condition, body, redirects } | NodeKind::Until { condition, body, redirects } => {
                ("while", Vec::new(), vec![condition.as_ref(), body], redirects.as_slice())
            }
            NodeKind::ForArith { init, cond, incr, body, redirects } => {
                ("for", vec![init.as_str(), cond, incr], vec![body.as_ref()], redirects.as_slice())
            }
            NodeKind::BraceGroup { body, redirects } => ("{", Vec::new(), vec![body.as_ref()], redirects.as_slice()),
            NodeKind::Coproc { command, .. } => ("coproc", Vec::new(), vec![command.as_ref()], none),
            NodeKind::Negation { pipeline } => ("!", Vec::new(), vec![pipeline.as_ref()], none),
            NodeKind::Time { pipeline, .. } => ("time", Vec::new(), vec![pipeline.as_ref()], none),
            NodeKind::ArithmeticCommand { redirects, raw_content, .. } => {
                ("((", vec![raw_content.as_str()], Vec::new(), redirects.as_slice())
            }
            NodeKind::ConditionalExpr { body, redirects } => {
                let mut texts = Vec::new();
                terms(body, &mut texts);
                let words = texts.into_iter().map(|text| word::read(self, text, span)).collect();
                return Node::Block {
                    word: "[[",
                    words,
                    parts: Vec::new(),
                    redirects: self.redirects(redirects, span),
                };
            }
            NodeKind::Case { .. } => return self.case(raw, span),
            _ => {
                self.unsure = true;
                ("?", Vec::new(), Vec::new(), none)
            }
        };
        Node::Block {
            word,
            words: texts.into_iter().map(|text| word::read_document(self, text, span)).collect(),
            parts: parts.into_iter().filter_map(|part| self.node(part)).collect(),
            redirects: self.redirects(redirects, span),
        }
    }

    fn case(&mut self, raw: &Raw, span: (usize, usize)) -> Node {
        let NodeKind::Case { word, patterns, redirects } = &raw.kind else { return Node::List(Vec::new()) };
        let mut words = vec![self.word(word, span)];
        let mut parts = Vec::new();
        for pattern in patterns {
            words.extend(pattern.patterns.iter().map(|w| self.word(w, span)));
            parts.extend(pattern.body.as_ref().and_then(|body| self.node(body)));
        }
        Node::Block { word: "case", words, parts, redirects: self.redirects(redirects, span) }
    }

    /// A list, its left-nested parts in one row.
    fn list(&mut self, raw: &Raw) -> Node {
        let mut items: Vec<Item> = Vec::new();
        // From the right: each list's own items, the first of which may be a list again.
        let mut spine = vec![raw];
        while let Some(NodeKind::List { items }) = spine.last().map(|node| &node.kind) {
            match items.first() {
                Some(first) if matches!(first.command.kind, NodeKind::List { .. }) => spine.push(&first.command),
                _ => break,
            }
        }
        for (depth, list) in spine.iter().rev().enumerate() {
            let NodeKind::List { items: own } = &list.kind else { continue };
            for (at, item) in own.iter().enumerate() {
                let join = match item.operator {
                    Some(ListOperator::And) => Join::And,
                    Some(ListOperator::Or) => Join::Or,
                    Some(ListOperator::Background) => Join::Background,
                    Some(ListOperator::Semi) | None => Join::Then,
                };
                if depth > 0 && at == 0 {
                    if let (Some(last), Some(_)) = (items.last_mut(), item.operator) {
                        last.join = join;
                    }
                    continue;
                }
                match self.node(&item.command) {
                    Some(Node::List(inner)) => {
                        items.extend(inner);
                        if let Some(last) = items.last_mut() {
                            last.join = join;
                        }
                    }
                    Some(node) => items.push(Item { node, join }),
                    None => {}
                }
            }
        }
        Node::List(items)
    }

    fn word(&mut self, raw: &Raw, span: (usize, usize)) -> Word {
        if let NodeKind::Word { value, .. } = &raw.kind {
            return word::read(self, value, span);
        }
        self.unsure = true;
        Word::default()
    }

    fn assign(&mut self, raw: &Raw, span: (usize, usize)) -> Option<Assign> {
        let NodeKind::Word { value, .. } = &raw.kind else { return None };
        let (head, rest) = value.split_at(value.find(['[', '=']).unwrap_or(0));
        let (value, subscript) = match rest.strip_prefix('[') {
            Some(inside) => {
                let end = subscript_end(inside)?;
                let subscript = word::read_document(self, inside.get(..end)?, span);
                (format!("{head}{}", inside.get(end + 1..)?), Some(subscript))
            }
            None => (value.clone(), None),
        };
        let (name, rest) = value.split_once('=')?;
        let (name, append) = name.strip_suffix('+').map_or((name, false), |name| (name, true));
        let list = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let value = match list {
            Some(list) => word::read_list(self, list, span),
            None => Value::One(word::read(self, rest, span)),
        };
        Some(Assign { name: name.to_owned(), subscript, append, value })
    }

    fn redirects(&mut self, raw: &[Raw], span: (usize, usize)) -> Vec<Redirect> {
        let read = |raw: &Raw| match &raw.kind {
            // Another input than the standard one is not followed.
            NodeKind::Redirect { op, target, fd, .. } if *fd > 0 && op.starts_with('<') => {
                Redirect { op: format!("{fd}{op}"), target: self.word(target, span) }
            }
            NodeKind::Redirect { op, target, .. } => Redirect { op: op.clone(), target: self.word(target, span) },
            NodeKind::HereDoc { content, quoted: true, .. } => {
                let target = Word { pieces: vec![super::Piece::Quoted(content.clone())] };
                Redirect { op: "<<".to_owned(), target }
            }
            NodeKind::HereDoc { content, .. } => {
                Redirect { op: "<<".to_owned(), target: word::read_document(self, content, span) }
            }
            _ => {
                self.unsure = true;
                Redirect { op: "?".to_owned(), target: Word::default() }
            }
        };
        raw.iter().map(read).collect()
    }
}

/// `declare a=(…)`: the list keeps its quotes only where it is read as an assignment.
fn declares_array(words: &[Raw], word: &Raw) -> bool {
    let text = |raw: &Raw| match &raw.kind {
        NodeKind::Word { value, .. } => Some(value.clone()),
        _ => None,
    };
    let Some(value) = text(word).filter(|value| value.ends_with(')')) else { return false };
    let list = value.split_once("=(").is_some_and(|(name, _)| {
        name.trim_end_matches('+').chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !name.is_empty()
    });
    list && words
        .first()
        .and_then(text)
        .is_some_and(|first| matches!(first.as_str(), "declare" | "local" | "typeset" | "readonly" | "export"))
}

/// Where the subscript of an assignment ends: at the bracket before its `=`.
fn subscript_end(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '[' | '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ']' if depth == 0 => return Some(at),
            ']' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The terms of a `[[ … ]]`.
fn terms<'a>(raw: &'a Raw, into: &mut Vec<&'a str>) {
    match &raw.kind {
        NodeKind::CondTerm { value, .. } | NodeKind::Word { value, .. } => into.push(value),
        NodeKind::UnaryTest { operand, .. } | NodeKind::CondNot { operand } => terms(operand, into),
        NodeKind::CondParen { inner } => terms(inner, into),
        NodeKind::BinaryTest { left, right, .. }
        | NodeKind::CondAnd { left, right }
        | NodeKind::CondOr { left, right } => {
            terms(left, into);
            terms(right, into);
        }
        _ => {}
    }
}
