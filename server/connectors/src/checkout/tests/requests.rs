//! Tests of requests.

use multirail_kernel::currency::Currency;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::money::Money;
use multirail_kernel::secret::SecretText;
use multirail_sdk::card::Card;
use multirail_sdk::charge::AuthenticationType;
use multirail_sdk::connector::details::{
    Address, Authentication, Browser, Descriptor, FutureUsage, Initiation, MitCategory, Order,
    Payer, Phone, Place, ScaExemption,
};
use multirail_sdk::connector::{Access, CaptureRequest, Details, RefundRequest};
use multirail_sdk::instrument::{NetworkToken, PaymentMethodData};
use multirail_sdk::wallet::Wallet;
use serde::Serialize;
use serde_json::{Value, json};

use super::super::description::UNITS;
use super::super::keys::reference_of;
use super::super::requests;
use super::{KEY, PAYMENT, REFERENCE, key};
use crate::amounts::NotWritable;
use crate::fixture::authorize;

const PRICE: Money = Money {
    amount_minor: 6540,
    currency: Currency::EUR,
};

fn json_of(request: Result<impl Serialize, NotWritable>) -> Value {
    serde_json::to_value(request.expect("an amount")).expect("JSON")
}

fn written(details: Details) -> Value {
    let request = authorize(KEY, PRICE, details);
    json_of(requests::payment(&request, Some("pc_1")))
}

#[test]
fn a_sale_says_no_more_than_is_known() {
    insta::assert_json_snapshot!(written(Details::default()), @r#"
    {
      "source": {
        "type": "card",
        "number": "4242424242424242",
        "expiry_month": 3,
        "expiry_year": 2035,
        "cvv": "737",
        "name": "Ada Lovelace",
        "store_for_future_use": false
      },
      "amount": 6540,
      "currency": "EUR",
      "payment_type": "Regular",
      "reference": "d72ksPq0ZbVx1LmYtA9cNeUw38gRfJ",
      "capture": true,
      "processing_channel_id": "pc_1",
      "success_url": "https://pay.example/back?a=1&b=2",
      "failure_url": "https://pay.example/back?a=1&b=2",
      "metadata": {
        "multirail_key": "mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ"
      }
    }
    "#);
}

#[test]
fn all_that_checkout_com_has_a_place_for() {
    let text = |text: &str| Some(text.to_owned());
    let place = Place {
        line1: text(" 90 Tottenham Court Road "),
        line2: text(" "),
        city: text("London"),
        state: text("Greater London"),
        zip: text("W1T 4TJ"),
        country: "GB".parse().ok(),
        ..Place::default()
    };
    let address = Address {
        address: Some(place),
        phone: Some(Phone {
            number: text("4155552671"),
            country_code: text("+1"),
            ..Phone::default()
        }),
        ..Address::default()
    };
    let said = written(Details {
        description: text(&"d".repeat(120)),
        descriptor: Descriptor {
            text: text("BOOKS AND MORE BOOKS, LONDON"),
            city: text("London"),
            ..Descriptor::default()
        },
        authentication: Authentication {
            force_challenge: Some(true),
            browser: Some(Browser {
                ip_address: text("192.0.2.7"),
                ..Browser::default()
            }),
            ..Authentication::default()
        },
        order: Order {
            reference: text("order-7"),
            ..Order::default()
        },
        payer: Payer {
            email: text("ada@example.com"),
            name: text("Ada Reader"),
            billing: Some(address.clone()),
            shipping: Some(address),
            ..Payer::default()
        },
        takes_less: true,
        ..Details::default()
    });
    let changed = said.as_object().expect("an object").iter();
    let plain = written(Details::default());
    let changed: Value = changed
        .filter(|(name, value)| plain[name.as_str()] != **value)
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect::<serde_json::Map<_, _>>()
        .into();
    insta::assert_json_snapshot!(changed, @r#"
    {
      "source": {
        "type": "card",
        "number": "4242424242424242",
        "expiry_month": 3,
        "expiry_year": 2035,
        "cvv": "737",
        "name": "Ada Lovelace",
        "store_for_future_use": false,
        "billing_address": {
          "address_line1": "90 Tottenham Court Road",
          "city": "London",
          "state": "Greater London",
          "zip": "W1T 4TJ",
          "country": "GB"
        },
        "phone": {
          "country_code": "+1",
          "number": "4155552671"
        }
      },
      "description": "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd",
      "partial_authorization": {
        "enabled": true
      },
      "customer": {
        "email": "ada@example.com",
        "name": "Ada Reader"
      },
      "billing_descriptor": {
        "name": "BOOKS AND MORE BOOKS, LON",
        "city": "London"
      },
      "shipping": {
        "address": {
          "address_line1": "90 Tottenham Court Road",
          "city": "London",
          "state": "Greater London",
          "zip": "W1T 4TJ",
          "country": "GB"
        },
        "phone": {
          "country_code": "+1",
          "number": "4155552671"
        }
      },
      "3ds": {
        "enabled": true,
        "challenge_indicator": "challenge_requested_mandate"
      },
      "payment_ip": "192.0.2.7",
      "metadata": {
        "multirail_key": "mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ",
        "order_reference": "order-7"
      }
    }
    "#);
}

#[test]
fn initiation_and_authentication() {
    let by = |channel: &str| Initiation {
        channel: Some(channel.to_owned()),
        ..Initiation::default()
    };
    let following = |category| Initiation {
        off_session: Some(true),
        mit_category: category,
        network_transaction_id: Some("nti_1".to_owned()),
        ..Initiation::default()
    };
    let kept = |usage| Initiation {
        future_usage: Some(usage),
        ..Initiation::default()
    };
    let stored = Initiation {
        is_stored_credential: Some(true),
        ..Initiation::default()
    };
    let wanted = |wanted| Authentication {
        wanted: Some(wanted),
        ..Authentication::default()
    };
    let forced = Authentication {
        force_challenge: Some(true),
        ..Authentication::default()
    };
    let exempt = Authentication {
        exemption: Some(ScaExemption::TransactionRiskAnalysis),
        ..Authentication::default()
    };
    let plain = Authentication::default;
    let three_ds = || wanted(AuthenticationType::ThreeDs);
    let unwanted = wanted(AuthenticationType::NoThreeDs);
    let rows = [
        ("ecommerce", by("ecommerce"), three_ds()),
        ("not wanted", by("ecommerce"), unwanted),
        ("forced", by("ecommerce"), forced),
        ("exempt", by("ecommerce"), exempt),
        ("by post", by("mail_order"), three_ds()),
        ("by telephone", by("telephone_order"), plain()),
        ("away", following(None), three_ds()),
        (
            "regularly",
            following(Some(MitCategory::Recurring)),
            three_ds(),
        ),
        (
            "in parts",
            following(Some(MitCategory::Installment)),
            plain(),
        ),
        ("kept for later", kept(FutureUsage::OffSession), three_ds()),
        ("kept for the payer", kept(FutureUsage::OnSession), plain()),
        ("from the store", stored, plain()),
    ];
    let lines = rows.map(|(name, initiation, authentication)| {
        let said = written(Details {
            initiation,
            authentication,
            ..Details::default()
        });
        let members = [
            ("initiated", &said["merchant_initiated"]),
            ("follows", &said["previous_payment_id"]),
            ("stored", &said["source"]["stored"]),
            ("store", &said["source"]["store_for_future_use"]),
            ("3ds", &said["3ds"]),
        ];
        let members = members.into_iter().filter(|(_, value)| !value.is_null());
        let members = members.map(|(member, value)| format!("{member} {value}"));
        let members = members.collect::<Vec<_>>().join(" ");
        format!("{name}: {} {members}", said["payment_type"])
    });
    insta::assert_snapshot!(lines.join("\n"), @r#"
    ecommerce: "Regular" store false 3ds {"enabled":true}
    not wanted: "Regular" store false
    forced: "Regular" store false 3ds {"enabled":true,"challenge_indicator":"challenge_requested_mandate"}
    exempt: "Regular" store false 3ds {"enabled":false,"exemption":"transaction_risk_assessment"}
    by post: "MOTO" store false
    by telephone: "MOTO" store false
    away: "Unscheduled" initiated true follows "nti_1" stored true store false
    regularly: "Recurring" initiated true follows "nti_1" stored true store false
    in parts: "Installment" initiated true follows "nti_1" stored true store false
    kept for later: "Unscheduled" store true 3ds {"enabled":true}
    kept for the payer: "Regular" store true
    from the store: "Regular" stored true store false
    "#);
}

#[test]
fn a_check_of_a_card_takes_nothing_in_any_way() {
    let request = authorize(KEY, Money::zero(Currency::EUR), Details::default());
    let written = json_of(requests::payment(&request, None));
    assert_eq!(written["amount"], 0);
    assert_eq!(written.get("capture"), None);
    assert_eq!(written.get("processing_channel_id"), None);
}

#[test]
fn amounts_are_in_the_units_of_its_own_table() {
    for (amount, currency, expected) in [
        (6541, Currency::KWD, None),
        (65, Currency::CLP, Some(6500)),
        (6500, Currency::ISK, Some(65)),
        (6540, Currency::ISK, None),
        (65, Currency::MGA, Some(6500)),
    ] {
        let written = UNITS.to_processor(Money::new(amount, currency));
        assert_eq!(written, expected, "{currency}");
    }
}

#[test]
fn a_reference_fits_cards_of_every_scheme() {
    assert_eq!(reference_of(&key()), REFERENCE);
    let short = ProcessorKey::parse("mrk_1").expect("a key");
    assert_eq!(reference_of(&short), "mrk_1");
}

#[test]
fn changes_of_a_payment_have_names_of_their_own() {
    let captured = |is_final| {
        json_of(requests::capture(&CaptureRequest {
            key: key(),
            access: Access::default(),
            authorization_key: key(),
            authorization_reference: Some(PAYMENT.to_owned()),
            money: Money::new(2000, Currency::EUR),
            is_final,
            descriptor: Descriptor::default(),
        }))
    };
    assert_eq!(
        captured(true),
        json!({ "amount": 2000, "capture_type": "Final", "reference": REFERENCE,
            "metadata": { "multirail_capture": KEY } })
    );
    assert_eq!(captured(false)["capture_type"], "NonFinal");
    let refunded = json_of(requests::refund(&RefundRequest {
        key: key(),
        access: Access::default(),
        authorization_key: key(),
        authorization_reference: Some(PAYMENT.to_owned()),
        money: Money::new(2000, Currency::EUR),
        of_excess: false,
        reason: Some("broken".to_owned()),
    }));
    assert_eq!(
        refunded,
        json!({ "amount": 2000, "reference": REFERENCE,
            "metadata": { "multirail_refund": KEY, "reason": "broken" } })
    );
    assert_eq!(
        json_of(Ok(requests::whole(&key(), Some(&"r".repeat(101))))),
        json!({ "reference": REFERENCE, "metadata": { "multirail_void": KEY } })
    );
}

#[test]
fn a_number_of_a_network_says_whose_it_is() {
    let source = |wallet: Option<Wallet>| {
        let mut request = authorize(KEY, PRICE, Details::default());
        let PaymentMethodData::Card(card) = &request.data else {
            panic!("a card")
        };
        request.data = PaymentMethodData::NetworkToken(NetworkToken {
            card: Card {
                code: None,
                ..card.clone()
            },
            cryptogram: Some(SecretText::new("AgAAAAAAAIR8CQrXcIhbQAAAAAA=")),
            eci: Some("05".to_owned()),
            wallet,
        });
        let written = requests::payment(&request, Some("pc_1"));
        written.map(|written| json_of(Ok(written))["source"].clone())
    };
    assert_eq!(
        source(None),
        Ok(json!({
            "type": "network_token", "token": "4242424242424242", "expiry_month": 3, "expiry_year": 2035,
            "token_type": "vts", "cryptogram": "AgAAAAAAAIR8CQrXcIhbQAAAAAA=", "eci": "05", "name": "Ada Lovelace",
            "store_for_future_use": false,
        }))
    );
    let apple_pay = source(Some(Wallet::ApplePay)).expect("a source");
    assert_eq!(apple_pay["token_type"], "applepay");
    let google_pay = source(Some(Wallet::GooglePay)).expect("a source");
    assert_eq!(google_pay["token_type"], "googlepay");
    assert!(source(Some(Wallet::Paze)).is_err());
}

#[test]
fn metadata_and_order_lines_are_sent() {
    let items =
        json!([{ "product_name": "A book", "quantity": 2, "amount": 1500, "sku": "book-1" }]);
    let notes = [
        ("shelf", "B-17".to_owned()),
        ("long", "a".repeat(101)),
        ("multirail_key", "not ours".to_owned()),
    ];
    let sale = written(Details {
        payment_id: Some("pay_4711".to_owned()),
        metadata: notes.map(|(name, text)| (name.to_owned(), text)).into(),
        order: Order {
            items: serde_json::from_value(items).expect("items"),
            ..Order::default()
        },
        ..Details::default()
    });
    let notes = json!({ "multirail_key": KEY, "payment_id": "pay_4711", "shelf": "B-17" });
    assert_eq!(sale["metadata"], notes);
    let lines =
        json!([{ "name": "A book", "quantity": 2, "unit_price": 1500, "reference": "book-1" }]);
    assert_eq!(sale["items"], lines);
}
