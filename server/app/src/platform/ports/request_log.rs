//! The stored request log: the latest requests of each merchant account, with their masked answers.

use async_trait::async_trait;
use multirail_kernel::ids::MerchantId;
use multirail_kernel::timestamp::Timestamp;

use super::failure::StoreFailure;

/// A request with its answer. Its texts are masked and have no personal data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedRequest {
    pub merchant_id: MerchantId,
    /// A UUID of version 7, so the ids are in the order of time.
    pub request_id: String,
    /// The time of its arrival, in business time.
    pub requested_at: Timestamp,
    pub duration_ms: i64,
    pub method: String,
    pub path: String,
    pub path_template: String,
    /// The operation, by its name in the document.
    pub operation: String,
    pub status: i64,
    pub error_code: Option<String>,
    /// The kind of the caller, as a word of the document.
    pub caller: String,
    /// The id of the API key or the user.
    pub caller_id: Option<String>,
    pub profile_id: Option<String>,
    pub payment_id: Option<String>,
    pub object_id: Option<String>,
    /// The masked key.
    pub idempotency_key: Option<String>,
    pub user_agent: Option<String>,
    pub request_body: LoggedBody,
    pub answer_body: LoggedBody,
}

/// A masked body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoggedBody {
    /// `None` in lists, and where nothing is stored.
    pub text: Option<String>,
    /// True if the text is not the whole body.
    pub is_cut: bool,
}

/// The filter for a list of requests, last one first. A request has to match every member that is set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestSearch {
    pub profile_id: Option<String>,
    /// Inclusive.
    pub from: Option<Timestamp>,
    /// Inclusive.
    pub until: Option<Timestamp>,
    pub method: Option<String>,
    pub operation: Option<String>,
    /// Inclusive bounds of the status.
    pub statuses: Option<(i64, i64)>,
    pub status: Option<i64>,
    pub payment_id: Option<String>,
    pub object_id: Option<String>,
    pub caller_id: Option<String>,
    pub request_id: Option<String>,
    /// Only requests with a smaller id.
    pub before: Option<String>,
    pub limit: i64,
}

/// Stores and reads logged requests. Every look-up names its merchant.
#[async_trait]
pub trait RequestLogStore: Send + Sync {
    /// Stores requests in one commit. Requests of a merchant whose key was destroyed are left out.
    async fn store_requests(
        &self,
        requests: &[LoggedRequest],
        now: Timestamp,
    ) -> Result<(), StoreFailure>;

    /// Returns one page of a search, without bodies.
    async fn logged_requests(
        &self,
        merchant_id: &MerchantId,
        search: &RequestSearch,
    ) -> Result<Vec<LoggedRequest>, StoreFailure>;

    /// Returns a request with its bodies.
    async fn logged_request(
        &self,
        merchant_id: &MerchantId,
        request_id: &str,
    ) -> Result<Option<LoggedRequest>, StoreFailure>;

    /// Deletes requests that arrived before a time; returns how many.
    async fn purge_requests(&self, before: Timestamp, at_most: i64) -> Result<u64, StoreFailure>;

    /// Returns the merchants with more than `most` requests.
    async fn merchants_over(&self, most: i64) -> Result<Vec<MerchantId>, StoreFailure>;

    /// Deletes the oldest requests of a merchant beyond the latest `most`; returns how many.
    async fn trim_requests(
        &self,
        merchant_id: &MerchantId,
        most: i64,
        at_most: i64,
    ) -> Result<u64, StoreFailure>;
}
