//! Programs that fetch or find another program and start it with its own words: `npx`, `pnpm dlx`, `uvx`, `pipx run`.
//!
//! They add nothing to what the started program does, so that `npx semantic-release` is read as `semantic-release`.

use super::scene::Field;
use super::{shells, tools};

/// Launchers of launchers that are followed.
const TIMES: usize = 4;

/// Packages that are called otherwise than their program.
const PACKAGES: &[(&str, &str)] = &[
    ("@changesets/cli", "changeset"),
    ("@vscode/vsce", "vsce"),
    ("@lerna/cli", "lerna"),
    ("@aws-amplify/cli", "amplify"),
    ("@railway/cli", "railway"),
    ("@cloudflare/wrangler", "wrangler"),
    ("@vercel/cli", "vercel"),
    ("aws-cdk", "cdk"),
    ("firebase-tools", "firebase"),
    ("netlify-cli", "netlify"),
    ("eas-cli", "eas"),
    ("@withgraphite/graphite-cli", "gt"),
    ("@google/clasp", "clasp"),
    ("python-semantic-release", "semantic-release"),
];

/// Programs that are looked at only where a launcher starts them or they stand by themselves: their names are words too.
const PROGRAMS: &[&str] = &["np", "auto", "angular-cli-ghpages", "beachball"];

/// A launcher, its words before the program, and which of its options take the next word.
const LAUNCHERS: &[(&str, &[&str], &[&str])] = &[
    ("npx", &[], NODE),
    ("pnpx", &[], PNPM),
    ("bunx", &[], NODE),
    ("npm", &["exec"], NODE),
    ("npm", &["x"], NODE),
    ("pnpm", &["dlx"], PNPM),
    ("pnpm", &["exec"], PNPM),
    ("yarn", &["dlx"], NODE),
    ("yarn", &["exec"], NODE),
    ("bun", &["x"], NODE),
    ("uvx", &[], PYTHON),
    ("uv", &["tool", "run"], PYTHON),
    ("uv", &["run"], PYTHON),
    ("pipx", &["run"], PYTHON),
    ("poetry", &["run"], PYTHON),
    ("pipenv", &["run"], PYTHON),
    ("pdm", &["run"], PYTHON),
    ("rye", &["run"], PYTHON),
    ("hatch", &["run"], PYTHON),
    ("bundle", &["exec"], &[]),
    ("corepack", &[], &[]),
    ("python", &["-m"], &[]),
    ("python3", &["-m"], &[]),
    ("py", &["-m"], &[]),
];
const NODE: &[&str] = &[
    "-p",
    "--package",
    "-w",
    "--workspace",
    "--registry",
    "--prefix",
    "--cache",
    "--userconfig",
    "--loglevel",
    "--node-options",
    "-n",
    "--filter",
    "-F",
    "-C",
    "--dir",
    "--cwd",
];
/// `-w` of pnpm takes no value.
const PNPM: &[&str] = &["--package", "--registry", "--filter", "-F", "-C", "--dir", "--loglevel"];
const PYTHON: &[&str] = &[
    "--from",
    "--with",
    "--with-requirements",
    "--with-editable",
    "--python",
    "-p",
    "--spec",
    "--index-url",
    "-i",
    "--index",
    "--default-index",
    "--extra",
    "--group",
    "--project",
    "--directory",
    "--env-file",
    "--pip-args",
    "--package",
    "-C",
    "-P",
];

/// The words of the program that a launcher starts, when it is one whose calls are looked at.
pub(super) fn launched(fields: &[Field]) -> Option<Vec<Field>> {
    let mut words = once(fields)?;
    for _ in 1..TIMES {
        let Some(next) = once(&words) else { break };
        words = next;
    }
    Some(words)
}

fn once(fields: &[Field]) -> Option<Vec<Field>> {
    let (program, args) = fields.split_first()?;
    let name = program.base();
    let rest = LAUNCHERS
        .iter()
        .filter(|(known, ..)| *known == name)
        .find_map(|(_, words, takes)| behind(args, words, takes))
        .or_else(|| project_binary(name, args))?;
    let (first, own) = rest.split_first()?;
    let started = program_of(first.known()?);
    // What starts shells and git is a wrapper like others, not another way to call a tool.
    let known = (tools::is_named(&started) || PROGRAMS.contains(&started.as_str()))
        && started != "git"
        && !shells::SHELLS.contains(&started.as_str());
    let is_launcher = LAUNCHERS.iter().any(|(known, ..)| *known == started);
    if !known && !is_launcher {
        return None;
    }
    let mut words = vec![Field::of(&started)];
    words.extend(own.iter().cloned());
    Some(words)
}

/// The words of git or of a shell that a launcher starts: it is a wrapper then like others.
pub(super) fn wraps(fields: &[Field]) -> Option<&[Field]> {
    let (program, args) = fields.split_first()?;
    let known = LAUNCHERS.iter().filter(|(known, ..)| *known == program.base());
    let rest = known.into_iter().find_map(|(_, words, takes)| behind(args, words, takes))?;
    let started = rest.first()?.base();
    (started == "git" || shells::SHELLS.contains(&started)).then_some(rest)
}

/// The words behind a launcher's own.
fn behind<'f>(args: &'f [Field], words: &[&str], takes: &[&str]) -> Option<&'f [Field]> {
    let mut rest = args;
    let mut words = words.iter();
    let mut wanted = words.next();
    while let Some((first, tail)) = rest.split_first() {
        let text = first.text.as_str();
        if Some(&text) == wanted {
            wanted = words.next();
            rest = tail;
        } else if text == "--" && wanted.is_none() {
            return Some(tail);
        } else if matches!(text, "-c" | "--call") {
            return None;
        } else if text.len() > 1 && text.starts_with('-') && !first.holes {
            rest = if takes.contains(&text) { tail.get(1..)? } else { tail };
        } else {
            return wanted.is_none().then_some(rest);
        }
    }
    None
}

/// `pnpm changeset publish`, `yarn run lerna publish`: programs of the project's own packages.
fn project_binary<'f>(name: &str, args: &'f [Field]) -> Option<&'f [Field]> {
    if !matches!(name, "pnpm" | "yarn" | "bun") {
        return None;
    }
    let takes = if name == "pnpm" { PNPM } else { NODE };
    let rest = behind(args, &["run"], takes).or_else(|| behind(args, &[], takes))?;
    let first = rest.first()?;
    // `yarn npm publish` is a command of yarn itself.
    let own = matches!(first.text.as_str(), "npm" | "pnpm" | "yarn" | "bun" | "node" | "git" | "deno");
    (!own && tools::is_named(&first.text)).then_some(rest)
}

/// The program of a package: without its version, and by the name that it is started by.
fn program_of(package: &str) -> String {
    let bare = match package.strip_prefix('@') {
        Some(scoped) => {
            scoped.split_once('@').map_or(package, |(name, _)| package.get(..=name.len()).unwrap_or(package))
        }
        None => package.split('@').next().unwrap_or(package),
    };
    let bare = ["==", ">=", "~=", "<"].iter().fold(bare, |text, mark| text.split(mark).next().unwrap_or(text));
    let known = PACKAGES.iter().find(|(name, _)| *name == bare).map(|(_, program)| *program);
    known.unwrap_or_else(|| bare.rsplit('/').next().unwrap_or(bare)).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started(command: &str) -> String {
        let fields: Vec<Field> = command.split(' ').map(Field::of).collect();
        launched(&fields).map_or_else(String::new, |f| f.iter().map(|f| f.text.clone()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn the_started_program_is_found() {
        for (command, words) in [
            ("npx semantic-release", "semantic-release"),
            ("npx -y semantic-release@23 --no-ci", "semantic-release --no-ci"),
            ("npx --yes --package lerna lerna publish", "lerna publish"),
            ("npx --package=x @changesets/cli@2.1 publish", "changeset publish"),
            ("npm exec -- lerna publish", "lerna publish"),
            ("npm x lerna publish", "lerna publish"),
            ("pnpm dlx vercel --prod", "vercel --prod"),
            ("pnpm -w exec changeset publish", "changeset publish"),
            ("pnpm changeset publish", "changeset publish"),
            ("yarn run lerna publish", "lerna publish"),
            ("yarn semantic-release", "semantic-release"),
            ("bunx --bun vercel", "vercel"),
            ("bun x vercel", "vercel"),
            ("uvx --from twine twine==5.0 upload dist/*", "twine upload dist/*"),
            ("uv tool run twine upload x", "twine upload x"),
            ("uv run --with twine twine upload x", "twine upload x"),
            ("pipx run twine upload x", "twine upload x"),
            ("poetry run twine upload x", "twine upload x"),
            ("python3 -m twine upload x", "twine upload x"),
            ("bundle exec gem push x.gem", "gem push x.gem"),
            ("corepack pnpm publish", "pnpm publish"),
            ("npx pnpm dlx lerna publish", "lerna publish"),
            ("npx tsc", ""),
            ("npx git push", ""),
            ("npx bash x", ""),
            ("npm publish", ""),
            ("npm run exec", ""),
            ("yarn npm publish", ""),
            ("pnpm publish", ""),
            ("npx", ""),
            ("npx -c vercel", ""),
            ("python3 x.py -m twine", ""),
            ("uv publish", ""),
        ] {
            assert_eq!(started(command), words, "{command}");
        }
    }
}
