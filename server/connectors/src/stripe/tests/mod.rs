mod answers;
mod disputes;
mod notices;
mod requests;

use multirail_domain::card::{Card, CardCode, CardNumber, Expiry, GivenCardDetails};
use multirail_domain::connector::{Access, AuthorizeRequest, Details, Outcome};
use multirail_domain::currency::Currency;
use multirail_domain::ids::ProcessorKey;
use multirail_domain::money::Money;
use multirail_domain::payment::PaymentMethodData;
use multirail_domain::timestamp::Timestamp;
use serde_json::{Value, json};

const KEY: &str = "mrk_1";

fn key(text: &str) -> ProcessorKey {
    ProcessorKey::parse(text).expect("a key")
}

fn authorize(amount: i64, currency: Currency, details: Details) -> AuthorizeRequest {
    let number = CardNumber::parse("4242424242424242").expect("a number");
    let code = CardCode::parse("737", "card_cvc").expect("a code");
    let expiry = Expiry::parse("3", "2035", "card", Timestamp::EPOCH).expect("an expiry");
    let given = GivenCardDetails {
        holder_name: Some("Ada Lovelace".to_owned()),
        ..GivenCardDetails::default()
    };
    AuthorizeRequest {
        key: key(KEY),
        access: Access::default(),
        money: Money::new(amount, currency),
        capture: true,
        data: PaymentMethodData::Card(Card::new(number, Some(code), expiry, given)),
        return_url: "https://pay.example/back?a=1&b=2".to_owned(),
        details,
    }
}

/// A payment as Stripe tells it, with `changes` over it.
fn payment(changes: Value) -> Value {
    let whole = json!({
        "id": "pi_1",
        "object": "payment_intent",
        "amount": 6540,
        "amount_capturable": 0,
        "amount_received": 6540,
        "capture_method": "automatic",
        "currency": "usd",
        "metadata": {"multirail_key": KEY},
        "status": "succeeded",
        "next_action": null,
        "last_payment_error": null,
        "latest_charge": "ch_1"
    });
    over(whole, changes)
}

fn over(mut whole: Value, changes: Value) -> Value {
    let Value::Object(changes) = changes else {
        panic!("{changes} is no object")
    };
    for (name, value) in changes {
        whole[name] = value;
    }
    whole
}

/// One line of an outcome.
fn in_short(outcome: &Outcome) -> String {
    let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
    match outcome {
        Outcome::Done(done) => {
            let mut line = format!(
                "done {} {} {} {}",
                text(&done.reference),
                done.amount_minor.map_or("-".to_owned(), |a| a.to_string()),
                text(&done.currency),
                text(&done.network_transaction_id),
            );
            if let Some(checks) = &done.checks {
                let letters = (text(&checks.address), text(&checks.card_code));
                line += &format!(" | address {} code {}", letters.0, letters.1);
            }
            line
        }
        Outcome::CustomerMustAct { reference, url } => {
            format!("customer must act {} {url}", text(reference))
        }
        Outcome::Declined(decline) => {
            let mut line = format!(
                "declined {} | {} | {}",
                decline.code,
                decline.message,
                text(&decline.reason)
            );
            if let Some(issuer) = &decline.issuer {
                let advice = (text(&issuer.advice_code), text(&issuer.advice_message));
                line += &format!(" | issuer {} advice {} {}", issuer.code, advice.0, advice.1);
            }
            if let Some(category) = decline.category {
                line += &format!(" | {category}");
            }
            for (is, word) in [
                (decline.in_authentication, "in authentication"),
                (decline.authorization_gone, "authorization gone"),
            ] {
                if is {
                    line += &format!(" | {word}");
                }
            }
            line
        }
        Outcome::Pending { reference } => format!("pending {}", text(reference)),
        Outcome::NeverHappened { reason } => format!("never happened: {reason}"),
        Outcome::Unknown(reason) => format!("unknown: {reason}"),
    }
}
