//! Wakes the delivery worker for endpoints with due deliveries, before its next poll.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;

use crate::accounts::ports::profiles::Endpoint;

/// Endpoints with deliveries that this server queued. They are only hints: the worker acts on stored rows.
#[derive(Default)]
pub struct DeliveryNotifier {
    endpoints: Mutex<BTreeSet<Endpoint>>,
    notify: Notify,
}

impl DeliveryNotifier {
    /// Reports that a delivery is due for this endpoint.
    pub fn notify(&self, endpoint: Endpoint) {
        self.lock().insert(endpoint);
        self.notify.notify_one();
    }

    /// Waits for endpoints, and takes them. Dropping the future while it waits loses nothing.
    pub async fn notified_endpoints(&self) -> BTreeSet<Endpoint> {
        loop {
            // Several hints leave one notification, which may come after the hints were taken.
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
