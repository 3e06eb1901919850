use super::*;

#[test]
fn the_default_gives_every_role_a_look_without_black_or_white() {
    let (theme, problems) = Theme::load(None);
    assert_eq!(problems, []);
    for role in Role::ALL {
        assert!(ANSI.lines().any(|line| line.split_whitespace().next() == Some(role.name())), "{}", role.name());
        let style = theme.style(*role);
        for colour in [style.fg, style.bg].into_iter().flatten() {
            assert!(COLOURS.iter().any(|(_, known)| *known == colour), "{role:?}");
        }
    }
}

#[test]
fn without_colours_what_counts_can_still_be_told_apart() {
    let mono = Theme::default().mono();
    for role in Role::ALL {
        let style = mono.style(*role);
        assert_eq!((style.fg, style.bg), (None, None), "{role:?}");
    }
    for role in [Role::Select, Role::Token, Role::Cursor] {
        assert!(mono.style(role).add_modifier.contains(Modifier::REVERSED), "{role:?}");
    }
}

#[test]
fn a_users_theme_changes_what_it_names_and_says_what_it_cannot() {
    let file = Source {
        name: "themes/mine.toml".to_owned(),
        text:
            "inherits = \"ansi\"\n[roles]\nask = \"bright-blue underline on red\"\ngait = \"red\"\ngate = \"yelow\"\n"
                .to_owned(),
    };
    let (theme, problems) = Theme::load(Some(&file));
    let ask = theme.style(Role::Ask);
    assert_eq!((ask.fg, ask.bg), (Some(Color::LightBlue), Some(Color::Red)));
    assert_eq!(theme.style(Role::Gate), Theme::default().style(Role::Gate));
    let problems: Vec<_> = problems.iter().map(Problem::to_string).collect();
    assert_eq!(
        problems,
        [
            "themes/mine.toml:4: unknown role \"gait\"; did you mean \"gate\"?",
            "themes/mine.toml:5: gate: \"yelow\" is neither colour nor attribute; did you mean \"yellow\"?",
        ]
    );
}
