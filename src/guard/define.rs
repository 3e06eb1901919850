//! What a call defines and then uses itself: variables, functions, aliases, positional words.

use super::reader::{Reader, set};
use super::scene::{Field, Scene, Stdin, Text, Value};
use crate::shell;

impl Reader<'_> {
    pub(super) fn declare(&mut self, args: &[Field], scene: &mut Scene) {
        for field in args {
            if let Some((name, value)) = field.text.split_once('=') {
                let value = Text { text: value.to_owned(), holes: field.holes };
                self.variable_runs(name, &value, scene);
                let assign = shell::Assign {
                    name: name.trim_end_matches('+').to_owned(),
                    append: name.ends_with('+'),
                    value: shell::Value::Many(Vec::new()),
                };
                set(scene, &assign, Value::One(value));
            }
        }
    }

    /// `printf -v NAME …`.
    pub(super) fn prints_into(args: &[Field], scene: &mut Scene) {
        if let [_, name, rest @ ..] = args {
            let text = super::says::printf(rest).unwrap_or(Text { text: "?".to_owned(), holes: true });
            scene.vars.insert(name.text.clone(), Value::One(text));
        }
    }

    pub(super) fn function(
        &mut self,
        name: &str,
        body: &shell::Node,
        args: &[Field],
        scene: &mut Scene,
        stdin: &Stdin,
    ) {
        if scene.depth >= 6 {
            return;
        }
        let args = scene.args.replace(args.to_vec());
        // A function of the name of what it calls (`git() { command git "$@"; }`) does not call itself.
        let own = scene.functions.remove(name);
        scene.via.push(format!("function {name}"));
        let top = std::mem::replace(&mut scene.top, false);
        scene.depth += 1;
        self.node(body, scene, stdin);
        scene.depth -= 1;
        scene.top = top;
        scene.via.pop();
        scene.args = args;
        if let Some(body) = own {
            scene.functions.insert(name.to_owned(), body);
        }
    }

    pub(super) fn shell_alias(&mut self, name: &str, text: &str, args: &[Field], scene: &mut Scene, stdin: &Stdin) {
        let tree = shell::parse(text);
        let own = scene.aliases.remove(name);
        if let [shell::Node::Simple(simple)] = tree.body.as_slice() {
            let mut fields = self.fields(&simple.words, scene);
            fields.extend(args.iter().cloned());
            let mut inside = scene.within(&format!("alias {name}"));
            self.command(&fields, &[], &mut inside, stdin);
        } else {
            let rest = args.iter().map(|f| f.text.as_str()).collect::<Vec<_>>().join(" ");
            let text = Text { text: format!("{text} {rest}"), holes: false };
            self.text_runs(&text, &mut scene.clone(), &format!("alias {name}"));
        }
        if let Some(text) = own {
            scene.aliases.insert(name.to_owned(), text);
        }
    }

    pub(super) fn reads(&mut self, name: &str, args: &[Field], scene: &mut Scene, stdin: &Stdin) {
        self.option_runs(args, "-C", name, scene);
        let said = self.comes_in(stdin).unwrap_or(Text { text: "?".to_owned(), holes: true });
        let names: Vec<&Field> = args.iter().filter(|f| !f.text.starts_with('-')).collect();
        if let (Some(last), "read") = (names.last(), name) {
            let value = if names.len() == 1 && said.text.trim_end().lines().count() <= 1 {
                said
            } else {
                Text { text: "?".to_owned(), holes: true }
            };
            scene.vars.insert(last.text.clone(), Value::One(value));
        }
    }
}

pub(super) fn set_args(args: &[Field], scene: &mut Scene) {
    if let Some(at) = args.iter().position(|f| f.text == "--") {
        scene.args = Some(args.get(at + 1..).unwrap_or(&[]).to_vec());
    }
}

pub(super) fn define_aliases(args: &[Field], scene: &mut Scene) {
    for (name, value) in args.iter().filter_map(|f| f.text.split_once('=')) {
        scene.aliases.insert(name.to_owned(), value.to_owned());
    }
}
