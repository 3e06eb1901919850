//! Finding a harness' program and asking its version.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::process::Command;

use super::RunnerError;

/// How long a program may take to say its version.
const PATIENCE: Duration = Duration::from_secs(10);
/// How much of its words is read.
const WORDS: u64 = 4 * 1024;

/// A program's version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(pub u32, pub u32, pub u32);

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

impl Version {
    /// The first `1.2.3` in a text.
    pub fn in_text(text: &str) -> Option<Self> {
        text.split(|c: char| !c.is_ascii_digit() && c != '.').find_map(|word| {
            let mut numbers = word.split('.').map(str::parse::<u32>);
            match (numbers.next(), numbers.next(), numbers.next()) {
                (Some(Ok(a)), Some(Ok(b)), Some(Ok(c))) => Some(Self(a, b, c)),
                _ => None,
            }
        })
    }
}

/// The program's file: a path as it is, a bare name in the folders of `path_env`. Only what can be executed counts, and
/// an empty or relative folder never does.
pub fn find_program(name: &str, path_env: &str) -> Option<PathBuf> {
    if name.is_empty() {
        return None;
    }
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|file| executable(file));
    }
    path_env
        .split(':')
        .map(Path::new)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(|file| executable(file))
}

fn executable(file: &Path) -> bool {
    std::fs::metadata(file).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// Asks a program its version.
pub async fn version_of(program: &Path, env: &BTreeMap<String, String>) -> Result<Version, RunnerError> {
    let failed = |source| RunnerError::Start { program: program.to_path_buf(), source };
    let mut child = Command::new(program)
        .arg("--version")
        .env_clear()
        .envs(env)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .map_err(failed)?;
    let out = child.stdout.take();
    let ask = async {
        let mut said = Vec::new();
        if let Some(out) = out {
            out.take(WORDS).read_to_end(&mut said).await?;
        }
        Ok::<_, std::io::Error>(said)
    };
    let said = match tokio::time::timeout(PATIENCE, ask).await {
        Ok(said) => said.map_err(failed)?,
        Err(_) => return Err(RunnerError::Slow(program.to_path_buf())),
    };
    let said = String::from_utf8_lossy(&said).trim().to_owned();
    Version::in_text(&said).ok_or_else(|| RunnerError::NoVersion {
        program: program.to_path_buf(),
        said: said.chars().take(200).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_found_in_the_words_around_it() {
        assert_eq!(Version::in_text("2.1.332 (Claude Code)"), Some(Version(2, 1, 332)));
        assert_eq!(Version::in_text("tool v1.20.3-beta"), Some(Version(1, 20, 3)));
        assert_eq!(Version::in_text("1.2"), None);
        assert_eq!(Version::in_text("99999999999.1.1"), None);
        assert!(Version(2, 1, 306) > Version(2, 1, 197));
    }

    #[test]
    fn a_program_is_looked_for_in_absolute_folders_only() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tool");
        std::fs::write(&file, "").unwrap();
        let path = format!("relative::{}", folder.path().display());
        assert_eq!(find_program("tool", &path), None, "it cannot be executed");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(find_program("tool", &path), Some(file.clone()));
        assert_eq!(find_program(file.to_str().unwrap(), ""), Some(file));
        assert_eq!(find_program("tool", ""), None);
        assert_eq!(find_program("", &path), None);
    }
}
