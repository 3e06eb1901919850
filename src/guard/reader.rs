//! Walks a tree in the order in which bash would run it and collects what is guarded.

use std::path::PathBuf;
use std::rc::Rc;

use super::around::Around;
use super::repos::Repos;
use super::scan;
use super::scene::{Field, Scene, Stdin, Text, Value};
use crate::domain::repo::RepoWorld;
use crate::domain::{Action, Limits, Opaque};
use crate::policy::Policy;
use crate::shell::{self, Node, Redirect, Simple};

/// Simple commands that are looked at, texts within texts included.
const STEPS: usize = 5_000;
/// Bytes of words, in the whole call, that are looked at: a text can double itself with every step.
const BYTES: usize = 2 * 1024 * 1024;
/// Words of one command that are looked at.
pub(super) const FIELDS: usize = 40_000;
/// Texts within texts that are followed.
const DEPTH: usize = 10;

/// The walk through one call.
#[allow(clippy::struct_excessive_bools, reason = "each is a state of its own of the walk")]
pub(super) struct Reader<'a> {
    pub policy: &'a Policy,
    pub world: &'a dyn RepoWorld,
    pub repos: Repos<'a>,
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
    /// What `${x:=…}` set while the words of the command at hand were expanded.
    pub defaults: Vec<(String, Text)>,
    /// Aliases of `gh` that the call itself makes.
    pub gh_aliases: Vec<(String, Field)>,
    steps: usize,
    bytes: usize,
    /// Commands within commands at this point.
    pub nested: usize,
    /// How many other hosts or containers the command at hand runs behind.
    pub elsewhere: usize,
    /// Actions are only counted, those that the policy leaves free too.
    pub weighs: bool,
    /// What the command at hand runs on another host goes to a place of its own from there.
    pub beyond: bool,
    levels: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(policy: &'a Policy, world: &'a dyn RepoWorld) -> Self {
        Self {
            policy,
            world,
            repos: Repos::new(world),
            actions: Vec::new(),
            opaque: Vec::new(),
            around: None,
            mains: 0,
            quiet: false,
            rules_hit: Vec::new(),
            by_rule: 0,
            last_setup: false,
            defaults: Vec::new(),
            gh_aliases: Vec::new(),
            steps: 0,
            bytes: 0,
            nested: 0,
            elsewhere: 0,
            weighs: false,
            beyond: false,
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

    /// Whether all that may be looked at was looked at: a loop has no more turns then.
    pub(super) const fn is_spent(&self) -> bool {
        self.steps > STEPS || self.bytes > BYTES
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
        scene.settle_aliases();
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

    /// The lines of a text. An alias holds from the line behind the one that defines it.
    pub(super) fn nodes(&mut self, nodes: &[Node], scene: &mut Scene, stdin: &Stdin) {
        for node in nodes {
            self.node(node, scene, stdin);
            scene.settle_aliases();
        }
    }

    pub(super) fn node(&mut self, node: &Node, scene: &mut Scene, stdin: &Stdin) {
        if self.is_spent() {
            return;
        }
        match node {
            Node::Simple(simple) => self.simple(simple, scene, stdin),
            Node::List(items) => self.list(items, scene, stdin),
            Node::Pipe(nodes) => self.pipe(nodes, scene, stdin),
            Node::For { name, words, body, redirects } => {
                self.not_alone(Around::Loop);
                self.redirected(node, redirects, scene, stdin, |reader, scene, stdin| {
                    reader.each(name, words.as_deref(), body, scene, stdin);
                });
            }
            Node::Function { name, body } => {
                self.not_alone(Around::Function);
                self.defines(name, body, scene);
            }
            Node::Subshell { body, redirects } => {
                self.not_alone(Around::Subshell);
                self.redirected(node, redirects, scene, stdin, |reader, scene, stdin| {
                    let mut inside = inner(scene);
                    reader.node(body, &mut inside, stdin);
                    scene.keep_outside(&inside);
                });
            }
            Node::Block { word, words, parts, redirects } => {
                self.not_alone(Around::Keyword(word));
                self.block_words(word, words, scene);
                self.redirected(node, redirects, scene, stdin, |reader, scene, stdin| {
                    reader.block(word, parts, scene, stdin);
                });
            }
        }
    }

    /// The words of `[[`, `((`, `case`. A sum in them may run what a variable holds.
    fn block_words(&mut self, word: &str, words: &[shell::Word], scene: &mut Scene) {
        for one in words {
            let text = self.text(one, scene);
            if matches!(word, "((" | "[[" | "for") {
                self.sum_runs(&text, scene);
            }
            if word == "[[" && text.text.contains('[') {
                self.document_runs(&text, scene, "[[");
            }
        }
        self.apply_defaults(scene);
    }

    fn apply_defaults(&mut self, scene: &mut Scene) {
        for (name, text) in std::mem::take(&mut self.defaults) {
            scene.set_text(&name, text);
        }
    }

    /// What has redirections around it.
    fn redirected(
        &mut self,
        node: &Node,
        redirects: &[Redirect],
        scene: &mut Scene,
        stdin: &Stdin,
        what: impl FnOnce(&mut Self, &mut Scene, &Stdin),
    ) {
        let opened = self.redirects(redirects, scene);
        let stdin = opened.stdin.unwrap_or_else(|| stdin.clone());
        let top = std::mem::replace(&mut scene.top, false);
        what(self, scene, &stdin);
        scene.top = top;
        self.wrote(opened.out, node, scene, &stdin);
    }

    /// Files that a part writes, with what it is known to print.
    fn wrote(&mut self, out: Vec<(PathBuf, bool)>, node: &Node, scene: &mut Scene, stdin: &Stdin) {
        if out.is_empty() || self.quiet {
            return;
        }
        let said = self.says(std::slice::from_ref(node), scene, stdin);
        for (path, append) in out {
            let before = if append { self.script(&path, scene) } else { None };
            let text = match (before, &said) {
                (Some(before), Some(said)) => {
                    Some(Text { text: before.text + &said.text, holes: before.holes || said.holes })
                }
                (_, said) => said.clone(),
            };
            scene.writes(path, text);
        }
    }

    /// Expands redirections: the new standard input, if there is one, and the files that are written.
    pub(super) fn redirects(&mut self, redirects: &[Redirect], scene: &Scene) -> Opened {
        let mut opened = Opened::default();
        for redirect in redirects {
            if redirect.op == "<" {
                let fields = self.fields(std::slice::from_ref(&redirect.target), scene);
                opened.stdin = Some(self.input(fields.first(), scene));
                continue;
            }
            let text = self.text(&redirect.target, scene);
            match redirect.op.as_str() {
                "<<" | "<<-" | "<<<" => opened.stdin = Some(Stdin::Text(text)),
                "<>" => opened.stdin = Some(Stdin::Unknown),
                ">" | ">>" | ">|" | "&>" | "&>>" => {
                    self.self_use_of_file(&text.text, scene);
                    let path = scene.path(&text.text, None).filter(|path| path.as_os_str() != "/dev/null");
                    opened.out.extend(path.map(|path| (path, redirect.op.ends_with(">>"))));
                }
                _ => {}
            }
        }
        opened
    }

    fn input(&self, file: Option<&Field>, scene: &Scene) -> Stdin {
        let Some(file) = file else { return Stdin::Unknown };
        if let Some(text) = &file.prints {
            return if text.holes && text.text == "?" { Stdin::Unknown } else { Stdin::Text(text.clone()) };
        }
        match file.known().and_then(|text| scene.path(text, None)) {
            Some(path) if path.as_os_str() == "/dev/null" => Stdin::Empty,
            Some(path) if scene.written.iter().any(|(written, _)| *written == path) => {
                self.script(&path, scene).map_or(Stdin::Unknown, Stdin::Text)
            }
            Some(path) => Stdin::File(path),
            None => Stdin::Unknown,
        }
    }

    pub(super) fn simple(&mut self, simple: &Simple, scene: &mut Scene, stdin: &Stdin) {
        self.steps += 1;
        if self.steps > STEPS {
            return self.cannot_see("the call runs more commands than are followed", scene);
        }
        if !scene.either.is_empty() && !self.quiet {
            self.with_other_values(simple, scene, stdin);
        }
        // Texts within the call have places of their own.
        if scene.depth == 0 {
            scene.span = simple.span;
        }
        let before = self.found();
        let mut prefix = Vec::new();
        for assign in &simple.assigns {
            let value = self.assigned(assign, scene);
            self.bytes += value.len();
            if simple.words.is_empty() {
                self.not_alone(Around::Other(scene.span));
                self.sets(assign, value, scene);
            } else if let Value::One(text) = value {
                prefix.push((assign.name.clone(), text));
            } else {
                // The list of a `declare`.
                self.sets(assign, value, scene);
            }
        }
        let fields = self.fields(&simple.words, scene);
        self.bytes += fields.iter().map(|f| f.text.len()).sum::<usize>();
        if self.bytes > BYTES {
            return self.cannot_see("the call makes longer texts than are followed", scene);
        }
        let runs_inside = self.found() > before;
        let opened = self.redirects(&simple.redirects, scene);
        self.apply_defaults(scene);
        let stdin = match (opened.stdin, stdin) {
            (Some(own), _) => own,
            (None, Stdin::Inherited) => scene.stdin.clone().unwrap_or(Stdin::Inherited),
            (None, given) => given.clone(),
        };
        let Some(first) = fields.first() else {
            return self.wrote(opened.out, &Node::Simple(simple.clone()), scene, &stdin);
        };
        if fields.len() == 1 && first.text == "exec" {
            scene.stdin = Some(stdin.clone());
        }
        if simple.words.iter().any(runs) || simple.redirects.iter().any(|r| runs(&r.target)) {
            self.not_alone(Around::Substitution);
        }
        let written = |piece: &shell::Piece| matches!(piece, shell::Piece::Bare(_) | shell::Piece::Quoted(_));
        if !simple.words.first().is_some_and(|word| word.pieces.iter().all(written)) {
            self.not_alone(Around::Guessed);
        }
        let at_top = scene.top;
        let found = self.found();
        let is_folder_change = self.with_variables(&fields, &prefix, scene, &stdin);
        scene.last = fields.last().cloned();
        if !opened.out.is_empty() {
            self.wrote(opened.out, &Node::Simple(simple.clone()), scene, &stdin);
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

    /// A command, with the variables in front of it set while it runs.
    fn with_variables(
        &mut self,
        fields: &[Field],
        prefix: &[(String, Text)],
        scene: &mut Scene,
        stdin: &Stdin,
    ) -> bool {
        if prefix.is_empty() {
            return self.command(fields, prefix, scene, stdin);
        }
        let before = Rc::clone(&scene.vars);
        for (name, text) in prefix {
            scene.set_text(name, text.clone());
        }
        let is_folder_change = self.command(fields, prefix, scene, stdin);
        for (name, _) in prefix {
            match before.get(name) {
                Some(value) => scene.set(name, value.clone()),
                None => scene.unset(name),
            }
        }
        is_folder_change
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
                // Only the program's own word: its others may hold texts within texts, and each level would double the work.
                let fields = self.fields(simple.words.get(..1).unwrap_or(&[]), scene);
                self.quiet = quiet;
                fields.first().is_some_and(|f| super::program::is_shell_setup(f.base()))
            }
            _ => false,
        };
        self.says(body, scene, &Stdin::Inherited).unwrap_or(Text { text: "?".to_owned(), holes: true })
    }
}

/// What redirections open.
#[derive(Default)]
pub(super) struct Opened {
    /// The new standard input.
    pub stdin: Option<Stdin>,
    /// Files that are written; whether at their end.
    pub out: Vec<(PathBuf, bool)>,
}

pub(super) fn inner(scene: &Scene) -> Scene {
    let mut inside = scene.clone();
    inside.top = false;
    inside
}

/// Whether a word runs something while it is expanded.
fn runs(word: &shell::Word) -> bool {
    word.pieces.iter().any(|piece| match piece {
        shell::Piece::Run { .. } | shell::Piece::Process { .. } => true,
        shell::Piece::Var { arg, .. } | shell::Piece::Arithmetic(arg) | shell::Piece::Beside(arg) => runs(arg),
        shell::Piece::Braces(words) => words.iter().any(runs),
        shell::Piece::Bare(_) | shell::Piece::Quoted(_) | shell::Piece::Unknown => false,
    })
}
