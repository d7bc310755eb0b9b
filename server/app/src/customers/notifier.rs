//! Tells the worker that redacts payments that a customer was redacted, before it would find out by polling.

use tokio::sync::Notify;

/// Wakes the worker of this server when a customer was redacted here. Only a hint: what counts is what is stored.
#[derive(Default)]
pub struct RedactionNotifier(Notify);

impl RedactionNotifier {
    /// Says that a customer was redacted.
    pub fn notify(&self) {
        self.0.notify_one();
    }

    /// Waits until a customer was redacted. Loses nothing when it is dropped while it waits.
    pub async fn requested(&self) {
        self.0.notified().await;
    }
}
