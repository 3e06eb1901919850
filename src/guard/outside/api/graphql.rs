//! GraphQL of a forge: whether a text has a mutation, and which of them merge or push.

use super::{Request, merge, push};
use crate::guard::outside::Act;

/// What a request does.
pub(super) fn acts(request: &Request) -> Vec<Act> {
    let Some(query) = request.field("query") else {
        // Without a text that can be read it may be a mutation.
        return vec![Act { mode: "unknown".to_owned(), ..request.http() }];
    };
    let names = names(query);
    if !names.iter().any(|(name, depth)| *name == "mutation" && *depth == 0) {
        let dark =
            query.trim() == "?" || names.first().is_some_and(|(name, _)| *name != "query") && query.starts_with('?');
        return if dark { vec![Act { mode: "unknown".to_owned(), ..request.http() }] } else { Vec::new() };
    }
    let acts: Vec<Act> = names.iter().filter_map(|(name, _)| known(name, request, query, &names)).collect();
    if acts.is_empty() { vec![request.http()] } else { acts }
}

fn known(name: &str, request: &Request, query: &str, names: &[(&str, usize)]) -> Option<Act> {
    let styled = |usual: &str| {
        let inline = names.iter().skip_while(|(name, _)| *name != "mergeMethod").nth(1).map(|(name, _)| *name);
        let given = request.fields.iter().map(|(_, value)| value.as_str());
        inline
            .into_iter()
            .chain(given)
            .find_map(|word| match word.to_ascii_uppercase().as_str() {
                "SQUASH" => Some("squash"),
                "REBASE" => Some("rebase"),
                "MERGE" => Some("merge"),
                _ => None,
            })
            .unwrap_or(usual)
            .to_owned()
    };
    Some(match name {
        "mergePullRequest" => merge("?".to_owned(), &styled("plain")),
        "enablePullRequestAutoMerge" | "enqueuePullRequest" => merge("?".to_owned(), "auto"),
        "mergeBranch" => merge(value_of(query, "head").unwrap_or_else(|| "?".to_owned()), "plain"),
        "mergeRequestAccept" => merge("?".to_owned(), "plain"),
        "createCommitOnBranch" => {
            let texts = || std::iter::once(query).chain(request.fields.iter().map(|(_, value)| value.as_str()));
            let repo =
                texts().find_map(|text| value_of(text, "repositoryNameWithOwner")).unwrap_or_else(|| "?".to_owned());
            let branch = texts().find_map(|text| value_of(text, "branchName")).unwrap_or_else(|| "?".to_owned());
            push(format!("{repo}/{}", branch.trim_start_matches("refs/heads/")), "plain")
        }
        "updateRef" | "updateRefs" => {
            let forced =
                names.iter().skip_while(|(name, _)| *name != "force").nth(1).is_some_and(|(name, _)| *name == "true");
            push("?/?".to_owned(), if forced || request.is_on("force") { "force" } else { "plain" })
        }
        "createRef" | "updatePullRequestBranch" | "revertPullRequest" | "commitCreate" => {
            push("?/?".to_owned(), "plain")
        }
        "deleteRef" => push("?/?".to_owned(), "delete"),
        _ => return None,
    })
}

/// The names of a text with the depth of braces that they stand in; strings and comments are passed over.
fn names(text: &str) -> Vec<(&str, usize)> {
    let (mut out, mut depth, mut rest) = (Vec::new(), 0_usize, text);
    while let Some(c) = rest.chars().next() {
        if let Some(block) = rest.strip_prefix("\"\"\"") {
            rest = block.split_once("\"\"\"").map_or("", |(_, rest)| rest);
            continue;
        }
        let length = match c {
            '"' => {
                let inner = rest.get(1..).unwrap_or("");
                let mut escaped = false;
                let end = inner.char_indices().find(|(_, c)| {
                    let ends = *c == '"' && !escaped;
                    escaped = *c == '\\' && !escaped;
                    ends
                });
                end.map_or(rest.len(), |(at, _)| at + 2)
            }
            '#' => rest.find('\n').unwrap_or(rest.len()),
            c if c.is_ascii_alphabetic() || c == '_' => {
                let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
                out.extend(rest.get(..length).map(|name| (name, depth)));
                length
            }
            '{' => {
                depth += 1;
                1
            }
            '}' => {
                depth = depth.saturating_sub(1);
                1
            }
            c => c.len_utf8(),
        };
        rest = rest.get(length..).unwrap_or("");
    }
    out
}

/// The string behind a name and a colon.
fn value_of(text: &str, name: &str) -> Option<String> {
    let (_, rest) = text.split_once(name)?;
    let rest = rest.trim_start_matches(['"', '\\', ':', ' ']);
    let end = rest.find(['"', '\\', ',', '}', ' ', '\n'])?;
    rest.get(..end).filter(|value| !value.is_empty() && !value.starts_with('$')).map(str::to_owned)
}
