//! Lists mandates. (`GET /mandates/list`, `GET /customers/{customer_id}/mandates`)

use multirail_domain::customers::mandate::MandateView;
use multirail_kernel::ids::{CustomerId, MerchantId};
use multirail_kernel::refusal::Refusal;

use super::Mandates;
use crate::AppError;
use crate::customers::ports::MandateSearch;
use crate::platform::paging::page_size;

/// The largest page of mandates.
const LARGEST_PAGE: i64 = 100;

/// The request, translated. `limit` and `offset` below overrule those of `search`.
#[derive(Debug, Default)]
pub struct ListMandates {
    pub search: MandateSearch,
    pub limit: Option<i64>,
    pub offset: Option<i64>,
}

impl Mandates {
    /// Returns a page of mandates, newest first. `limit` is 0 to 100, by default 10.
    ///
    /// # Errors
    /// A limit out of range, a negative offset.
    pub async fn list(
        &self,
        merchant_id: &MerchantId,
        request: ListMandates,
    ) -> Result<Vec<MandateView>, AppError> {
        let limit = page_size(request.limit, LARGEST_PAGE)?;
        let offset = request.offset.unwrap_or(0);
        if offset < 0 {
            return Err(Refusal::invalid_value("offset can't be negative").into());
        }
        let search = MandateSearch {
            limit,
            offset,
            ..request.search
        };
        Ok(self.search(merchant_id, &search).await?)
    }

    /// Returns a page of one customer's mandates. The default limit is 100.
    ///
    /// # Errors
    /// As [`Mandates::list`], and an unknown customer, or one that is redacted.
    pub async fn list_of_customer(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
        mut request: ListMandates,
    ) -> Result<Vec<MandateView>, AppError> {
        request.search.customer_id = Some(customer_id.clone());
        request.limit = request.limit.or(Some(LARGEST_PAGE));
        page_size(request.limit, LARGEST_PAGE)?;
        self.customers.check(merchant_id, customer_id).await?;
        self.list(merchant_id, request).await
    }
}
