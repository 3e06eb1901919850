//! The words of a call, taken apart as most programs do: options with and without a value, and the rest.

use crate::guard::scene::{Field, Scene};

/// The words of a call.
#[derive(Clone, Debug, Default)]
pub(super) struct Words {
    /// Options in order, with their value where they have one: `--namespace` or `-n`, as they are written.
    pub options: Vec<(String, Option<Field>)>,
    /// The words that are no options, in order.
    pub plain: Vec<Field>,
    /// The words behind `--`.
    pub rest: Vec<Field>,
}

/// What an option takes.
pub(super) struct Takes<'a> {
    /// Short letters that take a value, attached or in the next word.
    pub letters: &'a str,
    /// Long options (without dashes) that take a value in the next word when none stands behind `=`.
    pub long: &'a [&'a str],
}

impl Words {
    /// Takes the words apart. Bundled short letters are separated; a letter that takes a value takes what is attached to
    /// it, else the next word. Words behind `--` are kept apart.
    pub(super) fn read(args: &[Field], takes: &Takes<'_>) -> Self {
        let mut words = Self::default();
        let mut rest = args.iter();
        while let Some(field) = rest.next() {
            let text = field.text.as_str();
            if text == "--" {
                words.rest = rest.cloned().collect();
                break;
            }
            if let Some(long) = text.strip_prefix("--") {
                match long.split_once('=') {
                    Some((name, value)) => {
                        let value = Field { text: value.to_owned(), ..field.clone() };
                        words.options.push((format!("--{name}"), Some(value)));
                    }
                    None => {
                        let value = if takes.long.contains(&long) { rest.next().cloned() } else { None };
                        words.options.push((text.to_owned(), value));
                    }
                }
            } else if text.len() > 1 && text.starts_with('-') && !field.maybe {
                words.short(field, takes, &mut rest);
            } else {
                words.plain.push(field.clone());
            }
        }
        words
    }

    fn short<'f>(&mut self, field: &Field, takes: &Takes<'_>, rest: &mut impl Iterator<Item = &'f Field>) {
        let letters = field.text.get(1..).unwrap_or("");
        for (at, letter) in letters.char_indices() {
            let option = format!("-{letter}");
            if !takes.letters.contains(letter) {
                self.options.push((option, None));
                continue;
            }
            let attached = letters.get(at + letter.len_utf8()..).unwrap_or("");
            let value = match attached.strip_prefix('=').unwrap_or(attached) {
                "" => rest.next().cloned(),
                text => Some(Field { text: text.to_owned(), ..field.clone() }),
            };
            self.options.push((option, value));
            return;
        }
    }

    /// Whether one of the options stands there.
    pub(super) fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|(name, _)| names.contains(&name.as_str()))
    }

    /// The last value of one of the options.
    pub(super) fn value(&self, names: &[&str]) -> Option<&Field> {
        self.options.iter().rev().find(|(name, _)| names.contains(&name.as_str())).and_then(|(_, value)| value.as_ref())
    }

    /// Whether one of the options stands there and is not switched off (`--squash=false`).
    pub(super) fn on(&self, names: &[&str]) -> bool {
        let last = self.options.iter().rev().find(|(name, _)| names.contains(&name.as_str()));
        last.is_some_and(|(_, value)| {
            !value.as_ref().is_some_and(|f| matches!(f.text.to_ascii_lowercase().as_str(), "false" | "0" | "f" | "no"))
        })
    }

    /// All values of one of the options, in order.
    pub(super) fn values(&self, names: &[&str]) -> impl Iterator<Item = &Field> {
        self.options.iter().filter(move |(name, _)| names.contains(&name.as_str())).filter_map(|(_, v)| v.as_ref())
    }

    /// The plain words from a place on, those behind `--` included.
    pub(super) fn from(&self, at: usize) -> impl Iterator<Item = &Field> {
        self.plain.iter().chain(&self.rest).skip(at)
    }

    /// The plain word at a place, as text.
    pub(super) fn word(&self, at: usize) -> &str {
        self.plain.get(at).map_or("", |f| f.text.as_str())
    }
}

/// A value as a target shows it: `?` where it is not known, `-` where it is not named.
pub(super) fn shown(value: Option<&Field>) -> String {
    match value {
        None => "-".to_owned(),
        Some(field) => field.known().map_or_else(|| "?".to_owned(), str::to_owned),
    }
}

/// A folder as a target shows it: from the folder that the call started in, `.` for that one, `?` where it is not known.
/// `named` is a folder or file of the call's own words, seen from where the call stands.
pub(super) fn folder_from_call(scene: &Scene, named: Option<&Field>) -> String {
    let path = match named {
        None => scene.cwd.clone(),
        Some(field) => field.known().and_then(|text| scene.path(text, None)),
    };
    let Some(path) = path else { return "?".to_owned() };
    let Some(start) = &scene.start else { return path.display().to_string() };
    match path.strip_prefix(start) {
        Ok(inside) if inside.as_os_str().is_empty() => ".".to_owned(),
        Ok(inside) => inside.display().to_string(),
        Err(_) => match start.parent().and_then(|above| path.strip_prefix(above).ok()) {
            // A folder beside: with the root as the one above, every folder would be.
            Some(beside) if start.components().count() > 2 => {
                std::path::Path::new("..").join(beside).display().to_string().trim_end_matches('/').to_owned()
            }
            _ => path.display().to_string(),
        },
    }
}

/// The host of an address, without scheme, user, port and path.
pub(super) fn host_of(address: &str) -> String {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let host = rest.split('/').next().unwrap_or(rest).rsplit('@').next().unwrap_or(rest);
    if let Some((inside, _)) = host.strip_prefix('[').and_then(|host| host.split_once(']')) {
        return inside.to_owned();
    }
    host.split(':').next().unwrap_or(host).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_taken_apart() {
        let args: Vec<Field> =
            ["-it", "-nprod", "--context=a", "--kind", "pod", "get", "-o", "yaml", "--", "-x"].map(Field::of).to_vec();
        let words = Words::read(&args, &Takes { letters: "no", long: &["kind"] });
        assert_eq!(shown(words.value(&["-n", "--namespace"])), "prod");
        assert_eq!(shown(words.value(&["--context"])), "a");
        assert_eq!((shown(words.value(&["--kind"])), shown(words.value(&["-o"]))), ("pod".into(), "yaml".into()));
        assert!(words.has(&["-i"]) && words.has(&["-t"]) && !words.has(&["-x"]));
        assert_eq!((words.word(0), words.word(1), words.rest.len()), ("get", "", 1));
        assert_eq!(shown(Some(&Field::unknown())), "?");
    }
}
