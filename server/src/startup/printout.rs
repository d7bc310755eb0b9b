//! What a started server prints: enough to make a payment within a minute.

use std::io::{Write, stdout};

use super::Running;

/// Prints to standard output, which may have gone or lie on a full disk: nobody could be told of that.
pub(super) fn say(text: &str) {
    let mut out = stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Where it listens, for logs and people.
pub(super) fn address(running: &Running) -> String {
    format!("multirail listens on {}\n", running.url)
}

/// Address, keys and two commands that create and confirm a payment.
pub(super) fn sandbox(running: &Running) -> String {
    let (address, url) = (address(running), &running.url);
    let admin_key = running.keys.admin_api_key.expose();
    let Some(demo) = &running.demo else {
        return address;
    };
    let (merchant_id, payment_id) = (&demo.merchant_id, &demo.next_payment_id);
    let (key, publishable_key) = (demo.api_key.expose(), &demo.publishable_key);
    format!(
        r#"{address}This is the sandbox: no real money moves, and the keys below are for this machine only.

  admin key   {admin_key}
  merchant    {merchant_id}
  secret key  {key}
  publishable {publishable_key}

Create a payment, then confirm it:

  curl -s {url}/payments \
    -H 'api-key: {key}' \
    -H 'content-type: application/json' \
    -d '{{"payment_id": "{payment_id}", "amount": 6540, "currency": "USD"}}'

  curl -s {url}/payments/{payment_id}/confirm \
    -H 'api-key: {key}' \
    -H 'content-type: application/json' \
    -d '{{"payment_method": "card", "payment_method_type": "credit", "payment_method_data": {{"card": {{"card_number": "4111111111111111", "card_exp_month": "10", "card_exp_year": "35", "card_holder_name": "John Doe", "card_cvc": "123"}}}}}}'

"#
    )
}
