//! The merchant account of a key.

use multirail_client::types::{Currency, PaymentCreateRequest};
use multirail_client::{Client, Error};

use crate::failure::Failure;

/// Returns the merchant account of the client's key. Every payment names it; without one, a payment is created that
/// nobody confirms. So this is for sandboxes.
pub(crate) async fn merchant_id(client: &Client) -> Result<String, Failure> {
    let listed = client.payments_list().limit(1).send().await;
    let listed = listed.map_err(|error| Failure::call("the list of payments", error))?;
    if let Some(payment) = listed.into_inner().data.pop() {
        return Ok(payment.merchant_id);
    }
    let order = PaymentCreateRequest::new(100, Currency::Usd);
    let made = client.payments_create().body(order).send().await;
    let made =
        made.map_err(|error| Failure::call("the creation of a payment", Error::from(error)))?;
    Ok(made.into_inner().merchant_id)
}
