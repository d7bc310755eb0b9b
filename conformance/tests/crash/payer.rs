//! A payer at the processor's page.

use std::time::Duration;

use crate::client::Client;

/// Goes to the page that the payment names, and approves or rejects there. A payer whose browser gets no answer on the
/// way gives up, as payers do.
pub async fn decides(client: &Client, redirect_to_url: &str, approve: bool) {
    let Ok(sent_on) = client.http().get(redirect_to_url).send().await else {
        return;
    };
    let Some(page) = sent_on
        .headers()
        .get("location")
        .and_then(|at| at.to_str().ok())
    else {
        return;
    };
    let decision = page.replace("/dummy-connector/authorize/", "/dummy-connector/complete/");
    let decision = client.http().post(format!("{decision}?confirm={approve}"));
    let _ = decision.timeout(Duration::from_secs(5)).send().await;
}
