//! Wakes the worker that bills.

use tokio::sync::Notify;

/// Wakes the worker of this server when something of a subscription is due at once. Only a hint: what counts is what is
/// stored.
#[derive(Default)]
pub struct BillingNotifier(Notify);

impl BillingNotifier {
    pub(super) fn notify(&self) {
        self.0.notify_one();
    }

    /// Waits until something is due at once. Loses nothing when it is dropped while it waits.
    pub async fn requested(&self) {
        self.0.notified().await;
    }
}
