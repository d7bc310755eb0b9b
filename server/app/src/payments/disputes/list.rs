//! Lists disputes. (`GET /disputes/list`, `GET /disputes/profile/list`)

use multirail_kernel::ids::MerchantId;

use super::{DisputeView, Disputes};
use crate::AppError;
use crate::payments::ports::disputes::DisputeSearch;
use crate::platform::paging::page_size;

/// A page by offset. `limit` is 0 to 100.
#[derive(Debug, Default)]
pub struct ListDisputes {
    pub search: DisputeSearch,
    pub limit: Option<i64>,
    pub offset: Option<i64>,
}

const LARGEST_PAGE: i64 = 100;

impl Disputes {
    /// Returns a page of disputes that match the filters, last changed first.
    ///
    /// # Errors
    /// A limit out of range.
    pub async fn list(
        &self,
        merchant_id: &MerchantId,
        request: ListDisputes,
    ) -> Result<Vec<DisputeView>, AppError> {
        let mut search = request.search;
        search.limit = page_size(request.limit.or(Some(LARGEST_PAGE)), LARGEST_PAGE)?;
        search.offset = request.offset.unwrap_or(0);
        let found = self.store.search_disputes(merchant_id, &search).await?;
        let views = found.into_iter();
        Ok(views
            .map(|(dispute, payment)| DisputeView::new(dispute, &payment))
            .collect())
    }
}
