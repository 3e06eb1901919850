//! What one call of a program does outside of this machine: forges, packages, stands, hosts, databases, requests.
//!
//! One file per kind of program. Each looks at the words of a call and says what it does, or that the program is not its
//! own. A program that is known and only reads is said to do nothing, so that nobody guesses about it.

mod api;
mod cloud;
mod container;
mod database;
mod deploy;
mod far;
mod forge;
mod host;
mod http;
mod infra;
mod kube;
mod options;
mod publish;
mod ssh;
mod table;
mod verbs;

use super::around::Around;
use super::reader::Reader;
use super::scene::{Field, Scene, Stdin, Text};
use crate::domain::{Action, ActionKind, Certainty, Facet};

/// One call of a program, as far as its words could be followed.
pub(super) struct Call<'a> {
    /// The program's file name.
    pub name: &'a str,
    /// Its words.
    pub args: &'a [Field],
    /// Variables set in front of it.
    pub prefix: &'a [(String, Text)],
    /// What is known where it stands.
    pub scene: &'a Scene,
    /// What it reads.
    pub stdin: &'a Stdin,
}

/// One thing that a call does outside.
#[derive(Clone, Debug)]
pub(super) struct Act {
    /// What kind.
    pub kind: ActionKind,
    /// What it goes to, `?` for a part that is not known, `-` for one that the call does not name.
    pub target: String,
    /// How.
    pub mode: String,
    /// Where it takes effect, for the owner's map of stands.
    pub facets: Vec<(Facet, String)>,
    /// The call runs or chooses a program beside it, so that it does not stand alone.
    pub noise: bool,
}

impl Act {
    /// A plain act.
    pub(super) fn new(kind: ActionKind, target: impl Into<String>, mode: impl Into<String>) -> Self {
        Self { kind, target: target.into(), mode: mode.into(), facets: Vec::new(), noise: false }
    }

    /// Whether it goes to a place of its own, wherever the call is made.
    fn names_a_place(&self) -> bool {
        !self.facets.is_empty() || matches!(self.kind, ActionKind::Push | ActionKind::Merge | ActionKind::Publish)
    }

    /// With a place where it takes effect; none where it is not named.
    pub(super) fn at(mut self, facet: Facet, value: Option<&str>) -> Self {
        self.facets.extend(value.filter(|v| !matches!(*v, "" | "-")).map(|v| (facet, v.to_owned())));
        self
    }
}

/// What a look came to: `None` when the program is not its own; no act when the call only reads.
type Look = fn(&mut Reader<'_>, &Call<'_>) -> Option<Vec<Act>>;

const LOOKS: &[Look] = &[
    forge::look,
    publish::look,
    http::look,
    kube::look,
    infra::look,
    container::look,
    cloud::look,
    deploy::look,
    host::look,
    ssh::look,
    database::look,
];

impl Call<'_> {
    /// The value of a variable that the call or the text before it sets.
    pub(super) fn variable(&self, name: &str) -> Option<&Text> {
        let own = self.prefix.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value);
        own.or_else(|| self.scene.scalar(name))
    }
}

/// Whether a variable says which program runs, or what runs beside it.
fn chooses_a_program(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "PATH",
        "NODE_OPTIONS",
        "NODE_PATH",
        "PYTHONPATH",
        "PYTHONSTARTUP",
        "RUBYOPT",
        "RUBYLIB",
        "PERL5OPT",
        "PERL5LIB",
        "JAVA_TOOL_OPTIONS",
        "BASH_ENV",
        "ENV",
        "EDITOR",
        "VISUAL",
        "BROWSER",
        "PAGER",
        "GH_PATH",
        "GH_EDITOR",
        "GH_BROWSER",
        "GH_PAGER",
        "GIT_EDITOR",
        "GIT_SSH",
        "GIT_SSH_COMMAND",
        "GIT_EXEC_PATH",
        "RUSTC",
        "RUSTC_WRAPPER",
        "KUBE_EDITOR",
        "RSYNC_RSH",
        "SHELL",
    ];
    NAMES.contains(&name) || name.starts_with("LD_") || name.starts_with("DYLD_")
}

impl Reader<'_> {
    /// Reports what a call does outside. False when no look knows the program.
    pub(super) fn outside(
        &mut self,
        fields: &[Field],
        prefix: &[(String, Text)],
        scene: &Scene,
        stdin: &Stdin,
    ) -> bool {
        let Some((program, args)) = fields.split_first() else { return false };
        let call = Call { name: program.base(), args, prefix, scene, stdin };
        let before = std::mem::take(&mut self.beyond);
        let Some(acts) = LOOKS.iter().find_map(|look| look(self, &call)) else {
            self.beyond = before;
            return false;
        };
        let chooses = prefix.iter().any(|(name, value)| chooses_a_program(name) && !value.text.is_empty());
        for mut act in acts {
            act.noise |= chooses;
            self.act(act, fields, scene);
        }
        self.beyond |= before;
        true
    }

    /// Adds what a call does, unless the policy leaves it free.
    pub(super) fn act(&mut self, act: Act, words: &[Field], scene: &Scene) {
        // The place named is not the only one that changes, or lies behind another: it is no test stand for certain.
        let behind = self.beyond || self.elsewhere > 0;
        let partial = act.target.contains('?') || act.mode == "unknown" || behind;
        self.add(
            Action {
                action: act.kind,
                target: act.target,
                mode: act.mode,
                argv: words.iter().map(|f| f.text.clone()).collect(),
                span: scene.span,
                via: scene.via.clone(),
                certainty: if partial { Certainty::Partial } else { Certainty::Exact },
                push: None,
                facets: act.facets,
            },
            act.noise.then_some(Around::Option),
        );
    }

    /// Adds an action, unless the policy leaves it free.
    pub(super) fn add(&mut self, action: Action, around: Option<Around>) {
        if self.quiet || (!self.weighs && self.policy.is_free(&action)) {
            return;
        }
        if let Some(around) = around {
            self.not_alone(around);
        }
        if !self.actions.contains(&action) {
            self.actions.push(action);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::tests::{report, said};
    use crate::policy::Policy;

    /// Each command and what the guard says it does; nothing for a harmless one.
    pub(super) fn check(rows: &[(&str, &str)]) {
        for (command, wanted) in rows {
            let report = report(command);
            assert_eq!(said(&report), *wanted, "{command}: {report:?}");
            assert!(report.opaque.is_empty(), "{command}: {report:?}");
        }
    }

    /// Facets of the one action of a command.
    pub(super) fn facets(command: &str) -> String {
        let report = report(command);
        let all = report.actions.iter().flat_map(|a| &a.facets);
        all.map(|(facet, value)| format!("{facet:?} {value}")).collect::<Vec<_>>().join(", ")
    }

    /// Runs something with a reader of its own.
    pub(super) fn reading<T>(run: impl FnOnce(&mut Reader<'_>) -> T) -> T {
        let (policy, world) = (Policy::built_in(), crate::guard::tests::table_world());
        run(&mut Reader::new(&policy, &world))
    }
}
