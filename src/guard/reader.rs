//! Walks a tree in the order in which bash would run it and collects what is guarded.

use super::around::Around;
use super::scan;
use super::scene::{Field, Scene, Stdin, Text, Value};
use crate::domain::repo::RepoWorld;
use crate::domain::{Action, Limits, Opaque};
use crate::policy::Policy;
use crate::shell::{self, Assign, Item, Join, Node, Redirect, Simple};

/// Simple commands that are looked at, texts within texts included.
const STEPS: usize = 5_000;
/// Words of one command that are looked at.
pub(super) const FIELDS: usize = 40_000;
/// Texts within texts that are followed.
const DEPTH: usize = 10;
/// A variable's value that grows longer is not known any more.
const LONGEST: usize = 128 * 1024;
/// Turns of one loop over known words.
const TURNS: usize = 64;

/// The walk through one call.
pub(super) struct Reader<'a> {
    pub policy: &'a Policy,
    pub world: &'a dyn RepoWorld,
    pub actions: Vec<Action>,
    pub opaque: Vec<Opaque>,
    /// The first thing that shows that something else than one guarded command runs.
    pub around: Option<Around>,
    /// How many commands at the call's own level are guarded.
    pub mains: usize,
    /// Words are only expanded; nothing is walked or reported.
    pub quiet: bool,
    /// Names of the owner's rules that were met.
    pub rules_hit: Vec<String>,
    /// How many of the actions only a rule of the owner reports.
    pub by_rule: usize,
    /// The last substitution only prints settings for the shell.
    pub last_setup: bool,
    /// Aliases of `gh` that the call itself makes.
    pub gh_aliases: Vec<(String, Field)>,
    steps: usize,
    levels: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(policy: &'a Policy, world: &'a dyn RepoWorld) -> Self {
        Self {
            policy,
            world,
            actions: Vec::new(),
            opaque: Vec::new(),
            around: None,
            mains: 0,
            quiet: false,
            rules_hit: Vec::new(),
            by_rule: 0,
            last_setup: false,
            gh_aliases: Vec::new(),
            steps: 0,
            levels: 0,
        }
    }

    /// How much was found so far; compared to see whether a part is guarded.
    pub(super) fn found(&self) -> usize {
        self.actions.len() + self.opaque.len()
    }

    /// Notes what stands around a guarded action; the first thing that has a name stays.
    pub(super) fn not_alone(&mut self, what: Around) {
        if matches!(self.around, None | Some(Around::Something)) {
            self.around = Some(what);
        }
    }

    /// What the guard's own reading found so far: a rule of the owner must not make it look less closely.
    pub(super) fn read_so_far(&self) -> usize {
        self.found().saturating_sub(self.by_rule)
    }

    /// One level deeper into texts of texts; false when that is deep enough.
    pub(super) fn enter(&mut self) -> bool {
        let fine = self.levels < DEPTH;
        self.levels += usize::from(fine);
        fine
    }

    /// Back from [`Self::enter`].
    pub(super) fn leave(&mut self) {
        self.levels = self.levels.saturating_sub(1);
    }

    /// Something guarded that could not be read.
    pub(super) fn cannot_see(&mut self, reason: impl Into<String>, scene: &Scene) {
        let reason = reason.into();
        if !self.quiet && !self.opaque.iter().any(|o| o.reason == reason) {
            self.opaque.push(Opaque { reason, span: scene.span });
        }
    }

    /// A shell text found inside of the call.
    pub(super) fn text_runs(&mut self, text: &Text, scene: &mut Scene, what: &str) {
        if scene.depth >= DEPTH {
            return self.cannot_see(format!("{what}: texts within texts deeper than {DEPTH}"), scene);
        }
        let unknown = text.text.trim().trim_matches('"').trim();
        if text.holes && (unknown.is_empty() || unknown == "?") {
            return self.cannot_see(format!("{what} runs a text that is made while the call runs"), scene);
        }
        let tree = shell::parse(&text.text);
        let before = self.read_so_far();
        let (depth, top) = (scene.depth, scene.top);
        (scene.depth, scene.top) = (depth + 1, false);
        scene.via.push(what.to_owned());
        self.nodes(&tree.body, scene, &Stdin::Inherited);
        scene.via.pop();
        (scene.depth, scene.top) = (depth, top);
        if tree.limits != Limits::None || (tree.unsure && self.read_so_far() == before) {
            self.scan(&text.text, what, scene);
        }
    }

    /// The last look at a text that was not read as a tree.
    pub(super) fn scan(&mut self, text: &str, what: &str, scene: &Scene) {
        if let Some((tool, verb)) = scan::named_with_verb(text) {
            self.cannot_see(format!("{what} could not be read and names {tool} {verb}"), scene);
        }
    }

    pub(super) fn nodes(&mut self, nodes: &[Node], scene: &mut Scene, stdin: &Stdin) {
        for node in nodes {
            self.node(node, scene, stdin);
        }
    }

    pub(super) fn node(&mut self, node: &Node, scene: &mut Scene, stdin: &Stdin) {
        match node {
            Node::Simple(simple) => self.simple(simple, scene, stdin),
            Node::List(items) => self.list(items, scene, stdin),
            Node::Pipe(nodes) => self.pipe(nodes, scene, stdin),
            Node::For { name, words, body, redirects } => {
                self.not_alone(Around::Loop);
                self.redirects(redirects, scene);
                self.each(name, words.as_deref(), body, scene);
            }
            Node::Function { name, body } => {
                self.not_alone(Around::Function);
                scene.functions.insert(name.clone(), body.as_ref().clone());
            }
            Node::Subshell { body, redirects } => {
                self.not_alone(Around::Subshell);
                let stdin = self.redirects(redirects, scene).unwrap_or_else(|| stdin.clone());
                self.node(body, &mut inner(scene), &stdin);
            }
            Node::Block { word, words, parts, redirects } => {
                self.not_alone(Around::Keyword(word));
                self.fields(words, scene);
                let stdin = self.redirects(redirects, scene).unwrap_or_else(|| stdin.clone());
                let top = std::mem::replace(&mut scene.top, false);
                self.nodes(parts, scene, &stdin);
                scene.top = top;
            }
        }
    }

    fn list(&mut self, items: &[Item], scene: &mut Scene, stdin: &Stdin) {
        for item in items {
            match item.join {
                Join::Background => self.not_alone(Around::Background),
                Join::Or => self.not_alone(Around::Or),
                Join::Then | Join::And => {}
            }
            self.node(&item.node, scene, stdin);
        }
    }

    fn pipe(&mut self, nodes: &[Node], scene: &Scene, stdin: &Stdin) {
        self.not_alone(Around::Pipe);
        let mut stdin = stdin.clone();
        for node in nodes {
            let mut inside = inner(scene);
            self.node(node, &mut inside, &stdin);
            stdin = match self.file_said(node, scene) {
                // As good as `< FILE`, for who must know that it may be another one by then.
                Some(path) => Stdin::File(path),
                None => self.says(std::slice::from_ref(node), scene, &stdin).map_or(Stdin::Unknown, Stdin::Text),
            };
        }
    }

    fn each(&mut self, name: &str, words: Option<&[shell::Word]>, body: &Node, scene: &mut Scene) {
        let fields = match words {
            Some(words) => self.fields(words, scene),
            None => scene.args.clone().unwrap_or_else(|| vec![Field::unknown()]),
        };
        let known =
            fields.iter().all(|f| f.known().is_some() && !f.glob) && fields.len() <= TURNS && !fields.is_empty();
        let turns = if known { fields } else { vec![Field::unknown()] };
        let top = std::mem::replace(&mut scene.top, false);
        for field in turns {
            let value = Text { text: field.text, holes: field.holes };
            scene.vars.insert(name.to_owned(), Value::One(value));
            self.node(body, scene, &Stdin::Inherited);
        }
        scene.top = top;
    }

    /// Expands redirections; the new standard input, if there is one. Files that the call writes are remembered.
    pub(super) fn redirects(&mut self, redirects: &[Redirect], scene: &mut Scene) -> Option<Stdin> {
        let mut stdin = None;
        for redirect in redirects {
            let text = self.text(&redirect.target, scene);
            match redirect.op.as_str() {
                "<<" | "<<-" | "<<<" => stdin = Some(Stdin::Text(text)),
                "<" | "<>" => {
                    let path = if text.holes { None } else { scene.path(&text.text, None) };
                    stdin = Some(match path {
                        Some(path) if path.as_os_str() == "/dev/null" => Stdin::Empty,
                        Some(path) => Stdin::File(path),
                        None => Stdin::Unknown,
                    });
                }
                ">" | ">>" | ">|" | "&>" | "&>>" => {
                    self.self_use_of_file(&text.text, scene);
                    if let Some(path) = scene.path(&text.text, None) {
                        scene.written.push((path, None));
                    }
                }
                _ => {}
            }
        }
        stdin
    }

    fn simple(&mut self, simple: &Simple, scene: &mut Scene, stdin: &Stdin) {
        self.steps += 1;
        if self.steps > STEPS {
            return self.cannot_see("the call runs more commands than are followed", scene);
        }
        // Texts within the call have places of their own.
        if scene.depth == 0 {
            scene.span = simple.span;
        }
        let before = self.found();
        let mut prefix = Vec::new();
        for assign in &simple.assigns {
            let value = self.assigned(assign, scene);
            if simple.words.is_empty() {
                self.not_alone(Around::Other(scene.span));
                set(scene, assign, value);
            } else if let Value::One(text) = value {
                prefix.push((assign.name.clone(), text));
            }
        }
        let fields = self.fields(&simple.words, scene);
        let runs_inside = self.found() > before;
        let wrote = scene.written.len();
        let own = self.redirects(&simple.redirects, scene);
        let stdin = own.unwrap_or_else(|| stdin.clone());
        if fields.is_empty() {
            return;
        }
        if simple.words.iter().any(runs) || simple.redirects.iter().any(|r| runs(&r.target)) {
            self.not_alone(Around::Substitution);
        }
        let at_top = scene.top;
        let found = self.found();
        let is_folder_change = self.command(&fields, &prefix, scene, &stdin);
        if scene.written.len() > wrote {
            let said = self.says(&[Node::Simple(simple.clone())], scene, &stdin);
            scene.written.iter_mut().skip(wrote).for_each(|(_, text)| *text = text.take().or_else(|| said.clone()));
        }
        if at_top && self.found() > found && !runs_inside {
            self.mains += 1;
            if let Some(program) = fields.first().filter(|f| f.text.contains('/')) {
                self.not_alone(Around::Path(program.text.clone()));
            }
            let wrapped = |via: &&String| !via.starts_with("git alias");
            let via = self.actions.iter().find_map(|action| action.via.iter().find(wrapped)).cloned();
            if let Some(via) = via {
                self.not_alone(Around::Within(via));
            }
        } else if self.found() > found {
            self.not_alone(scene.via.first().map_or(Around::Something, |via| Around::Within(via.clone())));
        } else if !is_folder_change {
            let plain = scene.depth == 0 && scene.via.is_empty();
            self.not_alone(if plain { Around::Other(simple.span) } else { Around::Something });
        }
    }

    pub(super) fn assigned(&mut self, assign: &Assign, scene: &Scene) -> Value {
        match &assign.value {
            shell::Value::One(word) => Value::One(self.text(word, scene)),
            shell::Value::Many(words) => Value::Many(self.fields(words, scene)),
        }
    }

    /// Walks what a substitution runs and says what it prints.
    pub(super) fn output(&mut self, body: &[Node], scene: &Scene, what: &str) -> Text {
        if !self.quiet {
            let mut inside = scene.within(what);
            self.nodes(body, &mut inside, &Stdin::Inherited);
        }
        self.last_setup = match body {
            [Node::Simple(simple)] => {
                let quiet = std::mem::replace(&mut self.quiet, true);
                let fields = self.fields(&simple.words, scene);
                self.quiet = quiet;
                fields.first().is_some_and(|f| super::program::is_shell_setup(f.base()))
            }
            _ => false,
        };
        self.says(body, scene, &Stdin::Inherited).unwrap_or(Text { text: "?".to_owned(), holes: true })
    }
}

fn inner(scene: &Scene) -> Scene {
    let mut inside = scene.clone();
    inside.top = false;
    inside
}

/// Whether a word runs something while it is expanded.
fn runs(word: &shell::Word) -> bool {
    word.pieces.iter().any(|piece| match piece {
        shell::Piece::Run { .. } | shell::Piece::Process { .. } => true,
        shell::Piece::Var { arg, .. } => runs(arg),
        shell::Piece::Braces(words) => words.iter().any(runs),
        shell::Piece::Bare(_) | shell::Piece::Quoted(_) | shell::Piece::Unknown => false,
    })
}

/// Sets a variable, `+=` included.
pub(super) fn set(scene: &mut Scene, assign: &Assign, value: Value) {
    let value = match (assign.append, scene.vars.remove(&assign.name), value) {
        (true, Some(Value::One(old)), Value::One(new)) => {
            let long = old.text.len() + new.text.len() > LONGEST;
            let text = if long { "?".to_owned() } else { old.text + &new.text };
            Value::One(Text { text, holes: long || old.holes || new.holes })
        }
        (true, Some(Value::Many(mut old)), Value::Many(new)) => {
            old.extend(new);
            old.truncate(FIELDS);
            Value::Many(old)
        }
        (true, None, Value::One(new)) => Value::One(Text { text: format!("?{}", new.text), holes: true }),
        (_, _, value) => value,
    };
    scene.vars.insert(assign.name.clone(), value);
}
