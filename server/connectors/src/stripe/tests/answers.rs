use multirail_sdk::connector::{Finding, OperationKind, Outcome};
use serde_json::{Value, json};

use super::super::generated::wire::{PaymentIntent, Refund};
use super::super::map::{self, NotCancelled};
use super::super::notes::OUR_KEY;
use super::super::pages::{Looked, Page, look_for};
use super::super::refunds;
use super::{KEY, key, payment};
use crate::client::{Answer, TransportError};
use crate::fixture::{changed, in_short};
use crate::outcome::thing;
use crate::wire::WireAnswer;

fn answer(status: u16, body: &Value) -> WireAnswer {
    WireAnswer {
        status,
        headers: http::HeaderMap::new(),
        body: body.to_string().into_bytes(),
    }
}

fn short(outcome: Option<Outcome>) -> String {
    outcome.map_or("unreadable".to_owned(), |outcome| in_short(&outcome))
}

fn authorized(status: u16, body: &Value) -> String {
    let answer = answer(status, body);
    short(map::operation(
        OperationKind::Authorize,
        &answer,
        |intent| map::payment(&key(KEY), intent),
    ))
}

/// An answer that asks for a repetition leaves the outcome unknown, whatever else it contains.
#[test]
fn an_answer_that_asks_for_a_repeat_leaves_the_outcome_open() {
    let refused =
        |kind: &str| json!({"error": {"type": kind, "code": "lock_timeout", "message": "later"}});
    let retried = |status, header: &'static str| {
        let mut answer = answer(status, &refused("invalid_request_error"));
        let header = http::HeaderValue::from_static(header);
        answer.headers.insert("stripe-should-retry", header);
        let read = |intent| map::payment(&key(KEY), intent);
        short(map::operation(OperationKind::Refund, &answer, read))
    };
    let mut rows = Vec::new();
    for status in [409, 424] {
        for kind in ["invalid_request_error", "card_error"] {
            rows.push(format!(
                "{status} {kind} -> {}",
                authorized(status, &refused(kind))
            ));
        }
    }
    for header in ["true", "false"] {
        rows.push(format!(
            "400 should retry: {header} -> {}",
            retried(400, header)
        ));
    }
    insta::assert_snapshot!(rows.join("\n"), @"
    409 invalid_request_error -> unknown: processor_error
    409 card_error -> unknown: processor_error
    424 invalid_request_error -> unknown: processor_error
    424 card_error -> unknown: processor_error
    400 should retry: true -> unknown: processor_error
    400 should retry: false -> declined lock_timeout | later | - | integration_issue
    ");
}

#[test]
fn payment_states() {
    let charge = json!({
        "id": "ch_1",
        "payment_method_details": {"card": {
            "network_transaction_id": "nti_1",
            "checks": {"address_line1_check": "pass", "address_postal_code_check": null, "cvc_check": "fail"}
        }}
    });
    let url = "https://hooks.stripe.com/redirect/1";
    let error = json!({
        "type": "card_error",
        "code": "payment_intent_authentication_failure",
        "message": "The payer could not be authenticated."
    });
    let rows = [
        json!({}),
        json!({"latest_charge": charge}),
        json!({"latest_charge": null}),
        json!({"status": "requires_capture", "capture_method": "manual", "amount_received": 0}),
        json!({"status": "requires_capture", "capture_method": "manual", "amount_received": 0,
            "latest_charge": {"payment_method_details": {"card": {"capture_before": 1_700_000_000,
                "extended_authorization": {"status": "enabled"},
                "overcapture": {"status": "available", "maximum_amount_capturable": 7521}}}}}),
        json!({"status": "requires_capture", "capture_method": "manual", "amount_received": 0,
            "latest_charge": {"payment_method_details": {"card": {"incremental_authorization": {"status": "unavailable"}}}}}),
        json!({"status": "requires_capture", "capture_method": "manual", "amount_received": 0, "amount": 9000,
            "metadata": {"multirail_key": KEY, "mrk_i1": "raised to 9000"}}),
        json!({"status": "succeeded", "capture_method": "manual", "amount_received": 1200}),
        json!({"currency": "ugx", "amount_received": 6500}),
        json!({"currency": "ugx", "amount_received": 6540}),
        json!({"currency": "xyz"}),
        json!({"status": "requires_action",
            "next_action": {"type": "redirect_to_url", "redirect_to_url": {"url": url}}}),
        json!({"status": "requires_action", "next_action": {"type": "use_stripe_sdk"}}),
        json!({"status": "processing"}),
        json!({"status": "requires_payment_method", "last_payment_error": error}),
        json!({"status": "requires_payment_method"}),
        json!({"status": "requires_confirmation"}),
        json!({"status": "canceled", "cancellation_reason": "expired"}),
        json!({"status": "canceled", "cancellation_reason": "requested_by_customer"}),
        json!({"status": "astonished"}),
        json!({"metadata": {"multirail_key": "mrk_2"}}),
        json!({"metadata": {}}),
    ];
    let rows: Vec<String> = rows
        .into_iter()
        .map(|changes| {
            format!(
                "{changes} -> {}",
                authorized(200, &payment(changes.clone()))
            )
        })
        .collect();
    insta::assert_snapshot!(rows.join("\n"));
}

#[test]
fn a_check_returns_the_stored_card() {
    let told = |changes: Value| {
        let check = json!({
            "id": "seti_1", "object": "setup_intent", "status": "succeeded", "metadata": {"multirail_key": KEY},
            "next_action": null, "last_setup_error": null, "cancellation_reason": null,
        });
        let check = serde_json::from_value(changed(check, changes)).expect("a check");
        match map::check(&key(KEY), check) {
            Some(Outcome::Done(approval)) => approval
                .mandate
                .map(|mandate| (mandate.connector_mandate_id, mandate.connector_customer_id)),
            other => panic!("{other:?}"),
        }
    };
    let kept = json!({"usage": "off_session", "customer": "cus_1", "payment_method": "pm_1"});
    let expected = Some(("pm_1".to_owned(), Some("cus_1".to_owned())));
    assert_eq!(told(kept), expected);
    let on_session = json!({"usage": "on_session", "customer": "cus_1", "payment_method": "pm_1"});
    assert_eq!(told(on_session), None);
    let nobodys = json!({"usage": "off_session", "customer": null, "payment_method": "pm_1"});
    assert_eq!(told(nobodys), None);
}

/// Uncaptured money that Stripe releases with a capture can't be captured any more.
#[test]
fn a_capture_tells_whether_it_leaves_anything() {
    let left = |changes: Value| {
        let metadata = json!({"multirail_key": KEY, "mrk_c1": "captured 1200"});
        let whole = changed(
            payment(
                json!({"metadata": metadata, "capture_method": "manual", "amount_received": 1200}),
            ),
            changes,
        );
        let intent: PaymentIntent = serde_json::from_value(whole).expect("a payment");
        match map::capture(&key("mrk_c1"), &intent) {
            Some(Outcome::Done(approval)) => !approval.leaves_nothing,
            other => panic!("{other:?}"),
        }
    };
    assert!(left(
        json!({"status": "requires_capture", "amount_capturable": 5340})
    ));
    assert!(!left(
        json!({"status": "requires_capture", "amount_capturable": 0})
    ));
    assert!(!left(
        json!({"status": "succeeded", "amount_capturable": 0})
    ));
    assert!(!left(json!({"status": "canceled", "amount_capturable": 0})));
}

#[test]
fn issuer_checks_become_letters() {
    let rows = [
        (Some("pass"), Some("pass"), Some("pass")),
        (Some("pass"), Some("fail"), Some("fail")),
        (Some("fail"), Some("pass"), Some("unavailable")),
        (Some("fail"), Some("fail"), Some("unchecked")),
        (None, Some("pass"), None),
        (Some("unavailable"), Some("unchecked"), None),
        (None, None, None),
    ];
    let rows = rows.map(|(street, postal_code, code)| {
        let checks = json!({"address_line1_check": street, "address_postal_code_check": postal_code, "cvc_check": code});
        let charge = json!({"id": "ch_1", "payment_method_details": {"card": {"checks": checks}}});
        let told = authorized(200, &payment(json!({"latest_charge": charge})));
        format!("{street:?} {postal_code:?} {code:?} -> {told}")
    });
    insta::assert_snapshot!(rows.join("\n"), @r#"
        Some("pass") Some("pass") Some("pass") -> done pi_1 6540 USD - | address Y code M
        Some("pass") Some("fail") Some("fail") -> done pi_1 6540 USD - | address A code N
        Some("fail") Some("pass") Some("unavailable") -> done pi_1 6540 USD - | address Z code U
        Some("fail") Some("fail") Some("unchecked") -> done pi_1 6540 USD - | address N code P
        None Some("pass") None -> done pi_1 6540 USD - | address Z code -
        Some("unavailable") Some("unchecked") None -> done pi_1 6540 USD - | address U code -
        None None None -> done pi_1 6540 USD -
        "#);
}

#[test]
fn refused_requests() {
    let refused = |status: u16, error: Value| {
        let body = json!({ "error": error });
        format!("{status} {error} -> {}", authorized(status, &body))
    };
    let rows = [
        refused(
            402,
            json!({
                "type": "card_error", "code": "card_declined", "decline_code": "insufficient_funds",
                "message": "Your card has insufficient funds.", "advice_code": "try_again_later",
                "network_advice_code": "02", "network_decline_code": "51", "charge": "ch_1",
                "payment_intent": payment(json!({"status": "requires_payment_method"}))
            }),
        ),
        refused(
            402,
            json!({"type": "card_error", "code": "expired_card", "message": "Your card has expired.", "param": "exp_month"}),
        ),
        refused(
            402,
            json!({"type": "card_error", "code": "card_declined", "decline_code": "do_not_honor", "advice_code": "do_not_try_again"}),
        ),
        refused(
            400,
            json!({"type": "invalid_request_error", "code": "amount_too_small", "param": "amount", "message": "Amount must be at least $0.50 usd"}),
        ),
        refused(
            400,
            json!({"type": "invalid_request_error", "message": "This account cannot do that"}),
        ),
        refused(
            409,
            json!({"type": "invalid_request_error", "code": "idempotency_key_in_use", "message": "in use"}),
        ),
        refused(
            400,
            json!({"type": "idempotency_error", "message": "other parameters"}),
        ),
        refused(400, json!({"type": "api_error", "message": "trouble"})),
        refused(400, json!({"type": "astonishment"})),
    ];
    insta::assert_snapshot!(rows.join("\n"));
    assert_eq!(authorized(400, &json!({"oops": true})), "unreadable");
    assert_eq!(authorized(200, &json!({"id": "pi_1"})), "unreadable");
}

#[test]
fn a_refused_capture_says_whether_the_authorization_is_over() {
    let refused = |code: &str, status: &str| {
        let intent = payment(json!({ "status": status }));
        let body = json!({"error": {"type": "invalid_request_error", "code": code,
            "message": "no", "payment_intent": intent}});
        let of = |kind| {
            let read = |_: PaymentIntent| panic!("it was refused");
            match map::operation(kind, &answer(400, &body), read) {
                Some(Outcome::Declined(decline)) => decline.authorization_gone,
                other => panic!("{other:?}"),
            }
        };
        assert!(!of(OperationKind::Void), "only of captures");
        of(OperationKind::Capture)
    };
    assert!(refused("charge_expired_for_capture", "requires_capture"));
    assert!(refused("payment_intent_unexpected_state", "canceled"));
    assert!(!refused("payment_intent_unexpected_state", "succeeded"));
    assert!(!refused("amount_too_large", "requires_capture"));
}

#[test]
fn a_capture_took_what_the_others_of_its_payment_did_not() {
    let captured = |changes: Value| {
        let changes = changed(json!({"capture_method": "manual"}), changes);
        let intent: PaymentIntent = serde_json::from_value(payment(changes)).expect("a payment");
        match map::capture_in(&key("mrk_c2"), &intent) {
            Some(Finding::Outcome(outcome)) => in_short(&outcome),
            Some(Finding::Absent { reason }) => format!("absent: {reason}"),
            None => "unreadable".to_owned(),
        }
    };
    let notes = json!({"multirail_key": KEY, "mrk_c1": "captured 1000", "mrk_c2": "captured 540"});
    let rows = [
        json!({"metadata": notes, "amount_received": 1540, "status": "requires_capture"}),
        json!({"metadata": notes, "amount_received": 1540, "status": "succeeded"}),
        json!({"metadata": notes, "amount_received": 1540, "status": "canceled"}),
        json!({"metadata": notes, "amount_received": 1500, "status": "succeeded"}),
        json!({"metadata": notes, "amount_received": 1000, "status": "requires_capture"}),
        json!({"metadata": {"mrk_c1": "captured 1000"}, "amount_received": 1000}),
        json!({"metadata": {"mrk_c2": "captured what"}, "amount_received": 1000}),
        // The merchant's order reference isn't read as a capture.
        json!({"metadata": {"order_reference": "captured 1000", "mrk_c2": "captured 540"}, "amount_received": 540}),
        json!({"metadata": {"mrk_i1": "raised to 9000", "mrk_c2": "captured 9000"}, "amount_received": 9000}),
        json!({"metadata": {"mrk_c2": "raised to 9000"}, "amount_received": 9000}),
    ];
    let rows: Vec<String> = rows
        .into_iter()
        .map(|changes| format!("{changes} -> {}", captured(changes.clone())))
        .collect();
    insta::assert_snapshot!(rows.join("\n"));
}

#[test]
fn a_raise_is_proved_by_what_its_payment_says() {
    let raised = |changes: Value| {
        let manual =
            json!({"capture_method": "manual", "amount_received": 0, "status": "requires_capture"});
        let changes = changed(manual, changes);
        let intent: PaymentIntent = serde_json::from_value(payment(changes)).expect("a payment");
        match map::raise_in(&key("mrk_i1"), &intent) {
            Some(Finding::Outcome(outcome)) => in_short(&outcome),
            Some(Finding::Absent { reason }) => format!("absent: {reason}"),
            None => "unreadable".to_owned(),
        }
    };
    let notes = json!({"multirail_key": KEY, "mrk_i1": "raised to 9000"});
    let twice = json!({"mrk_i1": "raised to 9000", "mrk_i2": "raised to 9500"});
    let rows = [
        json!({"metadata": notes, "amount": 9000}),
        json!({"metadata": twice, "amount": 9500}),
        json!({"metadata": notes, "amount": 9000, "status": "succeeded", "amount_received": 2000}),
        json!({"metadata": notes, "amount": 9000, "status": "canceled"}),
        json!({"metadata": notes, "amount": 6540}),
        json!({"metadata": {"mrk_i1": "captured 9000"}, "amount": 9000}),
        json!({"metadata": {}, "amount": 9000}),
    ];
    let rows = rows.map(|changes| format!("{changes} -> {}", raised(changes.clone())));
    insta::assert_snapshot!(rows.join("\n"), @r#"
    {"metadata":{"multirail_key":"mrk_1","mrk_i1":"raised to 9000"},"amount":9000} -> done pi_1 9000 USD -
    {"metadata":{"mrk_i1":"raised to 9000","mrk_i2":"raised to 9500"},"amount":9500} -> done pi_1 9000 USD -
    {"metadata":{"multirail_key":"mrk_1","mrk_i1":"raised to 9000"},"amount":9000,"status":"succeeded","amount_received":2000} -> done pi_1 9000 USD -
    {"metadata":{"multirail_key":"mrk_1","mrk_i1":"raised to 9000"},"amount":9000,"status":"canceled"} -> done pi_1 9000 USD -
    {"metadata":{"multirail_key":"mrk_1","mrk_i1":"raised to 9000"},"amount":6540} -> unreadable
    {"metadata":{"mrk_i1":"captured 9000"},"amount":9000} -> unreadable
    {"metadata":{},"amount":9000} -> absent: the metadata of pi_1 doesn't have this raise
    "#);
}

#[test]
fn a_cancellation_that_is_refused_says_how_the_payment_stands() {
    let refused = |status: u16, intent: Value| {
        let error =
            json!({"type": "invalid_request_error", "code": "payment_intent_unexpected_state"});
        map::not_cancelled(&answer(status, &json!({"error": changed(error, intent)})))
    };
    let intent = |status: &str| json!({"payment_intent": {"id": "pi_1", "status": status}});
    let check = json!({"setup_intent": {"id": "seti_1", "status": "succeeded"}});
    assert_eq!(
        refused(400, intent("canceled")),
        Some(NotCancelled::CancelledBefore)
    );
    assert_eq!(
        refused(400, intent("succeeded")),
        Some(NotCancelled::Succeeded)
    );
    assert_eq!(refused(400, check), Some(NotCancelled::Succeeded));
    assert_eq!(
        refused(400, intent("processing")),
        Some(NotCancelled::Otherwise)
    );
    assert_eq!(refused(404, json!({})), Some(NotCancelled::Otherwise));
    assert_eq!(refused(401, json!({})), None);
    assert_eq!(refused(429, intent("succeeded")), None);
    assert_eq!(refused(500, intent("succeeded")), None);
    assert_eq!(refused(200, intent("succeeded")), None);
}

#[test]
fn refund_states() {
    let refund = |changes: Value| {
        let whole = json!({"id": "re_1", "object": "refund", "amount": 1200, "currency": "usd",
            "status": "succeeded", "payment_intent": "pi_1", "metadata": {"multirail_key": "mrk_r1"}});
        let refund: Refund = serde_json::from_value(changed(whole, changes)).expect("a refund");
        short(refunds::named(OUR_KEY, &key("mrk_r1"), refund))
    };
    let rows = [
        json!({}),
        json!({"status": "pending"}),
        json!({"status": "requires_action"}),
        json!({"status": "failed", "failure_reason": "expired_or_canceled_card"}),
        json!({"status": "canceled"}),
        json!({"status": "astonished"}),
        json!({"status": null}),
        json!({"metadata": null}),
        json!({"metadata": {"multirail_void": "mrk_r1"}}),
    ];
    let rows: Vec<String> = rows
        .into_iter()
        .map(|changes| format!("{changes} -> {}", refund(changes.clone())))
        .collect();
    insta::assert_snapshot!(rows.join("\n"));
}

#[test]
fn a_list_is_searched_page_by_page() {
    let refund = |id: &str, key: &str| json!({"id": id, "amount": 1, "currency": "usd", "metadata": {"multirail_key": key}});
    let page = |has_more: bool| {
        let data = [refund("re_1", "mrk_a"), refund("re_2", "mrk_b")];
        let page = json!({"data": data, "has_more": has_more});
        serde_json::from_value::<Page<Refund>>(page).expect("a page")
    };
    let looked = |key: &str, has_more: bool| match look_for((OUR_KEY, key), page(has_more)) {
        Looked::Found(refund) => refund.id,
        Looked::Further(last) => format!("behind {last}"),
        Looked::Nowhere => "nowhere".to_owned(),
    };
    assert_eq!(looked("mrk_b", true), "re_2");
    assert_eq!(looked("mrk_c", true), "behind re_2");
    assert_eq!(looked("mrk_c", false), "nowhere");
}

#[test]
fn a_question_without_an_answer_says_nothing() {
    let missing = json!({"error": {"type": "invalid_request_error", "code": "resource_missing", "message": "no"}});
    let asked = |answer: Answer| match thing::<Refund>(answer) {
        Err(Finding::Outcome(outcome)) => in_short(&outcome),
        other => panic!("{other:?}"),
    };
    // Stripe answers another account's key in the same way.
    assert_eq!(
        asked(Ok(answer(404, &missing))),
        "unknown: unreadable_answer"
    );
    assert_eq!(
        asked(Ok(answer(200, &json!({})))),
        "unknown: unreadable_answer"
    );
    assert_eq!(asked(Ok(answer(429, &missing))), "unknown: processor_error");
    assert_eq!(asked(Err(TransportError::TimedOut)), "unknown: timeout");
}
