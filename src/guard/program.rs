//! What a program does with its words: the shell's own commands, shells, wrappers, and who is asked about the rest.

use super::reader::Reader;
use super::scene::{Field, Scene, Stdin, Text};
use super::{interpreter, launcher, selfuse, shells, tools, wrapper};

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
/// Commands within commands that are followed (`sudo sudo sudo …`): each takes a part of the thread's stack.
const NESTED: usize = 32;
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
        if self.nested >= NESTED {
            self.cannot_see("programs that start each other, deeper than is followed", scene);
            return false;
        }
        self.nested += 1;
        let is_folder_change = self.one_command(fields, prefix, scene, stdin);
        self.nested -= 1;
        is_folder_change
    }

    fn one_command(&mut self, fields: &[Field], prefix: &[(String, Text)], scene: &mut Scene, stdin: &Stdin) -> bool {
        for (name, value) in prefix {
            self.variable_runs(name, value, scene);
        }
        let Some((program, args)) = fields.split_first() else { return false };
        self.self_use_of_call(program.base(), args, scene, TEXT_ONLY.contains(&program.base()));
        if program.holes || program.spread {
            self.unknown_program(fields, scene, stdin);
            return false;
        }
        if let Some(text) = scene.aliases.get(&program.text).filter(|_| program.bare).cloned() {
            let before = self.found();
            self.shell_alias(&program.text, &text, args, scene, stdin);
            // A shell that does not expand aliases runs the program of that name.
            if self.found() > before || !tools::is_named(&program.text) {
                return false;
            }
        }
        if scene.functions.contains_key(&program.text) {
            self.function(&program.text, args, scene, stdin);
            return false;
        }
        let meant = self.real_program(program, scene).or_else(|| tools::named_by_pattern(program));
        if let Some(real) = meant {
            self.not_alone(super::around::Around::Guessed);
            let words: Vec<Field> = std::iter::once(real).chain(args.iter().cloned()).collect();
            let mut inside = scene.within(&program.text).outside_of_shell();
            inside.programs = std::rc::Rc::default();
            self.command(&words, prefix, &mut inside, stdin);
            return false;
        }
        let (found, actions) = (self.found(), self.actions.len());
        if let Some(words) = launcher::launched(fields) {
            if self.enter() {
                self.command(&words, prefix, scene, stdin);
                self.leave();
            } else {
                self.cannot_see("programs that start each other, deeper than is followed", scene);
            }
            self.own_rules(fields, scene, found, actions);
            return false;
        }
        let name = program.base().to_owned();
        if let Some(is_folder_change) = self.shell_own(&name, args, prefix, scene, stdin) {
            if !is_folder_change {
                self.own_rules(fields, scene, found, actions);
            }
            return is_folder_change;
        }
        self.by_name(&name, fields, prefix, scene, stdin);
        self.own_rules(fields, scene, found, actions);
        false
    }

    /// A program by its name.
    fn by_name(&mut self, name: &str, fields: &[Field], prefix: &[(String, Text)], scene: &mut Scene, stdin: &Stdin) {
        let Some((_, args)) = fields.split_first() else { return };
        match name {
            "git" | "hub" => self.git(fields, prefix, scene, stdin),
            _ if name.len() > 4 && name.starts_with("git-") => self.git_program(name, args, prefix, scene, stdin),
            "sayso" => selfuse::sayso(self, args, scene),
            _ if shells::SHELLS.contains(&name) => self.shell(name, args, scene, stdin),
            _ if selfuse::types_keys(name, args) => selfuse::report(self, "types into a terminal", scene),
            "bun" | "deno" => {
                self.interpreter(name, args, scene, stdin);
                self.other(fields, prefix, scene, stdin);
            }
            _ if interpreter::INTERPRETERS.contains(&name) => {
                self.interpreter(name, args, scene, stdin);
                self.outside(fields, prefix, scene, stdin);
            }
            "make" | "gmake" | "just" => self.runner(name, args, scene, stdin),
            _ if TEXT_ONLY.contains(&name) => {
                self.texts(name, args, scene, stdin);
                self.tool(fields, prefix, scene, stdin);
                if matches!(name, "tee" | "cp" | "mv" | "ln") {
                    self.makes_files(name, args, scene, stdin);
                }
            }
            _ => self.other(fields, prefix, scene, stdin),
        }
    }

    /// A program that is not known at all: wrapper, script, guarded tool, or nothing to see.
    fn other(&mut self, fields: &[Field], prefix: &[(String, Text)], scene: &mut Scene, stdin: &Stdin) {
        let Some((program, args)) = fields.split_first() else { return };
        let before = self.read_so_far();
        if matches!(program.text.as_str(), "dd" | "install") {
            self.makes_files(&program.text, args, scene, stdin);
        }
        self.texts(program.base(), args, scene, stdin);
        if self.read_so_far() > before {
            return;
        }
        if let Some(rest) = launcher::wraps(fields) {
            let mut inside = scene.within(program.base()).outside_of_shell();
            self.command(rest, &[], &mut inside, stdin);
            return;
        }
        if let Some(call) = wrapper::unwrap(program.base(), args, prefix) {
            let runs_text = call.runs_only(|f| TEXT_ONLY.contains(&f.base()));
            if program.base() == "command" && matches!(call, wrapper::Call::Nothing) {
                return;
            }
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
        if self.written_program(program, args, scene) {
            return;
        }
        self.runner(program.base(), args, scene, stdin);
        if self.tool(fields, prefix, scene, stdin) || self.read_so_far() > before {
            return;
        }
        self.named_further_on(program, args, scene, stdin);
    }

    /// An unknown first word before a guarded tool and its verb is taken for a wrapper.
    fn named_further_on(&mut self, program: &Field, args: &[Field], scene: &Scene, stdin: &Stdin) {
        let inner = args.iter().position(|f| tools::is_named(f.base()));
        // `asdf install kubectl`: the tool is what is managed. Behind the tool such a word is the tool's own.
        if args.iter().take(inner.unwrap_or(args.len())).any(|f| MANAGES.contains(&f.text.as_str())) {
            return;
        }
        // A name alone at the end is a word like others (`asdf plugin add kubectl`).
        if let Some(rest) = inner.and_then(|at| args.get(at..)).filter(|rest| rest.len() > 1) {
            let mut inside = scene.within(program.base()).outside_of_shell();
            self.command(rest, &[], &mut inside, stdin);
        }
    }

    fn wrapped(&mut self, call: wrapper::Call, scene: &mut Scene, stdin: &Stdin) {
        match call {
            wrapper::Call::Prefix { fields, vars } => {
                let mut inside = scene.clone().outside_of_shell();
                for (name, text) in &vars {
                    inside.set_text(name, text.clone());
                }
                self.command(&fields, &vars, &mut inside, stdin);
            }
            wrapper::Call::Words { what, fields, .. } if matches!(what.as_str(), "command" | "builtin") => {
                // The shell's own commands still change the shell; functions are passed by.
                let (functions, aliases) = (scene.functions.clone(), scene.aliases.clone());
                let (via, top) = (scene.via.clone(), scene.top);
                let mut inside = scene.within(&what).outside_of_shell();
                self.command(&fields, &[], &mut inside, stdin);
                *scene = Scene { functions, aliases, via, top, ..inside };
            }
            wrapper::Call::Words { what, fields, cwd, vars } => {
                let mut inside = scene.within(&what).outside_of_shell();
                if let Some(cwd) = cwd {
                    inside.cwd = scene.path(&cwd, None);
                }
                for (name, text) in &vars {
                    inside.set_text(name, text.clone());
                }
                self.command(&fields, &vars, &mut inside, stdin);
                scene.keep_outside(&inside);
            }
            wrapper::Call::Each { what, commands } => {
                for fields in commands {
                    self.command(&fields, &[], &mut scene.within(&what).outside_of_shell(), &Stdin::Empty);
                }
            }
            wrapper::Call::Text { what, text } => self.text_runs(&text, &mut scene.clone().in_new_shell(), &what),
            wrapper::Call::Xargs { fields, replace, file } => {
                let from = file.and_then(|file| scene.path(&file, None)).and_then(|path| self.script(&path, scene));
                let stdin = from.map_or_else(|| stdin.clone(), Stdin::Text);
                self.xargs(fields, replace.as_deref(), scene, &stdin);
            }
            wrapper::Call::Nothing => {}
        }
    }

    fn xargs(&mut self, mut fields: Vec<Field>, replace: Option<&str>, scene: &Scene, stdin: &Stdin) {
        let said = self.comes_in(stdin).filter(|text| !text.holes);
        let separates = |c: char| c.is_ascii_whitespace() || c == '\0';
        let words: Vec<Field> = match &said {
            Some(text) => text.text.split(separates).filter(|word| !word.is_empty()).map(Field::of).collect(),
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
        let mut inside = scene.within("xargs").outside_of_shell();
        self.command(&fields, &[], &mut inside, &Stdin::Empty);
    }

    /// `$X …`: no program is known, but a guarded verb right behind it is telling.
    fn unknown_program(&mut self, fields: &[Field], scene: &mut Scene, stdin: &Stdin) {
        let Some((program, args)) = fields.split_first() else { return };
        let guess = program.text.rsplit('/').next().unwrap_or("");
        if !guess.contains('?') && tools::is_named(guess) {
            // `${GIT:-git}`: the default is the best guess.
            let mut words = vec![Field::of(guess)];
            words.extend(args.iter().cloned());
            self.not_alone(super::around::Around::Guessed);
            let mut inside = scene.within("a guessed program");
            self.command(&words, &[], &mut inside, stdin);
            return;
        }
        // It may be a wrapper, or nothing at all.
        self.named_further_on(program, args, scene, stdin);
        if args.first().is_some_and(|f| f.text == "push") {
            self.unknown_push(fields, scene);
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
            | "MANPAGER"
            | "BROWSER"
            | "LESSOPEN"
            | "LESSEDIT"
                if !value.holes =>
            {
                let mut inside = scene.clone();
                self.text_runs(value, &mut inside, name);
            }
            "BASH_ENV" | "ENV" if !value.holes => {
                let file = Field::of(&value.text);
                self.source(std::slice::from_ref(&file), &mut scene.clone(), &Stdin::Empty);
            }
            "PS0" | "PS1" | "PS4" => self.document_runs(value, scene, name),
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
