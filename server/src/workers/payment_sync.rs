//! Finishes what was begun: asks the processor about every operation that has no final answer, with growing pauses, and
//! never stops asking.

use std::sync::Arc;
use std::time::Duration;

use futures::{StreamExt, stream};
use multirail_domain::ids::{MerchantId, PaymentId};
use tokio::sync::watch;

use super::pause;
use crate::app::{App, AppError, Origin};
use crate::ports::{Actor, metric};

const PAUSE: Duration = Duration::from_millis(500);
const AT_ONCE: i64 = 50;
const SIDE_BY_SIDE: usize = 8;
/// Rounds from one count of the open outcomes to the next.
const COUNT_EVERY: u32 = 20;

pub(super) async fn run(app: Arc<App>, mut stopped: watch::Receiver<bool>) {
    let mut rounds: u32 = 0;
    while pause(PAUSE, &mut stopped).await {
        let result = round(&app, &stopped).await;
        if let Err(error) = &result {
            tracing::warn!(%error, "payment_sync could not read what is due");
        }
        metrics::counter!(metric::SYNC_ROUNDS, "result" => word(&result)).increment(1);
        if rounds.is_multiple_of(COUNT_EVERY)
            && let Ok(open) = app.store.open_outcomes().await
        {
            metrics::gauge!(metric::OPEN_OUTCOMES).set(open as f64);
        }
        rounds = rounds.wrapping_add(1);
    }
}

async fn round(app: &App, stopped: &watch::Receiver<bool>) -> Result<(), AppError> {
    let due = app.store.payments_to_sync(app.now(), AT_ONCE).await?;
    // Side by side: a processor that lets us wait for the deadline holds up nobody else's payments.
    let asked = stream::iter(due).for_each_concurrent(SIDE_BY_SIDE, |(merchant_id, payment_id)| async move {
        if *stopped.borrow() {
            return;
        }
        let result = sync(app, &merchant_id, &payment_id).await;
        metrics::counter!(metric::SYNC_PAYMENTS, "result" => word(&result)).increment(1);
        if let Err(error) = result {
            tracing::warn!(%merchant_id, %payment_id, %error, "payment_sync did not get through");
        }
    });
    asked.await;
    Ok(())
}

async fn sync(app: &App, merchant_id: &MerchantId, payment_id: &PaymentId) -> Result<(), AppError> {
    let origin = Origin::new(Actor::Worker("payment_sync"), None);
    // First the next date, so that a payment that can't be synced doesn't come up again at once.
    app.postpone_sync(&origin, merchant_id, payment_id).await?;
    app.sync_payment(&origin, merchant_id, payment_id).await?;
    Ok(())
}

fn word<T>(result: &Result<T, AppError>) -> &'static str {
    match result {
        Ok(_) => "ok",
        Err(_) => "failed",
    }
}
