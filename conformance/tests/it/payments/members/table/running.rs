//! Members about the payment's course.

use serde_json::json;

use super::super::fate::Fate::{Changes, Confirms, Judged, Lasts, Sent};
use super::super::fate::{Case, On, no_effect, not_built, note, sent};

pub fn running() -> Vec<Case> {
    vec![
        Case::new("confirm", json!(true), Confirms).on(&[On::Create, On::Update]),
        no_effect("confirm", json!(false)).on(&[On::Confirm]),
        Case::new(
            "capture_method",
            json!("manual"),
            Sent("/captured_at_once", json!(false)),
        ),
        note("capture_on", json!("2026-02-05T10:11:12.345Z")),
        sent(
            "authentication_type",
            json!("three_ds"),
            "/details/authentication/wanted",
        ),
        sent(
            "force_3ds_challenge",
            json!(true),
            "/details/authentication/force_challenge",
        ),
        not_built(
            "request_external_three_ds_authentication",
            json!(true),
            json!(false),
        ),
        sent(
            "psd2_sca_exemption_type",
            json!("transaction_risk_analysis"),
            "/details/authentication/exemption",
        ),
        sent(
            "threeds_method_comp_ind",
            json!("Y"),
            "/details/authentication/device_data_collected",
        ),
        Case::new(
            "return_url",
            json!("https://shop.example/thanks"),
            Changes("/return_url", json!("https://shop.example/thanks")),
        ),
        not_built("is_iframe_redirection_enabled", json!(true), json!(false)),
        Case::new("session_expiry", json!(3600), Lasts(3600)),
        Case::new(
            "client_secret",
            json!("pay_of_members_secret_1"),
            Judged(422, "IR_06"),
        ),
        Case::new("retry_action", json!("manual_retry"), Judged(400, "IR_16")),
        not_built("retry_action", json!("requeue"), json!(null)),
        sent(
            "request_incremental_authorization",
            json!(true),
            "/details/may_be_raised",
        )
        .along_with(json!({ "capture_method": "manual" })),
        sent(
            "request_extended_authorization",
            json!(true),
            "/details/stands_longer",
        )
        .along_with(json!({ "capture_method": "manual" })),
        sent(
            "enable_partial_authorization",
            json!(true),
            "/details/takes_less",
        ),
        sent(
            "enable_overcapture",
            json!(true),
            "/details/may_be_exceeded",
        )
        .along_with(json!({ "capture_method": "manual" })),
        Case::new("payment_type", json!("new_mandate"), Judged(400, "IR_16"))
            .along_with(json!({ "confirm": true }))
            .on(&[On::Create, On::Confirm]),
        no_effect("payment_type", json!("normal")).on(&[On::Update]),
        sent(
            "payment_channel",
            json!("telephone_order"),
            "/details/initiation/channel",
        ),
    ]
}
