//! From a file to a theme. A role that cannot be read keeps its look, with a message of file and line.

use ratatui::style::Style;
use toml::de::DeTable;

use super::super::config::{Problem, Source, suggestion};
use super::{COLOURS, MODIFIERS, Role, Theme, look};

/// The base with the owner's file over it.
pub fn load(base: &Source, file: Option<&Source>) -> (Theme, Vec<Problem>) {
    let mut theme = Theme { styles: vec![Style::default(); Role::ALL.len()] };
    let mut problems = Vec::new();
    over(&mut theme, base, &mut problems);
    if let Some(file) = file {
        over(&mut theme, file, &mut problems);
    }
    (theme, problems)
}

fn over(theme: &mut Theme, file: &Source, problems: &mut Vec<Problem>) {
    let table = match DeTable::parse(&file.text) {
        Ok(table) => table.into_inner(),
        Err(error) => {
            let offset = error.span().map_or(0, |span| span.start);
            problems.push(file.problem(offset, format!("not TOML: {}; the file is not used", error.message())));
            return;
        }
    };
    for (name, value) in &table {
        match (name.get_ref().as_ref(), value.get_ref().as_table()) {
            ("roles", Some(roles)) => {
                for (name, value) in roles {
                    let read = value.get_ref().as_str().ok_or("a look is a text in quotes".to_owned());
                    if let Err(what) = read.and_then(|words| role(theme, name.get_ref(), words)) {
                        problems.push(file.problem(name.span().start, what));
                    }
                }
            }
            ("inherits", None) if value.get_ref().as_str() == Some("ansi") => {}
            (other, _) => {
                let near = suggestion(other, ["roles", "inherits"].into_iter());
                problems.push(file.problem(name.span().start, format!("\"{other}\" is not used here{near}")));
            }
        }
    }
}

fn role(theme: &mut Theme, name: &str, words: &str) -> Result<(), String> {
    let Some(role) = Role::ALL.iter().find(|role| role.name() == name) else {
        let near = suggestion(name, Role::ALL.iter().map(|role| role.name()));
        return Err(format!("unknown role \"{name}\"{near}"));
    };
    let style = look(words).map_err(|word| {
        let known = COLOURS.iter().map(|(name, _)| *name).chain(MODIFIERS.iter().map(|(name, _)| *name));
        format!("{name}: \"{word}\" is neither colour nor attribute{}", suggestion(&word, known))
    })?;
    if let Some(slot) = theme.styles.get_mut(*role as usize) {
        *slot = style;
    }
    Ok(())
}
