//! What a program does with its words: the shell's own commands, shells, wrappers, and who is asked about the rest.

use super::reader::Reader;
use super::scene::{Field, Scene, Stdin, Text};
use super::{define, interpreter, launcher, selfuse, shells, tools, wrapper};

/// Programs whose words are text: naming a guarded action in them runs nothing.
const TEXT_ONLY: &[&str] = &[
    "echo",
    "printf",
    "grep",
    "egrep",
    "fgrep",
    "zgrep",
    "rg",
    "ag",
    "ack",
    "cat",
    "head",
    "tail",
    "less",
    "more",
    "man",
    "which",
    "type",
    "whereis",
    "ls",
    "test",
    "[",
    "true",
    "false",
    ":",
    "jq",
    "yq",
    "tr",
    "cut",
    "sort",
    "uniq",
    "wc",
    "tee",
    "base64",
    "basename",
    "dirname",
    "mkdir",
    "touch",
    "rm",
    "cp",
    "mv",
    "ln",
    "chmod",
    "chown",
    "diff",
    "cmp",
    "file",
    "stat",
    "read",
    "return",
    "exit",
    "shift",
    "wait",
    "kill",
    "sleep",
    "date",
    "seq",
    "cargo",
    "pip",
    "pip3",
    "brew",
    "apt",
    "apt-get",
    "dnf",
    "apk",
    "rustup",
    "tldr",
    "apropos",
    "history",
    "fc",
    "let",
    "ulimit",
    "umask",
    "bind",
    "complete",
    "compopt",
    "shopt",
    "getopts",
    "hash",
    "help",
    "info",
    "logger",
    "notify-send",
    "fzf",
    "column",
    "paste",
    "rev",
    "fold",
    "fmt",
    "nl",
    "od",
    "xxd",
    "hexdump",
    "strings",
    "md5sum",
    "sha256sum",
    "du",
    "df",
    "tree",
    "fd",
    "locate",
    "pushd",
    "popd",
    "dirs",
    "unset",
    "unalias",
    "jobs",
    "disown",
    "say",
    "cowsay",
    "figlet",
];
/// Verbs behind which a tool's name is a package: `asdf install semantic-release` runs nothing.
const MANAGES: &[&str] = &["install", "uninstall", "add", "remove", "upgrade", "info", "search"];
/// Programs that print settings for the shell that starts them: `eval "$(direnv hook bash)"`.
const SHELL_SETUP: &[&str] = &[
    "ssh-agent",
    "gpg-agent",
    "keychain",
    "direnv",
    "opam",
    "rbenv",
    "pyenv",
    "nodenv",
    "goenv",
    "fnm",
    "brew",
    "conda",
    "starship",
    "zoxide",
    "mise",
    "asdf",
    "dircolors",
    "minikube",
    "register-python-argcomplete",
    "luarocks",
    "thefuck",
];

impl Reader<'_> {
    /// One command with its words. Whether it only changes the folder, so that the next one still stands alone.
    pub(super) fn command(
        &mut self,
        fields: &[Field],
        prefix: &[(String, Text)],
        scene: &mut Scene,
        stdin: &Stdin,
    ) -> bool {
        if self.quiet {
            return false;
        }
        for (name, value) in prefix {
            self.variable_runs(name, value, scene);
        }
        let Some((program, args)) = fields.split_first() else { return false };
        if fields.iter().any(|f| f.text.ends_with("owner.sock")) {
            selfuse::report(self, "speaks to the owner's socket", scene);
        }
        if program.holes || program.spread {
            self.unknown_program(fields, scene);
            return false;
        }
        if let Some(body) = scene.functions.get(&program.text).cloned() {
            self.function(&program.text, &body, args, scene, stdin);
            return false;
        }
        if let Some(text) = scene.aliases.get(&program.text).cloned() {
            self.shell_alias(&program.text, &text, args, scene, stdin);
            return false;
        }
        if let Some(words) = launcher::launched(fields) {
            if self.enter() {
                self.command(&words, prefix, scene, stdin);
                self.leave();
            } else {
                self.cannot_see("programs that start each other, deeper than is followed", scene);
            }
            return false;
        }
        let name = program.base().to_owned();
        let (found, actions) = (self.found(), self.actions.len());
        match name.as_str() {
            "cd" | "chdir" => {
                let known = self.change_folder(args, scene);
                // With a CDPATH the folder may be another than the one named.
                if prefix.iter().any(|(name, _)| name == "CDPATH") || scene.vars.contains_key("CDPATH") {
                    scene.cwd = None;
                }
                return known && prefix.is_empty();
            }
            "pushd" => {
                self.change_folder(args, scene);
            }
            "popd" => scene.cwd = None,
            "export" | "declare" | "local" | "readonly" | "typeset" => self.declare(args, scene),
            "set" => define::set_args(args, scene),
            "alias" => define::define_aliases(args, scene),
            "unalias" => scene.aliases.clear(),
            "unset" => args.iter().for_each(|f| {
                scene.vars.remove(&f.text);
            }),
            "eval" => self.eval(args, scene),
            "trap" => {
                let first = args.iter().find(|f| !f.text.starts_with('-'));
                if let Some(text) = first.filter(|f| !f.text.is_empty()) {
                    self.text_runs(&as_text(text), &mut scene.clone(), "trap");
                }
            }
            "source" | "." => self.source(args, scene),
            "printf" if args.first().is_some_and(|f| f.text == "-v") => Self::prints_into(args, scene),
            "read" | "mapfile" | "readarray" => self.reads(&name, args, scene, stdin),
            "compgen" => self.option_runs(args, "-C", "compgen", scene),
            "git" | "hub" => self.git(fields, prefix, scene, stdin),
            _ if name.len() > 4 && name.starts_with("git-") => self.git_program(&name, args, prefix, scene, stdin),
            "sayso" => selfuse::sayso(self, args, scene),
            _ if shells::SHELLS.contains(&name.as_str()) => self.shell(&name, args, scene, stdin),
            _ if selfuse::types_keys(&name, args) => selfuse::report(self, "types into a terminal", scene),
            "bun" | "deno" => {
                self.interpreter(&name, args, scene, stdin);
                self.other(fields, prefix, scene, stdin);
            }
            _ if interpreter::INTERPRETERS.contains(&name.as_str()) => self.interpreter(&name, args, scene, stdin),
            "make" | "gmake" | "just" => self.runner(&name, args, scene),
            _ if TEXT_ONLY.contains(&name.as_str()) => {
                self.tool(fields, prefix, scene, stdin);
            }
            _ => self.other(fields, prefix, scene, stdin),
        }
        self.own_rules(fields, scene, found, actions);
        false
    }

    /// A program that is not known at all: wrapper, script, guarded tool, or nothing to see.
    fn other(&mut self, fields: &[Field], prefix: &[(String, Text)], scene: &mut Scene, stdin: &Stdin) {
        let Some((program, args)) = fields.split_first() else { return };
        let before = self.read_so_far();
        if let Some(call) = wrapper::unwrap(program.base(), args, prefix) {
            let runs_text = matches!(&call, wrapper::Call::Words { fields, .. } | wrapper::Call::Xargs { fields, .. } | wrapper::Call::Prefix { fields, .. }
                if fields.first().is_some_and(|f| TEXT_ONLY.contains(&f.base())));
            self.wrapped(call, scene, stdin);
            if self.read_so_far() == before && !runs_text {
                // Its options may be others than those known here.
                self.named_further_on(program, args, scene, stdin);
            }
            return;
        }
        if program.text.contains('/') && self.script_runs(program, args, scene) {
            return;
        }
        self.runner(program.base(), args, scene);
        if self.tool(fields, prefix, scene, stdin) || self.read_so_far() > before {
            return;
        }
        self.named_further_on(program, args, scene, stdin);
    }

    /// An unknown first word before a guarded tool and its verb is taken for a wrapper.
    fn named_further_on(&mut self, program: &Field, args: &[Field], scene: &Scene, stdin: &Stdin) {
        if args.iter().any(|f| MANAGES.contains(&f.text.as_str())) {
            return;
        }
        let inner = (0..args.len()).find(|at| args.get(*at).is_some_and(|f| tools::is_named(f.base())));
        // A name alone at the end is a word like others (`asdf plugin add kubectl`).
        if let Some(rest) = inner.and_then(|at| args.get(at..)).filter(|rest| rest.len() > 1) {
            let mut inside = scene.within(program.base());
            self.command(rest, &[], &mut inside, stdin);
        }
    }

    fn wrapped(&mut self, call: wrapper::Call, scene: &mut Scene, stdin: &Stdin) {
        match call {
            wrapper::Call::Prefix { fields, vars } => {
                self.command(&fields, &vars, scene, stdin);
            }
            wrapper::Call::Words { what, fields, cwd, loses_input } => {
                let mut inside = scene.within(&what);
                if let Some(cwd) = cwd {
                    inside.cwd = scene.path(&cwd, None);
                }
                let stdin = if loses_input { &Stdin::Empty } else { stdin };
                self.command(&fields, &[], &mut inside, stdin);
            }
            wrapper::Call::Text { what, text } => self.text_runs(&text, &mut scene.clone(), &what),
            wrapper::Call::Xargs { fields, replace } => self.xargs(fields, replace.as_deref(), scene, stdin),
            wrapper::Call::Nothing => {}
        }
    }

    fn xargs(&mut self, mut fields: Vec<Field>, replace: Option<&str>, scene: &Scene, stdin: &Stdin) {
        let said = self.comes_in(stdin).filter(|text| !text.holes);
        let words: Vec<Field> = match &said {
            Some(text) => text.text.split_ascii_whitespace().map(Field::of).collect(),
            None => vec![Field::unknown()],
        };
        match replace {
            Some(mark) => {
                let line = said.map_or_else(Field::unknown, |text| Field::of(text.text.trim_end_matches('\n')));
                for field in fields.iter_mut().filter(|f| f.text.contains(mark)) {
                    field.text = field.text.replace(mark, &line.text);
                    field.holes |= line.holes;
                }
            }
            None => fields.extend(words),
        }
        let mut inside = scene.within("xargs");
        self.command(&fields, &[], &mut inside, &Stdin::Empty);
    }

    /// `$X …`: no program is known, but a guarded verb right behind it is telling.
    fn unknown_program(&mut self, fields: &[Field], scene: &mut Scene) {
        let Some((program, args)) = fields.split_first() else { return };
        let guess = program.text.rsplit('/').next().unwrap_or("");
        if !guess.contains('?') && tools::is_named(guess) {
            // `${GIT:-git}`: the default is the best guess.
            let mut words = vec![Field::of(guess)];
            words.extend(args.iter().cloned());
            self.not_alone(super::around::Around::Guessed);
            let mut inside = scene.within("a guessed program");
            self.command(&words, &[], &mut inside, &Stdin::Unknown);
            return;
        }
        if args.first().is_some_and(|f| f.text == "push") {
            self.unknown_push(fields, scene);
        }
    }

    pub(super) fn change_folder(&mut self, args: &[Field], scene: &mut Scene) -> bool {
        let args: Vec<&Field> =
            args.iter().filter(|f| !matches!(f.text.as_str(), "-P" | "-L" | "-e" | "-@" | "--")).collect();
        let home = self.world.home();
        scene.cwd = match args.as_slice() {
            [] => home,
            [one] if one.text != "-" && !one.glob => one.known().and_then(|text| scene.path(text, home.as_deref())),
            _ => None,
        };
        scene.branch = None;
        scene.cwd.is_some()
    }

    fn eval(&mut self, args: &[Field], scene: &mut Scene) {
        let args: Vec<&Field> = args.iter().filter(|f| f.text != "--").collect();
        let text = args.iter().map(|f| f.text.as_str()).collect::<Vec<_>>().join(" ");
        let text = Text { text, holes: args.iter().any(|f| f.holes) };
        if text.holes && text.text.trim() == "?" && self.last_setup {
            return;
        }
        self.text_runs(&text, scene, "eval");
    }

    /// The operand of an option that is run as a text.
    pub(super) fn option_runs(&mut self, args: &[Field], option: &str, what: &str, scene: &Scene) {
        let at = args.iter().position(|f| f.text == option);
        if let Some(text) = at.and_then(|at| args.get(at + 1)) {
            self.text_runs(&as_text(text), &mut scene.clone(), what);
        }
    }

    /// A variable whose value programs run: an editor, a pager, a start file of the shell.
    pub(super) fn variable_runs(&mut self, name: &str, value: &Text, scene: &mut Scene) {
        match name {
            "GIT_EDITOR"
            | "GIT_SEQUENCE_EDITOR"
            | "EDITOR"
            | "VISUAL"
            | "GIT_PAGER"
            | "PAGER"
            | "GIT_SSH_COMMAND"
            | "GIT_SSH"
            | "GIT_ASKPASS"
            | "SSH_ASKPASS"
            | "GIT_EXTERNAL_DIFF"
            | "GIT_PROXY_COMMAND"
            | "PROMPT_COMMAND"
                if !value.holes =>
            {
                let mut inside = scene.clone();
                self.text_runs(value, &mut inside, name);
            }
            "BASH_ENV" | "ENV" if !value.holes => {
                let file = Field::of(&value.text);
                self.source(std::slice::from_ref(&file), &mut scene.clone());
            }
            "IFS" => scene.vars.clear(),
            _ => {}
        }
    }
}

pub(super) fn as_text(field: &Field) -> Text {
    Text { text: field.text.clone(), holes: field.holes }
}

/// Whether a substitution's program only prints settings for the shell.
pub(super) fn is_shell_setup(program: &str) -> bool {
    SHELL_SETUP.contains(&program)
}
