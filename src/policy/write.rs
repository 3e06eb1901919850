//! A policy as the text of a file.

use super::Policy;

/// Every key with its value; what is not set is shown with its default.
pub(super) fn policy(p: &Policy) -> String {
    let mut out = format!("[project]\nname = {}\nfolder = {}\n", quoted(&p.name), quoted(&p.folder));
    out.push_str("\n[approvals]\n");
    for (key, value) in [("push", p.push), ("merge", p.merge), ("commit", p.commit), ("test", p.test), ("live", true)] {
        out.push_str(&format!("{key} = {value}\n"));
    }
    out.push_str(&format!("valid_minutes = {}\n", p.valid_minutes));
    out.push_str(&format!("take_back_seconds = {}\n", seconds(p.take_back_ms)));
    out.push_str(&format!("desktop = false\nhold = {}\n", quoted(p.hold.as_str())));
    out.push_str(&format!("\n[run]\nmode = {}\n", quoted(&p.run.mode)));
    out.push_str(&format!("allow = {}\nenv = {}\n", list(&p.run.allow), list(&p.run.env)));
    out.push_str(&format!("prompts = {}\nsettings = {}\n", quoted(&p.run.prompts), quoted(&p.run.settings)));
    if let Some(claude) = &p.run.claude {
        out.push_str(&format!("claude = {}\n", quoted(claude)));
    }
    out
}

fn seconds(ms: i64) -> String {
    if ms % 1000 == 0 { (ms / 1000).to_string() } else { format!("{}.{:03}", ms / 1000, ms % 1000) }
}

fn list(entries: &[String]) -> String {
    match entries {
        [] => "[]".to_owned(),
        some => format!("[\n{}]", some.iter().map(|e| format!("    {},\n", quoted(e))).collect::<String>()),
    }
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
