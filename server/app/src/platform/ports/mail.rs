//! The port that sends mail.

use async_trait::async_trait;
use multirail_kernel::mail::Mail;

/// Sends mail to a mail server, or prints it.
#[async_trait]
pub trait Mailer: Send + Sync {
    /// Sends mail; returns within half a minute.
    ///
    /// # Errors
    /// No server accepted it.
    async fn send(&self, mail: &Mail) -> Result<(), MailFailure>;
}

/// The reason why no server accepted the mail.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct MailFailure {
    /// A text for the log, without addresses.
    pub why: String,
    /// True if a retry is useless.
    pub is_final: bool,
}
