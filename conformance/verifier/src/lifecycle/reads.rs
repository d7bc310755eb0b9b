//! Reads of an account in its present state.

use reqwest::Method;

use crate::document::{Operation, operations};
use crate::run::{Merchant, Run, Stop};
use crate::wire::Call;

/// Calls every operation that only reads, hasn't worked in another story, and needs only the account's ids.
pub(super) async fn as_it_is(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    for operation in operations() {
        let is_known = run.worked.contains_key(operation.id.as_str());
        let Some(call) = reads(merchant, operation).filter(|_| !is_known) else {
            continue;
        };
        // Each call stands alone: one failure doesn't skip the next.
        let _ = run.works("reads as it is", call, &[]).await;
    }
    Ok(())
}

fn reads(merchant: &Merchant, operation: &Operation) -> Option<Call> {
    let is_plain = operation.method == Method::GET && !operation.mutates();
    let is_open = operation.security.is_empty() || operation.takes("api_key");
    let wants_more = operation
        .parameters()
        .iter()
        .any(|(_, one)| one["required"] == true);
    let own = ["account_id", "merchant_id", "profile_id"];
    let ids = operation.path_parameters();
    // Billing first needs a billing account.
    let is_billing = operation.id.starts_with("subscription");
    let fits =
        is_plain && is_open && !wants_more && !is_billing && ids.iter().all(|id| own.contains(id));
    fits.then(|| {
        let call = merchant.call(&operation.id);
        call.at("profile_id", &merchant.profile_id)
    })
}
