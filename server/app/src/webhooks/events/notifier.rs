//! Tells the delivery worker which endpoints have something due, before it would find out by polling.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;

use crate::accounts::ports::profiles::Endpoint;

/// Endpoints for which something was queued here. Only a hint: what counts is what is stored.
#[derive(Default)]
pub struct DeliveryNotifier {
    endpoints: Mutex<BTreeSet<Endpoint>>,
    notify: Notify,
}

impl DeliveryNotifier {
    /// Says that something is due for this endpoint.
    pub fn notify(&self, endpoint: Endpoint) {
        self.lock().insert(endpoint);
        self.notify.notify_one();
    }

    /// Waits until there is something, and takes it. Loses nothing when it is dropped while it waits.
    pub async fn notified_endpoints(&self) -> BTreeSet<Endpoint> {
        loop {
            // Of several hints one notice is left, and it may come after its hints were taken.
            let endpoints = std::mem::take(&mut *self.lock());
            if !endpoints.is_empty() {
                return endpoints;
            }
            self.notify.notified().await;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeSet<Endpoint>> {
        self.endpoints
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
