//! Wakes the worker that bills.

use tokio::sync::Notify;

/// Wakes this server's worker when a subscription has work that is due at once. It is only a hint; the stored dates
/// count.
#[derive(Default)]
pub struct BillingNotifier(Notify);

impl BillingNotifier {
    pub(super) fn notify(&self) {
        self.0.notify_one();
    }

    /// Waits until work is due at once. A dropped wait loses no notification.
    pub async fn requested(&self) {
        self.0.notified().await;
    }
}
