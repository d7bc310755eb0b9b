//! The team of a user's merchant account.

use serde_json::json;

use crate::run::{Run, Stop};

/// Lists the team of the account that the token's session acts in.
pub(super) async fn managed(run: &mut Run, token: &str, email: &str) -> Result<(), Stop> {
    let wire = run.wire.clone();
    let asks = |operation: &str| wire.call(operation).token(token);
    let wanted = [
        ("/0/email", json!(email)),
        ("/0/role_id", json!("org_admin")),
        ("/0/status", json!("active")),
    ];
    let call = asks("team_list");
    run.works("the team of the shop", call.clone(), &wanted)
        .await?;
    let call = call.query("limit", 101);
    run.is_refused("a longer page of it", call, 422, "IR_06")
        .await;
    Ok(())
}
