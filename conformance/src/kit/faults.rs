//! Faults that no bound tells of: each is one change to a call that works, and has a refusal of its own.

use serde_json::{Value, json};

use crate::wire::Call;
use Change::{Body, Query};

/// What is changed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Change {
    /// Members of the body, as JSON; null is as good as absent.
    Body(&'static str),
    /// A parameter of the query.
    Query(&'static str, &'static str),
}

/// Operation, what is wrong with the call, how that comes about, and the status and code that it is refused with.
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
        "of nobody",
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
        "for nobody",
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
];

impl Change {
    /// The call with this change.
    pub fn of(self, call: Call) -> Call {
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

    /// Each is refused as the operation lists it.
    #[test]
    fn every_fault_is_of_an_operation_and_can_be_read() {
        for (id, scenario, change, (status, code)) in FAULTS {
            let mut listed = refusals(operation(id).text()).into_iter();
            let is_listed = listed.any(|one| one.status == *status && one.code == *code);
            assert!(is_listed, "{id} {scenario}");
            if let Body(change) = change {
                serde_json::from_str::<Value>(change).expect(change);
            }
        }
    }
}
