//! Lists a merchant's customers. (`GET /customers/list`)

use multirail_domain::customers::customer::{Customer, searched_email, searched_phone};
use multirail_kernel::ids::{CustomerId, MerchantId};
use multirail_kernel::refusal::Refusal;

use super::super::AppError;
use super::Customers;
use crate::customers::ports::CustomerSearch;
use crate::platform::paging::page_size;

/// The largest page of customers.
const LARGEST_PAGE: i64 = 100;

/// The request, translated. Absent members filter nothing.
#[derive(Debug, Default)]
pub struct ListCustomers {
    pub customer_id: Option<CustomerId>,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub limit: Option<i64>,
    pub offset: Option<i64>,
}

impl Customers {
    /// Returns a page of customers, oldest first, with redacted ones. `limit` is 0 to 100, by default 10.
    ///
    /// # Errors
    ///
    /// A limit out of range, a negative offset, an invalid e-mail address or phone number.
    pub async fn list(
        &self,
        merchant_id: &MerchantId,
        request: ListCustomers,
    ) -> Result<Vec<Customer>, AppError> {
        let limit = page_size(request.limit, LARGEST_PAGE)?;
        let offset = request.offset.unwrap_or(0);
        if offset < 0 {
            return Err(Refusal::invalid_value("offset can't be negative").into());
        }
        let email = request.email.map(|email| {
            let expected = || Refusal::invalid_format("email", "an e-mail address");
            searched_email(&email).ok_or_else(expected)
        });
        let phone = request.phone.map(|phone| {
            let expected = || Refusal::invalid_format("phone", "a phone number with digits");
            searched_phone(&phone).ok_or_else(expected)
        });
        let search = CustomerSearch {
            customer_id: request.customer_id,
            email: email.transpose()?,
            phone: phone.transpose()?,
            limit,
            offset,
        };
        Ok(self.store.search_customers(merchant_id, &search).await?)
    }
}
