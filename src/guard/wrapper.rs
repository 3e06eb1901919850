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
        /// It does not hand its standard input on.
        loses_input: bool,
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
    },
    /// It runs nothing this time.
    Nothing,
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
        "watch" | "hyperfine" | "entr" => {
            let rest = after(args, "nderwms", 0);
            let text = rest.iter().map(|f| f.text.as_str()).collect::<Vec<_>>().join(" ");
            Some(Call::Text { what: name.to_owned(), text: Text { text, holes: rest.iter().any(|f| f.holes) } })
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
            // `timeout` gives a command its own standard input; all of these hand it on.
            let skip = rest.iter().take_while(|f| is_assignment(&f.text)).count();
            Some(words(name, rest.get(skip..).unwrap_or(&[])))
        }
    }
}

fn words(name: &str, fields: &[Field]) -> Call {
    match fields {
        [] => Call::Nothing,
        _ => Call::Words { what: name.to_owned(), fields: fields.to_vec(), cwd: None, loses_input: false },
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

fn env(args: &[Field], prefix: &[(String, Text)]) -> Call {
    let (mut at, mut cwd, mut plain) = (0, None, true);
    while let Some(word) = args.get(at).map(|f| f.text.as_str()) {
        match word {
            "--" => {
                at += 1;
                break;
            }
            "-C" | "--chdir" => {
                cwd = args.get(at + 1).map(|f| f.text.clone());
                at += 1;
            }
            "-u" | "--unset" => at += 1,
            "-S" | "--split-string" => return split(args.get(at + 1..).unwrap_or(&[])),
            _ if word.starts_with("-S") || word.starts_with("--split-string=") => {
                let text = word.trim_start_matches("--split-string=").trim_start_matches("-S");
                let mut fields = vec![Field::of(text)];
                fields.extend(args.get(at + 1..).unwrap_or(&[]).iter().cloned());
                return split(&fields);
            }
            _ if word.starts_with("--chdir=") => cwd = Some(word.trim_start_matches("--chdir=").to_owned()),
            _ if word.starts_with('-') => {}
            _ => break,
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
    if plain && count > 0 {
        let own = vars.iter().filter_map(|f| {
            let (name, value) = f.text.split_once('=')?;
            Some((name.to_owned(), Text { text: value.to_owned(), holes: f.holes }))
        });
        return Call::Prefix { fields: fields.to_vec(), vars: prefix.iter().cloned().chain(own).collect() };
    }
    Call::Words { what: "env".to_owned(), fields: fields.to_vec(), cwd, loses_input: false }
}

/// `env -S 'git push'`: blanks and quotes are env's own; a shell's reading is near enough.
fn split(fields: &[Field]) -> Call {
    let text = fields.iter().map(|f| f.text.as_str()).collect::<Vec<_>>().join(" ");
    Call::Text { what: "env -S".to_owned(), text: Text { text, holes: fields.iter().any(|f| f.holes) } }
}

fn xargs(args: &[Field]) -> Call {
    let mut replace = None;
    for (at, field) in args.iter().enumerate() {
        let word = field.text.as_str();
        if !word.starts_with('-') {
            break;
        }
        if let Some(mark) = word.strip_prefix("-I").or_else(|| word.strip_prefix("-J")) {
            replace = if mark.is_empty() { args.get(at + 1).map(|f| f.text.clone()) } else { Some(mark.to_owned()) };
        } else if word == "-i" || word == "--replace" {
            replace = Some("{}".to_owned());
        } else if let Some(mark) = word.strip_prefix("--replace=") {
            replace = Some(mark.to_owned());
        }
    }
    match after(args, "IJnLPsdaER", 0) {
        [] => Call::Nothing,
        fields => Call::Xargs { fields: fields.to_vec(), replace },
    }
}

/// The first command of `-exec` and its kin; `{}` is a file's name and is left out.
fn find(args: &[Field]) -> Call {
    let mut fields = Vec::new();
    let mut inside = false;
    for field in args {
        match field.text.as_str() {
            "-exec" | "-execdir" | "-ok" | "-okdir" | "-x" | "-X" | "--exec" | "--exec-batch" if !inside => {
                inside = true;
            }
            ";" | "+" if inside => break,
            "{}" if inside => {}
            _ if inside => fields.push(field.clone()),
            _ => {}
        }
    }
    if fields.is_empty() {
        return Call::Nothing;
    }
    Call::Words { what: "find -exec".to_owned(), fields, cwd: None, loses_input: true }
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
