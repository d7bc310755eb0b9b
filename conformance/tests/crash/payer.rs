//! A payer at the processor's page.

use std::time::Duration;

use multirail_peers::StandIn;

use crate::client::Client;
use crate::payers::{APPROVES, REJECTS};
use crate::processor::Processor;

/// The longest wait for an answer to a browser.
const PATIENCE: Duration = Duration::from_secs(2);

/// Opens the page that the payment names, approves or rejects there, and returns to the shop. If the browser gets no
/// answer, the payer gives up.
pub async fn decides(client: &Client, redirect_to_url: &str, approve: bool) {
    let button = if approve { APPROVES } else { REJECTS };
    if let Some(page) = opens(client, redirect_to_url).await
        && let Some(back) = presses(client, &page, button).await
    {
        goes_back(client, &back).await;
    }
}

/// Opens an address that sends browsers on to the processor's page. Returns that page, or `None` without an answer.
pub async fn opens(client: &Client, redirect_to_url: &str) -> Option<String> {
    let request = client.http().get(redirect_to_url).timeout(PATIENCE);
    location(&request.send().await.ok()?)
}

/// Presses a button at the processor's page. Returns the address to which the payer returns, or `None` if the
/// decision may be lost.
pub async fn presses(client: &Client, page: &str, button: &str) -> Option<String> {
    match &*client.processor {
        Processor::Simulator(_) => {
            let form = page.replace("/dummy-connector/authorize/", "/dummy-connector/complete/");
            let form = client.http().post(format!("{form}?confirm={button}"));
            location(&form.timeout(PATIENCE).send().await.ok()?)
        }
        Processor::Stripe { stripe, .. } => stripe.decide(page, button == APPROVES),
    }
}

/// Returns to the shop. Without an answer, the payer closes the browser.
pub async fn goes_back(client: &Client, address: &str) {
    let way_back = client.http().get(address);
    let _ = way_back.timeout(PATIENCE).send().await;
}

fn location(answer: &reqwest::Response) -> Option<String> {
    let location = answer.headers().get("location")?;
    Some(location.to_str().ok()?.to_owned())
}
