//! Which words of a call say what it does: verbs that read, verbs that write, and verbs that nobody listed.

use super::options::{Takes, Words};
use crate::guard::scene::Field;

/// Whether a table, its entries parted by commas, has the word.
pub(super) fn has(table: &str, word: &str) -> bool {
    table.split(',').any(|entry| entry.trim() == word)
}

/// The entries of a table that are not empty.
pub(super) fn entries(table: &str) -> Vec<&str> {
    table.split(',').map(str::trim).filter(|entry| !entry.is_empty()).collect()
}

/// First parts of verbs (`update-service`, `ps:scale`) that change something wherever they are used.
const WRITES: &str = "abort, accept, activate, add, allocate, annotate, append, apply, approve, archive, assign, associate, attach, \
    authorize, autoscale, bind, bootstrap, call, cancel, change, clear, clone, cordon, cp, create, deactivate, deallocate, \
    decommission, delete, demote, deploy, deprovision, deregister, destroy, detach, disable, disassociate, dispatch, \
    down, drain, drop, edit, enable, evict, execute, expose, failover, flush, force, grant, halt, import, initiate, \
    insert, install, invoke, kill, label, launch, lock, merge, migrate, modify, move, mv, patch, pause, promote, \
    provision, publish, purge, push, put, reboot, rebuild, recreate, redeploy, regenerate, register, reimage, \
    reinstall, release, reload, remove, rename, renew, replace, reset, resize, restage, restart, restore, resume, \
    retry, revoke, rb, rm, rollback, rotate, rsync, run, scale, send, set, shutdown, start, stop, submit, suspend, \
    swap, switch, sync, tag, taint, terminate, transfer, trigger, truncate, unassign, unbind, uncordon, undeploy, \
    undo, uninstall, unlock, unset, untag, update, upgrade, upload, upsert, write";

/// Takes the words of a call apart; `long` names its long options that take the next word.
pub(super) fn read(args: &[Field], letters: &str, long: &str) -> Words {
    Words::read(args, &Takes { letters, long: &entries(long) })
}

/// What the words of a call come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    /// No word at all.
    Nothing,
    /// It reads, or does something here only.
    Reads,
    /// A word that no table has, and that does not look like a write.
    Other,
    /// It changes something.
    Writes {
        /// The verb, `unknown` where it cannot be read.
        mode: String,
        /// Where the words behind the verb begin.
        after: usize,
        /// Words that are not known stand in front of it, options perhaps.
        behind_unknown: bool,
    },
}

/// Whether a verb that no table names changes something, by its first part.
pub(super) fn looks_like_write(word: &str) -> bool {
    let first = word.split(['-', ':', '.', '_']).next().unwrap_or(word).to_ascii_lowercase();
    has(WRITES, &first)
}

/// How many of the plain words from `at` on an entry takes, and how well it fits: the longest entry that fits, of two the
/// one without a `*`, which stands for any one word.
fn longest(words: &Words, at: usize, table: &str) -> (usize, bool) {
    let fits = |entry: &&str| {
        entry.split(' ').enumerate().all(|(i, part)| {
            let word = words.word(at + i);
            word == part || (part == "*" && !word.is_empty())
        })
    };
    let all = entries(table).into_iter().filter(fits);
    all.map(|entry| (entry.split(' ').count(), !entry.contains('*'))).max().unwrap_or((0, false))
}

/// The first words as they stand, joined.
pub(super) fn joined(words: &Words, from: usize, to: usize) -> String {
    let parts: Vec<&str> = words.plain.iter().take(to).skip(from).map(|f| f.text.as_str()).collect();
    parts.join(" ")
}

/// Finds the verb. An entry of several words (`rollout restart`) counts before a shorter one; a writing verb counts before
/// a reading one of the same length.
pub(super) fn verb(words: &Words, reads: &str, writes: &str) -> Verb {
    let unknown = |at: usize| words.plain.get(at).is_some_and(|f| f.known().is_none());
    let at = (0..words.plain.len()).find(|at| !unknown(*at)).unwrap_or(words.plain.len());
    if words.plain.is_empty() {
        return Verb::Nothing;
    }
    let cannot_tell = Verb::Writes { mode: "unknown".to_owned(), after: at, behind_unknown: at > 0 };
    let (read, write) = (longest(words, at, reads), longest(words, at, writes));
    let (taken, looked) = (write.0, read.0);
    if taken > 0 && write >= read {
        return Verb::Writes { mode: joined(words, at, at + taken), after: at + taken, behind_unknown: at > 0 };
    }
    // `rollout $WHAT`: the second word of a verb is not known.
    let first = words.word(at);
    let has_more = entries(writes).iter().any(|entry| entry.split_once(' ').is_some_and(|(head, _)| head == first));
    if has_more && unknown(at + 1) && looked < 2 {
        return cannot_tell;
    }
    if looked > 0 {
        return Verb::Reads;
    }
    let end = words.plain.len().min(at + 3);
    match (at..end).find(|i| !unknown(*i) && looks_like_write(words.word(*i))) {
        Some(found) if at == 0 || found == at => {
            Verb::Writes { mode: joined(words, at, found + 1), after: found + 1, behind_unknown: at > 0 }
        }
        _ if at > 0 => cannot_tell,
        _ => Verb::Other,
    }
}

/// Whether an option stands there with which a call only shows what it would do, and is not switched off.
pub(super) fn only_shows(words: &Words, names: &str) -> bool {
    let last = words.options.iter().rev().find(|(name, _)| has(names, name));
    last.is_some_and(|(_, value)| match value {
        None => true,
        Some(field) => field
            .known()
            .is_some_and(|v| !matches!(v.to_ascii_lowercase().as_str(), "none" | "false" | "f" | "0" | "no")),
    })
}

/// The words with `-name` written as `--name`, for programs whose long options have one dash.
pub(super) fn two_dashes(args: &[Field]) -> Vec<Field> {
    let mut options = true;
    args.iter()
        .map(|field| {
            options &= field.text != "--";
            let one = options && field.text.len() > 2 && field.text.starts_with('-') && !field.text.starts_with("--");
            if one { Field { text: format!("-{}", field.text), ..field.clone() } } else { field.clone() }
        })
        .collect()
}

/// The words with long options written out that are cut short, for programs that allow that.
pub(super) fn written_out(args: &[Field], known: &[&str]) -> Vec<Field> {
    args.iter()
        .map(|field| {
            let Some(long) = field.text.strip_prefix("--") else { return field.clone() };
            let (name, value) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
            if name.is_empty() || known.contains(&name) {
                return field.clone();
            }
            match known.iter().filter(|k| k.starts_with(name)).collect::<Vec<_>>().as_slice() {
                [one] => {
                    let value = value.map(|v| format!("={v}")).unwrap_or_default();
                    Field { text: format!("--{one}{value}"), ..field.clone() }
                }
                _ => field.clone(),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Words {
        let args: Vec<Field> =
            text.split(' ').map(|w| if w == "?" { Field::unknown() } else { Field::of(w) }).collect();
        Words::read(&args, &Takes { letters: "", long: &[] })
    }

    fn mode(text: &str) -> String {
        match verb(&of(text), "get, rollout status, view", "rollout restart, apply") {
            Verb::Nothing => "nothing".to_owned(),
            Verb::Reads => "reads".to_owned(),
            Verb::Other => "other".to_owned(),
            Verb::Writes { mode, .. } => mode,
        }
    }

    #[test]
    fn verbs_are_found() {
        for (text, wanted) in [
            ("apply x", "apply"),
            ("get apply", "reads"),
            ("rollout restart x", "rollout restart"),
            ("rollout status x", "reads"),
            ("rollout ? x", "unknown"),
            ("? get pods", "reads"),
            ("? apply", "apply"),
            ("? x", "unknown"),
            ("argo rollouts promote x", "argo rollouts promote"),
            ("ctx prod", "other"),
            ("view delete", "reads"),
            ("delete-all x", "delete-all"),
        ] {
            assert_eq!(mode(text), wanted, "{text}");
        }
    }

    #[test]
    fn options_that_only_show() {
        let shows = |text: &str| only_shows(&of(text), "--dry-run, -h");
        assert!(shows("apply --dry-run") && shows("apply --dry-run=client") && shows("-h"));
        assert!(!shows("apply --dry-run=none") && !shows("apply --dry-run --dry-run=false") && !shows("apply"));
    }

    #[test]
    fn other_spellings_of_long_options() {
        let texts = |fields: Vec<Field>| fields.into_iter().map(|f| f.text).collect::<Vec<_>>().join(" ");
        let of = |text: &str| text.split(' ').map(Field::of).collect::<Vec<_>>();
        assert_eq!(texts(two_dashes(&of("-chdir=x apply -h -- -y1"))), "--chdir=x apply -h -- -y1");
        assert_eq!(texts(written_out(&of("--inv=x --ch"), &["inventory", "check", "limit"])), "--inventory=x --check");
    }
}
