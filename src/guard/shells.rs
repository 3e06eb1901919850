//! Shells in shells: `bash -c`, a script by its path, `source`, a text at the standard input.

use super::program::as_text;
use super::reader::Reader;
use super::scene::{Field, Scene, Stdin};

/// Paths that name the standard input.
const OWN_INPUT: &[&str] = &["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];

impl Reader<'_> {
    pub(super) fn source(&mut self, args: &[Field], scene: &mut Scene, stdin: &Stdin) {
        let mut words = args.iter().skip_while(|f| f.text == "--");
        let Some(first) = words.next() else { return };
        let given: Vec<Field> = words.cloned().collect();
        let before = scene.args.clone();
        if !given.is_empty() {
            scene.args = Some(given);
        }
        self.sourced(first, scene, stdin);
        scene.args = before;
    }

    fn sourced(&mut self, first: &Field, scene: &mut Scene, stdin: &Stdin) {
        if let Some(text) = first.prints.clone() {
            if !(text.holes && self.last_setup) {
                self.text_runs(&text, scene, "source");
            }
            return;
        }
        if OWN_INPUT.contains(&first.text.as_str()) {
            match self.comes_in(stdin) {
                Some(text) => self.text_runs(&text, scene, "source"),
                None => self.cannot_see("source runs a text that is made while the call runs", scene),
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
    pub(super) fn written_unread(&mut self, file: &Field, scene: &Scene) {
        let path = file.known().and_then(|text| scene.path(text, None));
        if path.is_some_and(|path| scene.written.iter().any(|(written, _)| *written == path)) {
            self.cannot_see(format!("runs {}, which the same call writes", file.text), scene);
        }
    }

    /// A script by its path. Whether it was one.
    pub(super) fn script_runs(&mut self, program: &Field, args: &[Field], scene: &mut Scene) -> bool {
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

    pub(super) fn shell(&mut self, name: &str, args: &[Field], scene: &mut Scene, stdin: &Stdin) {
        let words = ShellWords::read(args);
        if words.only_checks {
            return;
        }
        let mut inside = scene.clone().in_new_shell();
        if let Some(text) = words.start.and_then(|file| file.prints.clone()) {
            self.text_runs(&text, &mut inside, name);
        }
        match (words.text, words.rest.split_first()) {
            (Some(text), rest) => {
                inside.zero = rest.map(|(zero, _)| zero.clone());
                inside.args = Some(rest.map(|(_, rest)| rest.to_vec()).unwrap_or_default());
                self.text_runs(&as_text(text), &mut inside, &format!("{name} -c"));
            }
            (None, Some((file, rest))) if !words.from_stdin && !OWN_INPUT.contains(&file.text.as_str()) => {
                inside.args = Some(rest.to_vec());
                if let Some(text) = file.prints.clone() {
                    self.text_runs(&text, &mut inside, name);
                    return scene.keep_outside(&inside);
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
        scene.keep_outside(&inside);
    }
}

pub(super) const SHELLS: &[&str] = &["bash", "sh", "dash", "zsh", "ksh", "mksh", "ash", "rbash", "fish"];

/// The words of a shell's call.
struct ShellWords<'f> {
    text: Option<&'f Field>,
    rest: &'f [Field],
    from_stdin: bool,
    only_checks: bool,
    /// The file that an interactive shell reads first.
    start: Option<&'f Field>,
}
impl<'f> ShellWords<'f> {
    fn read(args: &'f [Field]) -> Self {
        let (mut command, mut from_stdin, mut only_checks, mut start, mut at) = (false, false, false, None, 0);
        while let Some(word) = args.get(at).map(|f| f.text.as_str()) {
            match word {
                "--" | "-" => {
                    at += 1;
                    break;
                }
                "--version" | "--help" => only_checks = true,
                "--rcfile" | "--init-file" => {
                    start = args.get(at + 1);
                    at += 1;
                }
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
            Some((text, rest)) if command => Self { text: Some(text), rest, from_stdin, only_checks, start },
            _ => Self { text: None, rest, from_stdin, only_checks, start },
        }
    }
}
