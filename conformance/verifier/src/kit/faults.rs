//! Faults that no bound describes: each is one change to a working call, and has its own refusal.

use serde_json::{Value, json};

use crate::bodies::{APPROVED, card};
use crate::wire::Call;
use Change::{Body, Query};

/// A change to a call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Change {
    /// Members of the body, as JSON; null means absent.
    Body(&'static str),
    /// A query parameter.
    Query(&'static str, &'static str),
}

/// The operation, the fault in words, the change, and the status and code of the refusal.
pub(super) type Fault = (&'static str, &'static str, Change, (u16, &'static str));

pub(super) const FAULTS: &[Fault] = &[
    (
        "organizations_create",
        "by no name",
        Body(r#"{"organization_name": ""}"#),
        (400, "IR_07"),
    ),
    (
        "organizations_update",
        "to no name",
        Body(r#"{"organization_name": ""}"#),
        (400, "IR_07"),
    ),
    (
        "users_remove_role",
        "of no address",
        Body(r#"{"email": "babbage"}"#),
        (400, "UR_07"),
    ),
    (
        "users_remove_role",
        "of an unknown user",
        Body(r#"{"email": "nobody@conformance.example"}"#),
        (404, "HE_02"),
    ),
    (
        "users_reset_sign_in",
        "for no address",
        Body(r#"{"email": "babbage"}"#),
        (400, "UR_07"),
    ),
    (
        "users_reset_sign_in",
        "for an unknown user",
        Body(r#"{"email": "nobody@conformance.example"}"#),
        (404, "HE_02"),
    ),
    (
        "users_reset_password",
        "to a bad one",
        Body(r#"{"password": "engine"}"#),
        (400, "UR_09"),
    ),
    (
        "disputes_attach",
        "to no dispute",
        Query("dispute_id", "unborn"),
        (404, "HE_04"),
    ),
    (
        "disputes_fetch",
        "of a time that ends before it begins",
        Query("fetch_from", "2100-01-01T00:00:00Z"),
        (422, "IR_06"),
    ),
    (
        "events_replay",
        "of any time and profile",
        Body(r#"{"created_after": null, "profile_id": null}"#),
        (400, "IR_04"),
    ),
    (
        "subscriptions_resume",
        "at once, and at a date",
        Body(r#"{"resume_option": "immediately", "resume_date": "2099-01-01T00:00:00Z"}"#),
        (422, "IR_06"),
    ),
    (
        "merchant_accounts_create",
        "of no organization",
        Body(r#"{"merchant_id": "conformance_of_nowhere", "organization_id": "unborn"}"#),
        (404, "IR_37"),
    ),
    (
        "merchant_accounts_create",
        "connected to no platform",
        Body(r#"{"merchant_id": "conformance_of_nobody", "merchant_account_type": "connected"}"#),
        (422, "IR_06"),
    ),
    (
        "subscription_estimate",
        "of another plan",
        Query("plan_id", "unborn"),
        (422, "IR_06"),
    ),
    (
        "subscription_items_list",
        "with a secret beside the key",
        Query("client_secret", "unborn_secret_unborn"),
        (422, "IR_06"),
    ),
    (
        "payments_session_tokens",
        "of no payment",
        Body(r#"{"payment_id": "unborn"}"#),
        (400, "IR_09"),
    ),
    (
        "payments_session_tokens",
        "of a paid payment",
        Body("{}"),
        (400, "IR_16"),
    ),
    (
        "payments_create",
        "by a method that no account takes",
        Body(
            r#"{"payment_method": "crypto", "payment_method_type": "crypto_currency", "payment_method_data": {"crypto": {}}}"#,
        ),
        (400, "IR_19"),
    ),
    (
        "payments_create",
        "split",
        Body(r#"{"split_payments": {"stripe_split_payment": {}}}"#),
        (400, "IR_20"),
    ),
    (
        "routing_evaluate",
        "by a method that no account takes",
        Body(r#"{"payment_method": "crypto", "payment_method_type": "crypto_currency"}"#),
        (400, "IR_19"),
    ),
    (
        "routing_evaluate",
        "by a variety of another family",
        Body(r#"{"payment_method": "card", "payment_method_type": "google_pay"}"#),
        (422, "IR_06"),
    ),
    (
        "refunds_create",
        "split",
        Body(r#"{"amount": 1, "split_refunds": {}}"#),
        (400, "IR_20"),
    ),
    (
        "dynamic_routing_success_based_create",
        "by another engine",
        Body(r#"{"decision_engine_configs": {}}"#),
        (400, "IR_20"),
    ),
    (
        "dynamic_routing_success_based_update",
        "by another engine",
        Body(r#"{"decision_engine_configs": {}}"#),
        (400, "IR_20"),
    ),
    (
        "payment_methods_create",
        "of a method that can't be saved",
        Body(r#"{"payment_method": "crypto", "card": null}"#),
        (400, "IR_19"),
    ),
    (
        "dynamic_routing_success_based_update",
        "with more blocks needed than counted",
        Body(r#"{"config": {"min_aggregates_size": 9, "max_aggregates_size": 3}}"#),
        (422, "IR_06"),
    ),
    (
        "routing_create",
        "by a member that no payment has",
        Body(
            r#"{"algorithm": {"type": "advanced", "data": {"defaultSelection": {"type": "priority", "data": [{"connector": "fauxpay"}]}, "rules": [{"name": "risky", "connectorSelection": {"type": "priority", "data": [{"connector": "fauxpay"}]}, "statements": [{"condition": [{"lhs": "acquirer_fraud_rate", "comparison": "greater_than", "value": {"type": "number", "value": 1}, "metadata": {}}]}]}], "metadata": {}}}}"#,
        ),
        (400, "IR_20"),
    ),
    (
        "connector_accounts_create",
        "at a processor for which nothing is built",
        Body(
            r#"{"connector_name": "wellsfargo", "connector_label": "nothing", "merchant_connector_id": null}"#,
        ),
        (422, "IR_06"),
    ),
    (
        "payment_methods_update",
        "to a card that has expired",
        Body(r#"{"card": {"card_exp_month": "10", "card_exp_year": "2020"}}"#),
        (400, "IR_16"),
    ),
    (
        "payment_methods_create",
        "of a card that is given twice",
        Body(
            r#"{"payment_method_data": {"card": {"card_number": "4111111111111111", "card_exp_month": "10", "card_exp_year": "2035"}}}"#,
        ),
        (422, "IR_06"),
    ),
    (
        "refunds_create",
        "by credentials that aren't there",
        Body(
            r#"{"amount": 1, "merchant_connector_details": {"creds_identifier": "own", "encoded_data": {}}}"#,
        ),
        (422, "IR_06"),
    ),
    (
        "organizations_update",
        "for another platform",
        Body(r#"{"platform_merchant_id": "unborn"}"#),
        (422, "IR_06"),
    ),
    (
        "dynamic_routing_elimination_update",
        "with a bucket of no size",
        Body(r#"{"elimination_analyser_config": {"bucket_size": 0}}"#),
        (422, "IR_06"),
    ),
    (
        "keys_rotate",
        "to a key that no server was given",
        Body(
            r#"{"change": "master_key", "next_master_key": "7d1f0c52a9be4683c2f50e7718d9a64b3ce8f1250b7d96a4e3158c0f92ab67d4"}"#,
        ),
        (422, "IR_06"),
    ),
    (
        "keys_rotate",
        "to the end of a change that wasn't begun",
        Body(r#"{"change": "finish_master_key"}"#),
        (400, "IR_16"),
    ),
    (
        "gsm_create",
        "that says two things at once",
        Body(
            r#"{"decision": "retry", "step_up_possible": false, "feature_data": {"retry": {"decision": "retry", "step_up_possible": true, "clear_pan_possible": false, "alternate_network_possible": false}}}"#,
        ),
        (422, "IR_06"),
    ),
    (
        "gsm_update",
        "that says two things at once",
        Body(
            r#"{"decision": "retry", "step_up_possible": false, "feature_data": {"retry": {"decision": "retry", "step_up_possible": true, "clear_pan_possible": false, "alternate_network_possible": false}}}"#,
        ),
        (422, "IR_06"),
    ),
    (
        "payments_complete_authorize",
        "with a secret beside the key",
        Body(r#"{"client_secret": "unborn_secret_unborn"}"#),
        (422, "IR_06"),
    ),
    (
        "payment_methods_create",
        "of a wallet",
        Body(r#"{"wallet": {}}"#),
        (400, "IR_20"),
    ),
];

/// Returns faults of calls about an order that waits for its confirm: operation, scenario, body, and refusal. `saved`
/// is a card whose payer never consented to charges without them.
pub(super) fn order_faults(
    order: &Value,
    saved: &Value,
) -> Vec<(&'static str, &'static str, Value, (u16, &'static str))> {
    let by_a_card = |month: &str| {
        let mut body = card(APPROVED);
        body["payment_method_data"]["card"]["card_exp_month"] = json!(month);
        body
    };
    let crypto = json!({
        "payment_method": "crypto", "payment_method_type": "crypto_currency",
        "payment_method_data": { "crypto": {} },
    });
    let by_token = json!({
        "payment_method": "card", "payment_token": "token_unborn", "card_cvc": "123",
    });
    let by_saved = json!({ "off_session": true, "recurring_details": {
        "type": "payment_method_id", "data": saved["payment_method_id"],
    } });
    let session = json!({
        "payment_id": order["payment_id"], "client_secret": order["client_secret"], "wallets": [],
        "merchant_connector_details": { "creds_identifier": "own", "encoded_data": {} },
    });
    let confirm = "payments_confirm";
    vec![
        (
            confirm,
            "until a month of no number",
            by_a_card("X"),
            (400, "IR_07"),
        ),
        (
            confirm,
            "by a method that no account takes",
            crypto,
            (400, "IR_19"),
        ),
        (
            confirm,
            "by a token of nothing",
            by_token.clone(),
            (422, "IR_29"),
        ),
        (
            confirm,
            "without the payer's word",
            by_saved,
            (400, "HE_03"),
        ),
        (
            "payments_update",
            "by a token of nothing",
            by_token,
            (422, "IR_29"),
        ),
        (
            "refunds_create",
            "of an unpaid payment",
            json!({ "payment_id": order["payment_id"] }),
            (400, "IR_14"),
        ),
        (
            "payments_update_metadata",
            "before anything was sent",
            json!({ "metadata": { "shelf": "4" } }),
            (400, "IR_16"),
        ),
        (
            "payments_session_tokens",
            "by credentials that aren't there",
            session,
            (422, "IR_06"),
        ),
    ]
}

impl Change {
    /// Applies the change to a call.
    pub fn apply(self, call: Call) -> Call {
        match self {
            Body(text) => {
                let mut body = call.body().unwrap_or_else(|| json!({}));
                let change: Value = serde_json::from_str(text).expect("a change is JSON");
                for (name, value) in change.as_object().into_iter().flatten() {
                    body[name] = value.clone();
                }
                call.json(&body)
            }
            Query(name, value) => call.query_instead(name, value),
        }
    }
}

#[cfg(test)]
mod tests {
    use multirail_codegen::refusals::refusals;

    use super::*;
    use crate::document::operation;

    /// Each operation lists the refusal of its fault.
    #[test]
    fn every_fault_is_of_an_operation_and_can_be_read() {
        let of_orders = order_faults(&json!({}), &json!({}));
        let of_orders = of_orders
            .iter()
            .map(|(id, of, _, refusal)| (*id, *of, *refusal));
        let all = FAULTS
            .iter()
            .map(|(id, of, _, refusal)| (*id, *of, *refusal));
        for (id, scenario, (status, code)) in all.chain(of_orders) {
            let mut listed = refusals(operation(id).text()).into_iter();
            let is_listed = listed.any(|one| one.status == status && one.code == code);
            assert!(is_listed, "{id} {scenario}");
        }
        for (_, _, change, _) in FAULTS {
            if let Body(change) = change {
                serde_json::from_str::<Value>(change).expect(change);
            }
        }
    }
}
