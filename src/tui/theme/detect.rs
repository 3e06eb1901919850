//! What the environment asks of the colours. The one place of the app that reads it.

use super::Theme;

/// The theme as this terminal should get it: without colours when `NO_COLOR` is set to anything, or the terminal has none.
pub fn for_terminal(theme: &Theme) -> Theme {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let colourless = set("TERM").is_none_or(|term| term == "dumb" || term == "vt100" || term == "vt220");
    if set("NO_COLOR").is_some() || colourless { theme.mono() } else { theme.clone() }
}
