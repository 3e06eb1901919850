//! The rule syntax of `[run] allow`: Claude Code's own, of which the parts are taken that can be decided here.
//!
//! A rule that ends in `:*` covers a call only when the whole command is one plain command. What cannot be told from
//! the characters alone (a substitution, a redirection, an operator, an assignment) is never covered.

use crate::domain::ToolCall;

/// Why an entry of `[run] allow` is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RuleError(pub String);

/// Checks an entry's form: `Tool`, `Bash(command)`, `Bash(prefix:*)`, `mcp__server`, `mcp__server__tool`.
pub fn check(rule: &str) -> Result<(), RuleError> {
    let (tool, pattern) = split(rule).ok_or_else(|| {
        RuleError(format!("\"{rule}\" is not a rule; write Read, Bash(cargo test:*) or mcp__server__tool"))
    })?;
    match pattern {
        None => Ok(()),
        Some(text) if tool == "Bash" => {
            let core = prefix_of(text).unwrap_or(text);
            if core.trim().is_empty() {
                return Err(RuleError(format!("\"{rule}\" names no command; write Bash alone to allow every command")));
            }
            if core.contains('*') {
                return Err(RuleError(format!("\"{rule}\" has a * that is not its end; only prefixes are understood")));
            }
            if prefix_of(text).is_some() && !is_one_plain_command(core) {
                return Err(RuleError(format!("\"{rule}\" is more than one plain command; a prefix is one command")));
            }
            Ok(())
        }
        Some(_) => Err(RuleError(format!(
            "\"{rule}\": patterns are understood for Bash only; allow the whole tool or leave it out"
        ))),
    }
}

/// Whether the rule covers the call.
pub(super) fn covers(rule: &str, call: &ToolCall) -> bool {
    let Some((tool, pattern)) = split(rule) else { return false };
    match pattern {
        None => tool_covers(tool, &call.tool),
        Some(text) if tool == "Bash" && call.tool == "Bash" => {
            let Some(command) = call.command() else { return false };
            let command = command.raw().trim_matches([' ', '\t', '\n']);
            match prefix_of(text) {
                Some(prefix) => prefix_covers(prefix, command),
                None => command == text,
            }
        }
        Some(_) => false,
    }
}

/// Tool name and the text between the brackets.
fn split(rule: &str) -> Option<(&str, Option<&str>)> {
    let (tool, pattern) = match rule.split_once('(') {
        Some((tool, rest)) => (tool, Some(rest.strip_suffix(')')?)),
        None => (rule, None),
    };
    let fine = !tool.is_empty() && tool.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    (fine || (pattern.is_none() && is_server_star(tool))).then_some((tool, pattern))
}

/// `mcp__server__*`.
fn is_server_star(tool: &str) -> bool {
    tool.strip_suffix("__*").is_some_and(|server| server.len() > 5 && server.starts_with("mcp__"))
}

fn tool_covers(rule: &str, tool: &str) -> bool {
    if rule == tool {
        return true;
    }
    let server = rule.strip_suffix("__*").unwrap_or(rule);
    let is_server = server.strip_prefix("mcp__").is_some_and(|name| !name.is_empty() && !name.contains("__"));
    is_server && tool.strip_prefix(server).is_some_and(|rest| rest.starts_with("__"))
}

/// The command in front of `:*` or ` *`.
fn prefix_of(text: &str) -> Option<&str> {
    text.strip_suffix(":*").or_else(|| text.strip_suffix(" *"))
}

/// The prefix ends where a word ends.
fn prefix_covers(prefix: &str, command: &str) -> bool {
    let prefix = prefix.trim_end_matches([' ', '\t']);
    let Some(rest) = command.strip_prefix(prefix) else { return false };
    (rest.is_empty() || rest.starts_with([' ', '\t'])) && is_one_plain_command(command)
}

/// One simple command of literal words: no operator, substitution, redirection, expansion, escape, comment, assignment
/// in front, or line break. Too strict on purpose: what it refuses needs the owner's own rule.
fn is_one_plain_command(command: &str) -> bool {
    let first = command.split([' ', '\t']).next().unwrap_or("");
    if first.is_empty() || first.contains(['=', '\'', '"', '~', '*', '?', '[']) {
        return false;
    }
    let mut quote = None;
    for c in command.chars() {
        match (quote, c) {
            (_, '\n' | '\r' | '\0' | '$' | '`' | '\\' | '!') => return false,
            (_, c) if c.is_control() && c != '\t' => return false,
            (Some(q), c) if c == q => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, ';' | '&' | '|' | '<' | '>' | '(' | ')' | '{' | '}' | '#') => return false,
            (None, c) if c.is_whitespace() && c != ' ' && c != '\t' => return false,
            (Some(_) | None, _) => {}
        }
    }
    quote.is_none()
}
