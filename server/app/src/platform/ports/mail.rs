//! Mail: what hands it over.

use async_trait::async_trait;
use multirail_kernel::mail::Mail;

/// Hands mail to a server that delivers it, or prints it.
#[async_trait]
pub trait Mailer: Send + Sync {
    /// Answers within half a minute.
    ///
    /// # Errors
    /// Nobody has taken it.
    async fn send(&self, mail: &Mail) -> Result<(), MailFailure>;
}

/// Why nobody has taken mail.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct MailFailure {
    /// For the log: never an address.
    pub why: String,
    /// Whether it is no use to try again.
    pub is_final: bool,
}
