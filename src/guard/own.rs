//! The owner's own guarded commands, and the proof of each rule by its examples.
//!
//! A rule adds to what the guard reads and never takes anything away: where the guard itself has found something in the
//! command, that stands, and a rule can only say that it goes to a stand that is live or above the run's level.

use std::path::PathBuf;

use super::outside::Act;
use super::reader::Reader;
use super::scene::{Field, Scene};
use crate::domain::Facet;
use crate::domain::repo::Nowhere;
use crate::policy::{Fit, Level, Policy, PolicyError, Rejected, Rule, StandKind};

impl Reader<'_> {
    /// Compares a simple command with the owner's rules. `found` and `actions` are what there was before it was read.
    pub(super) fn own_rules(&mut self, fields: &[Field], scene: &Scene, found: usize, actions: usize) {
        let policy = self.policy;
        for rule in &policy.rules {
            let words = fields.iter().map(|field| field.known().filter(|_| !field.maybe && !field.glob));
            let fit = rule.covers(words);
            if fit == Fit::No || self.quiet {
                continue;
            }
            self.rules_hit.push(rule.name.clone());
            if self.found() > found {
                self.goes_to(rule, actions);
                continue;
            }
            let mut act = Act::new(rule.action, rule.target.clone(), rule.mode.clone());
            act.facets.extend(rule.stand.clone().map(|stand| (Facet::Stand, stand)));
            if fit == Fit::Maybe {
                // Said before the policy is asked: what was not read whole is at no test stand.
                "unknown".clone_into(&mut act.mode);
            }
            let before = self.actions.len();
            self.act(act, fields, scene);
            self.by_rule += self.actions.len() - before;
        }
    }

    /// What was found goes to the rule's stand too, where that makes it tighter.
    fn goes_to(&mut self, rule: &Rule, from: usize) {
        let Some((name, stand)) = rule.stand.as_ref().and_then(|name| self.policy.stands.get_key_value(name)) else {
            return;
        };
        if stand.kind == StandKind::Live || stand.level < Level::Write {
            self.actions.iter_mut().skip(from).for_each(|action| action.facets.push((Facet::Stand, name.clone())));
        }
    }
}

/// Proves the owner's rules by their examples: each finds what it must, and nothing that it must not.
pub fn check_examples(policy: &Policy) -> Result<(), Rejected> {
    let plain = policy.for_examples();
    let hit = |rule: &Rule, command: &str| {
        super::walk(&super::bash(command, PathBuf::from("/")), &plain, &Nowhere).0.rules_hit.contains(&rule.name)
    };
    let mut errors: Vec<PolicyError> = Vec::new();
    for rule in &policy.rules {
        let key = format!("rule.{}", rule.name);
        for command in rule.must_match.iter().filter(|command| !hit(rule, command)) {
            errors.push(policy.error_at(
                &key,
                format!("rule \"{}\" does not find \"{command}\", which it must", rule.name),
                format!("Its command is \"{}\"; correct that or the example.", rule.command),
            ));
        }
        for command in rule.must_not_match.iter().filter(|command| hit(rule, command)) {
            errors.push(policy.error_at(
                &key,
                format!("rule \"{}\" finds \"{command}\", which it must not", rule.name),
                format!("Its command is \"{}\"; correct that or the example.", rule.command),
            ));
        }
    }
    Rejected::of(errors).map_or(Ok(()), Err)
}

/// A policy file as it was read: its text, and its name for people.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The text.
    pub text: &'a str,
    /// The name.
    pub file: &'a str,
}

/// The owner's layers as one policy, its rules proven.
pub fn owners_policy(owner: Option<Source<'_>>, project: Option<Source<'_>>) -> Result<Policy, Rejected> {
    let mut policy = Policy::built_in();
    if let Some(owner) = owner {
        policy = policy.owner(owner.text, owner.file)?;
    }
    if let Some(project) = project {
        policy = policy.project(project.text, project.file)?;
    }
    check_examples(&policy)?;
    Ok(policy)
}

/// A policy with the repository's file upon it, its rules proven.
pub fn tightened(policy: &Policy, repository: Source<'_>) -> Result<Policy, Rejected> {
    let policy = policy.tightened(repository.text, repository.file)?;
    check_examples(&policy)?;
    Ok(policy)
}
