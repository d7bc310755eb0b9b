//! Wakes the worker that redacts payments when a customer is redacted, before its next poll.

use tokio::sync::Notify;

/// Wakes the worker of this server after a redaction on this server. It is only a hint: the worker acts on stored rows.
#[derive(Default)]
pub struct RedactionNotifier(Notify);

impl RedactionNotifier {
    /// Announces that a customer was redacted.
    pub fn notify(&self) {
        self.0.notify_one();
    }

    /// Waits for the next redaction. Dropping the future while it waits loses nothing.
    pub async fn requested(&self) {
        self.0.notified().await;
    }
}
