//! The scripted model: a stand-in for the model provider on loopback, so that the real client runs offline.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

/// A running scripted model; it ends with this value.
pub struct Model {
    /// Where the client finds it.
    pub url: String,
    /// One line of JSON for each request.
    pub log: PathBuf,
    child: Child,
}

impl Model {
    /// Starts the model with the text of a script (`tests/tools/fake_model_api.py` says what it may hold), its files in
    /// `folder`. It is a text because it may hold what our JSON cannot.
    pub fn start(folder: &Path, script: &str) -> Self {
        let (file, port, log) = (folder.join("model.json"), folder.join("model.port"), folder.join("model.log"));
        std::fs::write(&file, script).unwrap();
        let _ = std::fs::remove_file(&port);
        let mut child = Command::new("python3")
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tools/fake_model_api.py"))
            .args(["--quiet", "--port", "0", "--script"])
            .arg(&file)
            .arg("--port-file")
            .arg(&port)
            .arg("--log")
            .arg(&log)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .expect("python3 runs the scripted model");
        let said = super::wait_for("the scripted model's port", Duration::from_secs(20), || {
            assert!(child.try_wait().unwrap().is_none(), "the scripted model ended");
            std::fs::read_to_string(&port).ok().filter(|port| !port.is_empty())
        });
        Self { url: format!("http://127.0.0.1:{said}"), log, child }
    }

    /// Every request the client made so far.
    pub fn requests(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(&self.log).unwrap_or_default();
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
