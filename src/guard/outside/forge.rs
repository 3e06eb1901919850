//! Front ends of forges and other version control: what each call pushes, merges or releases.

mod gh;
mod glab;
mod others;
mod review;

use super::{Act, Call};
use crate::domain::ActionKind;
use crate::guard::reader::Reader;
use crate::guard::scene::Field;

/// What the call does; `None` for a program of another file.
pub(super) fn look(reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Vec<Act>> {
    match call.name {
        "gh" => Some(gh::acts(reader, call, call.args, gh::ALIASES)),
        "glab" => Some(glab::acts(reader, call)),
        "hub" => Some(others::hub(reader, call)),
        _ => others::acts(reader, call).or_else(|| review::acts(reader, call)),
    }
}

fn push(target: impl Into<String>, mode: &str) -> Act {
    Act::new(ActionKind::Push, target, mode)
}

fn merge(target: impl Into<String>, mode: &str) -> Act {
    Act::new(ActionKind::Merge, target, mode)
}

fn http(host: impl Into<String>, method: &str) -> Act {
    Act::new(ActionKind::Http, host, method)
}

/// Where the branch checked out is pushed to when nothing else is said.
fn bare(reader: &Reader<'_>, call: &Call<'_>) -> String {
    let (remote, branch) = reader.bare_push(call.scene);
    format!("{remote}/{branch}")
}

/// The branch checked out.
fn branch(reader: &Reader<'_>, call: &Call<'_>) -> String {
    reader.bare_push(call.scene).1
}

/// A request to merge as a target shows it: `#12`, `acme/app#12`, a branch. `mark` is `#` or `!`.
fn request_named(selector: Option<&Field>, repo: Option<&str>, mark: char, current: impl FnOnce() -> String) -> String {
    let within = |name: &str| repo.map_or_else(|| name.to_owned(), |repo| format!("{repo}{mark}{name}"));
    let Some(field) = selector else {
        return if repo.is_some() { within("?") } else { current() };
    };
    let text = field.text.as_str();
    if let Some((_, path)) = text.split_once("://") {
        return from_address(path, mark).unwrap_or_else(|| "?".to_owned());
    }
    if field.known().is_none() {
        return within("?");
    }
    let number = text.trim_start_matches(['#', '!']);
    if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) {
        return repo.map_or_else(|| format!("{mark}{number}"), |_| within(number));
    }
    within(text)
}

/// `github.com/acme/app/pull/12`, `gitlab.com/a/b/app/-/merge_requests/5/diffs` → repository and number.
fn from_address(address: &str, mark: char) -> Option<String> {
    let parts: Vec<&str> = address.split('/').collect();
    let at = parts.iter().position(|part| matches!(*part, "pull" | "pulls" | "merge_requests"))?;
    let number = parts.get(at + 1)?.split(['#', '?']).next().filter(|n| !n.is_empty()).unwrap_or("?");
    let repo: Vec<&str> = parts.get(..at)?.iter().copied().filter(|part| *part != "-").collect();
    Some(format!("{}{mark}{number}", repository(&repo.join("/"))))
}

/// A repository as a target shows it: owner and name; the host too where it is not the usual one.
fn repository(text: &str) -> String {
    let text = text.split_once("://").map_or(text, |(_, rest)| rest);
    let text = match text.rsplit_once('@') {
        Some((_, rest)) => rest.replacen(':', "/", 1),
        None => text.to_owned(),
    };
    let text = text.trim_end_matches('/').trim_end_matches(".git");
    let usual = ["github.com/", "www.github.com/", "gitlab.com/"].iter().find_map(|host| text.strip_prefix(host));
    usual.unwrap_or(text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_named_with_their_repository() {
        let named =
            |text: &str, repo: Option<&str>| request_named(Some(&Field::of(text)), repo, '#', || "here".to_owned());
        assert_eq!(named("12", None), "#12");
        assert_eq!(named("#12", Some("acme/app")), "acme/app#12");
        assert_eq!(named("feature/x", None), "feature/x");
        assert_eq!(named("https://github.com/acme/app/pull/12/files", None), "acme/app#12");
        assert_eq!(named("https://ghe.example.com/acme/app/pull/12", None), "ghe.example.com/acme/app#12");
        assert_eq!(request_named(None, None, '#', || "here".to_owned()), "here");
        assert_eq!(request_named(Some(&Field::unknown()), Some("a/b"), '#', String::new), "a/b#?");
        assert_eq!(request_named(Some(&Field::unknown()), None, '#', String::new), "?");
        assert_eq!(repository("git@github.com:acme/app.git"), "acme/app");
        assert_eq!(repository("https://github.com/acme/app"), "acme/app");
    }
}
