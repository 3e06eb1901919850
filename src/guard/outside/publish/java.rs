//! `mvn`, `gradle`, `sbt`: goals and tasks that send artefacts to a repository.

use super::{Act, Call, folder, publish};
use crate::guard::scene::Field;

/// Options of maven that take the next word.
const MAVEN: &[&str] = &[
    "-f",
    "--file",
    "-pl",
    "--projects",
    "-P",
    "--activate-profiles",
    "-s",
    "--settings",
    "-gs",
    "--global-settings",
    "-t",
    "--toolchains",
    "-T",
    "--threads",
    "-l",
    "--log-file",
    "-rf",
    "--resume-from",
    "-b",
    "--builder",
    "-D",
    "--define",
    "--color",
    "-emp",
    "-ep",
];
const GRADLE: &[&str] = &[
    "-p",
    "--project-dir",
    "-b",
    "--build-file",
    "-c",
    "--settings-file",
    "-g",
    "--gradle-user-home",
    "-I",
    "--init-script",
    "-x",
    "--exclude-task",
    "--tests",
    "--console",
    "--max-workers",
    "--include-build",
    "-P",
    "-D",
    "--warning-mode",
    "--configuration",
    "--priority",
    "--project-cache-dir",
];

/// The words of a call: plain ones, and options with the values that they take.
struct Parts<'f> {
    plain: Vec<&'f Field>,
    options: Vec<(&'f str, Option<Field>)>,
}

fn parts<'f>(args: &'f [Field], takes: &[&str]) -> Parts<'f> {
    let mut parts = Parts { plain: Vec::new(), options: Vec::new() };
    let mut rest = args.iter();
    while let Some(field) = rest.next() {
        let text = field.text.as_str();
        if !text.starts_with('-') {
            parts.plain.push(field);
        } else if let Some((name, value)) = text.split_once('=').filter(|(name, _)| name.starts_with("--")) {
            parts.options.push((name, Some(Field { text: value.to_owned(), ..field.clone() })));
        } else {
            parts.options.push((text, if takes.contains(&text) { rest.next().cloned() } else { None }));
        }
    }
    parts
}

impl Parts<'_> {
    fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|(name, _)| names.contains(name))
    }

    fn value(&self, names: &[&str]) -> Option<&Field> {
        self.options.iter().rev().find(|(name, _)| names.contains(name)).and_then(|(_, value)| value.as_ref())
    }
}

pub(super) fn maven(call: &Call<'_>) -> Vec<Act> {
    let parts = parts(call.args, MAVEN);
    let set = |text: &str| {
        let on = |given: &str| given == text || given.strip_prefix(text) == Some("=true");
        parts.options.iter().any(|(name, value)| {
            name.strip_prefix("-D").is_some_and(on) || value.as_ref().is_some_and(|v| *name == "-D" && on(&v.text))
        })
    };
    if parts.has(&["-h", "--help", "-v", "--version"]) || set("maven.deploy.skip") || set("dryRun") {
        return Vec::new();
    }
    let what = match (parts.value(&["-pl", "--projects"]), parts.value(&["-f", "--file"])) {
        (Some(module), _) => module.text.clone(),
        (None, Some(file)) => {
            let text = match file.text.rsplit_once('/') {
                Some((folder, name)) if has_extension(name) => folder.to_owned(),
                None if has_extension(&file.text) => ".".to_owned(),
                _ => file.text.clone(),
            };
            folder(call, Some(&Field { text, ..file.clone() }))
        }
        (None, None) => folder(call, None),
    };
    let goals = parts.plain.iter().map(|f| f.text.as_str()).filter(|goal| is_maven_goal(goal));
    goals.map(|goal| publish("mvn", &what, goal)).collect()
}

fn has_extension(name: &str) -> bool {
    std::path::Path::new(name).extension().is_some_and(|ext| ext.eq_ignore_ascii_case("xml"))
}

fn is_maven_goal(goal: &str) -> bool {
    if matches!(goal, "deploy" | "site-deploy") {
        return true;
    }
    let Some((plugin, last)) = goal.rsplit_once(':') else { return false };
    // `org.apache.maven.plugins:maven-deploy-plugin:3.1.1:deploy-file`
    let names = |name: &str| {
        plugin.split(':').any(|part| {
            part == name || part == format!("maven-{name}-plugin") || part == format!("{name}-maven-plugin")
        })
    };
    let last = last.split('@').next().unwrap_or(last);
    match last {
        "deploy" | "deploy-file" => true,
        "perform" | "prepare" | "stage" => names("release"),
        "release" | "rc-release" => names("nexus-staging"),
        "publish" => true,
        "build" => names("jib"),
        "push" => names("docker") || names("dockerfile") || names("fabric8"),
        "checkin" => names("scm"),
        _ => false,
    }
}

pub(super) fn gradle(call: &Call<'_>) -> Vec<Act> {
    let parts = parts(call.args, GRADLE);
    if parts.has(&["-m", "--dry-run", "-h", "-?", "--help", "-v", "--version"])
        || parts.plain.iter().any(|f| f.text == "help")
    {
        return Vec::new();
    }
    let place = parts.value(&["-p", "--project-dir"]);
    let tasks = parts.plain.iter().filter_map(|f| {
        let (module, task) =
            f.text.rsplit_once(':').map_or(("", f.text.as_str()), |(m, t)| (m.trim_start_matches(':'), t));
        let what = if module.is_empty() { folder(call, place) } else { module.to_owned() };
        is_gradle_task(task).then(|| publish("gradle", &what, task))
    });
    tasks.collect()
}

fn is_gradle_task(task: &str) -> bool {
    let lower = task.to_ascii_lowercase();
    if lower.ends_with("mavenlocal") || lower.ends_with("publishlocal") {
        return false;
    }
    let next_is_capital = |front: &str| {
        task.strip_prefix(front).is_some_and(|rest| rest.chars().next().is_none_or(|c| c.is_ascii_uppercase()))
    };
    next_is_capital("publish")
        || next_is_capital("closeAndRelease")
        || matches!(
            task,
            "uploadArchives"
                | "bintrayUpload"
                | "artifactoryPublish"
                | "artifactoryDeploy"
                | "jreleaserRelease"
                | "jreleaserFullRelease"
                | "jreleaserDeploy"
                | "jib"
                | "dockerPush"
                | "release"
                | "releaseRepository"
                | "githubRelease"
                | "curseforge"
                | "modrinth"
        )
}

/// Commands of sbt are words of their own, each with its own arguments.
pub(super) fn sbt(call: &Call<'_>) -> Vec<Act> {
    let commands =
        call.args.iter().filter(|f| !f.text.starts_with('-')).flat_map(|f| f.text.split(';')).filter_map(|text| {
            let command = text.split_whitespace().next()?.trim_start_matches('+');
            let (module, task) =
                command.rsplit_once('/').map_or((None, command), |(module, task)| (Some(module), task));
            let task = task.rsplit(':').next().unwrap_or(task);
            let guarded = matches!(
                task,
                "publish"
                    | "publishSigned"
                    | "sonatypeBundleRelease"
                    | "sonatypeRelease"
                    | "sonatypeReleaseAll"
                    | "release"
                    | "ci-release"
                    | "bintrayRelease"
                    | "sonaRelease"
                    | "sonaUpload"
            );
            let what = module.map_or_else(|| folder(call, None), str::to_owned);
            guarded.then(|| publish("sbt", &what, task))
        });
    commands.collect()
}
