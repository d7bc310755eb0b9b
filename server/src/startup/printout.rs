//! Texts that a started server prints: enough to make a payment within a minute.

use std::io::{Write, stdout};

use multirail_database::Migrated;

use super::Running;

/// Prints to standard output. A failure (it may be closed or on a full disk) can't be reported anywhere.
pub(super) fn say(text: &str) {
    let mut out = stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Returns the address for people.
pub(super) fn address(running: &Running) -> String {
    let scheme = if running.is_tls { "https" } else { "http" };
    let socket = format!("{scheme}://{}", running.address);
    let mut text = format!("multirail listens on {socket}\n");
    if running.url != socket {
        text.push_str(&format!("It is reached at     {}\n", running.url));
    }
    if let Some(behind) = running.behind_guard() {
        text.push_str(&format!(
            "On this machine      {scheme}://{behind} leads past the connection guard\n"
        ));
    }
    text
}

/// Returns a text about the migrations.
pub(super) fn migrated(migrated: &Migrated) -> String {
    let Migrated { from, to, applied } = migrated;
    if applied.is_empty() {
        return format!("The database is up to date, at version {to}.\n");
    }
    let mut text = match from {
        0 => format!("The database is new; it is at version {to} now:\n"),
        from => format!("The database was at version {from} and is at version {to} now:\n"),
    };
    for name in applied {
        text.push_str(&format!("  {name}\n"));
    }
    text
}

/// Returns address, the link to the console, keys, and two commands that create and confirm a payment.
pub(super) fn sandbox(running: &Running, console: Option<&str>) -> String {
    let (address, url) = (address(running), &running.url);
    let admin_key = running.keys.admin_api_key.expose();
    let Some(demo) = &running.demo else {
        return address;
    };
    let (merchant_id, payment_id) = (&demo.merchant_id, &demo.next_payment_id);
    let console = console.map(|link| {
        format!("Open the console, signed in; the link is valid once, for a quarter of an hour:\n\n  {link}\n\n")
    });
    let console = console.unwrap_or_default();
    let (key, publishable_key) = (demo.api_key.expose(), &demo.publishable_key);
    format!(
        r#"{address}This is the sandbox: no real money moves, and the keys below are for this machine only.

  admin key   {admin_key}
  merchant    {merchant_id}
  secret key  {key}
  publishable {publishable_key}

{console}Create a payment, then confirm it:

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
