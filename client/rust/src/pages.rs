//! Streams the payments of a merchant page by page.

use chrono::{DateTime, Utc};
use futures::{Stream, TryStreamExt, stream};
use multirail_types::{Payment, PaymentList};

use crate::{Client, Error};

const PAGE_SIZE: i32 = 50;

/// The filter of a list of payments. The default lists all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PaymentQuery {
    /// Only payments of this customer.
    pub customer_id: Option<String>,
    /// Only payments created at exactly this time.
    pub created: Option<DateTime<Utc>>,
    /// Only payments created after this time.
    pub created_gt: Option<DateTime<Utc>>,
    /// Only payments created at this time or after.
    pub created_gte: Option<DateTime<Utc>>,
    /// Only payments created before this time.
    pub created_lt: Option<DateTime<Utc>>,
    /// Only payments created at this time or before.
    pub created_lte: Option<DateTime<Utc>>,
    /// The number of payments of one call, from 1 to 100; 50 when unset. It changes the number of calls, not the number
    /// of payments.
    pub page_size: Option<i32>,
}

impl Client {
    /// Streams the merchant's payments, newest first, over as many calls as needed. Each call is made when its first
    /// payment is requested. Payments created meanwhile don't appear.
    ///
    /// `attempts`, `captures` and `refunds` are null in lists: retrieve a payment to see them.
    ///
    /// ```no_run
    /// use futures::TryStreamExt;
    /// use multirail_client::{Client, Error, PaymentQuery};
    ///
    /// # async fn list(client: Client) -> Result<(), Error> {
    /// let mut payments = std::pin::pin!(client.payments(PaymentQuery::default()));
    /// while let Some(payment) = payments.try_next().await? {
    ///     println!("{} {}", payment.payment_id, payment.status);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The stream ends with the first call that fails. The payments before it are valid.
    pub fn payments(
        &self,
        query: PaymentQuery,
    ) -> impl Stream<Item = Result<Payment, Error>> + Send + use<> {
        let client = self.clone();
        stream::try_unfold(Cursor::Start, move |cursor| {
            let (client, query) = (client.clone(), query.clone());
            async move {
                let after = match cursor {
                    Cursor::Start => None,
                    Cursor::After(payment_id) => Some(payment_id),
                    Cursor::End => return Ok(None),
                };
                let page = client.page(&query, after.as_deref()).await?;
                let next = next_cursor(&page, &query, after)?;
                Ok::<_, Error>(Some((stream::iter(page.data.into_iter().map(Ok)), next)))
            }
        })
        .try_flatten()
    }

    async fn page(&self, query: &PaymentQuery, after: Option<&str>) -> Result<PaymentList, Error> {
        let mut call = self.payments_list().limit(page_size(query));
        if let Some(payment_id) = after {
            call = call.starting_after(payment_id);
        }
        if let Some(customer_id) = &query.customer_id {
            call = call.customer_id(customer_id);
        }
        if let Some(moment) = query.created {
            call = call.created(moment);
        }
        if let Some(moment) = query.created_gt {
            call = call.created_gt(moment);
        }
        if let Some(moment) = query.created_gte {
            call = call.created_gte(moment);
        }
        if let Some(moment) = query.created_lt {
            call = call.created_lt(moment);
        }
        if let Some(moment) = query.created_lte {
            call = call.created_lte(moment);
        }
        Ok(call.send().await?.into_inner())
    }
}

/// The start of the next page.
enum Cursor {
    Start,
    After(String),
    End,
}

fn page_size(query: &PaymentQuery) -> i32 {
    query.page_size.unwrap_or(PAGE_SIZE)
}

/// Returns the start of the next page. A page that isn't full is the last one.
fn next_cursor(
    page: &PaymentList,
    query: &PaymentQuery,
    after: Option<String>,
) -> Result<Cursor, Error> {
    let is_full = i32::try_from(page.data.len()).is_ok_and(|count| count >= page_size(query));
    let Some(last) = page.data.last().filter(|_| is_full) else {
        return Ok(Cursor::End);
    };
    if after.as_ref() == Some(&last.payment_id) {
        // The same page would be requested endlessly.
        let reason = "a page of the list ends where the page before it ended".to_owned();
        return Err(Error::Unreadable {
            status: None,
            reason,
            request_id: None,
        });
    }
    Ok(Cursor::After(last.payment_id.clone()))
}
