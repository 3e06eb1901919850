//! The shell's own commands: folders, variables, definitions, and texts that they run.

use super::define;
use super::program::as_text;
use super::reader::Reader;
use super::scene::{Field, Scene, Stdin, Text};

impl Reader<'_> {
    /// A command of the shell itself; `None` for a program. Whether it only changes the folder.
    pub(super) fn shell_own(
        &mut self,
        name: &str,
        args: &[Field],
        prefix: &[(String, Text)],
        scene: &mut Scene,
        stdin: &Stdin,
    ) -> Option<bool> {
        match name {
            "cd" | "chdir" => {
                let known = self.change_folder(args, scene);
                // With a CDPATH the folder may be another than the one named.
                if prefix.iter().any(|(name, _)| name == "CDPATH") || scene.value("CDPATH").is_some() {
                    scene.cwd = None;
                }
                return Some(known && prefix.is_empty());
            }
            "pushd" => {
                scene.stack.push(scene.cwd.clone());
                self.change_folder(args, scene);
            }
            "popd" => {
                scene.cwd = if args.is_empty() { scene.stack.pop().flatten() } else { None };
                scene.branch = None;
            }
            "export" | "declare" | "local" | "readonly" | "typeset" => {
                self.subscripts_run(args, scene);
                self.declare(name, args, scene);
            }
            "set" => define::set_args(args, scene),
            "shift" => define::shift(args, scene),
            "alias" => define::define_aliases(args, scene),
            "unalias" => define::forget_aliases(args, scene),
            "unset" => {
                self.subscripts_run(args, scene);
                define::forget(args, scene);
            }
            "let" => {
                for field in args {
                    self.sum_runs(&as_text(field), scene);
                }
                self.subscripts_run(args, scene);
            }
            "test" | "[" => self.subscripts_run(args, scene),
            "hash" => {
                if let Some(at) = args.iter().position(|f| f.text == "-p")
                    && let (Some(path), Some(name)) = (args.get(at + 1), args.get(at + 2))
                {
                    std::rc::Rc::make_mut(&mut scene.programs).insert(name.text.clone(), path.text.clone());
                }
            }
            "eval" => self.eval(args, scene),
            "trap" => {
                let first = args.iter().find(|f| !f.text.starts_with('-'));
                if let Some(text) = first.filter(|f| !f.text.is_empty()) {
                    self.text_runs(&as_text(text), &mut scene.clone(), "trap");
                }
            }
            "source" | "." => self.source(args, scene, stdin),
            "printf" if args.first().is_some_and(|f| f.text == "-v") => {
                self.subscripts_run(args, scene);
                Self::prints_into(args, scene);
            }
            "read" | "mapfile" | "readarray" => {
                self.subscripts_run(args, scene);
                self.reads(name, args, scene, stdin);
            }
            "compgen" => self.option_runs(args, "-C", "compgen", scene),
            _ => return None,
        }
        Some(false)
    }

    pub(super) fn change_folder(&mut self, args: &[Field], scene: &mut Scene) -> bool {
        let args: Vec<&Field> =
            args.iter().filter(|f| !matches!(f.text.as_str(), "-P" | "-L" | "-e" | "-@" | "--")).collect();
        let home = self.world.home();
        let next = match args.as_slice() {
            [] => home,
            [one] if one.text == "-" => scene.back.clone(),
            [one] if !one.glob => one.known().and_then(|text| scene.path(text, home.as_deref())),
            _ => None,
        };
        scene.back = std::mem::replace(&mut scene.cwd, next);
        scene.branch = None;
        scene.cwd.is_some()
    }

    fn eval(&mut self, args: &[Field], scene: &mut Scene) {
        let args: Vec<&Field> = args.iter().filter(|f| f.text != "--").collect();
        let text = args.iter().map(|f| f.text.as_str()).collect::<Vec<_>>().join(" ");
        let text = Text { text, holes: args.iter().any(|f| f.holes) };
        if text.holes && text.text.trim() == "?" && self.last_setup {
            return;
        }
        self.text_runs(&text, scene, "eval");
    }

    /// The operand of an option that is run as a text.
    pub(super) fn option_runs(&mut self, args: &[Field], option: &str, what: &str, scene: &Scene) {
        let at = args.iter().position(|f| f.text == option);
        if let Some(text) = at.and_then(|at| args.get(at + 1)) {
            self.text_runs(&as_text(text), &mut scene.clone(), what);
        }
    }

    /// Names with a subscript are expanded once more by these commands: `unset 'a[$(…)]'`.
    fn subscripts_run(&mut self, args: &[Field], scene: &Scene) {
        for field in args.iter().filter(|f| f.text.contains('[')) {
            self.document_runs(&as_text(field), scene, "a subscript");
        }
    }

    /// What a plain assignment starts by itself.
    pub(super) fn variable_is_set(&mut self, name: &str, value: &Text, scene: &Scene) {
        if matches!(name, "PS4" | "PS0") {
            self.document_runs(value, scene, name);
        }
    }
}
