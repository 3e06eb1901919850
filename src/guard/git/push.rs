//! `git push`: its options as git's own parser takes them, its targets, and what is needed to resolve them.

use super::doubt;
use super::place::{self, Settings};
use super::{Front, Reader};
use crate::domain::action::PushUpdate;
use crate::domain::repo::git_truth;
use crate::domain::{Action, ActionKind, Certainty, PushSpec};
use crate::guard::around::Around;
use crate::guard::scene::{Field, Scene};

/// Long options without a value.
const FLAGS: &[&str] = &[
    "all",
    "branches",
    "mirror",
    "delete",
    "tags",
    "dry-run",
    "porcelain",
    "force",
    "force-if-includes",
    "thin",
    "set-upstream",
    "progress",
    "prune",
    "no-verify",
    "verify",
    "follow-tags",
    "atomic",
    "verbose",
    "quiet",
    "ipv4",
    "ipv6",
    "help",
];
/// Long options with a value in the next word.
const WITH_VALUE: &[&str] = &["repo", "receive-pack", "exec", "recurse-submodules", "push-option"];
/// Long options whose value only comes behind `=`.
const MAYBE_VALUE: &[&str] = &["force-with-lease", "signed"];

/// Refs that are named one by one; more are `REMOTE/*`.
const REFS: usize = 64;

/// The words of a push, read.
#[derive(Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is an answer to a question of its own")]
struct Words {
    on: std::collections::BTreeSet<&'static str>,
    repo: Option<Field>,
    plain: Vec<Field>,
    /// Whether its own words say that submodules are pushed too.
    submodules: Option<bool>,
    /// A program is named.
    program: bool,
    /// It only shows help.
    help: bool,
    /// An option is not known.
    unclear: bool,
    /// A word that may be an option, or nothing.
    maybe: bool,
}

impl Words {
    fn read(args: &[Field]) -> Self {
        let mut words = Self::default();
        let (mut at, mut options) = (0, true);
        while let Some(field) = args.get(at) {
            at += 1;
            let text = field.text.as_str();
            if field.maybe {
                words.maybe = true;
            } else if !options || text.len() < 2 || !text.starts_with('-') {
                words.plain.push(field.clone());
            } else if matches!(text, "--" | "--end-of-options") {
                options = false;
            } else if let Some(long) = text.strip_prefix("--") {
                at += words.long(long, args.get(at));
            } else {
                at += words.short(text.get(1..).unwrap_or(""), args.get(at));
            }
        }
        words
    }

    /// `git push $FLAGS origin main`: a word that may be several, in front of a remote's name, stands for options.
    fn leave_out_options(&mut self, settings: &Settings<'_>) {
        let before_remote = match self.plain.as_slice() {
            [first, second, ..] => first.spread && second.known().is_some_and(|name| settings.is_remote(name)),
            _ => false,
        };
        if before_remote {
            self.plain.remove(0);
            self.maybe = true;
        }
    }

    /// One long option; how many further words it takes.
    fn long(&mut self, text: &str, next: Option<&Field>) -> usize {
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        let Some((option, on)) = full_name(name) else {
            self.unclear = true;
            return 0;
        };
        if !WITH_VALUE.contains(&option) || !on {
            self.set(option, on);
            return 0;
        }
        let field = match value {
            Some(value) => Some(Field::of(value)),
            None => next.cloned(),
        };
        match option {
            "repo" => self.repo = field,
            "receive-pack" | "exec" => self.program = true,
            "recurse-submodules" => {
                let off = |f: &Field| f.text == "check" || git_truth(&f.text) == Some(false);
                self.submodules = Some(field.is_none_or(|f| f.holes || !off(&f)));
            }
            _ => {}
        }
        usize::from(value.is_none())
    }

    /// Bundled short options; how many further words they take.
    fn short(&mut self, letters: &str, next: Option<&Field>) -> usize {
        for (at, letter) in letters.char_indices() {
            match letter {
                'f' => self.set("force", true),
                'n' => self.set("dry-run", true),
                'd' => self.set("delete", true),
                'u' => self.set("set-upstream", true),
                'v' | 'q' | '4' | '6' => {}
                'h' => self.help = true,
                'o' => return usize::from(at + 1 == letters.len() && next.is_some()),
                _ => self.unclear = true,
            }
        }
        0
    }

    fn set(&mut self, option: &'static str, on: bool) {
        match option {
            "help" => self.help = true,
            "branches" => self.set("all", on),
            "recurse-submodules" => self.submodules = Some(on),
            _ if on => {
                self.on.insert(option);
            }
            _ => {
                self.on.remove(option);
                // A setting that is on by configuration can be switched off too.
                if option == "follow-tags" {
                    self.on.insert("no-follow-tags");
                }
            }
        }
    }

    fn has(&self, option: &str) -> bool {
        self.on.contains(option)
    }
}

/// An option by its full name or any clear beginning of it, and whether it is switched on.
fn full_name(name: &str) -> Option<(&'static str, bool)> {
    let all = || FLAGS.iter().chain(WITH_VALUE).chain(MAYBE_VALUE).copied();
    let positive = |name: &str| {
        let starts: Vec<_> = all().filter(|option| option.starts_with(name)).collect();
        match starts.as_slice() {
            _ if all().any(|option| option == name) => all().find(|option| *option == name),
            [one] => Some(*one),
            // `--force-w`, `--force-i` are clear; `--forc` means `--force` beside its longer kin.
            [first, ..] if starts.iter().all(|option| option.starts_with("force")) && "force".starts_with(name) => {
                starts.iter().copied().find(|option| *option == "force").or(Some(first))
            }
            _ => None,
        }
    };
    if let Some(option) = positive(name) {
        return Some((option, true));
    }
    let rest = name.strip_prefix("no-")?;
    positive(rest).map(|option| (option, false))
}

/// One target of a push.
struct Target {
    place: String,
    mode: &'static str,
    update: Option<PushUpdate>,
}

impl Reader<'_> {
    /// A push. `verb` is `push`, or `send-pack` where the words are an address and refs.
    pub(super) fn push(&mut self, front: &Front, args: &[Field], scene: &Scene, verb: &str) {
        let mut words = Words::read(args);
        if words.help || words.has("dry-run") {
            return;
        }
        let repo = self.repo(front);
        let branch = scene.branch.as_deref();
        let settings = Settings { front, repo: repo.as_deref(), branch };
        words.leave_out_options(&settings);
        let named = if words.plain.is_empty() { words.repo.take() } else { Some(words.plain.remove(0)) };
        let anything = named.as_ref().is_some_and(|f| f.spread) && words.plain.is_empty();
        let remote = match &named {
            Some(field) => Some(field.text.clone()),
            None => settings.remote(),
        };
        let mode = words.mode(&settings, remote.as_deref());
        let mut targets = targets(&words, &settings, remote.as_deref(), named.as_ref(), mode);
        if targets.len() > REFS {
            let first = targets.first().map_or("unknown", |target| target.mode);
            let mode = if targets.iter().all(|target| target.mode == first) { first } else { "unknown" };
            targets = vec![Target { place: "*".to_owned(), mode, update: None }];
        }
        let shown = remote.as_deref().map_or_else(|| "?".to_owned(), place::shown_remote);
        let certain = !front.holes
            && !words.unclear
            && !words.maybe
            && scene.via.iter().all(|via| !via.starts_with("script"))
            && named.as_ref().is_none_or(|f| !f.holes && !f.glob && !f.text.contains("::"))
            && words.plain.iter().all(|f| !f.holes && !f.glob)
            && !targets.iter().any(|t| t.place.contains('?'));
        let unknown_mode = words.maybe || anything || words.plain.iter().any(|f| f.spread) || words.unclear;
        let doubt = doubt::of_push(&settings, remote.as_deref(), words.submodules, scene);
        let certain = certain && doubt.is_none();
        let spec = if certain && verb == "push" && !unknown_mode && !front.elsewhere && branch.is_none() {
            spec(&words, &settings, remote.as_deref(), &targets, mode)
        } else {
            None
        };
        let helper = named.as_ref().is_some_and(|f| f.text.contains("::"));
        let around = match &front.chooses {
            Some(name) => Some(Around::Chooses(name.clone())),
            None => (words.program || helper).then_some(Around::Option),
        };
        drop(repo);
        let mut spoken = vec![Field::of("git"), Field::of(verb)];
        spoken.extend(args.iter().cloned());
        for target in targets {
            let mode = if unknown_mode { "unknown" } else { target.mode };
            let place = if anything { "?/?".to_owned() } else { format!("{shown}/{}", target.place) };
            self.report(ActionKind::Push, place, mode, &spoken, spec.clone(), around.clone(), scene);
        }
        if let Some(why) = doubt.filter(|_| self.policy.asks_about(ActionKind::Push)) {
            self.cannot_see(why, scene);
        }
        if !certain {
            self.actions.iter_mut().rev().take(1).for_each(|a| a.certainty = Certainty::Partial);
        }
    }

    /// Adds an action.
    #[allow(clippy::too_many_arguments, reason = "each is a field of the action")]
    pub(super) fn report(
        &mut self,
        kind: ActionKind,
        target: String,
        mode: &str,
        words: &[Field],
        push: Option<PushSpec>,
        around: Option<Around>,
        scene: &Scene,
    ) {
        let certainty = if target.contains('?') || mode == "unknown" { Certainty::Partial } else { Certainty::Exact };
        let action = Action {
            action: kind,
            target,
            mode: mode.to_owned(),
            argv: words.iter().map(|f| f.text.clone()).collect(),
            span: scene.span,
            via: scene.via.clone(),
            certainty,
            push,
            facets: Vec::new(),
        };
        self.add(action, around);
    }
}

impl Words {
    /// The most far-reaching mode that holds for every ref.
    fn mode(&self, settings: &Settings<'_>, remote: Option<&str>) -> &'static str {
        let mirrors = self.plain.is_empty() && remote.is_some_and(|r| settings.on(&format!("remote.{r}.mirror")));
        if self.has("mirror") || mirrors {
            "mirror"
        } else if self.has("delete") || self.has("prune") {
            "delete"
        } else if self.has("force")
            || self.has("force-with-lease")
            || self.has("force-if-includes") && self.has("force-with-lease")
        {
            "force"
        } else if self.has("all") {
            "all"
        } else {
            "plain"
        }
    }
}

fn targets(
    words: &Words,
    settings: &Settings<'_>,
    remote: Option<&str>,
    named: Option<&Field>,
    mode: &'static str,
) -> Vec<Target> {
    let name = remote.unwrap_or("?");
    if mode == "mirror" {
        return vec![Target { place: "*".to_owned(), mode, update: None }];
    }
    let mut out = Vec::new();
    if words.has("all") {
        let update = Some(PushUpdate { source: "refs/heads/*".to_owned(), destination: "refs/heads/*".to_owned() });
        out.push(Target { place: "*".to_owned(), mode, update });
    }
    let mut specs: Vec<Field> = Vec::new();
    let mut plain = words.plain.iter();
    while let Some(field) = plain.next() {
        match (field.text.as_str(), field.holes) {
            ("tag", false) => {
                let tag = plain.next().map_or_else(|| "?".to_owned(), |f| f.text.clone());
                specs.push(Field::of(&format!("refs/tags/{tag}:refs/tags/{tag}")));
            }
            _ => specs.push(field.clone()),
        }
    }
    if specs.is_empty() && !words.has("all") && !words.has("tags") {
        let unknown = named.is_some_and(|f| f.holes) && remote.is_some_and(|r| r == "?");
        match settings.refspecs(name).filter(|_| !unknown) {
            Some(list) => specs.extend(list.iter().map(|spec| Field::of(spec))),
            None => specs.push(Field::unknown()),
        }
    }
    out.extend(specs.iter().map(|spec| target(words, settings, name, spec, mode)));
    let follows = words.has("follow-tags") || (settings.on("push.followTags") && !words.has("no-follow-tags"));
    if words.has("tags") || (follows && !words.has("delete")) {
        let mode = if matches!(mode, "plain" | "all") { "tags" } else { mode };
        let update = words
            .has("tags")
            .then(|| PushUpdate { source: "refs/tags/*".to_owned(), destination: "refs/tags/*".to_owned() });
        out.push(Target { place: "tags:*".to_owned(), mode, update });
    }
    out
}

fn target(words: &Words, settings: &Settings<'_>, remote: &str, spec: &Field, mode: &'static str) -> Target {
    let (text, forced) = spec.text.strip_prefix('+').map_or((spec.text.as_str(), false), |rest| (rest, true));
    let mut mode = match (mode, forced) {
        ("plain" | "all", true) => "force",
        (mode, _) => mode,
    };
    if text == ":" {
        let mode = if mode == "plain" { "all" } else { mode };
        return Target { place: "*".to_owned(), mode, update: None };
    }
    if text == "?" {
        return Target { place: "?".to_owned(), mode, update: None };
    }
    let (source, destination) = match text.split_once(':') {
        Some((source, destination)) => (source, Some(destination)),
        None => (text, None),
    };
    if words.has("delete") {
        return deletion(settings, destination.unwrap_or(source));
    }
    if source.is_empty() {
        if mode != "mirror" {
            mode = "delete";
        }
        return Target { mode, ..deletion(settings, destination.unwrap_or("?")) };
    }
    let full = match destination {
        Some(name) if name.starts_with("refs/") => name.to_owned(),
        Some("" | "?") => "?".to_owned(),
        Some(name) if settings.is_tag(source.trim_start_matches("refs/tags/")) => format!("refs/tags/{name}"),
        Some(name) => format!("refs/heads/{name}"),
        None if spec.holes => format!("refs/heads/{source}"),
        None if source.starts_with("refs/tags/") => source.to_owned(),
        None if settings.is_tag(source) => format!("refs/tags/{source}"),
        None => settings.destination(remote, source).unwrap_or_else(|| "?".to_owned()),
    };
    let place = shown(&full);
    if mode == "plain" && place == "*" {
        mode = "all";
    } else if matches!(mode, "plain" | "all") && full.starts_with("refs/tags/") {
        mode = "tags";
    }
    let known = !full.contains('?') && !source.contains('?');
    // A lone `@` is HEAD; every other source is looked up as git would, where the push is resolved.
    let source = if source == "@" { "HEAD" } else { source };
    let update = known.then(|| PushUpdate { source: source.to_owned(), destination: full.clone() });
    Target { place, mode, update }
}

fn deletion(settings: &Settings<'_>, name: &str) -> Target {
    let full = match name {
        _ if name.starts_with("refs/") => name.to_owned(),
        _ if settings.is_tag(name) => format!("refs/tags/{name}"),
        _ => format!("refs/heads/{name}"),
    };
    let update = (!full.contains('?')).then(|| PushUpdate { source: String::new(), destination: full.clone() });
    Target { place: shown(&full), mode: "delete", update }
}

/// A ref's name as a target shows it.
fn shown(full: &str) -> String {
    match (full.strip_prefix("refs/heads/"), full.strip_prefix("refs/tags/")) {
        (Some(name), _) => name.to_owned(),
        (_, Some(name)) => format!("tags:{name}"),
        (None, None) => full.to_owned(),
    }
}

/// What is needed to resolve the push for real; `None` where a part of it is decided by the remote.
fn spec(
    words: &Words,
    settings: &Settings<'_>,
    remote: Option<&str>,
    targets: &[Target],
    mode: &str,
) -> Option<PushSpec> {
    if words.program || words.has("prune") {
        return None;
    }
    let updates: Option<Vec<PushUpdate>> = targets.iter().map(|t| t.update.clone()).collect();
    let modes = ["mirror", "delete", "force", "all", "tags"];
    let widest =
        modes.iter().find(|m| mode == **m || targets.iter().any(|t| t.mode == **m)).copied().unwrap_or("plain");
    Some(PushSpec {
        folder: settings.front.folder.clone()?,
        remote: remote?.to_owned(),
        updates: updates.filter(|u| !u.is_empty() && settings.repo.is_some())?,
        mode: widest.to_owned(),
        config: settings.front.config.clone(),
    })
}
