//! Programs that can change something outside, and the verbs with which they do: data for the reader of tools that it
//! does not know in depth, and for the scan of texts that could not be read.
//!
//! A verb that is missing here is a call that nobody is asked about; a verb too many stops harmless work. The labelled
//! commands in `tests/corpus/` hold both sides.

/// A program and its verbs. A verb of several words (`state rm`) names them in order.
pub(super) struct Tool {
    /// The program's file name.
    pub name: &'static str,
    /// What it does outside.
    pub verbs: &'static [&'static str],
}

/// Programs whose call with one of the verbs needs the owner's word.
pub(super) const TOOLS: &[Tool] = &[
    Tool { name: "git", verbs: &["push", "send-pack", "http-push"] },
    Tool { name: "gh", verbs: &["merge"] },
    Tool { name: "kubectl", verbs: &["apply", "delete"] },
];
