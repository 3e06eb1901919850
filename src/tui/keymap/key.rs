//! One key press and how it is written in key map files, footers and help.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A key with its modifiers. Shift is part of a character (`A`), and a modifier only where there is no character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// Which key.
    pub code: KeyCode,
    /// Control held.
    pub ctrl: bool,
    /// Alt held.
    pub alt: bool,
    /// Shift held, for keys that are not characters.
    pub shift: bool,
}

/// Keys in a row (`g g`).
pub type Sequence = Vec<Key>;

const NAMES: &[(&str, KeyCode)] = &[
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("space", KeyCode::Char(' ')),
    ("tab", KeyCode::Tab),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pageup", KeyCode::PageUp),
    ("pagedown", KeyCode::PageDown),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
    ("insert", KeyCode::Insert),
];

impl Key {
    /// A character without modifiers.
    pub const fn char(c: char) -> Self {
        Self { code: KeyCode::Char(c), ctrl: false, alt: false, shift: false }
    }

    /// A character that would be typed into a text.
    pub fn is_text(self) -> bool {
        matches!(self.code, KeyCode::Char(_)) && !self.ctrl && !self.alt
    }

    /// Reads `a`, `A`, `ctrl-s`, `alt-x`, `shift-tab`, `pagedown`, `f5`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut key = Self { code: KeyCode::Null, ctrl: false, alt: false, shift: false };
        let mut rest = text;
        loop {
            let (flag, after) = if let Some(after) = rest.strip_prefix("ctrl-") {
                (&mut key.ctrl, after)
            } else if let Some(after) = rest.strip_prefix("alt-") {
                (&mut key.alt, after)
            } else if let Some(after) = rest.strip_prefix("shift-") {
                (&mut key.shift, after)
            } else {
                break;
            };
            *flag = true;
            rest = after;
        }
        key.code = code(rest).ok_or_else(|| {
            let near = super::super::config::suggestion(rest, NAMES.iter().map(|(name, _)| *name));
            format!("\"{text}\" is not a key{near}")
        })?;
        match key.code {
            KeyCode::Char(c) if key.shift => Err(format!("write the character itself instead of \"shift-{c}\"")),
            KeyCode::Char(c) if key.ctrl && c.is_ascii_uppercase() => {
                Err(format!("terminals cannot tell \"{text}\" from \"ctrl-{}\"", c.to_ascii_lowercase()))
            }
            _ => Ok(key),
        }
    }

    /// Reads keys in a row, separated by blanks.
    pub fn parse_sequence(text: &str) -> Result<Sequence, String> {
        let keys: Sequence = text.split_whitespace().map(Self::parse).collect::<Result<_, _>>()?;
        if keys.is_empty() { Err("an empty text is not a key".to_owned()) } else { Ok(keys) }
    }
}

fn code(name: &str) -> Option<KeyCode> {
    let mut chars = name.chars();
    if let (Some(c), None) = (chars.next(), chars.next()) {
        return (!c.is_whitespace() && !c.is_control()).then_some(KeyCode::Char(c));
    }
    if let Some((_, code)) = NAMES.iter().find(|(known, _)| *known == name) {
        return Some(*code);
    }
    let number: u8 = name.strip_prefix('f')?.parse().ok()?;
    (1..=12).contains(&number).then_some(KeyCode::F(number))
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (held, word) in [(self.ctrl, "ctrl-"), (self.alt, "alt-"), (self.shift, "shift-")] {
            if held {
                f.write_str(word)?;
            }
        }
        if let Some((name, _)) = NAMES.iter().find(|(_, code)| *code == self.code) {
            return f.write_str(name);
        }
        match self.code {
            KeyCode::Char(c) => write!(f, "{c}"),
            KeyCode::F(number) => write!(f, "f{number}"),
            _ => f.write_str("?"),
        }
    }
}

impl From<KeyEvent> for Key {
    fn from(event: KeyEvent) -> Self {
        let held = |modifier| event.modifiers.contains(modifier);
        let (code, shift) = match event.code {
            KeyCode::BackTab => (KeyCode::Tab, true),
            KeyCode::Char(c) => (KeyCode::Char(c), false),
            other => (other, held(KeyModifiers::SHIFT)),
        };
        Self { code, ctrl: held(KeyModifiers::CONTROL), alt: held(KeyModifiers::ALT), shift }
    }
}

/// A sequence as it is shown: two characters stand close (`gg`), everything else apart.
pub fn show(sequence: &[Key]) -> String {
    let close = sequence.iter().all(|key| key.is_text() && key.code != KeyCode::Char(' '));
    let keys: Vec<String> = sequence.iter().map(Key::to_string).collect();
    keys.join(if close { "" } else { " " })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_as_they_are_written() {
        for text in
            ["a", "A", "?", "ctrl-s", "alt-x", "shift-tab", "enter", "space", "pagedown", "f5", "]", "-", "ctrl--"]
        {
            assert_eq!(Key::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(show(&Key::parse_sequence("g g").unwrap()), "gg");
        assert_eq!(show(&Key::parse_sequence("ctrl-x ctrl-s").unwrap()), "ctrl-x ctrl-s");
    }

    #[test]
    fn what_is_no_key_is_said_with_the_nearest_one() {
        assert_eq!(Key::parse("entr").unwrap_err(), "\"entr\" is not a key; did you mean \"enter\"?");
        assert!(Key::parse("shift-a").is_err());
        assert!(Key::parse("ctrl-S").is_err());
        assert!(Key::parse_sequence("").is_err());
        assert!(Key::parse("f13").is_err());
    }

    #[test]
    fn terminal_events_become_keys() {
        let event = |code, modifiers| Key::from(KeyEvent::new(code, modifiers));
        assert_eq!(event(KeyCode::Char('A'), KeyModifiers::SHIFT), Key::char('A'));
        assert_eq!(event(KeyCode::BackTab, KeyModifiers::SHIFT).to_string(), "shift-tab");
        assert_eq!(event(KeyCode::Char('s'), KeyModifiers::CONTROL).to_string(), "ctrl-s");
    }
}
