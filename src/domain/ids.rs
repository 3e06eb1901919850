//! Numbers of requests and the letters in front of them (one sequence over all kinds).

use serde::{Deserialize, Serialize};

/// The letter that tells a request's kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Letter {
    /// Question, look, form.
    Q,
    /// Confirmation, checkbox, item verdicts, suggested tasks, plan review.
    C,
    /// Approval.
    A,
    /// Proposal.
    P,
    /// Tool call, permission prompt.
    T,
}

impl Letter {
    /// The letter as it is written, in upper case.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Q => "Q",
            Self::C => "C",
            Self::A => "A",
            Self::P => "P",
            Self::T => "T",
        }
    }
}

/// A request as a person names it: `17`, `A17` or `a17`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestRef {
    /// The letter, where one was given. It must then be the right one.
    pub letter: Option<Letter>,
    /// The number.
    pub number: i64,
}

impl std::str::FromStr for RequestRef {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || format!("\"{text}\" is not a request's number; write 17 or A17");
        let first = text.chars().next().ok_or_else(bad)?;
        let letter = match first.to_ascii_uppercase() {
            'Q' => Some(Letter::Q),
            'C' => Some(Letter::C),
            'A' => Some(Letter::A),
            'P' => Some(Letter::P),
            'T' => Some(Letter::T),
            _ => None,
        };
        let digits = if letter.is_some() { &text[1..] } else { text };
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(bad());
        }
        let number: i64 = digits.parse().map_err(|_| bad())?;
        if number == 0 {
            return Err(bad());
        }
        Ok(Self { letter, number })
    }
}

/// `A17`.
pub fn named(letter: Letter, number: i64) -> String {
    format!("{}{number}", letter.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_named_three_ways() {
        for text in ["17", "A17", "a17"] {
            assert_eq!(text.parse::<RequestRef>().unwrap().number, 17, "{text}");
        }
        for text in ["", "A", "17A", "A-1", "0", "é1", "99999999999999999999"] {
            assert!(text.parse::<RequestRef>().is_err(), "{text}");
        }
    }
}
