//! The members with their effects, in the order of the document.

mod account;
mod order;
mod payer;
mod running;

use serde_json::json;

use super::fate::Fate::Judged;
use super::fate::{Case, no_effect, not_built, sent};

/// The cases of create, update and confirm.
pub fn cases() -> Vec<Case> {
    [
        order::money(),
        order::identity(),
        running::running(),
        payer::payer(),
        payer::instrument(),
        payer::future_use(),
        account::account(),
        account::hosted_page(),
    ]
    .concat()
}

pub fn cases_of_capture() -> Vec<Case> {
    vec![
        sent("amount_to_capture", json!(4000), "/amount"),
        sent(
            "statement_descriptor_name",
            json!("BOOKS"),
            "/descriptor/text",
        ),
        sent(
            "statement_descriptor_suffix",
            json!("B17"),
            "/descriptor/suffix",
        ),
        sent(
            "statement_descriptor_prefix",
            json!("BOOKS*"),
            "/descriptor/prefix",
        ),
        Case::new(
            "merchant_connector_details",
            json!({ "creds_identifier": "mine" }),
            Judged(422, "IR_06"),
        ),
        no_effect("merchant_id", json!("bookshop")),
        Case::new("merchant_id", json!("florist"), Judged(404, "HE_02")),
        not_built("refund_uncaptured_amount", json!(true), json!(false)),
        not_built("all_keys_required", json!(true), json!(false)),
    ]
}

pub fn cases_of_cancel() -> Vec<Case> {
    vec![
        sent("cancellation_reason", json!("out_of_stock"), "/reason"),
        Case::new(
            "merchant_connector_details",
            json!({ "creds_identifier": "mine" }),
            Judged(422, "IR_06"),
        ),
        not_built("all_keys_required", json!(true), json!(false)),
    ]
}
