//! Programs that run what their words say: which words those are.

use super::scene::{Field, Text};

/// What a wrapper runs.
pub(super) enum Call {
    /// `env K=V …`: the command itself, with variables in front.
    Prefix {
        /// Its words.
        fields: Vec<Field>,
        /// The variables.
        vars: Vec<(String, Text)>,
    },
    /// The command in its words.
    Words {
        /// The wrapper.
        what: String,
        /// The words.
        fields: Vec<Field>,
        /// A folder that it changes to.
        cwd: Option<String>,
        /// Variables that it sets.
        vars: Vec<(String, Text)>,
    },
    /// Several commands, each in its words, none with an input.
    Each {
        /// The wrapper.
        what: String,
        /// Their words.
        commands: Vec<Vec<Field>>,
    },
    /// A text for a shell.
    Text {
        /// The wrapper.
        what: String,
        /// The text.
        text: Text,
    },
    /// `xargs`.
    Xargs {
        /// The command's own words.
        fields: Vec<Field>,
        /// What stands for the words that come in.
        replace: Option<String>,
        /// The file that they come from.
        file: Option<String>,
    },
    /// It runs nothing this time.
    Nothing,
}

impl Call {
    /// Whether every program that it starts is one of these.
    pub(super) fn runs_only(&self, these: impl Fn(&Field) -> bool) -> bool {
        match self {
            Self::Words { fields, .. } | Self::Xargs { fields, .. } | Self::Prefix { fields, .. } => {
                fields.first().is_some_and(these)
            }
            Self::Each { commands, .. } => commands.iter().all(|fields| fields.first().is_some_and(&these)),
            Self::Text { .. } | Self::Nothing => false,
        }
    }
}

/// A wrapper, the letters of its options that take the next word, and how many words stand before the command.
const WRAPPERS: &[(&str, &str, usize)] = &[
    ("nohup", "", 0),
    ("setsid", "", 0),
    ("nice", "n", 0),
    ("ionice", "cnpPu", 0),
    ("chrt", "TPD", 1),
    ("taskset", "", 1),
    ("timeout", "ks", 1),
    ("stdbuf", "ioe", 0),
    ("sudo", "ugpCrtUDRTh", 0),
    ("doas", "uC", 0),
    ("exec", "a", 0),
    ("command", "", 0),
    ("builtin", "", 0),
    ("time", "fo", 0),
    ("strace", "eopsEuPaSbIOX", 0),
    ("ltrace", "eopsuFnaADlx", 0),
    ("unshare", "RwSG", 0),
    ("dbus-run-session", "", 0),
    ("chronic", "", 0),
    ("unbuffer", "", 0),
    ("caffeinate", "tw", 0),
    ("rtk", "", 0),
    ("busybox", "", 0),
    ("sshpass", "pfPd", 0),
    ("proxychains", "f", 0),
    ("proxychains4", "f", 0),
    ("torsocks", "", 0),
    ("faketime", "", 1),
    ("setarch", "", 1),
    ("chroot", "", 1),
    ("runuser", "ugGs", 0),
    ("watchexec", "wefio", 0),
    ("ts", "", 0),
    ("firejail", "", 0),
    ("systemd-run", "pEMtu", 0),
    ("xvfb-run", "enfsp", 0),
    ("direnv", "", 2),
    ("dotenv", "fe", 0),
    ("aws-vault", "", 2),
    ("coproc", "", 0),
    ("parallel", "jPNnLSaCI", 0),
    ("uv", "", 0),
    ("poetry", "", 0),
    ("pipenv", "", 0),
    ("bundle", "", 0),
    ("nsenter", "tSGrw", 0),
    ("setpriv", "", 0),
    ("prlimit", "p", 0),
    ("fakeroot", "lsib", 0),
    ("catchsegv", "", 0),
    ("pkexec", "", 0),
    ("gosu", "", 1),
    ("su-exec", "", 1),
    ("valgrind", "", 0),
    ("retry", "tdmn", 0),
];

/// Wrappers whose command is a text behind one of these options.
const TEXTS: &[(&str, &[&str])] = &[
    ("npx", &["-c", "--call"]),
    ("npm", &["-c", "--call"]),
    ("pnpx", &["-c"]),
    ("su", &["-c", "--command"]),
    ("runuser", &["-c", "--command"]),
    ("script", &["-c", "--command"]),
    ("nix-shell", &["--run", "--command"]),
    ("nix", &["--command", "-c"]),
    ("flock", &["-c", "--command"]),
    ("newgrp", &["-c"]),
    ("sg", &["-c"]),
];

/// What a call of `name` runs, when it is a wrapper.
pub(super) fn unwrap(name: &str, args: &[Field], prefix: &[(String, Text)]) -> Option<Call> {
    if let Some(text) = text_option(name, args) {
        return Some(Call::Text { what: name.to_owned(), text });
    }
    match name {
        "env" => Some(env(args, prefix)),
        "xargs" | "gxargs" => Some(xargs(args)),
        "find" | "fd" | "fdfind" => Some(find(args)),
        "flock" => Some(words(name, after(args, "wE", 1))),
        "watch" | "entr" => {
            let rest = after(args, "nderwms", 0);
            let text = rest.iter().map(|f| f.text.as_str()).collect::<Vec<_>>().join(" ");
            Some(Call::Text { what: name.to_owned(), text: Text { text, holes: rest.iter().any(|f| f.holes) } })
        }
        "nix" if args.first().is_some_and(|f| f.text == "run") => {
            let program = args.iter().skip(1).find(|f| !f.text.starts_with('-'))?;
            let name = program.text.rsplit(['#', '/']).next().unwrap_or("");
            let behind = args.iter().position(|f| f.text == "--").and_then(|at| args.get(at + 1..)).unwrap_or(&[]);
            let fields: Vec<Field> = std::iter::once(Field::of(name)).chain(behind.iter().cloned()).collect();
            Some(words("nix run", &fields))
        }
        "tmux" | "screen" => terminal(name, args),
        "op" | "doppler" | "infisical" | "chamber" | "teller" => {
            let at = args.iter().position(|f| f.text == "--")?;
            Some(words(name, args.get(at + 1..).unwrap_or(&[])))
        }
        "command" if args.first().is_some_and(|f| f.text.starts_with("-v") || f.text.starts_with("-V")) => {
            Some(Call::Nothing)
        }
        _ => {
            let (_, letters, before) = WRAPPERS.iter().find(|(known, _, _)| *known == name)?;
            let rest = after(args, letters, *before);
            let rest = if name == "uv" || name == "poetry" || name == "pipenv" || name == "bundle" {
                rest.split_first().filter(|(f, _)| matches!(f.text.as_str(), "run" | "exec"))?.1
            } else {
                rest
            };
            let skip = rest.iter().take_while(|f| is_assignment(&f.text)).count();
            let (vars, rest) = rest.split_at(skip);
            match words(name, rest) {
                Call::Words { what, fields, cwd, .. } => {
                    let vars = assignments(vars).collect();
                    Some(Call::Words { what, fields, cwd, vars })
                }
                call => Some(call),
            }
        }
    }
}

fn words(name: &str, fields: &[Field]) -> Call {
    match fields {
        [] => Call::Nothing,
        _ => Call::Words { what: name.to_owned(), fields: fields.to_vec(), cwd: None, vars: Vec::new() },
    }
}

fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| {
        name.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// The words behind the options and the wrapper's own words.
fn after<'f>(args: &'f [Field], letters: &str, before: usize) -> &'f [Field] {
    let mut at = 0;
    while let Some(word) = args.get(at).map(|f| f.text.as_str()) {
        if word == "--" {
            at += 1;
            break;
        }
        if word.len() < 2 || !word.starts_with('-') {
            break;
        }
        let takes_next =
            !word.starts_with("--") && word.chars().last().is_some_and(|c| letters.contains(c)) && word.len() == 2;
        let long_takes_next = word.starts_with("--") && !word.contains('=') && LONG_WITH_VALUE.contains(&word);
        at += if takes_next || long_takes_next { 2 } else { 1 };
    }
    args.get(at + before..).unwrap_or(&[])
}

/// Long options of wrappers whose value is the next word.
const LONG_WITH_VALUE: &[&str] = &[
    "--signal",
    "--kill-after",
    "--user",
    "--group",
    "--chdir",
    "--unset",
    "--host",
    "--prompt",
    "--adjustment",
    "--max-procs",
    "--max-args",
    "--max-lines",
    "--delimiter",
    "--arg-file",
    "--timeout",
    "--wait",
    "--interval",
    "--class",
    "--classdata",
    "--output",
    "--format",
    "--jobs",
];

fn text_option(name: &str, args: &[Field]) -> Option<Text> {
    let (_, options) = TEXTS.iter().find(|(known, _)| *known == name)?;
    let short = options.iter().find(|o| o.len() == 2).map(|o| o.trim_start_matches('-'));
    let long: Vec<&&str> = options.iter().filter(|o| o.starts_with("--")).collect();
    for (at, field) in args.iter().enumerate() {
        let word = field.text.as_str();
        if word == "--" {
            return None;
        }
        if let Some(value) = long.iter().find_map(|o| word.strip_prefix(**o).and_then(|rest| rest.strip_prefix('='))) {
            return Some(Text { text: value.to_owned(), holes: field.holes });
        }
        let bundled = !word.starts_with("--") && word.starts_with('-') && short.is_some_and(|c| word.ends_with(c));
        if long.iter().any(|o| **o == word) || bundled {
            let rest = args.get(at + 1..)?;
            // `nix … -c prog args` takes the words; the others one text.
            let taken = if name == "nix" { rest } else { rest.get(..1)? };
            let text = taken.iter().map(|f| f.text.as_str()).collect::<Vec<_>>().join(" ");
            return Some(Text { text, holes: taken.iter().any(|f| f.holes) });
        }
    }
    None
}

fn assignments(fields: &[Field]) -> impl Iterator<Item = (String, Text)> + '_ {
    fields.iter().filter_map(|f| {
        let (name, value) = f.text.split_once('=')?;
        Some((name.to_owned(), Text { text: value.to_owned(), holes: f.holes }))
    })
}

fn env(args: &[Field], prefix: &[(String, Text)]) -> Call {
    let (mut at, mut cwd, mut plain) = (0, None, true);
    while let Some(word) = args.get(at).map(|f| f.text.as_str()) {
        let behind = || args.get(at + 1..).unwrap_or(&[]);
        let text = |text: &str| {
            let words: Vec<Field> = std::iter::once(Field::of(text)).chain(behind().iter().cloned()).collect();
            split(&words)
        };
        match word.strip_prefix("--") {
            Some("") => {
                at += 1;
                break;
            }
            Some("chdir") => {
                cwd = args.get(at + 1).map(|f| f.text.clone());
                at += 1;
            }
            Some("unset") => at += 1,
            Some("split-string") => return split(behind()),
            Some(long) => {
                if let Some(value) = long.strip_prefix("split-string=") {
                    return text(value);
                }
                cwd = long.strip_prefix("chdir=").map(str::to_owned).or(cwd);
            }
            None if word.starts_with('-') => {
                // Bundled letters: the first that takes a value takes the rest of the word, or the next one.
                let found = word.char_indices().skip(1).find(|(_, c)| matches!(c, 'S' | 'C' | 'u'));
                let inline = found.and_then(|(place, _)| word.get(place + 1..)).filter(|rest| !rest.is_empty());
                match (found.map(|(_, c)| c), inline) {
                    (Some('S'), Some(rest)) => return text(rest),
                    (Some('S'), None) => return split(behind()),
                    (Some('C'), inline) => {
                        cwd = inline.map(str::to_owned).or_else(|| args.get(at + 1).map(|f| f.text.clone()));
                        at += usize::from(inline.is_none());
                    }
                    (Some(_), None) => at += 1,
                    _ => {}
                }
            }
            None => break,
        }
        plain = false;
        at += 1;
    }
    let rest = args.get(at..).unwrap_or(&[]);
    let count = rest.iter().take_while(|f| is_assignment(&f.text)).count();
    let (vars, fields) = rest.split_at(count);
    if fields.is_empty() {
        return Call::Nothing;
    }
    let own = assignments(vars);
    if plain && count > 0 {
        return Call::Prefix { fields: fields.to_vec(), vars: prefix.iter().cloned().chain(own).collect() };
    }
    Call::Words { what: "env".to_owned(), fields: fields.to_vec(), cwd, vars: own.collect() }
}

/// `env -S 'git push'`: blanks and quotes are env's own; a shell's reading is near enough.
fn split(fields: &[Field]) -> Call {
    let text = fields.iter().map(|f| f.text.as_str()).collect::<Vec<_>>().join(" ");
    Call::Text { what: "env -S".to_owned(), text: Text { text, holes: fields.iter().any(|f| f.holes) } }
}

fn xargs(args: &[Field]) -> Call {
    let rest = after(args, "IJnLPsdaER", 0);
    let (mut replace, mut file) = (None, None);
    for (at, field) in args.iter().enumerate().take(args.len() - rest.len()) {
        let word = field.text.as_str();
        let value = |inline: &str| {
            if inline.is_empty() { args.get(at + 1).map(|f| f.text.clone()) } else { Some(inline.to_owned()) }
        };
        if let Some(mark) = word.strip_prefix("-I").or_else(|| word.strip_prefix("-J")) {
            replace = value(mark);
        } else if word == "-i" || word == "--replace" {
            replace = Some("{}".to_owned());
        } else if let Some(mark) = word.strip_prefix("--replace=").or_else(|| word.strip_prefix("-i")) {
            replace = Some(mark.to_owned());
        } else if let Some(name) = word.strip_prefix("--arg-file=") {
            file = Some(name.to_owned());
        } else if let Some(name) = word.strip_prefix("-a").or_else(|| word.strip_prefix("--arg-file")) {
            file = value(name);
        }
    }
    match rest {
        [] => Call::Nothing,
        fields => Call::Xargs { fields: fields.to_vec(), replace, file },
    }
}

/// The commands of `-exec` and its kin; `{}` is a file's name, which is not known.
fn find(args: &[Field]) -> Call {
    let (mut commands, mut inside): (Vec<Vec<Field>>, bool) = (Vec::new(), false);
    for field in args {
        match field.text.as_str() {
            "-exec" | "-execdir" | "-ok" | "-okdir" | "-x" | "-X" | "--exec" | "--exec-batch" if !inside => {
                inside = true;
                commands.push(Vec::new());
            }
            ";" | "+" if inside => inside = false,
            // Files that it finds come in here; which ones is not known.
            "{}" if inside => {}
            text if inside => {
                let holes = field.holes || text.contains("{}");
                let field = Field { text: text.replace("{}", "?"), holes, ..field.clone() };
                commands.last_mut().into_iter().for_each(|words| words.push(field.clone()));
            }
            _ => {}
        }
    }
    commands.retain(|words| !words.is_empty());
    if commands.is_empty() {
        return Call::Nothing;
    }
    Call::Each { what: "find -exec".to_owned(), commands }
}

/// A terminal multiplexer that starts a command in a new window.
fn terminal(name: &str, args: &[Field]) -> Option<Call> {
    let starts = [
        "new",
        "new-session",
        "new-window",
        "neww",
        "split-window",
        "splitw",
        "respawn-pane",
        "run-shell",
        "run",
        "-dm",
        "-dmS",
        "popup",
        "display-popup",
        "if-shell",
    ];
    args.iter().position(|f| starts.contains(&f.text.as_str()))?;
    let last = args.last()?;
    Some(Call::Text { what: name.to_owned(), text: Text { text: last.text.clone(), holes: last.holes } })
}
