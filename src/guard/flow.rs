//! Lists, branches, loops and pipes: which of their parts may run, and what holds behind them.

use super::around::Around;
use super::reader::{Reader, inner};
use super::scene::{Field, Scene, Stdin, Text};
use crate::shell::{self, Item, Join, Node};

/// Turns of one loop over known words or lines.
const TURNS: usize = 64;

impl Reader<'_> {
    /// Parts one after the other. What stands behind a test may not have run: what it sets counts beside what was before.
    pub(super) fn list(&mut self, items: &[Item], scene: &mut Scene, stdin: &Stdin) {
        let (mut before, mut tested): (Option<Scene>, bool) = (None, false);
        for item in items {
            match item.join {
                Join::Background => self.not_alone(Around::Background),
                Join::Or => self.not_alone(Around::Or),
                Join::Then | Join::And => {}
            }
            let chained = matches!(item.join, Join::And | Join::Or);
            if chained && before.is_none() && items.len() > 1 && (item.join == Join::Or || is_test(&item.node)) {
                before = Some(scene.clone());
            }
            tested |= chained && is_test(&item.node) || item.join == Join::Or;
            if item.join == Join::Background {
                let mut inside = scene.clone();
                self.node(&item.node, &mut inside, stdin);
                scene.keep_outside(&inside);
            } else {
                self.node(&item.node, scene, stdin);
            }
            if !chained {
                if let Some(before) = before.take().filter(|_| tested) {
                    scene.join_definitions(&before);
                }
                tested = false;
            }
        }
    }

    /// Programs joined by pipes: each gets what the one before is known to print.
    pub(super) fn pipe(&mut self, nodes: &[Node], scene: &mut Scene, stdin: &Stdin) {
        self.not_alone(Around::Pipe);
        let mut stdin = stdin.clone();
        for (at, node) in nodes.iter().enumerate() {
            let mut inside = inner(scene);
            self.node(node, &mut inside, &stdin);
            scene.keep_outside(&inside);
            if at + 1 < nodes.len() {
                stdin = match self.file_said(node, scene) {
                    // As good as `< FILE`, for who must know that it may be another one by then.
                    Some(path) => Stdin::File(path),
                    None => self.says(std::slice::from_ref(node), scene, &stdin).map_or(Stdin::Unknown, Stdin::Text),
                };
            }
        }
    }

    /// `if`, `while`, `case` and the groups.
    pub(super) fn block(&mut self, word: &str, parts: &[Node], scene: &mut Scene, stdin: &Stdin) {
        match (word, parts) {
            ("if", [condition, then, rest @ ..]) => {
                self.node(condition, scene, stdin);
                let mut other = scene.clone();
                self.node(then, scene, stdin);
                for part in rest {
                    self.node(part, &mut other, stdin);
                }
                scene.join(&other);
            }
            ("while", [condition, body]) => {
                if let (Some(lines), true) = (lines(stdin), reads_lines(condition)) {
                    for line in lines {
                        let line = Stdin::Text(Text::of(format!("{line}\n")));
                        self.node(condition, scene, &line);
                        self.node(body, scene, &Stdin::Unknown);
                    }
                    return;
                }
                // Each turn reads another line, and nobody knows which.
                let stdin = if reads_lines(condition) { &Stdin::Unknown } else { stdin };
                let before = scene.clone();
                self.node(condition, scene, stdin);
                self.node(body, scene, stdin);
                scene.join_definitions(&before);
            }
            ("case", bodies) => {
                let before = scene.clone();
                for body in bodies {
                    let mut inside = before.clone();
                    self.node(body, &mut inside, stdin);
                    scene.join_definitions(&inside);
                }
            }
            ("coproc", parts) => {
                let mut inside = scene.clone();
                for part in parts {
                    self.node(part, &mut inside, &Stdin::Unknown);
                }
            }
            (_, parts) => {
                for part in parts {
                    self.node(part, scene, stdin);
                }
            }
        }
    }

    /// `for` and `select`.
    pub(super) fn each(
        &mut self,
        name: &str,
        words: Option<&[shell::Word]>,
        body: &Node,
        scene: &mut Scene,
        stdin: &Stdin,
    ) {
        let fields = match words {
            Some(words) => self.fields(words, scene),
            None => scene.args.clone().unwrap_or_else(|| vec![Field::unknown()]),
        };
        let known = fields.iter().all(|f| f.known().is_some() && !f.glob) && !fields.is_empty();
        let turns = if known { fields } else { vec![Field::unknown()] };
        for field in turns.into_iter().take(TURNS) {
            if self.is_spent() {
                break;
            }
            scene.set_text(name, Text { text: field.text, holes: field.holes });
            self.node(body, scene, stdin);
        }
    }
}

/// The lines of a text that is known.
fn lines(stdin: &Stdin) -> Option<Vec<String>> {
    match stdin {
        Stdin::Text(text) if !text.holes => Some(text.text.lines().take(TURNS).map(str::to_owned).collect()),
        _ => None,
    }
}

/// The first word of a part that is one command, as it stands there.
fn first_word(node: &Node) -> Option<&str> {
    let simple = match node {
        Node::Simple(simple) => simple,
        Node::List(items) => match items.as_slice() {
            [item] => return first_word(&item.node),
            _ => return None,
        },
        _ => return None,
    };
    match simple.words.first()?.pieces.as_slice() {
        [shell::Piece::Bare(text)] => Some(text),
        _ => None,
    }
}

/// `while read …`.
fn reads_lines(condition: &Node) -> bool {
    first_word(condition) == Some("read")
}

/// Whether a part asks more than it does.
fn is_test(node: &Node) -> bool {
    match node {
        Node::Block { word, .. } => matches!(*word, "[[" | "((" | "!"),
        node => first_word(node).is_some_and(|word| {
            matches!(
                word,
                "[" | "test" | "false" | "true" | ":" | "grep" | "command" | "type" | "which" | "cmp" | "diff"
            )
        }),
    }
}
