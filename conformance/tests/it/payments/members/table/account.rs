//! Members about the processor account and the payer's page.

use serde_json::json;

use super::super::fate::Fate::{Changes, Judged, Links, Sent};
use super::super::fate::{Case, not_built, note};

pub fn account() -> Vec<Case> {
    let other = json!({ "type": "single", "data": { "connector": "stripe_test" } });
    vec![
        Case::new(
            "routing",
            other,
            Changes("/connector", json!("stripe_test")),
        ),
        Case::new(
            "connector",
            json!(["stripe_test"]),
            Changes("/connector", json!("stripe_test")),
        ),
        Case::new(
            "merchant_connector_details",
            json!({ "creds_identifier": "mine" }),
            Judged(422, "IR_06"),
        ),
        // Only the part for this processor is sent.
        Case::new(
            "connector_metadata",
            json!({ "fauxpay": { "shop": "B" }, "noon": { "order_category": "pay" } }),
            Sent("/details/connector_metadata", json!({ "shop": "B" })),
        ),
        note("feature_metadata", json!({ "search_tags": ["a"] })),
        note("frm_metadata", json!({ "basket": 2 })),
        not_built(
            "split_payments",
            json!({ "stripe_split_payment": { "application_fees": 10 } }),
            json!({}),
        ),
        not_built("three_ds_data", json!({ "eci": "05" }), json!(null)),
        not_built("external_surcharge_strategy", json!("theirs"), json!(null)),
        not_built(
            "partner_merchant_identifier_details",
            json!({ "name": "Builder" }),
            json!({}),
        ),
        not_built("profile_acquirer_id", json!("acq_1"), json!("")),
        not_built("all_keys_required", json!(true), json!(false)),
    ]
}

pub fn hosted_page() -> Vec<Case> {
    vec![
        Case::new("payment_link", json!(true), Links("Thank you")),
        Case::new(
            "payment_link_config",
            json!({ "seller_name": "The outlet" }),
            Links("The outlet"),
        )
        .along_with(json!({ "payment_link": true })),
        not_built(
            "payment_link_config",
            json!({ "seller_name": "The outlet" }),
            json!({}),
        ),
        not_built("payment_link_config_id", json!("dark"), json!("")),
    ]
}
