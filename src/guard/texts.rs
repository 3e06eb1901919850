//! Programs that run a text found in their words, their options or their input: `nodemon --exec`, `parallel`, `at`.

use super::program::as_text;
use super::reader::Reader;
use super::scene::{Field, Scene, Stdin, Text};

/// Options whose value is run by a shell.
const OPTIONS: &[(&str, &[&str])] = &[
    ("nodemon", &["-x", "--exec"]),
    ("ts-node-dev", &["--exec"]),
    ("forever", &["-c", "--command"]),
    ("chokidar", &["-c", "--command"]),
    ("split", &["--filter"]),
    ("sort", &["--compress-program"]),
    ("rg", &["--pre"]),
    ("zip", &["-TT", "--unzip-command"]),
    ("man", &["-P", "--pager", "-H", "--html"]),
    ("nc", &["-e", "-c"]),
    ("netcat", &["-e", "-c"]),
    ("ncat", &["-e", "-c", "--exec", "--sh-exec"]),
    ("tar", &["-I", "--use-compress-program", "--to-command", "-F", "--info-script", "--rsh-command"]),
    ("gdb", &["-ex", "--ex", "-iex", "--eval-command"]),
    ("lldb", &["-o", "-O", "--one-line", "--batch"]),
    ("vim", &["-c", "--cmd"]),
    ("vi", &["-c", "--cmd"]),
    ("nvim", &["-c", "--cmd"]),
    ("ex", &["-c", "--cmd"]),
    ("view", &["-c", "--cmd"]),
    ("hyperfine", &["-p", "--prepare", "-s", "--setup", "-c", "--cleanup", "--conclude"]),
    ("capsh", &["-c"]),
    ("gnome-terminal", &["-e", "--command"]),
    ("xfce4-terminal", &["-e", "--command"]),
    ("konsole", &["-e"]),
    ("xterm", &["-e"]),
    ("entr", &["-s"]),
    ("rsync", &["-e", "--rsh"]),
    ("just", &["-c", "--command"]),
    ("mutt", &["-e"]),
    ("tcpdump", &["-z"]),
    ("crontab", &[]),
    ("logrotate", &[]),
];

/// Programs each of whose words may be a whole command.
const EVERY_WORD: &[&str] = &[
    "concurrently",
    "hyperfine",
    "start-server-and-test",
    "parallel",
    "pm2",
    "onchange",
    "npm-run-all",
    "wtr",
    "less",
];

/// Programs that run each line of their input.
const INPUT: &[&str] = &["at", "batch", "parallel", "ed", "dc", "ftp", "sem"];

impl Reader<'_> {
    /// Looks at the texts that a program would run. Reports nothing for other programs.
    pub(super) fn texts(&mut self, name: &str, args: &[Field], scene: &Scene, stdin: &Stdin) {
        if let Some((_, options)) = OPTIONS.iter().find(|(program, _)| *program == name) {
            self.option_values(name, options, args, scene);
        }
        if EVERY_WORD.contains(&name) || matches!(name, "npx" | "bunx" | "pnpm" | "yarn") && runs_words(args) {
            for field in args.iter().filter(|f| f.text.contains([' ', '\t'])) {
                self.one_text(&as_text(field), name, scene);
            }
        }
        match name {
            "socat" => {
                for field in args {
                    let address = ["EXEC:", "SYSTEM:", "SHELL:"].iter().find_map(|kind| strip_kind(&field.text, kind));
                    if let Some(text) = address {
                        self.one_text(&Text { text: text.to_owned(), holes: field.holes }, name, scene);
                    }
                }
            }
            "parallel" => self.parallel(args, scene),
            "crontab" if !args.iter().any(|f| matches!(f.text.as_str(), "-l" | "-r")) => {
                self.crontab(args, scene, stdin);
            }
            _ => {}
        }
        if INPUT.contains(&name)
            && let Some(text) = self.comes_in(stdin)
        {
            self.one_text(&text, name, scene);
        }
    }

    fn option_values(&mut self, name: &str, options: &[&str], args: &[Field], scene: &Scene) {
        for (at, field) in args.iter().enumerate() {
            let text = field.text.as_str();
            let value = options.iter().find_map(|option| match text.strip_prefix(option) {
                Some("") => args.get(at + 1).map(as_text),
                Some(rest) if option.starts_with("--") => {
                    rest.strip_prefix('=').map(|rest| Text { text: rest.to_owned(), holes: field.holes })
                }
                Some(rest) if option.len() == 2 => Some(Text { text: rest.to_owned(), holes: field.holes }),
                _ => None,
            });
            let value = value.or_else(|| {
                let command = text.strip_prefix('+').filter(|_| matches!(name, "vim" | "vi" | "nvim" | "ex" | "view"));
                command.map(|rest| Text { text: rest.to_owned(), holes: field.holes })
            });
            if let Some(value) = value.filter(|value| value.text != "?") {
                self.one_text(&value, name, scene);
            }
        }
    }

    /// A text, without the marks by which such programs know a command for the shell.
    fn one_text(&mut self, text: &Text, name: &str, scene: &Scene) {
        let mut inside = scene.clone().in_new_shell();
        let plain: Vec<&str> = text.text.lines().map(without_marks).collect();
        let text = Text { text: plain.join("\n"), holes: text.holes };
        self.text_runs(&text, &mut inside, name);
    }

    /// `parallel git push {} ::: a b`: the command, once for each word.
    fn parallel(&mut self, args: &[Field], scene: &Scene) {
        let lists = |f: &&Field| matches!(f.text.as_str(), ":::" | "::::" | ":::+");
        let end = args.iter().position(|f| lists(&f)).unwrap_or(args.len());
        let (head, tail) = args.split_at(end);
        let start = head.iter().position(|f| !f.text.starts_with('-')).unwrap_or(head.len());
        let command: Vec<&Field> = head.iter().skip(start).collect();
        let words: Vec<&Field> = tail.iter().filter(|f| !lists(f)).take(16).collect();
        if command.is_empty() {
            for word in words {
                self.one_text(&as_text(word), "parallel", scene);
            }
            return;
        }
        let text = command.iter().map(|f| f.text.as_str()).collect::<Vec<_>>().join(" ");
        let holes = command.iter().any(|f| f.holes);
        for word in words {
            let text =
                if text.contains('{') { text.replace("{}", &word.text) } else { format!("{text} {}", word.text) };
            self.one_text(&Text { text, holes: holes || word.holes }, "parallel", scene);
        }
    }

    /// Lines of five fields and a command.
    fn crontab(&mut self, args: &[Field], scene: &Scene, stdin: &Stdin) {
        let file = args.iter().find(|f| !f.text.starts_with('-')).and_then(|f| scene.path(f.known()?, None));
        let text = match file {
            Some(path) => self.script(&path, scene),
            None => self.comes_in(stdin),
        };
        for line in text.iter().flat_map(|text| text.text.lines()) {
            let fields = if line.starts_with('@') { 1 } else { 5 };
            let command: Vec<&str> = line.split_whitespace().skip(fields).collect();
            self.one_text(&Text::of(command.join(" ")), "crontab", scene);
        }
    }
}

/// Whether a runner of packages starts one that takes whole commands as its words.
fn runs_words(args: &[Field]) -> bool {
    args.iter().take(3).any(|f| EVERY_WORD.contains(&f.text.as_str()))
}

fn strip_kind<'t>(text: &'t str, kind: &str) -> Option<&'t str> {
    let at = text.get(..kind.len()).filter(|front| front.eq_ignore_ascii_case(kind))?.len();
    text.get(at..)
}

/// Without what stands in front of a command for the shell in editors and debuggers.
fn without_marks(line: &str) -> &str {
    let line = line.trim_start().trim_start_matches(['+', ':']);
    let line = line.strip_prefix("r !").or_else(|| line.strip_prefix("w !")).unwrap_or(line);
    let line = line.trim_start_matches(['!', ' ']);
    let words = ["shell ", "silent !", "silent! !", "sil !", "terminal ", "platform shell ", "run "];
    words.iter().find_map(|word| line.strip_prefix(word)).unwrap_or(line).trim_start_matches('!')
}
