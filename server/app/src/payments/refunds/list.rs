//! Lists refunds by filter. (`POST /refunds/list`)

use multirail_domain::payments::refund::Refund;
use multirail_kernel::ids::MerchantId;

use super::Refunds;
use crate::AppError;
use crate::payments::ports::refunds::RefundSearch;
use crate::platform::paging::{COUNTED_AT_MOST, counted_by_page, page_size};

/// A page by offset. `limit` is 0 to 100.
#[derive(Debug, Default)]
pub struct ListRefunds {
    pub search: RefundSearch,
    pub limit: Option<i64>,
    pub offset: Option<i64>,
}

const LARGEST_PAGE: i64 = 100;

impl Refunds {
    /// Returns a page of refunds that match the filters, last changed first, and the number of all that match. The
    /// number is at most 10,000.
    ///
    /// # Errors
    /// A limit out of range.
    pub async fn list(
        &self,
        merchant_id: &MerchantId,
        request: ListRefunds,
    ) -> Result<(Vec<Refund>, i64), AppError> {
        let mut search = request.search;
        search.limit = page_size(request.limit, LARGEST_PAGE)?;
        search.offset = request.offset.unwrap_or(0);
        let page = self.store.search_refunds(merchant_id, &search).await?;
        let total = match counted_by_page(search.offset, search.limit, page.len()) {
            Some(total) => total,
            None => {
                let store = &self.store;
                store
                    .count_refunds(merchant_id, &search, COUNTED_AT_MOST)
                    .await?
            }
        };
        Ok((page, total))
    }
}
