use multirail_kernel::address::Place;
use serde_json::json;

use super::*;

fn ada() -> Customer {
    let personal = Personal {
        name: Some("Ada Lovelace".to_owned()),
        email: Some(" Ada@Example.COM ".to_owned()),
        phone: Some("(020) 555-01".to_owned()),
        address: Some(Box::new(Place {
            line1: Some("12 Analytical Row".to_owned()),
            ..Place::default()
        })),
        metadata: json!({"tier": "gold"}).as_object().cloned(),
        ..Personal::default()
    };
    let merchant_id = MerchantId::parse("acme").expect("an id");
    let customer_id = CustomerId::parse("cus_ada").expect("an id");
    Customer::create(merchant_id, customer_id, personal, at(1))
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_micros(second * 1_000_000)
}

#[test]
fn an_update_replaces_what_it_says_and_nothing_else() {
    let said = Personal {
        email: Some("ada@example.org".to_owned()),
        metadata: json!({"since": 1843}).as_object().cloned(),
        ..Personal::default()
    };
    let updated = ada().update(said, at(2)).expect("an update");
    assert_eq!(updated.personal.email.as_deref(), Some("ada@example.org"));
    assert_eq!(
        updated.personal.metadata,
        json!({"since": 1843}).as_object().cloned()
    );
    assert_eq!(updated.personal.name.as_deref(), Some("Ada Lovelace"));
    assert_eq!((updated.created_at, updated.modified_at), (at(1), at(2)));
}

#[test]
fn nothing_of_a_redacted_customer_is_left_and_nothing_comes_back() {
    let method = PaymentMethodId::parse("pm_1").expect("an id");
    let before = Customer {
        default_payment_method_id: Some(method),
        ..ada()
    };
    let redacted = before.redact(at(3)).expect("a redaction");
    let left = serde_json::to_value(&redacted.personal).expect("JSON");
    assert_eq!(
        left,
        json!({"name": "Redacted", "email": "Redacted", "phone": "Redacted"})
    );
    assert_eq!(redacted.default_payment_method_id, None);
    let refused = Err(Refusal::CustomerRedacted);
    assert_eq!(redacted.redact(at(4)), refused);
    assert_eq!(redacted.update(ada().personal, at(4)), refused);
    assert_eq!(redacted.active(), refused);
}

#[test]
fn a_search_ignores_spelling() {
    assert_eq!(ada().searched_email().as_deref(), Some("ada@example.com"));
    assert_eq!(ada().searched_phone().as_deref(), Some("02055501"));
    for written in [
        "(٠٢٠) ٥٥٥-٠١",
        "۰۲۰ ۵۵۵ ۰۱",
        "०२०५५५०१",
        "০২০৫৫৫০১",
        "๐๒๐๕๕๕๐๑",
        "０２０－５５５－０１",
    ] {
        assert_eq!(searched_phone(written), ada().searched_phone(), "{written}");
    }
    // A quarter and a superscript are not digits of a number.
    assert_eq!(searched_phone("¼ ²"), None);
    assert_eq!(searched_email("  "), None);
    assert_eq!(searched_phone("n/a"), None);
}

#[test]
fn who_it_is_does_not_print() {
    let shown = format!("{:?}", ada().personal);
    assert_eq!(
        shown,
        r#"{"name", "email", "phone", "address", "metadata"}"#
    );
}
