//! A command with its guarded parts underlined, at the columns at which a terminal shows them.

use crate::domain::Untrusted;
use crate::domain::ink::{self, Form, Kind};

/// A part of the command in bytes, and the sign it is underlined with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// From, to.
    pub span: (usize, usize),
    /// `^` or `~`.
    pub sign: char,
}

/// One shown line and the line of signs under it.
#[derive(Default)]
struct Line {
    text: String,
    signs: String,
}

impl Line {
    /// Adds what is drawn, underlined with a sign or not.
    fn add(&mut self, shown: &str, sign: Option<char>) {
        let from = ink::width(&self.text);
        self.text.push_str(shown);
        let Some(sign) = sign else { return };
        let to = ink::width(&self.text);
        let have = self.signs.chars().count();
        self.signs.extend(std::iter::repeat_n(' ', from.saturating_sub(have)));
        self.signs.extend(std::iter::repeat_n(sign, to.saturating_sub(from)));
    }
}

/// The visible lines of a command; under each one that holds a marked part, a line of signs. The first mark that covers a
/// character counts.
pub(super) fn underlined(command: &str, marks: &[Mark]) -> Vec<String> {
    let text = Untrusted::from(command);
    let (mut lines, mut line, mut at) = (Vec::new(), Line::default(), 0);
    for piece in ink::pieces(&text, Form::Command) {
        match piece.kind {
            Kind::Break => finish(&mut lines, std::mem::take(&mut line)),
            Kind::Sign | Kind::Token => line.add(&piece.shown, sign_at(marks, at)),
            Kind::Plain => {
                let mut part = (0, sign_at(marks, at));
                for (start, _) in piece.raw.char_indices() {
                    let sign = sign_at(marks, at + start);
                    if sign != part.1 {
                        line.add(piece.raw.get(part.0..start).unwrap_or_default(), part.1);
                        part = (start, sign);
                    }
                }
                line.add(piece.raw.get(part.0..).unwrap_or_default(), part.1);
            }
        }
        at += piece.raw.len();
    }
    finish(&mut lines, line);
    lines
}

fn sign_at(marks: &[Mark], at: usize) -> Option<char> {
    marks.iter().find(|mark| mark.span.0 <= at && at < mark.span.1).map(|mark| mark.sign)
}

fn finish(lines: &mut Vec<String>, line: Line) {
    lines.push(line.text);
    if !line.signs.is_empty() {
        lines.push(line.signs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(command: &str, part: &str) -> String {
        let start = command.find(part).unwrap();
        underlined(command, &[Mark { span: (start, start + part.len()), sign: '^' }]).join("\n")
    }

    #[test]
    fn signs_stand_under_what_is_seen() {
        assert_eq!(drawn("ls; git push", "git push"), "ls; git push\n    ^^^^^^^^");
        assert_eq!(drawn("echo 日本; git push 日", "git push 日"), "echo 日本; git push 日\n           ^^^^^^^^^^^");
        assert_eq!(drawn("a\tgit push", "git push"), "a→git push\n  ^^^^^^^^");
        assert_eq!(drawn("a\u{202e} git push\u{7}", "git push\u{7}"), "a<U+202E> git push<07>\n          ^^^^^^^^^^^^");
        assert_eq!(drawn("e\u{301} git push", "git push"), "e\u{301} git push\n  ^^^^^^^^");
    }

    #[test]
    fn a_part_over_several_lines_is_underlined_on_each() {
        assert_eq!(
            drawn("cd x &&\ngit push \\\n  origin", "git push \\\n  origin"),
            "cd x &&\ngit push \\\n^^^^^^^^^^\n  origin\n^^^^^^^^"
        );
    }

    #[test]
    fn two_parts_have_their_own_signs_and_the_first_one_counts() {
        let marks = [Mark { span: (0, 2), sign: '^' }, Mark { span: (0, 6), sign: '~' }];
        assert_eq!(underlined("ab cdef", &marks).join("\n"), "ab cdef\n^^~~~~");
        assert_eq!(underlined("", &marks), [""]);
    }
}
