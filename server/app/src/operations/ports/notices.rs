//! The inbox: stored notices of processors.
//!
//! A single statement files a notice, without a change-set: nothing else changes with it, and its row names the account
//! that sent it. Change-sets of the objects record what the notice reports.

use async_trait::async_trait;
use multirail_domain::operations::received_notice::NoticeStatus;
use multirail_kernel::ids::{ConnectorAccountId, MerchantId, NoticeId};
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{About, RawNotice};

use super::open_operations::OpenObject;
use crate::platform::ports::failure::StoreFailure;

/// A verified notice, to be filed.
#[derive(Clone, Debug)]
pub struct NewNotice {
    pub notice_id: NoticeId,
    pub merchant_id: MerchantId,
    pub merchant_connector_id: ConnectorAccountId,
    pub connector: String,
    /// A keyed hash of the notice's identity: of its body, or of the signed part.
    pub body_hash: String,
    /// The content, stored sealed.
    pub content: RawNotice,
    pub received_at: Timestamp,
}

/// The result of filing a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filed {
    New,
    /// The notice was already filed.
    Again,
}

/// A notice in the inbox.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredNotice {
    pub notice_id: NoticeId,
    pub merchant_id: MerchantId,
    pub merchant_connector_id: ConnectorAccountId,
    pub connector: String,
    pub status: NoticeStatus,
    /// The number of times that it was received.
    pub receipts: i64,
    /// The processor's words for the reported events, once the notice was read.
    pub kinds: Vec<String>,
    /// Ids of the payments and refunds that it is about.
    pub objects: Vec<String>,
    pub received_at: Timestamp,
    /// The time of the next try, if there is one.
    pub next_try_at: Option<Timestamp>,
}

/// A notice that one server has claimed.
#[derive(Clone, Debug)]
pub struct ClaimedNotice {
    pub notice_id: NoticeId,
    pub merchant_id: MerchantId,
    pub merchant_connector_id: ConnectorAccountId,
    pub connector: String,
    pub content: RawNotice,
    pub received_at: Timestamp,
    /// The number of claims.
    pub fence: i64,
    /// The business time to which the claim postponed the next try; it holds where no one ends the claim.
    pub put_off_to: Timestamp,
}

/// The result of work on a notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoticeWork {
    pub status: NoticeStatus,
    pub kinds: Vec<String>,
    pub objects: Vec<String>,
    /// The time of the next try, if there is one.
    pub next_try_at: Option<Timestamp>,
}

impl NoticeWork {
    /// Returns the result for a notice that couldn't be read, or not be worked on this time.
    pub fn unread(next_try_at: Option<Timestamp>) -> Self {
        NoticeWork {
            status: match next_try_at {
                Some(_) => NoticeStatus::Waiting,
                None => NoticeStatus::Unreadable,
            },
            kinds: Vec::new(),
            objects: Vec::new(),
            next_try_at,
        }
    }
}

/// The filter for a list of notices, and the page. A notice has to match every member that is set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NoticeSearch {
    pub merchant_id: Option<String>,
    pub merchant_connector_id: Option<String>,
    pub status: Option<NoticeStatus>,
    pub limit: i64,
    pub offset: i64,
}

#[async_trait]
pub trait NoticeStore: Send + Sync {
    /// Files a notice, due at once. For a repeated one, counts the receipt; a repeat is due again where the notice
    /// matched nothing or couldn't be read.
    async fn file_notice(&self, notice: &NewNotice) -> Result<Filed, StoreFailure>;

    /// Claims due notices, longest due first. A claim is a lease of `seconds` of `wall` time; the next try is
    /// postponed by the same number of seconds of business time.
    async fn claim_notices(
        &self,
        now: Timestamp,
        wall: Timestamp,
        seconds: i64,
        at_most: i64,
    ) -> Result<Vec<ClaimedNotice>, StoreFailure>;

    /// Ends a claim with the result of the work. Does nothing where another server claimed the notice since. A date
    /// that was set meanwhile stays.
    async fn end_notice(
        &self,
        claimed: &ClaimedNotice,
        work: &NoticeWork,
    ) -> Result<(), StoreFailure>;

    /// Returns one page, last received first.
    async fn notices(&self, search: &NoticeSearch) -> Result<Vec<StoredNotice>, StoreFailure>;

    /// Returns one notice with its content.
    async fn notice(
        &self,
        notice_id: &NoticeId,
    ) -> Result<Option<(StoredNotice, RawNotice)>, StoreFailure>;

    /// Makes a notice due; returns `false` where there is none with this id.
    async fn replay_notice(
        &self,
        notice_id: &NoticeId,
        now: Timestamp,
    ) -> Result<bool, StoreFailure>;

    /// Returns the payments and refunds of this merchant that a notice may be about: by our keys, else by the
    /// processor's references. Accounts at several processors may use the same reference.
    async fn objects_of_notice(
        &self,
        merchant_id: &MerchantId,
        about: &About,
    ) -> Result<Vec<OpenObject>, StoreFailure>;

    /// Returns the number of waiting notices.
    async fn waiting_notices(&self) -> Result<i64, StoreFailure>;

    /// Deletes notices that were received before a time and have no work left; returns their number.
    async fn purge_notices(
        &self,
        received_before: Timestamp,
        at_most: i64,
    ) -> Result<u64, StoreFailure>;
}
