//! Roles and the looks that a theme gives them. The only place of the app that knows colours; everything else names a role.
//!
//! Nothing may depend on colour alone: with `NO_COLOR` every role keeps only bold, dim, italic, underline and reverse.

pub mod detect;
mod load;
#[cfg(test)]
mod tests;

use ratatui::style::{Color, Modifier, Style};

use super::config::{Problem, Source};

/// The default theme, parsed by the same code as the owner's files.
pub const ANSI: &str = include_str!("../../../themes/ansi.toml");

macro_rules! roles {
    ($($role:ident $name:literal),* $(,)?) => {
        /// What something on the screen is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "each is described in themes/ansi.toml")]
        pub enum Role { $($role,)* }

        impl Role {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$role,)*];

            /// The name in a file.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$role => $name,)* }
            }
        }
    };
}

roles! {
    Text "text", Strong "strong", Dim "dim", Rule "rule", Brand "brand", Ask "ask", Gate "gate", Blocks "blocks",
    Ok "ok", Warn "warn", Bad "bad", Key "key", Hint "hint", Rest "rest", Select "select", Command "command",
    Gutter "gutter", Checked "checked", Agent "agent", Label "label", Token "token", Sign "sign", Box "box",
    Cursor "cursor", Status "status", Confirm "confirm", Chosen "chosen",
}

/// A look for every role.
#[derive(Clone, Debug)]
pub struct Theme {
    styles: Vec<Style>,
}

impl Theme {
    /// The default with the owner's file over it, and what was wrong in it.
    pub fn load(file: Option<&Source>) -> (Self, Vec<Problem>) {
        let base = Source { name: "themes/ansi.toml".to_owned(), text: ANSI.to_owned() };
        load::load(&base, file)
    }

    /// The look of a role.
    pub fn style(&self, role: Role) -> Style {
        self.styles.get(role as usize).copied().unwrap_or_default()
    }

    /// The same without any colour.
    #[must_use]
    pub fn mono(&self) -> Self {
        let bare = |style: &Style| Style { fg: None, bg: None, underline_color: None, ..*style };
        Self { styles: self.styles.iter().map(bare).collect() }
    }
}

impl Default for Theme {
    fn default() -> Self {
        Self::load(None).0
    }
}

/// The words of a look (`bold red on blue`), or the word that is none.
fn look(words: &str) -> Result<Style, String> {
    let mut style = Style::default();
    let mut ground = false;
    for word in words.split_whitespace() {
        if word == "on" {
            ground = true;
            continue;
        }
        if let Some((_, modifier)) = MODIFIERS.iter().find(|(name, _)| *name == word) {
            style = style.add_modifier(*modifier);
        } else if let Some((_, color)) = COLOURS.iter().find(|(name, _)| *name == word) {
            style = if ground { style.bg(*color) } else { style.fg(*color) };
        } else {
            return Err(word.to_owned());
        }
        ground = false;
    }
    Ok(style)
}

const MODIFIERS: &[(&str, Modifier)] = &[
    ("bold", Modifier::BOLD),
    ("dim", Modifier::DIM),
    ("italic", Modifier::ITALIC),
    ("underline", Modifier::UNDERLINED),
    ("reverse", Modifier::REVERSED),
];

const COLOURS: &[(&str, Color)] = &[
    ("red", Color::Red),
    ("green", Color::Green),
    ("yellow", Color::Yellow),
    ("blue", Color::Blue),
    ("magenta", Color::Magenta),
    ("cyan", Color::Cyan),
    ("bright-red", Color::LightRed),
    ("bright-green", Color::LightGreen),
    ("bright-yellow", Color::LightYellow),
    ("bright-blue", Color::LightBlue),
    ("bright-magenta", Color::LightMagenta),
    ("bright-cyan", Color::LightCyan),
];
