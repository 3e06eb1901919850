//! What a program does with its words: the shell's own commands, shells, wrappers, and who is asked about the rest.

use super::reader::{Reader, set};
use super::scene::{Field, Scene, Stdin, Text, Value};
use super::{selfuse, tools, wrapper};
use crate::shell;

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
/// Programs that read a text in a language of their own.
const INTERPRETERS: &[&str] = &[
    "python",
    "python2",
    "python3",
    "node",
    "nodejs",
    "deno",
    "bun",
    "ruby",
    "perl",
    "php",
    "lua",
    "tclsh",
    "wish",
    "expect",
    "osascript",
    "Rscript",
    "julia",
    "awk",
    "gawk",
    "mawk",
    "nawk",
    "sed",
    "gsed",
    "tar",
    "vim",
    "vi",
    "nvim",
    "emacs",
    "groovy",
    "scala",
    "irb",
    "ipython",
];
/// Words with which a text in such a language starts a program.
const STARTS_PROGRAMS: &[&str] = &[
    "subprocess",
    "os.system",
    "popen",
    "Popen",
    "pty.spawn",
    "execSync",
    "execFile",
    "exec(",
    "exec ",
    "spawn",
    "child_process",
    "system(",
    "system ",
    "shell_exec",
    "passthru",
    "proc_open",
    "check_call",
    "check_output",
    "do shell script",
    "Open3",
    "%x",
    "Process.",
    "Command",
    "os.exec",
    "$`",
];

pub(super) const SHELLS: &[&str] = &["bash", "sh", "dash", "zsh", "ksh", "mksh", "ash", "rbash", "fish"];

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
        let name = program.base().to_owned();
        match name.as_str() {
            "cd" | "chdir" => return self.change_folder(args, scene),
            "pushd" => {
                self.change_folder(args, scene);
            }
            "popd" => scene.cwd = None,
            "export" | "declare" | "local" | "readonly" | "typeset" => self.declare(args, scene),
            "set" => set_args(args, scene),
            "alias" => define_aliases(args, scene),
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
            "read" | "mapfile" | "readarray" => self.reads(&name, args, scene, stdin),
            "compgen" => self.option_runs(args, "-C", "compgen", scene),
            "git" | "hub" => self.git(fields, prefix, scene, stdin),
            "sayso" => selfuse::sayso(self, args, scene),
            _ if SHELLS.contains(&name.as_str()) => self.shell(&name, args, scene, stdin),
            _ if selfuse::types_keys(&name, args) => selfuse::report(self, "types into a terminal", scene),
            _ if INTERPRETERS.contains(&name.as_str()) => self.interpreter(&name, args, scene, stdin),
            "make" | "gmake" | "just" => self.runner(&name, args, scene),
            _ if TEXT_ONLY.contains(&name.as_str()) => self.tool(fields, scene, stdin),
            _ => self.other(fields, prefix, scene, stdin),
        }
        false
    }

    /// A program that is not known at all: wrapper, script, guarded tool, or nothing to see.
    fn other(&mut self, fields: &[Field], prefix: &[(String, Text)], scene: &mut Scene, stdin: &Stdin) {
        let Some((program, args)) = fields.split_first() else { return };
        if let Some(call) = wrapper::unwrap(program.base(), args, prefix, scene) {
            return self.wrapped(call, scene, stdin);
        }
        if program.text.contains('/') && self.script_runs(program, args, scene) {
            return;
        }
        let before = self.found();
        self.runner(program.base(), args, scene);
        self.tool(fields, scene, stdin);
        if self.found() > before {
            return;
        }
        // An unknown first word before a guarded tool and its verb is taken for a wrapper.
        let inner = (0..args.len()).find(|at| args.get(*at).is_some_and(|f| tools::is_named(f.base())));
        if let Some(rest) = inner.and_then(|at| args.get(at..)) {
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
            self.noise = true;
            let mut inside = scene.within("a guessed program");
            self.command(&words, &[], &mut inside, &Stdin::Unknown);
            return;
        }
        if args.first().is_some_and(|f| f.text == "push") {
            self.unknown_push(fields, scene);
        }
    }

    fn change_folder(&mut self, args: &[Field], scene: &mut Scene) -> bool {
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

    fn declare(&mut self, args: &[Field], scene: &mut Scene) {
        for field in args {
            if let Some((name, value)) = field.text.split_once('=') {
                let value = Text { text: value.to_owned(), holes: field.holes };
                self.variable_runs(name, &value, scene);
                let assign = shell::Assign {
                    name: name.trim_end_matches('+').to_owned(),
                    append: name.ends_with('+'),
                    value: shell::Value::Many(Vec::new()),
                };
                set(scene, &assign, Value::One(value));
            }
        }
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

    fn function(&mut self, name: &str, body: &shell::Node, args: &[Field], scene: &mut Scene, stdin: &Stdin) {
        if scene.depth >= 6 {
            return;
        }
        let args = std::mem::replace(&mut scene.args, Some(args.to_vec()));
        // A function of the name of what it calls (`git() { command git "$@"; }`) does not call itself.
        let own = scene.functions.remove(name);
        scene.via.push(format!("function {name}"));
        let top = std::mem::replace(&mut scene.top, false);
        scene.depth += 1;
        self.node(body, scene, stdin);
        scene.depth -= 1;
        scene.top = top;
        scene.via.pop();
        scene.args = args;
        if let Some(body) = own {
            scene.functions.insert(name.to_owned(), body);
        }
    }

    fn shell_alias(&mut self, name: &str, text: &str, args: &[Field], scene: &mut Scene, stdin: &Stdin) {
        let tree = shell::parse(text);
        let own = scene.aliases.remove(name);
        if let [shell::Node::Simple(simple)] = tree.body.as_slice() {
            let mut fields = self.fields(&simple.words, scene);
            fields.extend(args.iter().cloned());
            let mut inside = scene.within(&format!("alias {name}"));
            self.command(&fields, &[], &mut inside, stdin);
        } else {
            let rest = args.iter().map(|f| f.text.as_str()).collect::<Vec<_>>().join(" ");
            let text = Text { text: format!("{text} {rest}"), holes: false };
            self.text_runs(&text, &mut scene.clone(), &format!("alias {name}"));
        }
        if let Some(text) = own {
            scene.aliases.insert(name.to_owned(), text);
        }
    }

    fn source(&mut self, args: &[Field], scene: &mut Scene) {
        let Some(first) = args.iter().find(|f| f.text != "--") else { return };
        if let Some(text) = first.prints.clone() {
            if !(text.holes && self.last_setup) {
                self.text_runs(&text, scene, "source");
            }
            return;
        }
        let path = first.known().and_then(|text| scene.path(text, self.world.home().as_deref()));
        match path.and_then(|path| self.script(&path, scene)) {
            Some(text) => self.text_runs(&text, scene, &format!("source {}", first.text)),
            None => self.written_unread(first, scene),
        }
    }

    /// A script that the call itself wrote, with a text that is not known.
    fn written_unread(&mut self, file: &Field, scene: &Scene) {
        let path = file.known().and_then(|text| scene.path(text, None));
        if path.is_some_and(|path| scene.written.iter().any(|(written, _)| *written == path)) {
            self.cannot_see(format!("runs {}, which the same call writes", file.text), scene);
        }
    }

    /// A script by its path. Whether it was one.
    fn script_runs(&mut self, program: &Field, args: &[Field], scene: &mut Scene) -> bool {
        let Some(path) = program.known().and_then(|text| scene.path(text, self.world.home().as_deref())) else {
            return false;
        };
        let Some(text) = self.script(&path, scene) else {
            self.written_unread(program, scene);
            return false;
        };
        let first = text.text.lines().next().unwrap_or("");
        let words: Vec<&str> = first.strip_prefix("#!").unwrap_or("sh").split(['/', ' ', '\t']).collect();
        if words.iter().any(|word| SHELLS.contains(word)) {
            let mut inside = scene.clone();
            inside.args = Some(args.to_vec());
            self.text_runs(&text, &mut inside, &format!("script {}", program.text));
        } else {
            self.program_text(&text.text, &program.text, scene);
        }
        true
    }

    fn shell(&mut self, name: &str, args: &[Field], scene: &mut Scene, stdin: &Stdin) {
        let words = ShellWords::read(args);
        if words.only_checks {
            return;
        }
        let mut inside = scene.clone();
        inside.functions.clear();
        inside.aliases.clear();
        match (words.text, words.rest.split_first()) {
            (Some(text), rest) => {
                inside.zero = rest.map(|(zero, _)| zero.clone());
                inside.args = Some(rest.map(|(_, rest)| rest.to_vec()).unwrap_or_default());
                self.text_runs(&as_text(text), &mut inside, &format!("{name} -c"));
            }
            (None, Some((file, rest))) if !words.from_stdin => {
                inside.args = Some(rest.to_vec());
                if let Some(text) = file.prints.clone() {
                    return self.text_runs(&text, &mut inside, name);
                }
                let path = file.known().and_then(|text| scene.path(text, self.world.home().as_deref()));
                match path.and_then(|path| self.script(&path, scene)) {
                    Some(text) => self.text_runs(&text, &mut inside, &format!("{name} {}", file.text)),
                    None => self.written_unread(file, scene),
                }
            }
            (None, _) => {
                inside.args = Some(words.rest.to_vec());
                match (self.comes_in(stdin), stdin) {
                    (Some(text), _) => self.text_runs(&text, &mut inside, &format!("standard input of {name}")),
                    (None, Stdin::Unknown) => {
                        self.cannot_see(format!("{name} runs a text that is made while the call runs"), scene);
                    }
                    (None, _) => {}
                }
            }
        }
    }

    fn interpreter(&mut self, name: &str, args: &[Field], scene: &mut Scene, stdin: &Stdin) {
        for field in args {
            self.program_text(&field.text, name, scene);
        }
        if let Some(text) = self.comes_in(stdin) {
            self.program_text(&text.text, name, scene);
        }
        let file = args.iter().find(|f| !f.text.starts_with('-'));
        let path =
            file.and_then(|f| f.known()).filter(|text| text.contains('.')).and_then(|text| scene.path(text, None));
        if let Some(text) = path
            .filter(|_| !matches!(name, "sed" | "awk" | "gawk" | "tar" | "vim" | "vi" | "nvim"))
            .and_then(|p| self.script(&p, scene))
        {
            self.program_text(&text.text, name, scene);
        }
    }

    /// A text in another language: guarded when it starts programs and names a guarded tool with its verb.
    pub(super) fn program_text(&mut self, text: &str, name: &str, scene: &Scene) {
        let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
        let starts = match name {
            "sed" | "gsed" => sed_runs(text),
            "awk" | "gawk" | "mawk" | "nawk" => has(&["system(", "| \"", "|\"", "\" |"]),
            "tar" => has(&["checkpoint-action", "to-command", "--use-compress-program"]),
            "vim" | "vi" | "nvim" | "emacs" => has(&["!", "system"]),
            "perl" | "ruby" | "php" if text.contains('`') => true,
            _ => has(STARTS_PROGRAMS),
        };
        if let Some((tool, verb)) = super::scan::named_with_verb(text).filter(|_| starts) {
            self.cannot_see(format!("{name} runs a text that names {tool} {verb}"), scene);
        }
    }

    fn reads(&mut self, name: &str, args: &[Field], scene: &mut Scene, stdin: &Stdin) {
        self.option_runs(args, "-C", name, scene);
        let said = self.comes_in(stdin).unwrap_or(Text { text: "?".to_owned(), holes: true });
        let names: Vec<&Field> = args.iter().filter(|f| !f.text.starts_with('-')).collect();
        if let (Some(last), "read") = (names.last(), name) {
            let value = if names.len() == 1 && said.text.trim_end().lines().count() <= 1 {
                said
            } else {
                Text { text: "?".to_owned(), holes: true }
            };
            scene.vars.insert(last.text.clone(), Value::One(value));
        }
    }

    /// The operand of an option that is run as a text.
    fn option_runs(&mut self, args: &[Field], option: &str, what: &str, scene: &Scene) {
        let at = args.iter().position(|f| f.text == option);
        if let Some(text) = at.and_then(|at| args.get(at + 1)) {
            self.text_runs(&as_text(text), &mut scene.clone(), what);
        }
    }

    /// A variable whose value programs run: an editor, a pager, a start file of the shell.
    fn variable_runs(&mut self, name: &str, value: &Text, scene: &mut Scene) {
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

/// `sed 'e cmd'`: an `e` behind an address or at the end of a substitution.
fn sed_runs(text: &str) -> bool {
    let bytes = text.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '$' | ',' | ' ' | '/'));
    bytes.starts_with("e ")
}

pub(super) fn as_text(field: &Field) -> Text {
    Text { text: field.text.clone(), holes: field.holes }
}

fn set_args(args: &[Field], scene: &mut Scene) {
    if let Some(at) = args.iter().position(|f| f.text == "--") {
        scene.args = Some(args.get(at + 1..).unwrap_or(&[]).to_vec());
    }
}

fn define_aliases(args: &[Field], scene: &mut Scene) {
    for (name, value) in args.iter().filter_map(|f| f.text.split_once('=')) {
        scene.aliases.insert(name.to_owned(), value.to_owned());
    }
}

/// The words of a shell's call.
struct ShellWords<'f> {
    text: Option<&'f Field>,
    rest: &'f [Field],
    from_stdin: bool,
    only_checks: bool,
}

impl<'f> ShellWords<'f> {
    fn read(args: &'f [Field]) -> Self {
        let (mut command, mut from_stdin, mut only_checks, mut at) = (false, false, false, 0);
        while let Some(word) = args.get(at).map(|f| f.text.as_str()) {
            match word {
                "--" | "-" => {
                    at += 1;
                    break;
                }
                "--version" | "--help" => only_checks = true,
                "--rcfile" | "--init-file" => at += 1,
                _ if word.starts_with("--") => {}
                _ if word.len() > 1 && word.starts_with(['-', '+']) => {
                    let letters = word.get(1..).unwrap_or("");
                    command |= word.starts_with('-') && letters.contains('c');
                    from_stdin |= letters.contains('s');
                    only_checks |= word.starts_with('-') && letters.contains('n');
                    if letters.ends_with(['o', 'O']) {
                        at += 1;
                    }
                }
                _ => break,
            }
            at += 1;
        }
        let rest = args.get(at..).unwrap_or(&[]);
        match rest.split_first() {
            Some((text, rest)) if command => Self { text: Some(text), rest, from_stdin, only_checks },
            _ => Self { text: None, rest, from_stdin, only_checks },
        }
    }
}

/// Whether a substitution's program only prints settings for the shell.
pub(super) fn is_shell_setup(program: &str) -> bool {
    SHELL_SETUP.contains(&program)
}
