//! Request bodies that many stories use.

use serde_json::{Value, json};

/// Approved.
pub const APPROVED: &str = "4111111111111111";
/// Declined: "Card declined".
pub const DECLINED: &str = "4000000000000002";
/// Approved, and held for the merchant's decision.
pub const HELD: &str = "4000000000009235";
/// Approved, and disputed after the capture.
pub const DISPUTED: &str = "4000000000000259";
/// The payer has to approve at the processor's page.
pub const THREE_DS: &str = "4000003800000446";
/// The processor first wants the data of the payer's device. With it, it approves; otherwise it asks the payer.
pub const DEVICE_DATA: &str = "4000000000000648";
/// Pending, and approved at the next sync.
pub const PENDING: &str = "4000000000000341";
/// The processor fails and stores nothing: the outcome is unknown until the next sync.
pub const UNKNOWN: &str = "4000000000000119";

/// Approved, but every capture is declined.
pub const CAPTURES_REFUSED: &str = "4000000000000614";
/// Approved, but the first capture finds the authorization expired.
pub const LAPSING: &str = "4000000000000622";
/// Approved; refunds are pending, and succeed at the next sync.
pub const REFUNDS_PEND: &str = "4000000000007726";
/// Approved; refunds are pending, and are declined at the next sync.
pub const REFUNDS_FAIL_LATER: &str = "4000000000005126";
/// Approved; refunds are declined.
pub const REFUNDS_DECLINED: &str = "4000000000000630";

/// Every card number that is used anywhere, with those of the processors' test modes. No answer may contain one.
pub const CARD_NUMBERS: &[&str] = &[
    APPROVED,
    DECLINED,
    HELD,
    DEVICE_DATA,
    THREE_DS,
    PENDING,
    UNKNOWN,
    "4242424242424242",
    "5555555555554444",
    "38000000000006",
    "378282246310005",
    "6011111111111117",
    "5105105105105100",
    "4000000000009995",
    "4000000000009987",
    "4000000000009979",
    DISPUTED,
    "4000000000000069",
    "4000000000000127",
    "4000000000000994",
    "4000008400001629",
    CAPTURES_REFUSED,
    LAPSING,
    REFUNDS_PEND,
    REFUNDS_FAIL_LATER,
    REFUNDS_DECLINED,
    "4111111145551142",
    "5454545454545454",
    "4000002760003184",
    "4000000000000663",
    "4000000000000697",
];

/// Members that set a card as the instrument.
pub fn card(number: &str) -> Value {
    json!({
        "payment_method": "card",
        "payment_method_type": "credit",
        "payment_method_data": { "card": {
            "card_number": number,
            "card_exp_month": "10",
            "card_exp_year": "2035",
            "card_holder_name": "Ada Okafor",
            "card_cvc": "123",
        } },
    })
}

/// Returns the body that saves a card without a payment.
pub fn card_to_save() -> Value {
    json!({ "payment_method": "card", "card": {
        "card_number": APPROVED, "card_exp_month": "10", "card_exp_year": "2035",
    } })
}

/// Returns an order of 65.40 US dollars without an instrument.
pub fn order() -> Value {
    json!({ "amount": 6540, "currency": "USD" })
}

/// Returns an order of 65.40 US dollars with this card.
pub fn order_with(number: &str) -> Value {
    with(order(), card(number))
}

/// Returns an order of 65.40 US dollars that is paid at once with this card.
pub fn paid_with(number: &str) -> Value {
    with(order_with(number), json!({ "confirm": true }))
}

/// An IBAN that the simulated processor debits.
pub const SEPA_PAYS: &str = "DE89370400440532013000";

/// An order of 65.40 by this kind of debit, in its currency.
pub fn debit(kind: &str, currency: &str, account: Value) -> Value {
    let holder = json!({ "bank_account_holder_name": "Ada Okafor" });
    json!({
        "amount": 6540, "currency": currency, "payment_method": "bank_debit", "payment_method_type": kind,
        "payment_method_data": { "bank_debit": { (format!("{kind}_bank_debit")): with(holder, account) } },
    })
}

/// An order of 65.40 euro from this IBAN.
pub fn sepa(iban: &str) -> Value {
    debit("sepa", "EUR", json!({ "iban": iban }))
}

/// Merges two bodies deeply; the second one wins.
pub fn with(mut base: Value, more: Value) -> Value {
    merge(&mut base, more);
    base
}

fn merge(base: &mut Value, more: Value) {
    match (base, more) {
        (Value::Object(base), Value::Object(more)) => {
            for (name, value) in more {
                merge(base.entry(name).or_insert(Value::Null), value);
            }
        }
        (base, more) => *base = more,
    }
}

/// Removes a member, named by its full path: `payment_method_data.card.card_number`.
///
/// # Panics
/// Panics when there is no such member.
pub fn without(mut body: Value, path: &str) -> Value {
    let (parent, name) = match path.rsplit_once('.') {
        Some((parent, name)) => (format!("/{}", parent.replace('.', "/")), name),
        None => (String::new(), path),
    };
    let members = body.pointer_mut(&parent).and_then(Value::as_object_mut);
    let removed = members.and_then(|members| members.shift_remove(name));
    assert!(removed.is_some(), "there is no {path} to leave out");
    body
}
