//! The views that a user saves.

use serde_json::{Value, json};

use crate::run::{Run, Stop};
use crate::wire::Call;

/// Saves a view of a signed-in user under one name, and deletes it once.
pub(super) async fn kept(run: &mut Run, owner: &Value) -> Result<(), Stop> {
    let token = owner["token"].as_str().unwrap_or("-");
    let saves = |run: &Run, name: &str| {
        let body = json!({ "name": name, "query": "group=failed&currency=EUR" });
        asks(run, token, "saved_views_create").json(&body)
    };
    let call = saves(run, "Failed in euros");
    let wanted = [("/name", json!("Failed in euros"))];
    let view = run.works("a view is saved", call.clone(), &wanted).await?;
    run.is_refused("under one name", call, 400, "IR_16").await;
    let call = saves(run, " ");
    run.is_refused("which is no blank", call, 422, "IR_05")
        .await;
    let call = asks(run, token, "saved_views_list");
    let wanted = [("/0/saved_view_id", view["saved_view_id"].clone())];
    run.works("it is listed", call, &wanted).await?;
    let id = view["saved_view_id"].as_str().unwrap_or("-");
    let call = asks(run, token, "saved_views_delete").at("saved_view_id", id);
    run.works("and deleted", call.clone(), &[]).await?;
    run.is_refused("once", call, 404, "HE_02").await;
    Ok(())
}

fn asks(run: &Run, token: &str, operation: &str) -> Call {
    run.wire.call(operation).token(token)
}
