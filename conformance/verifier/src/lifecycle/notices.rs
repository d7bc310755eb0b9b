//! Notices of the processor.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::bodies::{PENDING, order_with, with};
use crate::notice::{SECRET, approved, signed, webhook_details};
use crate::patience::PATIENCE;
use crate::run::{Merchant, Run, Stop};

/// A pending payment ends by the processor's notice, which the operator finds in the inbox.
pub(super) async fn received(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let account = &merchant.connector_account_id;
    let details = with(
        json!({ "connector_type": "payment_processor" }),
        webhook_details(),
    );
    let call = merchant
        .call("connector_accounts_update")
        .at("merchant_connector_id", account)
        .json(&details);
    run.works("a secret for notices", call, &[]).await?;
    let call = merchant
        .call("payments_create")
        .json(&with(order_with(PENDING), json!({ "confirm": true })));
    let wanted = [("/status", json!("processing"))];
    let payment = run.works("a pending payment", call, &wanted).await?;
    let call = run.operator("unresolved_operations_list", &merchant.id);
    let open = run.works("it waits", call, &[]).await?;
    let of_it = |one: &&Value| one["payment_id"] == payment["payment_id"];
    let waiting = open.as_array().into_iter().flatten().find(of_it);
    let key = waiting
        .and_then(|one| one["processor_key"].as_str())
        .unwrap_or("-");
    let amount = payment["amount"].as_i64().unwrap_or_default();
    let door = || {
        let call = run.wire.call("notices_receive");
        call.at("merchant_id", &merchant.id)
            .at("connector_account", account)
    };
    let notice = approved(key, amount);
    let (forged, genuine) = (
        signed(door(), "a guess", &notice),
        signed(door(), SECRET, &notice),
    );
    run.is_refused("a forged notice", forged, 401, "WE_01")
        .await;
    run.works("the processor tells of it", genuine, &[]).await?;

    let started = Instant::now();
    let inbox = |run: &Run| {
        let call = run.operator("notices_list", &merchant.id);
        call.query("merchant_id", &merchant.id)
    };
    let settled = loop {
        let answer = merchant.on("payments_retrieve", &payment).send().await;
        let paid = answer.is_ok_and(|answer| answer.body["status"] == "succeeded");
        // The outcome is stored before the notice is marked as applied.
        let filed = inbox(run).send().await;
        let applied = filed.is_ok_and(|answer| answer.body[0]["status"] == "applied");
        let is_over = started.elapsed() > PATIENCE || merchant.wire.ended().is_some();
        if (paid && applied) || is_over {
            break paid;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    let result = settled
        .then_some(())
        .ok_or_else(|| format!("not settled in {PATIENCE:?}"));
    run.file(
        "payments_retrieve".to_owned(),
        "settled by the notice",
        started.elapsed(),
        result,
    )?;

    let wanted = [("/0/status", json!("applied"))];
    let call = inbox(run);
    let filed = run.works("the inbox has it", call, &wanted).await?;
    let id = filed[0]["notice_id"].as_str().unwrap_or("-");
    let of = |run: &Run, operation| run.operator(operation, &merchant.id).at("notice_id", id);
    let call = of(run, "notices_retrieve");
    run.works("it is shown", call, &[]).await?;
    let call = of(run, "notices_replay");
    run.works("it is worked on again", call, &[]).await?;
    Ok(())
}
