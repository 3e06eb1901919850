//! Texts in other languages (`python -c`, `perl -e`, `awk`): guarded when they start programs and name a guarded tool.
//!
//! They are not parsed; what only prints or compares such words stays harmless.

use super::reader::Reader;
use super::scan;
use super::scene::{Field, Scene, Stdin};

impl Reader<'_> {
    pub(super) fn interpreter(&mut self, name: &str, args: &[Field], scene: &mut Scene, stdin: &Stdin) {
        self.texts(name, args, scene, stdin);
        for field in args {
            self.program_text(&field.text, name, scene);
        }
        if let Some(text) = self.comes_in(stdin) {
            self.program_text(&text.text, name, scene);
        }
        if matches!(name, "sed" | "gsed" | "awk" | "gawk" | "mawk" | "nawk") {
            self.script_of_editor(name, args, scene, stdin);
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

    /// `awk -f FILE`, `sed -f FILE`; and what `sed 's/…/…/e'` runs: the lines that come in.
    fn script_of_editor(&mut self, name: &str, args: &[Field], scene: &Scene, stdin: &Stdin) {
        for (at, field) in args.iter().enumerate() {
            let named = match field.text.as_str() {
                "-f" | "--file" => args.get(at + 1).map(|f| f.text.clone()),
                text => text.strip_prefix("--file=").or_else(|| text.strip_prefix("-f")).map(str::to_owned),
            };
            let text = named.and_then(|file| scene.path(&file, None)).and_then(|path| self.script(&path, scene));
            if let Some(text) = text {
                self.program_text(&text.text, name, scene);
            }
        }
        let runs_lines = name.ends_with("sed") && args.iter().any(|f| ends_in_e(f.text.trim_start()));
        if let Some(text) = self.comes_in(stdin).filter(|_| runs_lines) {
            self.scan(&text.text, "sed runs what comes in, which", scene);
        }
    }

    /// A text in another language: guarded when it starts programs and names a guarded tool with its verb.
    pub(super) fn program_text(&mut self, text: &str, name: &str, scene: &Scene) {
        if let Some(what) = super::selfuse::of_program(text) {
            super::selfuse::report(self, what, scene);
        }
        let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
        let starts = match name {
            "sed" | "gsed" => sed_runs(text),
            "awk" | "gawk" | "mawk" | "nawk" => has(&["system(", "| \"", "|\"", "\" |", "getline"]),
            "tar" => has(&["checkpoint-action", "to-command", "--use-compress-program"]),
            "vim" | "vi" | "nvim" | "ex" | "view" => has(&["!", "system", "term"]),
            "emacs" | "emacsclient" => has(&["shell-command", "process", "compile", "system"]),
            "m4" => has(&["syscmd"]),
            "gnuplot" => has(&["system", "!", "`"]),
            "perl" if text.contains("open") && text.contains('|') => true,
            "perl" | "ruby" | "php" if text.contains('`') => true,
            _ => has(STARTS_PROGRAMS),
        };
        if let Some((tool, verb)) = scan::named_with_verb(text).filter(|_| starts) {
            self.cannot_see(format!("{name} runs a text that names {tool} {verb}"), scene);
        }
    }
}
/// Programs that read a text in a language of their own.
pub(super) const INTERPRETERS: &[&str] = &[
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
    "ex",
    "view",
    "emacsclient",
    "m4",
    "gnuplot",
    "jshell",
    "guile",
    "raku",
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
    "qx",
    "Process.",
    "Command",
    "os.exec",
    "$`",
];

/// `sed 'e cmd'`, `s/…/…/e`: a command `e` behind an address, or a substitution whose result is run.
fn sed_runs(text: &str) -> bool {
    text.split([';', '\n', '{', '}']).any(|part| {
        let is_address = |c: char| c.is_ascii_digit() || matches!(c, '$' | ',' | ' ' | '\t' | '!' | '~' | '+');
        let part = part.trim_start_matches(is_address);
        // An address that is a pattern ends at its second slash.
        let part = part.strip_prefix('/').and_then(|rest| rest.split_once('/')).map_or(part, |(_, rest)| rest);
        let part = part.trim_start_matches(is_address);
        part == "e" || part.starts_with("e ") || ends_in_e(part)
    }) || ends_in_e(text)
}

fn ends_in_e(part: &str) -> bool {
    let mut chars = part.chars();
    let (Some('s'), Some(mark)) = (chars.next(), chars.next()) else { return false };
    if mark.is_alphanumeric() || mark.is_whitespace() {
        return false;
    }
    chars
        .as_str()
        .split(mark)
        .nth(2)
        .is_some_and(|flags| flags.chars().take_while(char::is_ascii_alphanumeric).any(|flag| flag == 'e'))
}
