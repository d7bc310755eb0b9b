use multirail_kernel::currency::Currency;
use multirail_kernel::money::Money;
use multirail_kernel::secret::SecretText;
use multirail_sdk::charge::AuthenticationType;
use multirail_sdk::connector::details::{
    Address, Authentication, FutureUsage, Initiation, Installments, Order, OrderItem, Payer, Phone,
    Place,
};
use multirail_sdk::connector::{
    Access, CaptureRequest, Descriptor, Details, IncrementRequest, RefundRequest,
};
use multirail_sdk::instrument::{PaymentMethodData, SealedToken};
use multirail_sdk::wallet::Wallet;
use serde::Serialize;
use serde_json::json;

use super::super::requests;
use super::{authorize, key};
use crate::form;

/// Lists the members of a form, one per line.
pub(super) fn lines(members: &impl Serialize) -> String {
    let form = form::encode(members);
    let pairs = url::form_urlencoded::parse(form.expose().as_bytes());
    let lines: Vec<String> = pairs.map(|(key, value)| format!("{key}={value}")).collect();
    lines.join("\n")
}

#[test]
fn a_payment_says_no_more_than_it_must() {
    let request = authorize(6540, Currency::USD, Details::default());
    let payment = requests::payment(&request, true).expect("writable");
    insta::assert_snapshot!(lines(&payment), @r"
        amount=6540
        currency=usd
        confirm=true
        capture_method=automatic
        payment_method_types[0]=card
        payment_method_data[type]=card
        payment_method_data[card][number]=4242424242424242
        payment_method_data[card][exp_month]=3
        payment_method_data[card][exp_year]=2035
        payment_method_data[card][cvc]=737
        payment_method_data[billing_details][name]=Ada Lovelace
        return_url=https://pay.example/back?a=1&b=2
        metadata[multirail_key]=mrk_1
        expand[0]=latest_charge
        ");
}

#[test]
fn a_payment_says_all_that_stripe_has_a_place_for() {
    let place = |line1: &str| Address {
        address: Some(Place {
            first_name: Some("Ada".to_owned()),
            last_name: Some("King".to_owned()),
            line1: Some(line1.to_owned()),
            city: Some("London".to_owned()),
            zip: Some("SW1A 1AA".to_owned()),
            country: "GB".parse().ok(),
            ..Place::default()
        }),
        phone: Some(Phone {
            number: Some("2079460000".to_owned()),
            country_code: Some("+44".to_owned()),
            ..Phone::default()
        }),
        email: Some("ada@example.com".to_owned()),
        ..Address::default()
    };
    let details = Details {
        description: Some("Two teapots".to_owned()),
        descriptor: Descriptor {
            text: Some("TEAPOTS".to_owned()),
            suffix: Some("Été* <order> 4711, and what else".to_owned()),
            ..Descriptor::default()
        },
        authentication: Authentication {
            wanted: Some(AuthenticationType::ThreeDs),
            ..Authentication::default()
        },
        initiation: Initiation {
            future_usage: Some(FutureUsage::OffSession),
            ..Initiation::default()
        },
        order: Order {
            reference: Some("order-4711".to_owned()),
            ..Order::default()
        },
        payer: Payer {
            customer_id: Some("cus_1".to_owned()),
            billing: Some(place("1 Billing Road")),
            shipping: Some(place("2 Shipping Street")),
            ..Payer::default()
        },
        installments: Some(Installments {
            number_of_installments: Some(3),
            ..Installments::default()
        }),
        may_be_raised: true,
        stands_longer: true,
        may_be_exceeded: true,
        ..Details::default()
    };
    let mut request = authorize(6540, Currency::EUR, details);
    request.capture = false;
    let payment = requests::payment(&request, true).expect("writable");
    insta::assert_snapshot!(lines(&payment), @"
    amount=6540
    currency=eur
    confirm=true
    capture_method=manual
    payment_method_types[0]=card
    payment_method_data[type]=card
    payment_method_data[card][number]=4242424242424242
    payment_method_data[card][exp_month]=3
    payment_method_data[card][exp_year]=2035
    payment_method_data[card][cvc]=737
    payment_method_data[billing_details][name]=Ada Lovelace
    payment_method_data[billing_details][email]=ada@example.com
    payment_method_data[billing_details][phone]=+442079460000
    payment_method_data[billing_details][address][line1]=1 Billing Road
    payment_method_data[billing_details][address][city]=London
    payment_method_data[billing_details][address][postal_code]=SW1A 1AA
    payment_method_data[billing_details][address][country]=GB
    payment_method_options[card][request_three_d_secure]=any
    payment_method_options[card][request_multicapture]=if_available
    payment_method_options[card][request_incremental_authorization]=if_available
    payment_method_options[card][request_extended_authorization]=if_available
    payment_method_options[card][request_overcapture]=if_available
    payment_method_options[card][installments][plan][type]=fixed_count
    payment_method_options[card][installments][plan][interval]=month
    payment_method_options[card][installments][plan][count]=3
    return_url=https://pay.example/back?a=1&b=2
    setup_future_usage=off_session
    description=Two teapots
    statement_descriptor_suffix=t order 4711, and what
    shipping[name]=Ada King
    shipping[phone]=+442079460000
    shipping[address][line1]=2 Shipping Street
    shipping[address][city]=London
    shipping[address][postal_code]=SW1A 1AA
    shipping[address][country]=GB
    payment_details[order_reference]=order-4711
    metadata[customer_id]=cus_1
    metadata[multirail_key]=mrk_1
    metadata[order_reference]=order-4711
    expand[0]=latest_charge
    ");
}

#[test]
fn an_absent_payer_is_not_redirected() {
    let initiated = |initiation: Initiation| {
        let details = Details {
            authentication: Authentication {
                force_challenge: Some(true),
                ..Authentication::default()
            },
            initiation,
            ..Details::default()
        };
        let request = authorize(6540, Currency::USD, details);
        let payment = requests::payment(&request, false).expect("writable");
        let all = lines(&payment);
        let of_interest = ["three_d_secure", "moto", "off_session", "usage", "return"];
        let chosen = all
            .lines()
            .filter(|line| of_interest.iter().any(|part| line.contains(part)));
        chosen.collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(initiated(Initiation::default()), @r"
        payment_method_options[card][request_three_d_secure]=challenge
        return_url=https://pay.example/back?a=1&b=2
        ");
    insta::assert_snapshot!(
        initiated(Initiation {
            off_session: Some(true),
            future_usage: Some(FutureUsage::OffSession),
            ..Initiation::default()
        }),
        @"off_session=true"
    );
    insta::assert_snapshot!(
        initiated(Initiation {
            off_session: Some(true),
            network_transaction_id: Some("nti_1".to_owned()),
            ..Initiation::default()
        }),
        // Stripe's public API has no member for the scheme's reference.
        @"off_session=true"
    );
    insta::assert_snapshot!(
        initiated(Initiation {
            channel: Some("telephone_order".to_owned()),
            ..Initiation::default()
        }),
        @r"
            payment_method_options[card][moto]=true
            return_url=https://pay.example/back?a=1&b=2
            "
    );
}

#[test]
fn a_check_of_a_card_has_no_amount() {
    let request = authorize(0, Currency::USD, Details::default());
    insta::assert_snapshot!(lines(&requests::check(&request).expect("a check")), @r"
        confirm=true
        payment_method_types[0]=card
        payment_method_data[type]=card
        payment_method_data[card][number]=4242424242424242
        payment_method_data[card][exp_month]=3
        payment_method_data[card][exp_year]=2035
        payment_method_data[card][cvc]=737
        payment_method_data[billing_details][name]=Ada Lovelace
        return_url=https://pay.example/back?a=1&b=2
        usage=on_session
        metadata[multirail_key]=mrk_1
        ");
}

#[test]
fn a_check_of_a_stored_card_names_its_customer() {
    let details = Details {
        initiation: Initiation {
            future_usage: Some(FutureUsage::OffSession),
            ..Initiation::default()
        },
        payer: Payer {
            connector_customer_id: Some("cus_1".to_owned()),
            ..Payer::default()
        },
        ..Details::default()
    };
    let check = lines(&requests::check(&authorize(0, Currency::USD, details)).expect("a check"));
    let about_keeping = check
        .lines()
        .filter(|line| line.starts_with("customer") || line.starts_with("usage"));
    let about_keeping: Vec<&str> = about_keeping.collect();
    assert_eq!(about_keeping, ["customer=cus_1", "usage=off_session"]);
}

#[test]
fn captures_raises_cancellations_and_refunds() {
    let mut capture = CaptureRequest {
        key: key("mrk_c1"),
        access: Access::default(),
        authorization_key: key("mrk_1"),
        authorization_reference: Some("pi_1".to_owned()),
        money: Money::new(1200, Currency::USD),
        is_final: true,
        descriptor: Descriptor::default(),
    };
    insta::assert_snapshot!(lines(&requests::capture(&capture).expect("writable")), @r"
        amount_to_capture=1200
        metadata[mrk_c1]=captured 1200
        ");
    capture.is_final = false;
    capture.descriptor.suffix = Some("PART 1".to_owned());
    insta::assert_snapshot!(lines(&requests::capture(&capture).expect("writable")), @r"
        amount_to_capture=1200
        final_capture=false
        statement_descriptor_suffix=PART 1
        metadata[mrk_c1]=captured 1200
        ");

    let raise = IncrementRequest {
        key: key("mrk_i1"),
        access: Access::default(),
        authorization_key: key("mrk_1"),
        authorization_reference: Some("pi_1".to_owned()),
        money: Money::new(9000, Currency::USD),
        reason: Some("a second night".to_owned()),
    };
    insta::assert_snapshot!(lines(&requests::raise(&raise).expect("writable")), @r"
        amount=9000
        metadata[mrk_i1]=raised to 9000
        ");

    assert_eq!(lines(&requests::cancel(None)), "");
    assert_eq!(lines(&requests::cancel(Some("out of stock"))), "");
    assert_eq!(
        lines(&requests::cancel(Some("duplicate"))),
        "cancellation_reason=duplicate"
    );

    let refund = |reason: &str| {
        let request = RefundRequest {
            key: key("mrk_r1"),
            access: Access::default(),
            authorization_key: key("mrk_1"),
            authorization_reference: Some("pi_1".to_owned()),
            money: Money::new(1200, Currency::USD),
            of_excess: false,
            reason: Some(reason.to_owned()),
        };
        lines(&requests::refund(&request, "pi_1").expect("writable"))
    };
    insta::assert_snapshot!(refund("fraudulent"), @r"
        payment_intent=pi_1
        amount=1200
        reason=fraudulent
        metadata[multirail_key]=mrk_r1
        metadata[reason]=fraudulent
        ");
    insta::assert_snapshot!(refund("The pot has no spout"), @r"
        payment_intent=pi_1
        amount=1200
        metadata[multirail_key]=mrk_r1
        metadata[reason]=The pot has no spout
        ");
    insta::assert_snapshot!(lines(&requests::whole_refund(&key("mrk_v1"), "pi_1")), @r"
        payment_intent=pi_1
        metadata[multirail_void]=mrk_v1
        ");
}

#[test]
fn amounts_are_counted_as_stripe_counts() {
    let table = [
        (Money::new(6540, Currency::USD), Some(6540)),
        (Money::new(6540, Currency::JPY), Some(6540)),
        // The decimals of these have to be zeros.
        (Money::new(65, Currency::UGX), Some(6500)),
        (Money::new(6500, Currency::ISK), Some(6500)),
        (Money::new(6540, Currency::ISK), None),
        (Money::new(6540, Currency::KWD), Some(6540)),
        (Money::new(6541, Currency::KWD), None),
    ];
    for (money, expected) in table {
        let request = authorize(money.amount_minor, money.currency, Details::default());
        let amount = requests::payment(&request, false).map(|payment| payment.amount);
        assert_eq!(amount.ok(), expected, "{money}");
    }
}

#[test]
fn google_pay_contains_a_token_of_stripe() {
    let written = |wallet: Wallet, word: &str, text: &str| {
        let mut request = authorize(6540, Currency::USD, Details::default());
        let details = serde_json::from_value(json!({ "wallet": word })).expect("details");
        request.data = PaymentMethodData::Sealed(SealedToken {
            wallet,
            text: SecretText::new(text),
            details,
        });
        let payment = requests::payment(&request, true);
        payment.map(|payment| lines(&payment))
    };
    let token = r#"{"id":"tok_1Abc","object":"token"}"#;
    let lines = written(Wallet::GooglePay, "google_pay", token).expect("writable");
    assert!(
        lines.contains("payment_method_data[card][token]=tok_1Abc"),
        "{lines}"
    );
    assert!(!lines.contains("[number]"), "{lines}");
    for other in [
        "tok_1Abc",
        r#"{"id":"pm_1"}"#,
        r#"{"id":"tok_1&a=b"}"#,
        "{}",
    ] {
        assert!(
            written(Wallet::GooglePay, "google_pay", other).is_err(),
            "{other}"
        );
    }
    assert!(written(Wallet::ApplePay, "apple_pay", token).is_err());
}

/// Metadata, order lines and the other details that Stripe accepts.
#[test]
fn metadata_and_order_lines_are_sent() {
    let item = |name: &str, amount: i64, tax: Option<i64>| OrderItem {
        total_tax_amount: tax,
        product_id: Some("book-1".to_owned()),
        ..serde_json::from_value(json!({ "product_name": name, "quantity": 2, "amount": amount }))
            .expect("an item")
    };
    let notes = [
        ("shelf", "B-17"),
        ("nested", r#"{"a":1}"#),
        ("odd[name]", "left out"),
        ("multirail_key", "not ours"),
        ("looks_like_ours", "captured 100"),
    ];
    let details = Details {
        payment_id: Some("pay_4711".to_owned()),
        metadata: notes
            .map(|(name, text)| (name.to_owned(), text.to_owned()))
            .into(),
        order: Order {
            reference: Some("order-4711".to_owned()),
            shipping_cost: Some(540),
            order_tax_amount: Some(100),
            items: vec![item("A book", 1500, Some(50)), item("Another", 1500, None)],
            ..Order::default()
        },
        payer: Payer {
            billing: Some(Address {
                address: Some(Place {
                    line1: Some("1 Road".to_owned()),
                    line2: Some("Floor 2".to_owned()),
                    line3: Some("Door 3".to_owned()),
                    ..Place::default()
                }),
                ..Address::default()
            }),
            ..Payer::default()
        },
        ..Details::default()
    };
    let request = authorize(6540, Currency::USD, details);
    let payment = lines(&requests::payment(&request, false).expect("writable"));
    let of_interest = [
        "metadata",
        "details]",
        "amount_details",
        "payment_details",
        "[line2]",
    ];
    let told = payment
        .lines()
        .filter(|line| of_interest.iter().any(|part| line.contains(part)));
    let told = told.filter(|line| !line.contains("[name]=") && !line.contains("[line1]"));
    insta::assert_snapshot!(told.collect::<Vec<_>>().join("\n"), @r#"
    payment_method_data[billing_details][address][line2]=Floor 2, Door 3
    amount_details[shipping][amount]=540
    amount_details[line_items][0][product_name]=A book
    amount_details[line_items][0][quantity]=2
    amount_details[line_items][0][unit_cost]=1500
    amount_details[line_items][0][product_code]=book-1
    amount_details[line_items][0][tax][total_tax_amount]=50
    amount_details[line_items][1][product_name]=Another
    amount_details[line_items][1][quantity]=2
    amount_details[line_items][1][unit_cost]=1500
    amount_details[line_items][1][product_code]=book-1
    amount_details[enforce_arithmetic_validation]=false
    payment_details[order_reference]=order-4711
    metadata[multirail_key]=mrk_1
    metadata[nested]={"a":1}
    metadata[order_reference]=order-4711
    metadata[payment_id]=pay_4711
    metadata[shelf]=B-17
    "#);
}
