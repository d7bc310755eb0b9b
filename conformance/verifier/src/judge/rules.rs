//! Rules that payments and refunds obey in every state, beyond their schema.

use serde_json::Value;

use crate::masks::brief;
use crate::place::Reason;

/// Checks the rules of a payment.
pub(super) fn payment(payment: &Value, wrong: &mut Vec<Reason>) {
    let mut rule = |holds: bool, what: &str| obeys("payment", payment, holds, what, wrong);
    let amount = |name: &str| payment[name].as_i64().unwrap_or(0);
    let status = payment["status"].as_str().unwrap_or_default();
    let (net, capturable, received) = (
        amount("net_amount"),
        amount("amount_capturable"),
        amount("amount_received"),
    );
    let of_surcharge = |name: &str| payment["surcharge_details"][name].as_i64().unwrap_or(0);
    rule(
        net == amount("amount")
            + amount("shipping_cost")
            + amount("order_tax_amount")
            + of_surcharge("surcharge_amount")
            + of_surcharge("tax_amount"),
        "net_amount is the sum of its parts",
    );
    rule(capturable >= 0 && received >= 0, "no amount is negative");
    let may_take_more = payment["is_overcapture_enabled"] == true;
    rule(
        capturable + received <= net || (may_take_more && (capturable == 0 || received == 0)),
        "what is captured and what can be captured is never more than the total, unless one capture may take more",
    );
    let can_be_captured = match status {
        "requires_payment_method" | "requires_confirmation" => capturable == net,
        "requires_capture" => capturable == net || (may_take_more && capturable > net),
        "partially_captured_and_capturable" => received > 0,
        "succeeded" if payment["enable_partial_authorization"] == true => {
            capturable == 0 && (received <= net || may_take_more)
        }
        "succeeded" => capturable == 0 && (received == net || (may_take_more && received > net)),
        "partially_captured" => capturable == 0 && received > 0,
        "failed" | "cancelled" | "requires_customer_action" => capturable == 0,
        _ => true,
    };
    rule(can_be_captured, "amounts and status fit together");
    let is_transfer = payment["next_action"]["type"] == "display_bank_transfer_information";
    let has_rest_to_pay = status == "processing" && is_transfer;
    rule(
        payment["next_action"].is_null()
            == (status != "requires_customer_action" && !has_rest_to_pay),
        "there is a next_action exactly while the payer has to act",
    );
    rule(
        payment["error_code"].is_null() == payment["error_message"].is_null(),
        "an error has a code and a message",
    );
    rule(
        status != "succeeded" || payment["error_code"].is_null(),
        "what succeeded has no error",
    );
    rule(
        payment["modified_at"] == payment["updated"],
        "modified_at and updated are the same moment",
    );
    let id = payment["payment_id"].as_str().unwrap_or_default();
    let secret = payment["client_secret"]
        .as_str()
        .and_then(|text| text.strip_prefix(id));
    // A read-only key sees neither.
    let is_hidden = payment["client_secret"] == "" && payment["sdk_authorization"].is_null();
    rule(
        is_hidden
            || secret
                .and_then(|text| text.strip_prefix("_secret_"))
                .is_some_and(|end| end.len() == 20),
        "client_secret is the payment's id, _secret_ and 20 characters",
    );
    let attempts = payment["attempts"].as_array().map_or(0, Vec::len);
    rule(
        attempts == 0 || payment["attempt_count"] == attempts,
        "attempt_count is the number of its attempts",
    );
    refunds_of(payment, wrong);
    let mut rule = |holds: bool, what: &str| obeys("payment", payment, holds, what, wrong);
    for (index, attempt) in payment["attempts"]
        .as_array()
        .into_iter()
        .flatten()
        .enumerate()
    {
        rule(
            attempt["attempt_id"] == format!("{id}_{}", index + 1),
            "attempts are numbered, oldest first",
        );
    }
    for (index, capture) in payment["captures"]
        .as_array()
        .into_iter()
        .flatten()
        .enumerate()
    {
        rule(
            capture["capture_sequence"] == index + 1,
            "captures are numbered, oldest first",
        );
        let attempt = capture["authorized_attempt_id"]
            .as_str()
            .unwrap_or_default();
        rule(
            capture["capture_id"] == format!("{attempt}_{}", index + 1),
            "a capture's id is that of its attempt and its number",
        );
    }
}

/// Checks a payment's members about its refunds, if it lists them.
fn refunds_of(payment: &Value, wrong: &mut Vec<Reason>) {
    let Some(refunds) = payment["refunds"].as_array() else {
        return;
    };
    let mut rule = |holds: bool, what: &str| obeys("payment", payment, holds, what, wrong);
    // The excess of a transfer was never captured.
    let is_of_captured = |one: &&Value| one["returns_excess"] != true;
    let sum = |counts: fn(&str) -> bool| -> i64 {
        let counted = refunds.iter().filter(is_of_captured);
        let counted = counted.filter(|one| one["status"].as_str().is_some_and(counts));
        counted.filter_map(|one| one["amount"].as_i64()).sum()
    };
    rule(
        refunds.iter().all(|one| {
            one["payment_id"] == payment["payment_id"] && one["currency"] == payment["currency"]
        }),
        "its refunds are its own",
    );
    let total = payment["state_metadata"]["total_refunded_amount"].as_i64();
    rule(
        total.unwrap_or(0) == sum(|status| status == "succeeded"),
        "total_refunded_amount is the sum of the refunds of captured money that succeeded",
    );
    let received = payment["amount_received"].as_i64().unwrap_or(0);
    // Unless the processor has reversed a capture.
    let is_in_conflict = payment["status"] == "conflicted";
    rule(
        sum(|status| matches!(status, "succeeded" | "pending")) <= received || is_in_conflict,
        "no more goes back than was captured",
    );
    for one in refunds {
        refund(one, wrong);
    }
}

/// Checks the rules of a refund.
pub(super) fn refund(refund: &Value, wrong: &mut Vec<Reason>) {
    let mut rule = |holds: bool, what: &str| obeys("refund", refund, holds, what, wrong);
    rule(
        refund["amount"].as_i64().is_some_and(|amount| amount > 0),
        "something goes back",
    );
    rule(
        refund["error_code"].is_null() == refund["error_message"].is_null(),
        "an error has a code and a message",
    );
    let is_explained = match refund["status"].as_str().unwrap_or_default() {
        "succeeded" => refund["error_code"].is_null(),
        "pending" => refund["error_code"].is_null() || refund["error_code"] == "outcome_unknown",
        "failed" | "review" => refund["error_code"].is_string(),
        _ => true,
    };
    rule(is_explained, "status and error fit together");
    rule(
        refund["unified_code"].is_null()
            == !matches!(refund["status"].as_str(), Some("failed" | "review")),
        "the unified code is about failures only",
    );
    rule(
        refund["created_at"].as_str() <= refund["updated_at"].as_str(),
        "it changed when it was made, or later",
    );
}

fn obeys(kind: &str, object: &Value, holds: bool, rule: &str, wrong: &mut Vec<Reason>) {
    if !holds {
        let object = brief(object);
        wrong.push(Reason::bare(format!(
            "a {kind} breaks the rule: {rule} ({object})"
        )));
    }
}
