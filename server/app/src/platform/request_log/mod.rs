//! The request log: requests wait in memory, a worker stores them, and merchants read them.

mod queue;
mod quota;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use multirail_kernel::ids::MerchantId;
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::timestamp::Timestamp;

use crate::platform::base::Base;
use crate::platform::error::AppError;
use crate::platform::paging::page_size;
use crate::platform::ports::request_log::{LoggedRequest, RequestLogStore, RequestSearch};
use crate::platform::ports::{StoreFailure, metric};

pub use self::queue::Queue;
pub use self::quota::Quota;

/// The most requests of one page.
const LISTED_AT_MOST: i64 = 100;
/// The most requests of one commit, so that payments are not kept waiting.
const AT_ONCE: usize = 100;

/// A request that waits to be stored. Masking takes time, so the worker does it.
pub trait WaitingRequest: Send {
    /// Returns how many bytes it holds in memory, headers and names included.
    fn size(&self) -> usize;

    /// Returns the masked request; `None` if it names no merchant.
    fn masked(self: Box<Self>) -> Option<LoggedRequest>;
}

/// The log of a server.
pub struct RequestLog {
    pub base: Arc<Base>,
    pub store: Arc<dyn RequestLogStore>,
    pub quota: Quota,
    pub queue: Queue,
    /// The time for which requests are kept, in seconds.
    pub retention_seconds: i64,
    /// The most requests that are kept of one merchant.
    pub per_merchant: i64,
}

impl RequestLog {
    /// Returns whether one more request may be logged in this second.
    pub fn has_room(&self) -> bool {
        let has_room = self.quota.take(self.base.clock.wall());
        if !has_room && self.quota.is_on() {
            count_unlogged("rate", 1);
        }
        has_room
    }

    /// Lets a request wait, or drops it when the queue is full. Doesn't wait itself.
    pub fn add(&self, request: Box<dyn WaitingRequest>) {
        if !self.queue.push(request) {
            count_unlogged("queue", 1);
        }
    }

    /// Stores everything that waits.
    ///
    /// # Errors
    /// The store fails. The requests of the failed commit are lost and counted.
    pub async fn store_waiting(&self) -> Result<(), StoreFailure> {
        loop {
            let waiting = self.queue.take(AT_ONCE);
            if waiting.is_empty() {
                return Ok(());
            }
            let count = waiting.len();
            let stored = match masked(waiting).await {
                Ok(masked) => self.store.store_requests(&masked, self.base.now()).await,
                Err(failure) => Err(failure),
            };
            stored.inspect_err(|_| count_unlogged("store", count))?;
        }
    }

    /// Stores everything that waits, as the server stops. After a failure the rest is given up too, so that a database
    /// that doesn't answer is not waited for again.
    ///
    /// # Errors
    /// The store fails. The lost requests are counted.
    pub async fn store_last(&self) -> Result<(), StoreFailure> {
        let stored = self.store_waiting().await;
        stored.inspect_err(|_| count_unlogged("store", self.queue.take(usize::MAX).len()))
    }

    /// Returns a page of requests without bodies, last one first.
    ///
    /// # Errors
    /// [`Refusal::InvalidValue`] for a limit outside of 0 to 100.
    pub async fn list(
        &self,
        merchant_id: &MerchantId,
        mut search: RequestSearch,
        limit: Option<i64>,
    ) -> Result<Vec<LoggedRequest>, AppError> {
        search.limit = page_size(limit, LISTED_AT_MOST)?;
        Ok(self.store.logged_requests(merchant_id, &search).await?)
    }

    /// Returns a request with its bodies.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] for a request of another merchant or profile, or one that isn't in the log.
    pub async fn retrieve(
        &self,
        merchant_id: &MerchantId,
        profile_id: Option<&str>,
        request_id: &str,
    ) -> Result<LoggedRequest, AppError> {
        let found = self.store.logged_request(merchant_id, request_id).await?;
        let visible = found.filter(|one| {
            profile_id.is_none_or(|profile_id| one.profile_id.as_deref() == Some(profile_id))
        });
        Ok(visible.ok_or_else(|| Refusal::not_found(Object::Request))?)
    }

    /// Deletes requests after their time; returns how many.
    ///
    /// # Errors
    /// The store fails.
    pub async fn purge(&self, now: Timestamp, at_most: i64) -> Result<u64, StoreFailure> {
        let before = now.plus_seconds(-self.retention_seconds);
        let before = before.unwrap_or(Timestamp::EPOCH);
        self.store.purge_requests(before, at_most).await
    }

    /// Deletes the oldest requests of merchants that have too many; returns how many.
    ///
    /// # Errors
    /// The store fails.
    pub async fn trim(&self, at_most: i64) -> Result<u64, StoreFailure> {
        let mut deleted = 0;
        for merchant_id in self.store.merchants_over(self.per_merchant).await? {
            let trimmed = self
                .store
                .trim_requests(&merchant_id, self.per_merchant, at_most);
            deleted += trimmed.await?;
        }
        Ok(deleted)
    }
}

/// Masks requests on a thread of their own: long bodies would keep other requests of this server waiting.
async fn masked(waiting: Vec<Box<dyn WaitingRequest>>) -> Result<Vec<LoggedRequest>, StoreFailure> {
    let mask = move || waiting.into_iter().filter_map(|one| one.masked()).collect();
    let masked = tokio::task::spawn_blocking(mask).await;
    masked.map_err(|why| StoreFailure::Broken(format!("requests can't be masked: {why}")))
}

fn count_unlogged(reason: &'static str, count: usize) {
    metrics::counter!(metric::UNLOGGED_REQUESTS, "reason" => reason).increment(count as u64);
}
