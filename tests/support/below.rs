//! A process below a run (or outside of all runs) that speaks to the sockets on a test's behalf.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use super::world::{World, wait_until};

/// What a socket answered.
#[derive(Debug)]
pub struct Answer {
    /// HTTP status; 0 when the connection ended without one.
    pub status: u64,
    /// The body.
    pub body: String,
}

/// A place from which calls are made.
pub struct Below {
    folder: PathBuf,
    token: PathBuf,
    outside: Option<(Vec<(String, String)>, PathBuf)>,
}

/// The caller's program.
pub fn caller() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/tools/agent_calls.py")
}

impl Below {
    /// Starts a run whose only work is to make calls.
    pub fn start(world: &mut World) -> Self {
        Self::start_with(world, "")
    }

    /// The same, the caller's program behind a prefix (`env -i …`).
    pub fn start_with(world: &mut World, prefix: &str) -> Self {
        let card = world.card("Calls");
        let folder = world.home().join(format!("calls-{card}"));
        std::fs::create_dir_all(&folder).expect("a folder");
        let (program, at) = (caller(), folder.display().to_string());
        std::fs::write(
            folder.join("loop.sh"),
            format!(
                "printf %s \"$SAYSO_TOKEN\" >'{at}/token.part' && mv '{at}/token.part' '{at}/token'\nn=0\nwhile [ ! -e '{at}/end' ]; do\n  if [ -e '{at}/calls-'$n ]; then {prefix}python3 '{}' '{at}/calls-'$n '{at}/answers-'$n; n=$((n+1)); else sleep 0.02; fi\ndone\n",
                program.display()
            ),
        )
        .expect("a script");
        world.script(card, &format!("[[step]]\nrun = \"sh {at}/loop.sh\"\n"));
        let token = folder.join("token");
        wait_until("the run makes calls", || token.exists().then_some(()));
        Self { folder, token, outside: None }
    }

    /// A process that descends from no run; with one more variable in its environment.
    pub fn outside(world: &World, mark: Option<(&str, &str)>) -> Self {
        let mut env: Vec<(String, String)> = world.env().into_iter().collect();
        env.extend(mark.map(|(name, value)| (name.to_owned(), value.to_owned())));
        let folder = world.home().join("outside");
        std::fs::create_dir_all(&folder).expect("a folder");
        Self { token: folder.join("token"), outside: Some((env, folder.clone())), folder }
    }

    /// The run's token.
    pub fn token(&self) -> String {
        std::fs::read_to_string(&self.token).expect("a token")
    }

    /// Makes calls, one after the other.
    pub fn call(&self, calls: &[Value]) -> Vec<Answer> {
        let text = calls.iter().map(Value::to_string).collect::<Vec<_>>().join("\n") + "\n";
        let n = (0..1_000).find(|n| !self.folder.join(format!("calls-{n}")).exists()).unwrap_or(0);
        let (to, from) = (self.folder.join(format!("calls-{n}")), self.folder.join(format!("answers-{n}")));
        let beside = self.folder.join("calls.part");
        std::fs::write(&beside, text).expect("calls");
        std::fs::rename(&beside, &to).expect("calls");
        if let Some((env, _)) = &self.outside {
            let done = Command::new("python3").arg(caller()).args([&to, &from]).env_clear().envs(env.clone()).status();
            assert!(done.expect("python3").success());
        }
        wait_until("answers", || from.exists().then_some(()));
        std::fs::read_to_string(&from)
            .expect("answers")
            .lines()
            .map(|line| {
                let value: Value = serde_json::from_str(line).expect("an answer");
                Answer {
                    status: value["status"].as_u64().unwrap_or(0),
                    body: value["body"].as_str().unwrap_or_default().to_owned(),
                }
            })
            .collect()
    }
}

impl Drop for Below {
    fn drop(&mut self) {
        let _ = std::fs::write(self.folder.join("end"), "");
    }
}
