//! Small sums: `$((i+1))`, `${x:n:2}`. Only whole numbers, `+`, `-`, `*`, brackets and variables of the call.

use super::scene::Scene;

/// How deep variables that name each other are followed.
const DEPTH: usize = 4;

/// The value of a sum; `None` where it is not followed.
pub(super) fn value(text: &str, scene: &Scene) -> Option<i64> {
    let mut sum = Sum { rest: text.trim(), scene, depth: DEPTH };
    let value = sum.terms()?;
    sum.rest.trim().is_empty().then_some(value)
}

struct Sum<'t> {
    rest: &'t str,
    scene: &'t Scene,
    depth: usize,
}

impl Sum<'_> {
    fn take(&mut self, sign: char) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(sign) {
            // `++`, `**`, `+=` and their kin are no sums.
            Some(rest) if matches!(sign, '(' | ')') || !rest.starts_with(['+', '*', '=']) => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    fn terms(&mut self) -> Option<i64> {
        let mut value = self.factors()?;
        loop {
            if self.take('+') {
                value = value.checked_add(self.factors()?)?;
            } else if self.take('-') {
                value = value.checked_sub(self.factors()?)?;
            } else {
                return Some(value);
            }
        }
    }

    fn factors(&mut self) -> Option<i64> {
        let mut value = self.one()?;
        while self.take('*') {
            value = value.checked_mul(self.one()?)?;
        }
        Some(value)
    }

    fn one(&mut self) -> Option<i64> {
        if self.take('-') {
            return self.one()?.checked_neg();
        }
        if self.take('(') {
            let value = self.terms()?;
            return self.take(')').then_some(value);
        }
        self.rest = self.rest.trim_start().trim_start_matches('$');
        let end = self.rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            let octal = word.len() > 1 && word.starts_with('0');
            return if octal { None } else { word.parse().ok() };
        }
        let text = self.scene.scalar(word).filter(|text| !text.holes)?;
        if self.depth == 0 {
            return None;
        }
        let mut inner = Sum { rest: text.text.trim(), scene: self.scene, depth: self.depth - 1 };
        let value = if inner.rest.is_empty() { 0 } else { inner.terms()? };
        inner.rest.trim().is_empty().then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::super::scene::Text;
    use super::*;

    #[test]
    fn sums_of_numbers_and_known_variables() {
        let mut scene = Scene::default();
        scene.set_text("n", Text::of("2"));
        scene.set_text("m", Text::of("n*3"));
        scene.set_text("x", Text::of("x"));
        for (text, wanted) in [
            ("1+2", Some(3)),
            (" -4", Some(-4)),
            ("(2-5)*2", Some(-6)),
            ("n", Some(2)),
            ("$n + m", Some(8)),
            ("y", None),
            ("x", None),
            ("i++", None),
            ("", None),
            ("1 2", None),
        ] {
            assert_eq!(value(text, &scene), wanted, "{text}");
        }
    }
}
