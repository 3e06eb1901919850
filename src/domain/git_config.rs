//! Git's configuration format, read from text. What git would refuse ends the reading; what was read before it counts.

/// One entry: the key as git compares it (section and name in lower case, subsection as it is) and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// `remote.origin.url`.
    pub key: String,
    /// The value; a key without one is `true`.
    pub value: String,
}

/// A key as git compares it.
pub fn normal_key(key: &str) -> String {
    match (key.split_once('.'), key.rsplit_once('.')) {
        (Some((section, _)), Some((front, name))) if front.len() > section.len() => {
            let subsection = front.get(section.len() + 1..).unwrap_or("");
            format!("{}.{subsection}.{}", section.to_ascii_lowercase(), name.to_ascii_lowercase())
        }
        _ => key.to_ascii_lowercase(),
    }
}

/// All entries of a file, in order, and whether it was read to its end.
pub fn parse(text: &str) -> (Vec<Entry>, bool) {
    let mut reader = Reader { rest: text.strip_prefix('\u{feff}').unwrap_or(text).chars().peekable() };
    let mut section = String::new();
    let mut entries = Vec::new();
    while let Some(c) = reader.skip_blank() {
        let read = match c {
            '#' | ';' => {
                reader.skip_line();
                true
            }
            '[' => reader.section().map(|name| section = name).is_some(),
            c if c.is_ascii_alphabetic() && !section.is_empty() => reader
                .entry()
                .map(|(name, value)| entries.push(Entry { key: format!("{section}.{name}"), value }))
                .is_some(),
            _ => false,
        };
        if !read {
            return (entries, false);
        }
    }
    (entries, true)
}

struct Reader<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
}

impl Reader<'_> {
    /// The next character, `\r\n` read as a line break.
    fn next(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        if c == '\r' && self.rest.peek() == Some(&'\n') { self.rest.next() } else { Some(c) }
    }

    fn skip_blank(&mut self) -> Option<char> {
        while self.rest.peek()?.is_whitespace() {
            self.rest.next();
        }
        self.rest.peek().copied()
    }

    fn skip_line(&mut self) {
        while self.next().is_some_and(|c| c != '\n') {}
    }

    /// `[a]`, `[a "B"]`, `[a.b]`.
    fn section(&mut self) -> Option<String> {
        self.rest.next();
        let mut name = String::new();
        loop {
            match self.next()? {
                ']' => return Some(name),
                c if c.is_ascii_alphanumeric() || matches!(c, '-' | '.') => name.push(c.to_ascii_lowercase()),
                ' ' | '\t' => break,
                _ => return None,
            }
        }
        while matches!(self.rest.peek(), Some(' ' | '\t')) {
            self.rest.next();
        }
        if self.next()? != '"' {
            return None;
        }
        name.push('.');
        loop {
            match self.next()? {
                '"' => break,
                '\n' => return None,
                '\\' => name.push(self.next()?),
                c => name.push(c),
            }
        }
        (self.next()? == ']').then_some(name)
    }

    fn entry(&mut self) -> Option<(String, String)> {
        let mut name = String::new();
        while let Some(c) = self.rest.peek().copied().filter(|c| c.is_ascii_alphanumeric() || *c == '-') {
            name.push(c.to_ascii_lowercase());
            self.rest.next();
        }
        while matches!(self.rest.peek(), Some(' ' | '\t')) {
            self.rest.next();
        }
        match self.next() {
            None | Some('\n') => Some((name, "true".to_owned())),
            Some('=') => Some((name, self.value()?)),
            Some('#' | ';') => {
                self.skip_line();
                Some((name, "true".to_owned()))
            }
            Some(_) => None,
        }
    }

    fn value(&mut self) -> Option<String> {
        let mut value = String::new();
        let (mut quoted, mut blanks, mut started) = (false, String::new(), false);
        loop {
            match self.next() {
                None | Some('\n') if quoted => return None,
                None | Some('\n') => return Some(value),
                Some('#' | ';') if !quoted => {
                    self.skip_line();
                    return Some(value);
                }
                Some(c @ (' ' | '\t')) if !quoted => {
                    if started {
                        blanks.push(c);
                    }
                    continue;
                }
                Some('"') => {
                    quoted = !quoted;
                    value.push_str(&blanks);
                }
                Some('\\') => {
                    let c = match self.next()? {
                        '\n' => continue,
                        'n' => '\n',
                        't' => '\t',
                        'b' => '\u{8}',
                        c @ ('\\' | '"') => c,
                        _ => return None,
                    };
                    value.push_str(&blanks);
                    value.push(c);
                }
                Some(c) => {
                    value.push_str(&blanks);
                    value.push(c);
                }
            }
            blanks.clear();
            started = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &str) -> Vec<(String, String)> {
        parse(text).0.into_iter().map(|e| (e.key, e.value)).collect()
    }

    #[test]
    fn sections_keys_and_values_as_git_reads_them() {
        let text = "# top\n[Core]\n\tBare = false ; no\n\tx\n[remote \"Or\\\"igin\"]\r\n  URL = a b  \r\n\tpush = \"c # d\" e\n\
                    [alias.Old] p = push \\\n  --force\n[a]b=\"\\t\\\\\"";
        assert_eq!(
            pairs(text),
            [
                ("core.bare", "false"),
                ("core.x", "true"),
                ("remote.Or\"igin.url", "a b"),
                ("remote.Or\"igin.push", "c # d e"),
                ("alias.old.p", "push   --force"),
                ("a.b", "\t\\"),
            ]
            .map(|(k, v)| (k.to_owned(), v.to_owned()))
        );
    }

    #[test]
    fn what_stands_before_an_error_counts() {
        assert!(parse("[a]\nb = 1 ; x\n# end").1 && !parse("[a]\nb = 1\n[c \"x").1);
        assert_eq!(pairs("[a]\nb = 1\n[c \"x\nd = 2").len(), 1);
        assert_eq!(pairs("b = 1").len(), 0);
        assert_eq!(pairs("[a]\nb = \"open\n").len(), 0);
        assert_eq!(pairs("[a]\nb = \\q\n").len(), 0);
    }

    #[test]
    fn keys_are_compared_as_git_does() {
        assert_eq!(normal_key("Remote.Or.Igin.URL"), "remote.Or.Igin.url");
        assert_eq!(normal_key("Push.Default"), "push.default");
    }
}
