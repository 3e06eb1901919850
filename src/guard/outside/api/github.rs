//! GitHub's REST interface: the paths that merge a pull request or move a branch.

use super::{Request, merge, push, short_ref};
use crate::guard::outside::Act;

/// What a request does.
pub(super) fn acts(request: &Request) -> Vec<Act> {
    vec![known(request).unwrap_or_else(|| request.http())]
}

fn known(request: &Request) -> Option<Act> {
    let path: Vec<&str> = request.path.iter().map(String::as_str).collect();
    let (repo, rest) = match path.as_slice() {
        ["repos", owner, name, rest @ ..] => {
            let here = ["{owner}", ":owner"].contains(owner);
            ((!here).then(|| format!("{owner}/{name}")), rest)
        }
        ["repositories", id, rest @ ..] => (Some((*id).to_owned()), rest),
        _ => return None,
    };
    // The repository that the call stands in is its remote.
    let place = |name: &str| format!("{}/{name}", repo.as_deref().unwrap_or("origin"));
    let pull = |number: &str| match &repo {
        None if number == "?" => "?".to_owned(),
        Some(repo) if repo == "?/?" && number == "?" => "?".to_owned(),
        _ => format!("{}#{number}", repo.as_deref().unwrap_or("")),
    };
    let method = request.method.as_str();
    let writes = matches!(method, "PUT" | "POST" | "unknown");
    Some(match rest {
        ["pulls", number, "merge"] if writes => merge(pull(number), &style(request)),
        ["pulls", number, "update-branch"] if writes => push(pull(number), "plain"),
        ["merges"] => push(place(&request.named("base", "?")), "plain"),
        ["merge-upstream"] => push(place(&request.named("branch", "?")), "plain"),
        ["git", "refs"] => {
            let (name, tag) = short_ref(&request.named("ref", "?"));
            push(place(&name), if tag { "tags" } else { "plain" })
        }
        ["git", "refs" | "ref", name @ ..] => {
            let (name, tag) = short_ref(&name.join("/"));
            let mode = match method {
                "DELETE" => "delete",
                "unknown" => "unknown",
                _ if request.is_on("force") => "force",
                _ if request.dark => "unknown",
                _ if tag => "tags",
                _ => "plain",
            };
            push(place(&name), mode)
        }
        ["contents", ..] => push(place(&request.named("branch", "-")), "plain"),
        ["branches", name @ .., "rename"] => push(place(&name.join("/")), "delete"),
        _ => return None,
    })
}

/// How a pull request is merged.
fn style(request: &Request) -> String {
    match request.named("merge_method", "plain").as_str() {
        known @ ("squash" | "merge" | "rebase" | "plain") => known.to_owned(),
        _ => "unknown".to_owned(),
    }
}
