//! GitLab's REST interface: the paths that merge a merge request or move a branch.

use super::{Request, decoded, merge, push};
use crate::guard::outside::Act;

/// What a request does.
pub(super) fn acts(request: &Request) -> Vec<Act> {
    vec![known(request).unwrap_or_else(|| request.http())]
}

fn known(request: &Request) -> Option<Act> {
    let path: Vec<&str> = request.path.iter().map(String::as_str).collect();
    let ["projects", project, rest @ ..] = path.as_slice() else { return None };
    let project = decoded(project);
    let here = project.starts_with(':');
    let place = |name: &str| format!("{}/{name}", if here { "origin" } else { project.as_str() });
    let named = |number: &str| match (here, number) {
        (true, "?") => "?".to_owned(),
        (true, number) => format!("!{number}"),
        (false, number) => format!("{project}!{number}"),
    };
    let method = request.method.as_str();
    let deletes = if method == "DELETE" { "delete" } else { "plain" };
    let force = if request.is_on("force") { "force" } else { "plain" };
    Some(match rest {
        ["merge_requests", number, "merge"] if matches!(method, "PUT" | "POST" | "unknown") => {
            let auto = request.is_on("merge_when_pipeline_succeeds") || request.is_on("auto_merge");
            let mode = match () {
                () if auto => "auto",
                () if request.is_on("squash") => "squash",
                () if request.dark => "unknown",
                () => "plain",
            };
            merge(named(number), mode)
        }
        ["merge_requests", number, "rebase"] => push(named(number), "force"),
        ["repository", "branches"] => push(place(&request.named("branch", "?")), "plain"),
        ["repository", "branches", name @ ..] if method == "DELETE" => push(place(&decoded(&name.join("/"))), "delete"),
        ["repository", "merged_branches"] if method == "DELETE" => push(place("*"), "delete"),
        ["repository", "commits"] => push(place(&request.named("branch", "?")), force),
        ["repository", "commits", _, "cherry_pick" | "revert"] => push(place(&request.named("branch", "?")), "plain"),
        ["repository", "files", ..] => push(place(&request.named("branch", "?")), "plain"),
        ["repository", "tags"] => push(place(&format!("tags:{}", request.named("tag_name", "?"))), "tags"),
        ["repository", "tags", name, ..] => {
            push(place(&format!("tags:{}", decoded(name))), if deletes == "delete" { "delete" } else { "tags" })
        }
        _ => return None,
    })
}
