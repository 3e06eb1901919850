//! Which policy holds: a file that was named, or the owner's own for the project that a folder lies in.

use std::path::{Path, PathBuf};

use crate::client::Paths;
use crate::policy::Policy;
use crate::wire::{ErrorBody, ErrorKind};

/// A policy and the project it is of; no project for the built-in one.
pub struct InForce {
    /// The project's name, as its calls are recorded under.
    pub project: Option<String>,
    /// The policy.
    pub policy: Policy,
}

/// The policy of a file, of a project by name, or of the project that `cwd` lies in. A file that is not accepted is an
/// error: nothing is explained by a policy that does not hold.
pub fn policy(paths: &Paths, cwd: &Path, file: Option<&Path>, project: Option<&str>) -> Result<InForce, ErrorBody> {
    if let Some(file) = file {
        let policy = read(&cwd.join(file), &file.display().to_string())?;
        let project = project.map(str::to_owned).or_else(|| {
            let of_folder = of_folder(paths, cwd).ok().flatten().and_then(|found| found.project);
            of_folder.or_else(|| Some(policy.name.clone()).filter(|name| !name.is_empty()))
        });
        return Ok(InForce { project, policy });
    }
    if let Some(name) = project {
        let path = paths.projects().join(format!("{name}.toml"));
        return Ok(InForce { project: Some(name.to_owned()), policy: read(&path, &shown(&path))? });
    }
    Ok(of_folder(paths, cwd)?.unwrap_or_else(|| InForce { project: None, policy: Policy::built_in() }))
}

/// The project whose repository the folder lies in; the innermost where there are several.
fn of_folder(paths: &Paths, cwd: &Path) -> Result<Option<InForce>, ErrorBody> {
    let Ok(cwd) = cwd.canonicalize() else { return Ok(None) };
    let (mut best, mut refused) = (None::<(usize, InForce)>, None);
    for path in files(paths) {
        match read(&path, &shown(&path)) {
            Ok(policy) => {
                let Ok(folder) = Path::new(&policy.folder).canonicalize() else { continue };
                let depth = folder.components().count();
                if cwd.starts_with(&folder) && best.as_ref().is_none_or(|(known, _)| depth > *known) {
                    let project = path.file_stem().map(|name| name.to_string_lossy().into_owned());
                    best = Some((depth, InForce { project, policy }));
                }
            }
            Err(error) => refused = Some(error),
        }
    }
    match (best, refused) {
        (Some((_, found)), _) => Ok(Some(found)),
        (None, Some(error)) => Err(error),
        (None, None) => Ok(None),
    }
}

fn files(paths: &Paths) -> Vec<PathBuf> {
    let inside = std::fs::read_dir(paths.projects()).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = inside.map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "toml"));
    files.sort();
    files
}

fn shown(path: &Path) -> String {
    format!("projects/{}", path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default())
}

fn read(path: &Path, name: &str) -> Result<Policy, ErrorBody> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        let kind = if error.kind() == std::io::ErrorKind::NotFound { ErrorKind::NotFound } else { ErrorKind::Invalid };
        ErrorBody::new(kind, format!("The policy {name} cannot be read: {error}."), "Name a project's policy file.")
    })?;
    Policy::parse(&text, name).map_err(|error| {
        ErrorBody::new(
            ErrorKind::Invalid,
            format!("The policy {name} is not accepted, line {}: {}.", error.line, error.sentence),
            error.hint,
        )
        .at(format!("{name}:{}", error.line))
    })
}
