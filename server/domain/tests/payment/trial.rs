//! Hypothetical payments.

use multirail_domain::payments::payment::trial::TrialPayment;
use multirail_domain::routing::key::PaymentType;
use multirail_domain::routing::{Trial, TrialRequest};
use serde_json::{Value, json};

use crate::support::start;

fn tried(payment: &Value) -> Result<TrialPayment, String> {
    let request = TrialRequest::parse(payment);
    let made = request.and_then(|request| TrialPayment::create(request, start()));
    made.map_err(|refusal| refusal.to_string())
}

#[test]
fn a_trial_is_seen_as_a_payment_would_be() {
    let payment = json!({
        "amount": 0,
        "currency": "EUR",
        "card": { "card_bin": "411111" },
        "billing_country": "DE",
        "setup_future_usage": "off_session",
        "metadata": { "shelf": "a" },
        "draw": 7,
    });
    let trial = tried(&payment).expect("a trial");
    let facts = trial.facts();
    assert_eq!(facts.payment_type(), PaymentType::SetupMandate);
    assert_eq!((facts.total, facts.currency.as_str()), (0, "EUR"));
    assert_eq!(
        facts.billing.and_then(|address| address.country()),
        "DE".parse().ok()
    );
    assert_eq!(facts.metadata, Some(&payment["metadata"]));
    assert_eq!(facts.instrument, Some(trial.instrument()));
    assert_eq!(trial.draw(), Some(7));
}

#[test]
fn what_no_payment_could_be_is_no_trial() {
    let refused = |more: Value| {
        let mut payment = json!({ "amount": 1_000, "currency": "EUR" });
        let members = more.as_object().expect("members").clone();
        payment.as_object_mut().expect("a trial").extend(members);
        tried(&payment).expect_err("no trial")
    };
    let refusals = [
        json!({ "amount": -1 }),
        json!({ "card": { "card_bin": "4111" } }),
        json!({ "card": { "card_number": "4111" } }),
        json!({ "payment_method": "wallet" }),
        json!({ "payment_method": "reward", "payment_method_type": "evoucher" }),
        json!({ "payment_method": "card", "payment_method_type": "apple_pay" }),
        json!({ "draw": -1 }),
    ];
    insta::assert_snapshot!(refusals.map(refused).join("\n"), @r"
    amount is not in the expected form: an amount of 0 or more
    card.card_bin is not in the expected form: 6 to 8 digits
    card.card_number is not a known member here
    payment_method_type is required and was not given
    no connector takes payment_method reward
    payment_method_type apple_pay is no type of payment_method card, it belongs to wallet
    draw has to be a whole number, not negative
    ");
}
