//! Telling the owner that something new waits: one notice per question or approval.
//!
//! A notice is made of our own words only: the kind and the numbers. It never carries text of an agent, a repository or
//! a remote, and never a button: any process on the session bus can forge a click, so nothing is decided here. A bus
//! that is missing, refuses or hangs holds nothing up; the caller records the failure.

use std::time::Duration;

use futures_util::future::BoxFuture;

use crate::domain::{ActionKind, Letter, ids};

/// How long a desktop may take to show a notice.
const LIMIT: Duration = Duration::from_secs(1);

/// What waits now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waits {
    /// A question.
    Question {
        /// The run cannot go on without the answer.
        blocking: bool,
    },
    /// An approval of this kind of action.
    Approval(ActionKind),
}

/// One notice, before it has words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notice {
    /// What waits.
    pub waits: Waits,
    /// The request's number.
    pub number: i64,
    /// The card's number.
    pub card: i64,
}

impl Notice {
    /// `Q41: a question`.
    pub fn title(&self) -> String {
        match self.waits {
            Waits::Question { .. } => format!("{}: a question", ids::named(Letter::Q, self.number)),
            Waits::Approval(kind) => {
                format!("{}: {} waits for your approval", ids::named(Letter::A, self.number), kind.as_str())
            }
        }
    }

    /// Where to look.
    pub fn body(&self) -> String {
        let card = self.card;
        match self.waits {
            Waits::Question { blocking: true } => format!("Card {card} waits for your answer. Open sayso to give it."),
            Waits::Question { blocking: false } => {
                format!("Card {card} goes on with its default unless you answer. Open sayso to see it.")
            }
            Waits::Approval(_) => format!("Card {card} asks. Open sayso to see what would run."),
        }
    }
}

/// Why a notice was not shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoticeError {
    /// Nothing shows notices here.
    #[error("no desktop shows notices: {0}")]
    NoDesktop(String),
    /// It took too long.
    #[error("the desktop did not show the notice within 1 s")]
    TooSlow,
}

/// Whatever shows notices.
pub trait Notices: Send + Sync {
    /// Shows one. Takes at most about a second.
    fn notify(&self, notice: Notice) -> BoxFuture<'static, Result<(), NoticeError>>;
}

/// The desktop's own notices.
#[derive(Clone, Copy, Debug, Default)]
pub struct Desktop;

impl Notices for Desktop {
    fn notify(&self, notice: Notice) -> BoxFuture<'static, Result<(), NoticeError>> {
        Box::pin(show(notice))
    }
}

/// Shows one on the desktop, in a task of its own, so that a caller that is dropped or a bus that hangs leaves nothing
/// half done in the caller.
async fn show(notice: Notice) -> Result<(), NoticeError> {
    let task = tokio::spawn(async move {
        notify_rust::Notification::new()
            .appname("sayso")
            .summary(&notice.title())
            .body(&notice.body())
            .show_async()
            .await
            .map(drop)
            .map_err(|e| NoticeError::NoDesktop(e.to_string()))
    });
    let ending = task.abort_handle();
    match tokio::time::timeout(LIMIT, task).await {
        Ok(Ok(shown)) => shown,
        Ok(Err(broken)) => Err(NoticeError::NoDesktop(broken.to_string())),
        Err(_) => {
            ending.abort();
            Err(NoticeError::TooSlow)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_ours_and_name_the_numbers() {
        let asks = Notice { waits: Waits::Approval(ActionKind::Push), number: 17, card: 3 };
        assert_eq!(asks.title(), "A17: push waits for your approval");
        assert_eq!(asks.body(), "Card 3 asks. Open sayso to see what would run.");
        let asks = Notice { waits: Waits::Question { blocking: true }, number: 41, card: 3 };
        assert_eq!((asks.title().as_str(), asks.body().contains("Card 3")), ("Q41: a question", true));
        let asks = Notice { waits: Waits::Question { blocking: false }, ..asks };
        assert!(asks.body().contains("default"));
    }
}
