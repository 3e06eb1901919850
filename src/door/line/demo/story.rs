//! The demo's story: what is in the repository, what the agent does, what the policy says. Data, nothing else.

use std::path::Path;

/// The card's title.
pub const CARD: &str = "Invoice rounding";

/// The first prompt.
pub const PROMPT: &str = "Round each invoice line to whole cents before adding up, and push the fix.";

/// Settings of the repository, so that the demo is the same whatever the owner's own git is set to.
pub const GIT_CONFIG: &[(&str, &str)] = &[
    ("user.name", "Demo Agent"),
    ("user.email", "agent@demo.invalid"),
    ("commit.gpgsign", "false"),
    ("core.hooksPath", ".git/hooks"),
    ("push.default", "simple"),
];

/// One commit of the past.
pub struct Past {
    /// Its message.
    pub message: &'static str,
    /// Files and what is in them.
    pub files: &'static [(&'static str, &'static str)],
}

/// The past, oldest first.
pub const COMMITS: &[Past] = &[
    Past {
        message: "Add up invoices",
        files: &[
            ("README.md", "# Invoices\n\nAdds up invoice lines.\n"),
            ("invoice.py", "def total(lines):\n    return round(sum(n * price for n, price in lines), 2)\n"),
        ],
    },
    Past {
        message: "Keep totals in cents",
        files: &[
            ("schema.sql", "CREATE TABLE invoice (id INTEGER PRIMARY KEY, total REAL, total_cents INTEGER);\n"),
            ("NOTES.md", "- invoice.total is read by two report queries.\n"),
        ],
    },
];

/// The agent's change, not committed yet.
pub const CHANGE: (&str, &str) =
    ("invoice.py", "def total(lines):\n    return sum(round(n * price * 100) for n, price in lines)\n");

/// The agent's steps.
pub const SCRIPT: &str = r#"# The demo's agent: `sayso` plays these steps as if a model had chosen them.

[[step]]
say = "I changed the rounding in invoice.py. One thing only you can know, so I ask."

[[step]]
ask = { text = "The migration drops invoice.total. Two report queries still read it. Keep the old column for one release?", default = "keep it for one release", options = ["keep it for one release", "drop it now"], blocking = true }

[[step]]
say = "Thank you, I have your answer. I commit the fix and push it."

[[step]]
run = "git commit --quiet --all --message 'Round each line to whole cents'"

[[step]]
run = "git push origin main"

[[step]]
say = "Your word on the push has reached me, as the result above says. One more commit belongs to it."

[[step]]
run = "git mv NOTES.md CHANGES.md"

[[step]]
run = "git commit --quiet --all --message 'Call the notes what they are'"

[[step]]
run = "git push origin main"

[[step]]
say = "Your word on the second push has reached me too, as the result above says. I am done."

[[step]]
wait = true
"#;

/// The project's policy.
pub fn policy(repository: &Path) -> String {
    let folder = toml::Value::String(repository.to_string_lossy().into_owned());
    format!(
        "# The demo's policy: commits are free, pushes ask.\n\n[project]\nname = \"invoices\"\nfolder = {folder}\n\n\
         [run]\nallow = [\"Bash(git commit:*)\", \"Bash(git mv:*)\"]\n"
    )
}
