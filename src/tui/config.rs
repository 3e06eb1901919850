//! What key map files and theme files share: a problem is a message with file and line, never an end of the program.

/// Something in a file that was not taken over. What was there before stays in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file's name as the owner knows it.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong and what holds instead.
    pub what: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.what)
    }
}

/// A file of the owner: its name to show and its text. Reading it is the caller's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The name (`keymaps/mine.toml`).
    pub name: String,
    /// The text.
    pub text: String,
}

impl Source {
    /// A problem at a byte of this file.
    pub fn problem(&self, offset: usize, what: impl Into<String>) -> Problem {
        let before = self.text.get(..offset).unwrap_or(&self.text);
        Problem { file: self.name.clone(), line: before.matches('\n').count() + 1, what: what.into() }
    }
}

/// The known name nearest to a mistyped one, when one is near enough to be meant.
pub fn nearest<'a>(typed: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known
        .map(|name| (distance(typed, name), name))
        .min()
        .filter(|(steps, name)| *steps <= (name.chars().count() / 2).max(1))
        .map(|(_, name)| name)
}

/// `; did you mean "x"?`, or nothing.
pub fn suggestion<'a>(typed: &str, known: impl Iterator<Item = &'a str>) -> String {
    nearest(typed, known).map(|name| format!("; did you mean \"{name}\"?")).unwrap_or_default()
}

/// Single-character changes between two words.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut left = i + 1;
        let mut next = vec![left];
        for ((cb, diagonal), above) in b.iter().zip(&row).zip(row.iter().skip(1)) {
            let change = diagonal + usize::from(ca != *cb);
            left = change.min(above + 1).min(left + 1);
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested_only_when_it_is_near() {
        let known = ["approve", "refuse", "take_back"];
        assert_eq!(nearest("aprove", known.into_iter()), Some("approve"));
        assert_eq!(nearest("takeback", known.into_iter()), Some("take_back"));
        assert_eq!(nearest("zzzzzzzzzz", known.into_iter()), None);
        assert_eq!(suggestion("refuze", known.into_iter()), "; did you mean \"refuse\"?");
    }

    #[test]
    fn a_problem_names_its_line() {
        let source = Source { name: "keymaps/mine.toml".into(), text: "[list]\ndwon = []\n".into() };
        assert_eq!(source.problem(7, "x").to_string(), "keymaps/mine.toml:2: x");
    }
}
