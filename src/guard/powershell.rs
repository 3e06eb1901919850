//! Texts for PowerShell: cut into calls with its own quoting, and each call read like a shell's.
//!
//! It is no parser. What it cannot place is searched word by word, and nothing found here ever stands alone.

use super::reader::Reader;
use super::scan;
use super::scene::{Field, Scene, Stdin};
use crate::domain::{ActionKind, Facet};
use crate::guard::outside::Act;

/// Texts within texts that are followed.
const DEPTH: usize = 4;
/// Calls whose words are text.
const TEXT_ONLY: &[&str] = &[
    "write-host",
    "write-output",
    "write-verbose",
    "write-warning",
    "write-error",
    "echo",
    "select-string",
    "get-content",
    "get-childitem",
    "get-help",
    "test-path",
    "measure-object",
    "where-object",
    "select-object",
    "format-table",
    "convertto-json",
    "convertfrom-json",
    "out-null",
    "out-string",
];
/// Calls that write a file, by the word they name it with.
const WRITES: &[&str] = &[
    "set-content",
    "add-content",
    "out-file",
    "new-item",
    "copy-item",
    "move-item",
    "remove-item",
    "rename-item",
    "clear-content",
    "export-csv",
    "tee-object",
    "sc",
    "ac",
    "ni",
    "ri",
    "mi",
    "ci",
];

impl Reader<'_> {
    /// A text for PowerShell.
    pub(super) fn powershell(&mut self, text: &str, scene: &Scene) {
        let inside = scene.within("PowerShell");
        if text.len() > 64 * 1024 {
            return self.scan(text, "PowerShell", &inside);
        }
        self.calls(text, &inside, 0);
    }

    fn calls(&mut self, text: &str, scene: &Scene, depth: usize) {
        if depth > DEPTH {
            return self.scan(text, "PowerShell", scene);
        }
        let (calls, open) = cut(text);
        for words in calls {
            self.call(&words, scene, depth);
        }
        if open {
            self.scan(text, "PowerShell", scene);
        }
    }

    fn call(&mut self, words: &[Field], scene: &Scene, depth: usize) {
        if depth > DEPTH {
            return self.scan(&joined(words), "PowerShell", scene);
        }
        // `$x = git push`, `& git push`, `. script`.
        let skip = words
            .iter()
            .take_while(|w| matches!(w.text.as_str(), "&" | "." | "=" | "return" | "exit" | "throw" | "await"))
            .count();
        let words = words.get(skip..).unwrap_or(&[]);
        let assigned =
            words.get(1).is_some_and(|w| w.text == "=") && words.first().is_some_and(|w| w.text.starts_with('$'));
        if assigned {
            return self.call(words.get(2..).unwrap_or(&[]), scene, depth + 1);
        }
        let Some((first, args)) = words.split_first() else { return };
        let name = first.base().rsplit('\\').next().unwrap_or("").to_ascii_lowercase();
        let name = name.strip_suffix(".exe").unwrap_or(&name).to_owned();
        match name.as_str() {
            _ if TEXT_ONLY.contains(&name.as_str()) => {}
            _ if WRITES.contains(&name.as_str()) => {
                for file in args {
                    self.self_use_of_file(&file.text.replace('\\', "/"), scene);
                }
            }
            "invoke-expression" | "iex" => {
                if args.iter().any(|f| f.holes) || args.is_empty() {
                    return self.cannot_see("Invoke-Expression runs a text that is made while the call runs", scene);
                }
                self.calls(&joined(args), scene, depth + 1);
            }
            "powershell" | "pwsh" => self.another(args, scene, depth),
            "cmd" => {
                let rest =
                    args.iter().position(|f| f.text.eq_ignore_ascii_case("/c") || f.text.eq_ignore_ascii_case("/k"));
                if let Some(rest) = rest.and_then(|at| args.get(at + 1..)) {
                    self.calls(&joined(rest), scene, depth + 1);
                }
            }
            "start-process" | "saps" | "start" | "start-job" | "invoke-command" | "icm" => {
                let skipped = [
                    "-filepath",
                    "-argumentlist",
                    "-args",
                    "-scriptblock",
                    "-nonewwindow",
                    "-wait",
                    "-passthru",
                    "-command",
                ];
                let rest: Vec<Field> = args
                    .iter()
                    .filter(|f| !skipped.contains(&f.text.to_ascii_lowercase().as_str()))
                    .flat_map(|f| {
                        f.text.split(' ').map(|part| Field { text: part.to_owned(), ..f.clone() }).collect::<Vec<_>>()
                    })
                    .filter(|f| !f.text.is_empty())
                    .collect();
                self.call(&rest, scene, depth + 1);
            }
            "invoke-restmethod" | "irm" | "invoke-webrequest" | "iwr" => self.request(words, scene),
            _ if first.holes => {
                if let Some((tool, verb)) = scan::named_with_verb(&joined(words)) {
                    self.cannot_see(format!("PowerShell runs a call that names {tool} {verb}"), scene);
                }
            }
            _ => {
                let mut fields = vec![Field { text: name.clone(), ..first.clone() }];
                fields.extend(args.iter().cloned());
                self.command(&fields, &[], &mut scene.clone(), &Stdin::Inherited);
            }
        }
    }

    /// PowerShell in PowerShell.
    fn another(&mut self, args: &[Field], scene: &Scene, depth: usize) {
        if args.iter().any(|f| {
            "-encodedcommand".starts_with(&f.text.to_ascii_lowercase())
                && f.text.len() > 1
                && f.text.to_ascii_lowercase().starts_with("-e")
        }) {
            return self.cannot_see("powershell runs an encoded text", scene);
        }
        let at = args.iter().position(|f| f.text.len() > 1 && "-command".starts_with(&f.text.to_ascii_lowercase()));
        if let Some(rest) = at.and_then(|at| args.get(at + 1..)) {
            self.calls(&joined(rest), scene, depth + 1);
        }
    }

    /// A request: it writes with another method than GET, HEAD or OPTIONS, or with a body.
    fn request(&mut self, words: &[Field], scene: &Scene) {
        let value = |name: &str| {
            let at = words.iter().position(|f| f.text.len() > 2 && name.starts_with(&f.text.to_ascii_lowercase()));
            at.and_then(|at| words.get(at + 1))
        };
        let method = value("-method").or_else(|| value("-custommethod"));
        let has_body =
            words.iter().any(|f| matches!(f.text.to_ascii_lowercase().as_str(), "-body" | "-infile" | "-form"));
        let word = match method {
            Some(field) => field.known().map_or_else(|| "unknown".to_owned(), str::to_ascii_uppercase),
            None if has_body => "unknown".to_owned(),
            None => return,
        };
        if matches!(word.as_str(), "GET" | "HEAD" | "OPTIONS") {
            return;
        }
        let address = words
            .iter()
            .map(|f| f.text.as_str())
            .find(|w| w.contains("://"))
            .or_else(|| value("-uri").map(|f| f.text.as_str()));
        let host = address.and_then(|a| a.split_once("://")).map_or("?", |(_, rest)| rest);
        let host = host.split(['/', '?']).next().unwrap_or("").rsplit('@').next().unwrap_or("");
        let host = host.split(':').next().filter(|h| !h.is_empty()).unwrap_or("?");
        if matches!(host, "localhost" | "127.0.0.1" | "[") || host.ends_with(".localhost") {
            return;
        }
        let act = Act::new(ActionKind::Http, host, word).at(Facet::Host, Some(host).filter(|h| *h != "?"));
        self.act(act, words, scene);
    }
}

fn joined(words: &[Field]) -> String {
    words.iter().map(|f| f.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// The calls of a text, each as its words, and whether a literal was left open.
fn cut(text: &str) -> (Vec<Vec<Field>>, bool) {
    let mut calls = vec![Vec::new()];
    let mut word: Option<Field> = None;
    let mut chars = text.chars().peekable();
    let mut quote = None;
    let end = |word: &mut Option<Field>, calls: &mut Vec<Vec<Field>>, next: bool| {
        if let (Some(word), Some(call)) = (word.take(), calls.last_mut()) {
            call.push(word);
        }
        if next {
            calls.push(Vec::new());
        }
    };
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some('\''), '\'') if chars.peek() == Some(&'\'') => {
                chars.next();
                word.get_or_insert_default().text.push('\'');
            }
            (Some(open), c) if open == c => quote = None,
            (Some('"'), '`') => {
                word.get_or_insert_default().text.extend(chars.next());
            }
            (Some(open), c) => {
                let word = word.get_or_insert_default();
                word.holes |= open == '"' && c == '$';
                word.text.push(c);
            }
            (None, '\'' | '"') => {
                word.get_or_insert_default();
                quote = Some(c);
            }
            (None, '`') => {
                // At the end of a line it only joins lines.
                match chars.next() {
                    Some('\n' | '\r') | None => {}
                    Some(other) => word.get_or_insert_default().text.push(other),
                }
            }
            (None, '#') if word.is_none() => while chars.next_if(|c| *c != '\n').is_some() {},
            (None, ';' | '|' | '\n' | '{' | '}' | '(' | ')') => end(&mut word, &mut calls, true),
            (None, '&') if chars.peek() == Some(&'&') => {
                chars.next();
                end(&mut word, &mut calls, true);
            }
            (None, '&') if word.is_none() => end(&mut word, &mut calls, true),
            (None, ',' | ' ' | '\t' | '\r') => end(&mut word, &mut calls, false),
            (None, c) => {
                let word = word.get_or_insert_default();
                word.holes |= c == '$';
                word.text.push(c);
            }
        }
    }
    end(&mut word, &mut calls, false);
    (calls, quote.is_some())
}
