//! Values of a file as what they should be, and the errors where they are not.

use super::{Reader, Value, one_of};
use crate::policy::PolicyError;

impl Reader<'_> {
    pub(super) fn string(&self, field: &str, value: &Value<'_>) -> Option<String> {
        let text = value.get_ref().as_str().map(str::to_owned);
        text.or_else(|| self.wrong(field, value, "a text in quotes"))
    }

    pub(super) fn boolean(&self, field: &str, value: &Value<'_>) -> Option<bool> {
        value.get_ref().as_bool().or_else(|| self.wrong(field, value, "true or false"))
    }

    pub(super) fn whole(&self, field: &str, value: &Value<'_>, low: i64, high: i64) -> Option<i64> {
        let read = value.get_ref().as_integer();
        let read = read.and_then(|i| i64::from_str_radix(&i.as_str().replace('_', ""), i.radix()).ok());
        let number = read.or_else(|| self.wrong(field, value, "a whole number"))?;
        if (low..=high).contains(&number) {
            return Some(number);
        }
        let sentence = format!("{field} is {number}; it may be {low} to {high}");
        self.error(value.span().start, sentence, "Correct the number.");
        None
    }

    /// A list of texts, each with its place.
    pub(super) fn strings(&self, field: &str, value: &Value<'_>) -> Option<Vec<(String, usize)>> {
        let Some(array) = value.get_ref().as_array() else { return self.wrong(field, value, "a list of texts") };
        let read: Vec<_> = array.iter().map(|entry| Some((self.string(field, entry)?, entry.span().start))).collect();
        read.into_iter().collect()
    }

    /// A text that is one of some words.
    pub(super) fn word(&self, field: &str, value: &Value<'_>, what: &str, names: &[&str]) -> Option<String> {
        let word = self.string(field, value)?;
        if names.contains(&word.as_str()) {
            return Some(word);
        }
        self.error(value.span().start, format!("\"{word}\" is not {what}"), one_of(&word, names));
        None
    }

    fn wrong<T>(&self, field: &str, value: &Value<'_>, wanted: &str) -> Option<T> {
        let sentence = format!("{field} is {}, not {wanted}", value.get_ref().type_str());
        self.error(value.span().start, sentence, "Correct the value.");
        None
    }

    pub(super) fn error(&self, at: usize, sentence: impl Into<String>, hint: impl Into<String>) {
        self.error_on(self.line(at), sentence, hint);
    }

    pub(super) fn error_on(&self, line: usize, sentence: impl Into<String>, hint: impl Into<String>) {
        self.errors.borrow_mut().push(PolicyError {
            file: self.file.to_owned(),
            line,
            sentence: sentence.into(),
            hint: hint.into(),
        });
    }

    pub(super) fn line(&self, at: usize) -> usize {
        1 + self.text.bytes().take(at).filter(|b| *b == b'\n').count()
    }
}
