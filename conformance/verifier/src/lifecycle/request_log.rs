//! The request log has what the merchant's server asked.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::run::{Merchant, Run, Stop};

/// The longest time that a request may take into the log.
const PATIENCE: Duration = Duration::from_secs(5);

/// Reads a logged request. A server may log nothing.
pub(super) async fn read(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let call = merchant.call("request_log_list").query("limit", 1);
    let mut listed = run.works("what was asked", call.clone(), &[]).await?;
    let started = Instant::now();
    while listed[0].is_null() && started.elapsed() < PATIENCE && merchant.wire.ended().is_none() {
        tokio::time::sleep(Duration::from_millis(50)).await;
        let answer = call.clone().send().await;
        listed = answer.map_or(Value::Null, |answer| answer.body);
    }
    let retrieve = |id: &str| merchant.call("request_log_retrieve").at("request_id", id);
    if let Some(id) = listed[0]["request_id"].as_str() {
        let wanted = [("/request_id", json!(id))];
        run.works("with its answer", retrieve(id), &wanted).await?;
    }
    let unknown = retrieve("0199e2c4-51c8-7b1e-9d0a-4f7a6c1b2d3e");
    run.is_refused("a request of nobody", unknown, 404, "HE_02")
        .await;
    Ok(())
}
