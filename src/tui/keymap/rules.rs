//! What a key map must keep, whoever wrote it: no key with two meanings, and no decision by a key that is pressed for other
//! reasons.

use crossterm::event::KeyCode;

use super::Bindings;
use super::Place;
use super::action::{Action, Context, entry};
use super::key::{Sequence, show};

/// A rule that a map breaks.
pub struct Broken {
    /// The bindings that are part of it.
    pub involved: Vec<(Context, Action)>,
    /// What is wrong.
    pub what: String,
}

/// First and second step of each decision.
const STEPS: [((Context, Action), (Context, Action)); 4] = [
    ((Context::Approval, Action::Approve), (Context::Confirm, Action::Yes)),
    ((Context::Approval, Action::Refuse), (Context::Refuse, Action::Send)),
    ((Context::Question, Action::Send), (Context::Confirm, Action::Yes)),
    ((Context::Answer, Action::Send), (Context::Confirm, Action::Yes)),
];

/// Without these nobody finds the way.
const NEEDED: [(Context, Action); 6] = [
    (Context::Global, Action::Help),
    (Context::Global, Action::Back),
    (Context::Global, Action::Leave),
    (Context::Answer, Action::LeaveBox),
    (Context::Refuse, Action::Cancel),
    (Context::Help, Action::Back),
];

/// Every rule that is broken.
pub fn broken(map: &Bindings) -> Vec<Broken> {
    let mut out = doubled(map);
    out.extend(deciding(map));
    for at in NEEDED {
        if map.get(&at).is_none_or(Vec::is_empty) {
            out.push(Broken { involved: vec![at], what: format!("{} needs a key", name(at)) });
        }
    }
    for (at, sequences) in map.iter().filter(|((context, _), _)| context.is_text()) {
        let typed = sequences.iter().find(|keys| keys.first().is_some_and(|key| key.is_text()));
        if let Some(keys) = typed {
            let what = format!("\"{}\" is text where {} holds", show(keys), name(*at));
            out.push(Broken { involved: vec![*at], what });
        }
    }
    out
}

fn name((context, action): (Context, Action)) -> String {
    let name = entry(context, action).map_or("?", |entry| entry.name);
    format!("{name} in [{}]", context.name())
}

/// Two actions on one key, or one behind the start of another.
fn doubled(map: &Bindings) -> Vec<Broken> {
    let mut out = Vec::new();
    for place in Place::ALL {
        let here: Vec<_> = map
            .iter()
            .filter(|((context, _), _)| place.contexts().contains(context))
            .flat_map(|(at, sequences)| sequences.iter().map(move |keys| (*at, keys)))
            .collect();
        for (i, (a, keys)) in here.iter().enumerate() {
            for (b, others) in here.iter().skip(i + 1) {
                let clash = if a == b { keys == others } else { keys.starts_with(others) || others.starts_with(keys) };
                if clash {
                    out.push(Broken { involved: vec![*a, *b], what: clash_text((*a, keys), (*b, others)) });
                }
            }
        }
    }
    out
}

fn clash_text((a, keys): ((Context, Action), &Sequence), (b, others): ((Context, Action), &Sequence)) -> String {
    if keys == others {
        format!("\"{}\" is bound twice: {} and {}", show(keys), name(a), name(b))
    } else {
        format!("\"{}\" ({}) and \"{}\" ({}) start alike", show(keys), name(a), show(others), name(b))
    }
}

/// The keys that decide: single, not pressed for other reasons, different in the two steps.
fn deciding(map: &Bindings) -> Vec<Broken> {
    let mut out = Vec::new();
    let keys_of = |at| map.get(&at).map(Vec::as_slice).unwrap_or_default();
    for (first, second) in STEPS {
        for at in [first, second] {
            for keys in keys_of(at).iter().filter(|keys| !may_decide(keys)) {
                let what = format!("{} decides; \"{}\" is pressed for other reasons too", name(at), show(keys));
                out.push(Broken { involved: vec![at], what });
            }
        }
        for keys in keys_of(first).iter().filter(|keys| keys_of(second).contains(keys)) {
            let what = format!("{} and {} must differ, both are \"{}\"", name(first), name(second), show(keys));
            out.push(Broken { involved: vec![first, second], what });
        }
    }
    out
}

fn may_decide(keys: &Sequence) -> bool {
    let [key] = keys.as_slice() else { return false };
    match key.code {
        KeyCode::Char(c) => c != ' ' && !(key.ctrl && matches!(c, 'm' | 'j' | 'i' | 'h' | '[')),
        KeyCode::F(_) => true,
        _ => false,
    }
}
