//! A text field: the widget of another crate behind the few things the app needs. Keys come in through the key map; the
//! widget's own shortcuts are never used.

use crossterm::event::KeyCode;
use ratatui::style::Style;
use ratatui_textarea::{CursorMove, Input, Key as AreaKey, TextArea, WrapMode};

use super::keymap::{Action, Key};

/// A text field with its cursor.
#[derive(Clone, Debug)]
pub struct Field {
    area: TextArea<'static>,
    limit: usize,
}

impl Field {
    /// A field with a text, the cursor so many characters from the start.
    pub fn new(text: &str, cursor: usize, limit: usize) -> Self {
        let mut area = TextArea::new(text.split('\n').map(str::to_owned).collect());
        area.set_wrap_mode(WrapMode::WordOrGlyph);
        area.set_cursor_line_style(Style::default());
        let mut left = cursor;
        let mut place = (0, 0);
        for (row, line) in text.split('\n').enumerate() {
            let length = line.chars().count();
            place = (row, left.min(length));
            if left <= length {
                break;
            }
            left -= length + 1;
        }
        let jump = |n| u16::try_from(n).unwrap_or(u16::MAX);
        area.move_cursor(CursorMove::Jump(jump(place.0), jump(place.1)));
        Self { area, limit }
    }

    /// The text.
    pub fn text(&self) -> String {
        self.area.lines().join("\n")
    }

    /// The cursor, in characters from the start.
    pub fn cursor(&self) -> usize {
        let at = self.area.cursor();
        let before: usize = self.area.lines().iter().take(at.0).map(|line| line.chars().count() + 1).sum();
        before + at.1
    }

    /// Whether there is nothing but white space.
    pub fn is_blank(&self) -> bool {
        self.area.lines().iter().all(|line| line.trim().is_empty())
    }

    /// How many characters there are.
    pub fn count(&self) -> usize {
        let lines = self.area.lines();
        lines.iter().map(|line| line.chars().count()).sum::<usize>() + lines.len() - 1
    }

    /// Puts in pasted text; says why when it does not fit.
    pub fn paste(&mut self, text: &str) -> Result<(), String> {
        if self.text().len() + text.len() > self.limit {
            return Err(format!("too long: at most {} KiB, nothing was pasted", self.limit / 1024));
        }
        self.area.insert_str(text);
        Ok(())
    }

    /// Types a key; false when the key types nothing.
    pub fn press(&mut self, key: Key) -> bool {
        let typed = match key.code {
            _ if key.ctrl || key.alt => return false,
            KeyCode::Char(c) => AreaKey::Char(c),
            KeyCode::Enter => AreaKey::Enter,
            KeyCode::Backspace => AreaKey::Backspace,
            KeyCode::Delete => AreaKey::Delete,
            _ => return false,
        };
        let grows = matches!(typed, AreaKey::Char(_) | AreaKey::Enter);
        if grows && self.text().len() + 4 > self.limit {
            return false;
        }
        self.area.input_without_shortcuts(Input { key: typed, ctrl: false, alt: false, shift: false });
        true
    }

    /// Does one of the text actions; false when it is none.
    pub fn act(&mut self, action: Action) -> bool {
        let step = match action {
            Action::Left => CursorMove::Back,
            Action::Right => CursorMove::Forward,
            Action::Up => CursorMove::Up,
            Action::Down => CursorMove::Down,
            Action::LineStart => CursorMove::Head,
            Action::LineEnd => CursorMove::End,
            Action::WordLeft => CursorMove::WordBack,
            Action::WordRight => CursorMove::WordForward,
            Action::DeleteWord => {
                self.area.delete_word();
                return true;
            }
            Action::Undo => {
                self.area.undo();
                return true;
            }
            _ => return false,
        };
        self.area.move_cursor(step);
        true
    }

    /// Empties it. Undo brings the text back.
    pub fn clear(&mut self) {
        self.area.clear();
    }

    /// The widget with these looks.
    pub fn widget(&self, text: Style, cursor: Style) -> TextArea<'static> {
        let mut area = self.area.clone();
        area.set_style(text);
        area.set_cursor_style(cursor);
        area
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_cursor_come_back_as_they_were() {
        for (text, cursor) in [("", 0), ("keep it", 4), ("one\ntwo\n\nfour", 6), ("one\ntwo", 7), ("文書\né", 4)] {
            let field = Field::new(text, cursor, 1_000);
            assert_eq!((field.text().as_str(), field.cursor()), (text, cursor));
        }
        assert_eq!(Field::new("short", 99, 1_000).cursor(), 5);
    }

    #[test]
    fn typing_pasting_and_the_limit() {
        let mut field = Field::new("", 0, 20);
        for c in "keep it".chars() {
            assert!(field.press(Key::char(c)));
        }
        field.act(Action::LineStart);
        field.paste("a\nb ").unwrap();
        assert_eq!(field.text(), "a\nb keep it");
        assert!(field.paste("0123456789").is_err());
        assert_eq!(field.text(), "a\nb keep it", "a refused paste changes nothing");
        assert!(!field.press(Key::parse("ctrl-x").unwrap()));
        assert_eq!(field.count(), 11);
        field.clear();
        assert!(field.is_blank());
        field.act(Action::Undo);
        assert_eq!(field.text(), "a\nb keep it");
    }
}
