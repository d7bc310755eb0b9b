//! Lists payments: by cursor and by filter.

use std::borrow::Cow;

use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::timestamp::Timestamp;

use super::super::AppError;
use super::{PaymentView, Payments};
use crate::payments::ports::payment_search::{PaymentSearch, Position};
use crate::platform::paging::{COUNTED_AT_MOST, counted_by_page, page_size};

/// A page by cursor. `limit` is 0 to 100.
#[derive(Debug, Default)]
pub struct ListPayments {
    pub search: PaymentSearch,
    pub limit: Option<i64>,
    pub starting_after: Option<PaymentId>,
    pub ending_before: Option<PaymentId>,
}

/// A page by offset. `limit` is 0 to 50.
#[derive(Debug, Default)]
pub struct FilterPayments {
    pub search: PaymentSearch,
    pub limit: Option<i64>,
    pub offset: Option<i64>,
}

const LARGEST_PAGE_BY_CURSOR: i64 = 100;
const LARGEST_PAGE_BY_FILTER: i64 = 50;

impl Payments {
    /// Returns a page, newest first.
    ///
    /// # Errors
    /// A limit out of range, both cursors at once, a cursor that is no payment of the merchant.
    pub async fn list(
        &self,
        merchant_id: &MerchantId,
        request: ListPayments,
    ) -> Result<Vec<PaymentView<'static>>, AppError> {
        let mut search = request.search;
        search.limit = page_size(request.limit, LARGEST_PAGE_BY_CURSOR)?;
        search.position = match (request.starting_after, request.ending_before) {
            (None, None) => Position::Start,
            (Some(_), Some(_)) => {
                return Err(Refusal::invalid_value(
                    "starting_after and ending_before can't be used together",
                )
                .into());
            }
            (Some(payment_id), None) => Position::After {
                created_at: self.cursor(merchant_id, &payment_id, &search).await?,
                payment_id,
            },
            (None, Some(payment_id)) => Position::Before {
                created_at: self.cursor(merchant_id, &payment_id, &search).await?,
                payment_id,
            },
        };
        self.page(merchant_id, &search).await
    }

    /// Returns a page of payments that match the filters, and the number of all that match. The number is at most
    /// 10,000.
    ///
    /// # Errors
    /// A limit out of range.
    pub async fn filter(
        &self,
        merchant_id: &MerchantId,
        request: FilterPayments,
    ) -> Result<(Vec<PaymentView<'static>>, i64), AppError> {
        let mut search = request.search;
        search.limit = page_size(request.limit, LARGEST_PAGE_BY_FILTER)?;
        let offset = request.offset.unwrap_or(0);
        search.position = Position::Offset(offset);
        let page = self.page(merchant_id, &search).await?;
        let total = match counted_by_page(offset, search.limit, page.len()) {
            Some(total) => total,
            None => {
                let store = &self.store;
                store
                    .count_payments(merchant_id, &search, COUNTED_AT_MOST)
                    .await?
            }
        };
        Ok((page, total))
    }

    /// Returns the payment's position in the list. Payments outside the list's profile are not found.
    async fn cursor(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        search: &PaymentSearch,
    ) -> Result<Timestamp, AppError> {
        let payment = self.load(merchant_id, payment_id).await?;
        match &search.profile_id {
            Some(profile_id) if payment.profile_id.as_str() != profile_id => {
                Err(Refusal::not_found(Object::Payment).into())
            }
            Some(_) | None => Ok(payment.created_at),
        }
    }

    async fn page(
        &self,
        merchant_id: &MerchantId,
        search: &PaymentSearch,
    ) -> Result<Vec<PaymentView<'static>>, AppError> {
        let payments = self.store.search_payments(merchant_id, search).await?;
        Ok(payments
            .into_iter()
            .map(|payment| PaymentView {
                method_status: None,
                ..self.view(Cow::Owned(payment))
            })
            .collect())
    }
}
