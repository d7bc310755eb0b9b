//! The inbox as operators see it: listed, shown with masked secrets, and replayed.

use multirail_domain::operations::received_notice::{NoticeStatus, masked};
use multirail_kernel::ids::NoticeId;
use multirail_kernel::refusal::{Object, Refusal};

use super::Notices;
use crate::AppError;
use crate::operations::ports::notices::{NoticeSearch, StoredNotice};
use crate::platform::paging::page_size;

const LARGEST_PAGE: i64 = 100;

/// A notice with its content.
#[derive(Clone, Debug)]
pub struct ShownNotice {
    pub notice: StoredNotice,
    /// The body, where it is JSON: with identifiers, words and amounts; everything else is masked.
    pub body: Option<String>,
    pub body_bytes: usize,
}

impl Notices {
    /// Lists notices of all merchants, last received first.
    ///
    /// # Errors
    /// A limit out of range, or a store that fails.
    pub async fn list(
        &self,
        search: NoticeSearch,
        limit: Option<i64>,
        offset: Option<i64>,
    ) -> Result<Vec<StoredNotice>, AppError> {
        let limit = page_size(limit.or(Some(LARGEST_PAGE)), LARGEST_PAGE)?;
        let search = NoticeSearch {
            limit,
            offset: offset.unwrap_or(0),
            ..search
        };
        Ok(self.store.notices(&search).await?)
    }

    /// Returns a notice with its content.
    ///
    /// # Errors
    ///
    /// An unknown notice, or a store that fails.
    pub async fn show(&self, notice_id: &str) -> Result<ShownNotice, AppError> {
        let notice_id = parse(notice_id)?;
        let found = self.store.notice(&notice_id).await?;
        let (notice, raw) = found.ok_or_else(unknown)?;
        let connector = self.processors.connectors.describe(&notice.connector);
        let shown = connector.map_or(&[][..], |connector| connector.shown);
        Ok(ShownNotice {
            body_bytes: raw.body.len(),
            body: masked(&raw.body, shown),
            notice,
        })
    }

    /// Makes a notice due once more.
    ///
    /// # Errors
    /// An unknown notice, or a store that fails.
    pub async fn replay(&self, notice_id: &str) -> Result<StoredNotice, AppError> {
        let notice_id = parse(notice_id)?;
        let now = self.base.now();
        let (notice, _) = self.store.notice(&notice_id).await?.ok_or_else(unknown)?;
        if !self.store.replay_notice(&notice_id, now).await? {
            return Err(unknown().into());
        }
        self.notifier.notify();
        // Read before the replay: afterwards a worker may have changed it.
        Ok(StoredNotice {
            status: NoticeStatus::Waiting,
            next_try_at: Some(now),
            ..notice
        })
    }

    /// Measures the number of waiting notices.
    pub async fn measure(&self) {
        if let Ok(waiting) = self.store.waiting_notices().await {
            metrics::gauge!(crate::platform::ports::metric::NOTICES_WAITING).set(waiting as f64);
        }
    }
}

fn parse(notice_id: &str) -> Result<NoticeId, Refusal> {
    NoticeId::parse(notice_id).map_err(|_| unknown())
}

fn unknown() -> Refusal {
    Refusal::not_found(Object::Notice)
}
