//! Creating payments.

use insta::assert_snapshot;
use multirail_domain::payments::payment::create::Create;
use multirail_domain::payments::payment::{
    CaptureMethod, Changes, Flow, FutureUsage, InstrumentInput, Notes, PayerDetails, Payment,
    PaymentStatus, Surcharge,
};
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{CustomerId, ProfileId};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::consent::{Consent, ConsentKind};
use serde_json::json;

use crate::support::outcomes::done;
use crate::support::story::{AUTHORIZE, Story, refused};
use crate::support::{AMOUNT, create, create_input, purchase, start};

pub(crate) fn bare() -> Changes {
    Changes {
        amount: Some(AMOUNT),
        currency: Some(Currency::USD),
        ..Changes::default()
    }
}

pub(crate) fn customer(id: &str) -> Option<CustomerId> {
    CustomerId::parse(id).ok()
}

#[test]
fn the_status_tells_whether_there_is_an_instrument() {
    let created = create(bare()).expect("a payment");
    assert_eq!(created.payment.status, PaymentStatus::RequiresPaymentMethod);
    assert!(created.data.is_none() && !created.payment.holds_card);

    let created = create(purchase(CaptureMethod::Automatic)).expect("a payment");
    assert_eq!(created.payment.status, PaymentStatus::RequiresConfirmation);
    assert!(created.data.is_some() && created.payment.holds_card);
}

#[test]
fn a_card_that_is_confirmed_at_once_is_not_held() {
    let input = Create {
        confirm_at_once: true,
        ..create_input(purchase(CaptureMethod::Automatic))
    };
    let created = Payment::create(input, start()).expect("a payment");
    assert!(created.data.is_some() && !created.payment.holds_card);
}

#[test]
fn a_consent_that_is_still_to_come_is_refused() {
    let agreed = |seconds: i64, consent_in_mandate_data: bool| {
        let moment = start().plus_seconds(seconds).expect("a time");
        create(Changes {
            payer: PayerDetails {
                consent: Some(Box::new(Consent {
                    kind: ConsentKind::Online,
                    accepted_at: Some(moment.to_string()),
                    online: None,
                    unread: UnreadMembers::default(),
                })),
                ..PayerDetails::default()
            },
            consent_in_mandate_data,
            ..bare()
        })
    };
    assert!(agreed(-1, false).is_ok() && agreed(86_400, false).is_ok());
    let refusals = [false, true].map(|it| refused(&agreed(86_401, it).expect_err("a refusal")));
    assert_eq!(
        refusals,
        [
            "Malformed: customer_acceptance.accepted_at is in the future",
            "Malformed: mandate_data.customer_acceptance.accepted_at is in the future",
        ]
    );
}

#[test]
fn the_total_has_shipping_tax_and_surcharge() {
    let created = create(Changes {
        shipping_cost: Some(500),
        order_tax_amount: Some(60),
        surcharge: Some(Surcharge {
            amount: 100,
            tax_amount: Some(20),
        }),
        ..bare()
    });
    let payment = created.expect("a payment").payment;
    let amounts = payment.amounts();
    assert_eq!(
        (amounts.net, amounts.capturable, amounts.received),
        (7220, 7220, None)
    );
    assert_eq!(payment.active().amount, 7220);
}

#[test]
fn a_payment_that_was_stored_before_there_were_surcharges_reads() {
    let payment = create(bare()).expect("a payment").payment;
    let stored = serde_json::to_value(payment.record()).expect("JSON");
    let terms = stored["terms"].as_object().expect("terms");
    assert!(
        !terms.contains_key("surcharge"),
        "what isn't there is not written"
    );
    let read: Payment = serde_json::from_value(stored).expect("a payment");
    assert_eq!(read.terms, payment.terms);
}

#[test]
fn the_client_secret_lives_as_long_as_profile_or_request_say() {
    let lifetime = |changes| {
        let payment = create(changes).expect("a payment").payment;
        payment.expires_at.seconds_since(start())
    };
    assert_eq!(lifetime(bare()), 900);
    let longer = Changes {
        session_expiry_seconds: Some(3600),
        ..bare()
    };
    assert_eq!(lifetime(longer), 3600);
}

#[test]
fn what_a_create_is_refused_for() {
    let table = [
        ("nothing", Changes::default()),
        (
            "no currency",
            Changes {
                currency: None,
                ..bare()
            },
        ),
        (
            "negative amount",
            Changes {
                amount: Some(-1),
                ..bare()
            },
        ),
        (
            "too large",
            Changes {
                amount: Some(1_000_000_000_000),
                ..bare()
            },
        ),
        (
            "tax makes it too large",
            Changes {
                amount: Some(999_999_999_999),
                order_tax_amount: Some(1),
                ..bare()
            },
        ),
        (
            "overflow",
            Changes {
                amount: Some(1),
                shipping_cost: Some(i64::MAX),
                ..bare()
            },
        ),
        (
            "negative shipping",
            Changes {
                shipping_cost: Some(-1),
                ..bare()
            },
        ),
        (
            "short session",
            Changes {
                session_expiry_seconds: Some(59),
                ..bare()
            },
        ),
        (
            "long session",
            Changes {
                session_expiry_seconds: Some(7_890_001),
                ..bare()
            },
        ),
        (
            "capture above total",
            Changes {
                amount_to_capture: Some(6541),
                ..bare()
            },
        ),
        (
            "capture of nothing",
            Changes {
                amount_to_capture: Some(0),
                ..purchase(CaptureMethod::Manual)
            },
        ),
        (
            "automatic capture of a part",
            Changes {
                amount_to_capture: Some(6539),
                ..bare()
            },
        ),
        (
            "a part among several",
            Changes {
                amount_to_capture: Some(6539),
                ..purchase(CaptureMethod::ManualMultiple)
            },
        ),
        (
            "surcharge below nothing",
            Changes {
                surcharge: Some(Surcharge {
                    amount: 1,
                    tax_amount: Some(-1),
                }),
                ..bare()
            },
        ),
        (
            "an instrument left out",
            Changes {
                particulars: said(json!({"allowed_payment_method_types": ["klarna"]})).particulars,
                ..purchase(CaptureMethod::Automatic)
            },
        ),
        (
            "another profile",
            Changes {
                profile_id: ProfileId::parse("pro_2").ok(),
                ..bare()
            },
        ),
        (
            "the code of a token",
            Changes {
                instrument: InstrumentInput {
                    token_code: Some(SecretText::new("737")),
                    ..InstrumentInput::default()
                },
                ..bare()
            },
        ),
        (
            "automatic overcapture",
            Changes {
                enable_overcapture: Some(true),
                ..bare()
            },
        ),
        (
            "kept for nobody",
            Changes {
                setup_future_usage: Some(FutureUsage::OffSession),
                ..bare()
            },
        ),
        (
            "two customers",
            Changes {
                customer_id: customer("cus_1"),
                payer: said(json!({"customer": {"id": "cus_2"}})).payer,
                ..bare()
            },
        ),
        (
            "two names",
            Changes {
                payer: said(json!({"name": "A", "customer": {"id": "cus_1", "name": "B"}})).payer,
                ..bare()
            },
        ),
        (
            "a split",
            Changes {
                flows: vec![Flow::SplitPayments],
                ..bare()
            },
        ),
    ];
    let mut page = String::new();
    for (name, changes) in table {
        let refusal = create(changes).expect_err(name);
        page += &format!("{name:<28} {}\n", refused(&refusal));
    }
    let elsewhere = Create {
        named_merchant_id: Some("another".to_owned()),
        ..create_input(bare())
    };
    let refusal = Payment::create(elsewhere, start()).expect_err("not the caller's");
    page += &format!("{:<28} {}\n", "another merchant", refused(&refusal));
    assert_snapshot!(page, @"
    nothing                      Missing: amount is required and was not given
    no currency                  Missing: currency is required and was not given
    negative amount              InvalidFormat: amount is not in the expected form: an amount of 0 or more
    too large                    Precondition: amount brings the total above 999999999999, the largest amount that is accepted
    tax makes it too large       Precondition: order_tax_amount brings the total above 999999999999, the largest amount that is accepted
    overflow                     Precondition: shipping_cost brings the total above 999999999999, the largest amount that is accepted
    negative shipping            InvalidFormat: shipping_cost is not in the expected form: an amount of 0 or more
    short session                InvalidValue: session_expiry has to lie between 60 and 7890000 seconds
    long session                 InvalidValue: session_expiry has to lie between 60 and 7890000 seconds
    capture above total          InvalidFormat: amount_to_capture is not in the expected form: an amount that is not above the payment's total
    capture of nothing           InvalidFormat: amount_to_capture is not in the expected form: a positive integer
    automatic capture of a part  Precondition: with automatic capture amount_to_capture can only be the payment's total
    a part among several         Precondition: with capture_method manual_multiple amount_to_capture can only be the payment's total
    surcharge below nothing      InvalidFormat: surcharge_details.tax_amount is not in the expected form: an amount of 0 or more
    an instrument left out       InvalidValue: payment_method_type is not one of the payment's allowed_payment_method_types
    another profile              InvalidValue: profile_id of the body is not the payment's: a payment keeps the profile that it was created under
    the code of a token          InvalidValue: card_cvc belongs to payment_token: the code of a card is payment_method_data.card.card_cvc
    automatic overcapture        Precondition: enable_overcapture needs a capture_method that captures later, such as manual
    kept for nobody              Precondition: setup_future_usage needs a customer_id: an instrument is kept for somebody
    two customers                Precondition: customer_id is given twice, at the top and inside customer, with different values
    two names                    Precondition: name is given twice, at the top and inside customer, with different values
    a split                      FlowNotSupported: split_payments is not supported
    another merchant             NotFound: there is no such merchant account
    ");
}

/// Reads particulars and payer by their names in the contract.
pub(crate) fn said(members: serde_json::Value) -> Notes {
    serde_json::from_value(members).expect("particulars")
}

/// Adds these particulars and payer to changes.
pub(crate) fn saying(notes: Notes, changes: Changes) -> Changes {
    Changes {
        particulars: notes.particulars,
        payer: notes.payer,
        ..changes
    }
}

/// Returns the members of a payment, by their names in the contract.
pub(crate) fn notes_of(payment: &Payment) -> serde_json::Value {
    let record = serde_json::to_value(payment.record()).expect("JSON");
    record["notes"].clone()
}

#[test]
fn what_agrees_may_be_said_twice() {
    let changes = Changes {
        customer_id: customer("cus_1"),
        payer: said(json!({
            "name": "A",
            "email": null,
            "customer": {"id": "cus_1", "name": "A", "email": "a@b.example"},
        }))
        .payer,
        ..bare()
    };
    let payment = create(changes).expect("a payment").payment;
    assert_eq!(payment.terms.customer_id, customer("cus_1"));
}

#[test]
fn amounts_of_currencies_without_and_with_three_decimals_are_minor_units_too() {
    for currency in [Currency::JPY, Currency::KWD] {
        let changes = Changes {
            currency: Some(currency),
            ..purchase(CaptureMethod::Automatic)
        };
        let mut story = Story::create(changes);
        story.confirm();
        story.answer(AUTHORIZE, done());
        let amounts = story.payment.amounts();
        assert_eq!((amounts.net, amounts.received), (AMOUNT, Some(AMOUNT)));
    }
}

#[test]
fn a_missing_amount_is_named() {
    let refusal = create(Changes::default()).expect_err("no amount");
    assert_eq!(refusal, Refusal::missing("amount"));
}
