//! Visits of payers who were away.

use std::sync::atomic::Ordering;

use futures::future::join_all;

use crate::client::Client;
use crate::payer;
use crate::payers::Away;

/// Lets payers act whose pause is over. They do so while a server is down.
pub async fn meanwhile(client: &Client) {
    let payers = client.payers.come();
    let visits = payers.len() as u64;
    client.payers.visits.fetch_add(visits, Ordering::Relaxed);
    let again = join_all(payers.into_iter().map(|payer| visit(client, payer))).await;
    client.payers.leave(again.into_iter().flatten());
}

/// Lets all payers finish.
pub async fn finish(client: &Client) {
    let payers = client.payers.all().into_iter();
    join_all(payers.map(|payer| async move {
        let mut next = Some(payer);
        while let Some(payer) = next {
            next = visit(client, payer).await;
        }
    }))
    .await;
}

/// Lets a payer press the next button. Returns the payer if they come again.
async fn visit(client: &Client, mut payer: Away) -> Option<Away> {
    let button = payer.buttons.pop_front()?;
    let is_last = payer.buttons.is_empty();
    if let Some(back) = payer::presses(client, &payer.page, button).await {
        if is_last && !payer.is_cancelled {
            client.payers.finishes(&payer.payment_id, button);
        }
        payer::goes_back(client, &back).await;
    }
    (!is_last).then_some(payer)
}
