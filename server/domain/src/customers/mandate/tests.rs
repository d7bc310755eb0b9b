use multirail_kernel::currency::Currency;
use multirail_kernel::unread::UnreadMembers;
use serde_json::{Value, json};

use super::*;

const NOW: Timestamp = Timestamp::EPOCH;

fn terms(terms: Value) -> MandateTerms {
    serde_json::from_value(terms).expect("terms")
}

fn customer(id: &str) -> CustomerId {
    CustomerId::parse(id).expect("an id")
}

fn mandate(status: MandateStatus, said: Value) -> Mandate {
    Mandate {
        merchant_id: MerchantId::parse("bookshop").expect("an id"),
        mandate_id: MandateId::parse("man_1").expect("an id"),
        profile_id: ProfileId::parse("pro_1").expect("an id"),
        customer_id: customer("cus_ada"),
        version: 1,
        status,
        terms: terms(said),
        payment_id: PaymentId::parse("pay_1").expect("an id"),
        payment_method_id: PaymentMethodId::parse("pm_1").expect("an id"),
        payment_method: PaymentMethod::Card,
        payment_method_type: None,
        connector: None,
        merchant_connector_id: None,
        created_at: NOW,
        modified_at: NOW,
    }
}

fn once() -> Value {
    json!({"single_use": {"amount": 6540, "currency": "USD"}})
}

fn dated(member: &str, date: &str) -> Value {
    let mut said = json!({"multi_use": {"amount": 6540, "currency": "USD"}});
    said["multi_use"][member] = json!(date);
    said
}

/// Returns the answer to a charge of Ada's.
fn answer(mandate: &Mandate, customer_id: Option<&str>, amount: i64, currency: Currency) -> String {
    let customer_id = customer_id.map(customer);
    let charged = mandate.check_charge(Charge {
        customer_id: customer_id.as_ref(),
        amount,
        currency,
        now: NOW,
    });
    charged.map_or_else(|refusal| refusal.to_string(), |()| "charged".to_owned())
}

#[test]
fn a_charge_is_held_to_everything_that_the_payer_limited() {
    use MandateStatus::{Active, Inactive, Pending, Revoked};
    let free = json!({"multi_use": {}});
    let ada = Some("cus_ada");
    let usd = Currency::USD;
    let table = [
        (Active, once(), ada, 6540, usd),
        (Active, once(), ada, 1, usd),
        (Active, once(), ada, 6541, usd),
        (Active, once(), ada, 6540, Currency::EUR),
        (Active, once(), Some("cus_bob"), 6540, usd),
        (Active, once(), None, 6540, usd),
        (Pending, once(), ada, 6540, usd),
        (Inactive, once(), ada, 6540, usd),
        (Revoked, once(), ada, 6540, usd),
        (Active, free.clone(), ada, 999_999_999, Currency::JPY),
        (Revoked, free, ada, 1, usd),
        (
            Active,
            dated("start_date", "1970-01-01T00:00:00Z"),
            ada,
            1,
            usd,
        ),
        (
            Active,
            dated("start_date", "1970-01-01T00:00:01Z"),
            ada,
            1,
            usd,
        ),
        (
            Active,
            dated("end_date", "1970-01-01T00:00:00Z"),
            ada,
            1,
            usd,
        ),
        (
            Active,
            dated("end_date", "1969-12-31T23:59:59Z"),
            ada,
            1,
            usd,
        ),
    ];
    let answers = table.map(|(status, said, who, amount, currency)| {
        let mandate = mandate(status, said.clone());
        let answer = answer(&mandate, who, amount, currency);
        let who = who.unwrap_or("a guest");
        format!("{status} {said} {who} {amount} {currency}: {answer}")
    });
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn terms_say_exactly_what_is_permitted() {
    let table = [
        once(),
        json!({"multi_use": {}}),
        json!({"multi_use": {"amount": 1, "currency": "JPY", "start_date": "2026-01-01T00:00:00Z", "end_date": "2026-02-01T00:00:00+01:00", "metadata": {"a": 1}}}),
        json!({}),
        json!({"single_use": {"amount": 1, "currency": "USD"}, "multi_use": {}}),
        json!({"single_use": {}}),
        json!({"multi_use": {"amount": 1}}),
        json!({"multi_use": {"currency": "USD"}}),
        json!({"single_use": {"amount": 0, "currency": "USD"}}),
        json!({"single_use": {"amount": 1_000_000_000_000_i64, "currency": "USD"}}),
        json!({"multi_use": {"start_date": "soon"}}),
        json!({"multi_use": {"start_date": "2026-01-01T00:00:00Z", "end_date": "2026-01-01T00:00:00Z"}}),
        json!({"multi_use": {"end_date": "1970-01-01T00:00:00Z"}}),
        json!({"multi_use": {"end_date": "1970-01-01T00:00:01Z"}}),
    ];
    let answers = table.map(|said| {
        let checked = terms(said.clone()).check(Timestamp::EPOCH);
        let answer = checked.map_or_else(|refusal| refusal.to_string(), |()| "good".to_owned());
        format!("{said}: {answer}")
    });
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn it_is_revoked_once() {
    for &status in MandateStatus::ALL {
        let mandate = mandate(status, once());
        match mandate.revoke(NOW) {
            Ok(revoked) => assert_eq!(revoked.status, MandateStatus::Revoked, "{status}"),
            Err(refusal) => {
                assert_eq!(status, MandateStatus::Revoked);
                assert_eq!(refusal.to_string(), "the mandate is revoked already");
            }
        }
    }
}

#[test]
fn only_an_active_mandate_of_the_same_customer_is_changed() {
    for &status in MandateStatus::ALL {
        let mandate = mandate(status, once());
        let ada = mandate.check_change(Some(&customer("cus_ada")));
        assert_eq!(ada.is_ok(), status == MandateStatus::Active, "{status}");
        assert!(mandate.check_change(Some(&customer("cus_bob"))).is_err());
        assert!(mandate.check_change(None).is_err());
    }
}

#[test]
fn terms_are_stored_as_they_were_said() {
    let said = json!({"single_use": {
        "amount": 6540, "currency": "USD", "start_date": "2026-01-01T00:00:00.000Z", "metadata": {"order": 42},
    }});
    let terms = terms(said.clone());
    assert!(terms.unread == UnreadMembers::default());
    assert_eq!(serde_json::to_value(&terms).ok(), Some(said));
}
