//! Files that a call makes itself and then runs: copies, links, what `tee` writes.

use std::rc::Rc;

use super::reader::Reader;
use super::scene::{Field, Scene, Stdin};
use super::tools;

impl Reader<'_> {
    /// `tee`, `cp`, `mv`, `ln`, `install`, `dd`: what a later command of the call would find.
    pub(super) fn makes_files(&mut self, name: &str, args: &[Field], scene: &mut Scene, stdin: &Stdin) {
        let plain: Vec<&Field> = args.iter().filter(|f| !f.text.starts_with('-')).collect();
        match name {
            "tee" => {
                let text = self.comes_in(stdin);
                for file in plain {
                    self.self_use_of_file(&file.text, scene);
                    if let Some(path) = scene.path(&file.text, None) {
                        scene.writes(path, text.clone());
                    }
                }
            }
            "dd" => {
                let named = |key: &str| args.iter().find_map(|f| f.text.strip_prefix(key));
                let text = match named("if=") {
                    Some(file) if file != "/dev/stdin" => {
                        scene.path(file, None).and_then(|path| self.script(&path, scene))
                    }
                    _ => self.comes_in(stdin),
                };
                if let Some(path) = named("of=").and_then(|file| scene.path(file, None)) {
                    scene.writes(path, text);
                }
            }
            _ => {
                // `install -m 755 a b`: the mode is no file.
                let skip = usize::from(name == "install" && args.iter().any(|f| f.text == "-m"));
                let [sources @ .., target] = plain.get(skip..).unwrap_or(&[]) else { return };
                for source in sources {
                    self.copied(source, target, scene, stdin);
                }
            }
        }
    }

    fn copied(&self, source: &Field, target: &Field, scene: &mut Scene, stdin: &Stdin) {
        let home = self.world.home();
        let Some(mut to) = target.known().and_then(|text| scene.path(text, home.as_deref())) else { return };
        // Into a folder it keeps its name.
        if target.text.ends_with('/') || matches!(target.text.as_str(), "." | "..") {
            to.push(source.base());
        }
        if source.text == "/dev/stdin" {
            return scene.writes(to, self.comes_in(stdin));
        }
        if tools::is_named(source.base()) {
            Rc::make_mut(&mut scene.programs).insert(to.display().to_string(), source.base().to_owned());
            return;
        }
        let Some(from) = source.known().and_then(|text| scene.path(text, home.as_deref())) else { return };
        if scene.written.iter().any(|(path, _)| *path == from) {
            let text = self.script(&from, scene);
            scene.writes(to, text);
        } else if let Some(text) = self.script(&from, scene) {
            scene.writes(to, Some(text));
        }
    }

    /// The program that the call itself put under a name or a path.
    pub(super) fn real_program(&self, program: &Field, scene: &Scene) -> Option<Field> {
        if scene.programs.is_empty() {
            return None;
        }
        let real = if program.text.contains('/') {
            let path = program.known().and_then(|text| scene.path(text, self.world.home().as_deref()))?;
            scene.programs.get(&path.display().to_string())?
        } else {
            let end = format!("/{}", program.text);
            let by_path = || scene.programs.iter().find(|(path, _)| path.ends_with(&end)).map(|(_, real)| real);
            scene.programs.get(&program.text).or_else(by_path)?
        };
        Some(Field::of(real))
    }

    /// A script that the call writes into a folder which it may have put into `PATH`.
    pub(super) fn written_program(&mut self, program: &Field, args: &[Field], scene: &mut Scene) -> bool {
        if scene.written.is_empty() || program.text.contains('/') || scene.scalar("PATH").is_none() {
            return false;
        }
        let path = scene.written.iter().rev().find(|(path, _)| path.file_name().is_some_and(|n| *n == *program.text));
        let Some(path) = path.map(|(path, _)| Field::of(&path.display().to_string())) else { return false };
        self.script_runs(&path, args, scene)
    }
}
