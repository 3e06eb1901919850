//! Programs that run what a file of the project says under a name: `make deploy`, `just release`, `npm run release`.
//!
//! Only the named entry is looked at, so that a harmless target beside a guarded one stays harmless.

use super::reader::Reader;
use super::scene::{Field, Scene, Stdin, Text};

/// Files of recipes that are looked for, by program.
const RECIPES: &[(&str, &[&str])] = &[
    ("make", &["GNUmakefile", "makefile", "Makefile"]),
    ("gmake", &["GNUmakefile", "makefile", "Makefile"]),
    ("just", &["justfile", "Justfile", ".justfile"]),
];
/// How far recipes name each other.
const DEPTH: usize = 6;

impl Reader<'_> {
    /// Looks into what a runner would run. Reports nothing for other programs.
    pub(super) fn runner(&mut self, name: &str, args: &[Field], scene: &Scene, stdin: &Stdin) {
        if let Some((_, files)) = RECIPES.iter().find(|(program, _)| *program == name) {
            self.recipes(name, files, args, scene, stdin);
        } else if matches!(name, "npm" | "pnpm" | "yarn" | "bun") {
            self.package_script(name, args, scene);
        }
    }

    fn recipes(&mut self, name: &str, files: &[&str], args: &[Field], scene: &Scene, stdin: &Stdin) {
        if args.iter().any(|f| {
            matches!(f.text.as_str(), "-n" | "--dry-run" | "--just-print" | "--list" | "-l" | "--version" | "--help")
        }) {
            return;
        }
        let mut here = scene.clone();
        for (at, field) in args.iter().enumerate() {
            if field.text == "-C" {
                here.cwd = args.get(at + 1).and_then(|dir| scene.path(&dir.text, None));
            }
        }
        let options = Options::of(args);
        let text = match options.file.as_deref() {
            Some("-" | "/dev/stdin") => self.comes_in(stdin),
            Some(file) => here.path(file, None).and_then(|path| self.script(&path, &here)),
            None => files.iter().find_map(|file| self.script(&here.path(file, None)?, &here)),
        };
        let mut text = text.unwrap_or_default();
        for more in options.texts {
            text.text = format!("{more}\n{}", text.text);
        }
        if text.text.is_empty() {
            return;
        }
        // What is written outside of recipes runs while the file is read.
        for part in text.text.split("$(shell ").skip(1) {
            let part = Text::of(part.split(')').next().unwrap_or(""));
            self.text_runs(&part, &mut here.clone(), &format!("{name} $(shell)"));
        }
        let named: Vec<&str> = options.plain.iter().map(String::as_str).filter(|w| !w.contains('=')).collect();
        let targets = if named.is_empty() { first_target(&text.text).into_iter().collect() } else { named };
        for target in targets {
            let recipe = recipe(&text.text, target, DEPTH);
            if !recipe.trim().is_empty() {
                self.text_runs(&Text { text: recipe, holes: false }, &mut here.clone(), &format!("{name} {target}"));
            }
        }
    }

    fn package_script(&mut self, name: &str, args: &[Field], scene: &Scene) {
        let (mut here, mut plain) = (scene.cwd.clone(), Vec::new());
        let mut words = args.iter().map(|f| f.text.as_str()).take_while(|word| *word != "--");
        while let Some(word) = words.next() {
            let (option, value) = word.split_once('=').map_or((word, None), |(option, value)| (option, Some(value)));
            if matches!(option, "--prefix" | "-C" | "--dir" | "--cwd") {
                here = value.or_else(|| words.next()).and_then(|folder| scene.path(folder, None));
            } else if matches!((option, name), ("--filter" | "--workspace" | "-F", _) | ("-w", "npm")) {
                if value.is_none() {
                    words.next();
                }
            } else if !word.starts_with('-') {
                plain.push(word);
            }
        }
        let scene = &Scene { cwd: here, ..scene.clone() };
        let script = match plain.as_slice() {
            ["run" | "run-script" | "rum" | "urn", script, ..]
            | ["workspace", _, "run", script, ..]
            | [script @ ("test" | "start" | "stop" | "restart"), ..] => *script,
            ["workspace", _, script, ..] if name == "yarn" => *script,
            [script, ..] if name != "npm" => *script,
            _ => return,
        };
        let Some(text) = scene.path("package.json", None).and_then(|path| self.script(&path, scene)) else { return };
        let Ok(package) = serde_json::from_str::<serde_json::Value>(&text.text) else { return };
        for key in [format!("pre{script}"), script.to_owned(), format!("post{script}")] {
            if let Some(text) = package.get("scripts").and_then(|s| s.get(&key)).and_then(serde_json::Value::as_str) {
                let text = Text { text: text.to_owned(), holes: false };
                if self.enter() {
                    self.text_runs(&text, &mut scene.clone(), &format!("{name} run {key}"));
                    self.leave();
                }
            }
        }
    }
}

/// The words of `make`.
#[derive(Default)]
struct Options {
    file: Option<String>,
    texts: Vec<String>,
    plain: Vec<String>,
}

impl Options {
    fn of(args: &[Field]) -> Self {
        let mut options = Self::default();
        let mut words = args.iter().map(|f| f.text.as_str());
        while let Some(word) = words.next() {
            match word {
                "-f" | "--file" | "--makefile" | "--justfile" => options.file = words.next().map(str::to_owned),
                "-E" | "--eval" => options.texts.extend(words.next().map(str::to_owned)),
                "-C" | "--directory" | "-I" | "-o" | "-W" | "--working-directory" => {
                    words.next();
                }
                _ => {
                    let inline =
                        |names: &[&str]| names.iter().find_map(|name| word.strip_prefix(name)).map(str::to_owned);
                    if let Some(file) = inline(&["--file=", "--makefile=", "--justfile="]) {
                        options.file = Some(file);
                    } else if let Some(text) = inline(&["--eval=", "-E"]) {
                        options.texts.push(text);
                    } else if let Some(file) = word.strip_prefix("-f") {
                        options.file = Some(file.to_owned());
                    } else if !word.starts_with('-') {
                        options.plain.push(word.to_owned());
                    }
                }
            }
        }
        options
    }
}

fn first_target(text: &str) -> Option<&str> {
    text.lines().filter_map(target_of).map(|(target, _)| target).find(|target| !target.starts_with('.'))
}

/// A line that opens a recipe: its name and what stands behind the colon.
fn target_of(line: &str) -> Option<(&str, &str)> {
    if line.starts_with([' ', '\t', '#']) {
        return None;
    }
    let (head, rest) = line.split_once(':')?;
    let name = head.trim_start_matches('@').split_whitespace().next()?;
    (!rest.starts_with('=') && !head.contains('=')).then_some((name, rest))
}

/// The lines of a recipe and of those it names, without the marks that runners put in front.
fn recipe(text: &str, target: &str, depth: usize) -> String {
    let (mut out, mut inside) = (String::new(), false);
    for line in text.lines() {
        if let Some((name, needs)) = target_of(line) {
            inside = name == target;
            if inside && depth > 0 {
                let (needs, command) = needs.split_once(';').unwrap_or((needs, ""));
                for need in needs.split_whitespace() {
                    out.push_str(&recipe(text, need, depth - 1));
                }
                out.push_str(command);
                out.push('\n');
            }
        } else if inside && line.starts_with([' ', '\t']) {
            out.push_str(line.trim_start().trim_start_matches(['@', '-', '+']));
            out.push('\n');
        } else if inside && !line.trim().is_empty() {
            inside = false;
        }
    }
    out
}
