//! A payer at the processor's page.

use std::time::Duration;

use multirail_peers::StandIn;

use crate::client::Client;
use crate::processor::Processor;

/// Opens the page that the payment names, and approves or rejects there. If the browser gets no answer, the payer
/// gives up.
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
    match &*client.processor {
        Processor::Simulator(_) => simulated(client, page, approve).await,
        Processor::Stripe { stripe, .. } => {
            let Some(back) = stripe.decide(page, approve) else {
                return;
            };
            let way_back = client.http().get(back);
            let _ = way_back.timeout(Duration::from_secs(5)).send().await;
        }
    }
}

async fn simulated(client: &Client, page: &str, approve: bool) {
    let decision = page.replace("/dummy-connector/authorize/", "/dummy-connector/complete/");
    let decision = client.http().post(format!("{decision}?confirm={approve}"));
    let _ = decision.timeout(Duration::from_secs(5)).send().await;
}
