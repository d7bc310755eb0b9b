//! Notices of processors at rest: the inbox.
//!
//! A notice is filed by one statement of its own rather than by a change-set: nothing else changes with it, and who it comes
//! from is the account that its row names. What it says is recorded by change-sets of the objects that it is about.

use async_trait::async_trait;
use multirail_domain::operations::received_notice::NoticeStatus;
use multirail_kernel::ids::{ConnectorAccountId, MerchantId, NoticeId};
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{About, RawNotice};

use super::open_operations::OpenObject;
use crate::platform::ports::failure::StoreFailure;

/// A notice that was verified, to be filed.
#[derive(Clone, Debug)]
pub struct NewNotice {
    pub notice_id: NoticeId,
    pub merchant_id: MerchantId,
    pub merchant_connector_id: ConnectorAccountId,
    pub connector: String,
    /// Keyed hash of what names it: of its body, or of what was signed of it.
    pub body_hash: String,
    /// Rests sealed.
    pub content: RawNotice,
    pub received_at: Timestamp,
}

/// What filing a notice came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filed {
    New,
    /// It was here before.
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
    /// How often it came.
    pub receipts: i64,
    /// The processor's words for what it tells, once it was read.
    pub kinds: Vec<String>,
    /// Ids of the payments and refunds that it was found to be about.
    pub objects: Vec<String>,
    pub received_at: Timestamp,
    /// When it is looked at next, if it is.
    pub next_try_at: Option<Timestamp>,
}

/// A notice that one server has taken up.
#[derive(Clone, Debug)]
pub struct ClaimedNotice {
    pub notice_id: NoticeId,
    pub merchant_id: MerchantId,
    pub merchant_connector_id: ConnectorAccountId,
    pub connector: String,
    pub content: RawNotice,
    pub received_at: Timestamp,
    /// Counts the claims.
    pub fence: i64,
    /// Business time to which the claim put off the next look, for the case that nobody ends it.
    pub put_off_to: Timestamp,
}

/// What working on a notice came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoticeWork {
    pub status: NoticeStatus,
    pub kinds: Vec<String>,
    pub objects: Vec<String>,
    /// When it is looked at next, if it is.
    pub next_try_at: Option<Timestamp>,
}

impl NoticeWork {
    /// It could not be read, or not be worked on this time.
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

/// Which notices, and which page of them. Every condition that is set has to hold.
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
    /// Files a notice, due at once. One that is here already is counted, and is looked at again where it matched nothing or
    /// could not be read.
    async fn file_notice(&self, notice: &NewNotice) -> Result<Filed, StoreFailure>;

    /// Claims notices that are due, the longest due first. A claim is a lease of so many seconds of `wall` time; the next look
    /// is put off by as many seconds of business time.
    async fn claim_notices(
        &self,
        now: Timestamp,
        wall: Timestamp,
        seconds: i64,
        at_most: i64,
    ) -> Result<Vec<ClaimedNotice>, StoreFailure>;

    /// Gives a claim back with what the work came to; does nothing where another server claimed the notice since. A date that
    /// was set meanwhile stays.
    async fn end_notice(
        &self,
        claimed: &ClaimedNotice,
        work: &NoticeWork,
    ) -> Result<(), StoreFailure>;

    /// One page, the last received first.
    async fn notices(&self, search: &NoticeSearch) -> Result<Vec<StoredNotice>, StoreFailure>;

    /// One notice with its content.
    async fn notice(
        &self,
        notice_id: &NoticeId,
    ) -> Result<Option<(StoredNotice, RawNotice)>, StoreFailure>;

    /// Makes a notice due; false where there is none of this id.
    async fn replay_notice(
        &self,
        notice_id: &NoticeId,
        now: Timestamp,
    ) -> Result<bool, StoreFailure>;

    /// The payments and refunds of this merchant that a notice may be about, by our keys, else by the processor's references:
    /// accounts at several processors may share one.
    async fn objects_of_notice(
        &self,
        merchant_id: &MerchantId,
        about: &About,
    ) -> Result<Vec<OpenObject>, StoreFailure>;

    /// How many notices wait.
    async fn waiting_notices(&self) -> Result<i64, StoreFailure>;

    /// Deletes notices that were received before a time and have nothing left to do; answers how many.
    async fn purge_notices(
        &self,
        received_before: Timestamp,
        at_most: i64,
    ) -> Result<u64, StoreFailure>;
}
