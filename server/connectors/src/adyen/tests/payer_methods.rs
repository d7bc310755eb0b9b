//! Tests of the methods that payers finish elsewhere.

use multirail_kernel::currency::Currency;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::bank_name::BankName;
use multirail_sdk::card::{Card, CardNumber, Expiry, GivenCardDetails};
use multirail_sdk::charge::AuthenticationType;
use multirail_sdk::connector::details::{Address, Order, Payer, Phone, Place};
use multirail_sdk::connector::{AuthorizeRequest, Details};
use multirail_sdk::instrument::PaymentMethodData;
use multirail_sdk::payer_method::{PayerData, PayerMethod, PayerSecret};
use multirail_sdk::payment_method::PaymentMethodType;
use serde_json::{Value, json};

use super::super::payer_methods::RULES;
use super::super::request;
use super::requests::{asked, place, written};

/// Returns a request for 65.40 by this method, from a payer whose data is complete.
fn asked_by(method: PayerMethod, currency: Currency, order: Order) -> AuthorizeRequest {
    let phone = Phone {
        number: Some("412 34 567".to_owned()),
        country_code: Some("+47".to_owned()),
        ..Phone::default()
    };
    let payer = Payer {
        billing: Some(Address {
            address: Some(place()),
            phone: Some(phone),
            email: Some("ada@example.com".to_owned()),
            ..Address::default()
        }),
        ..Payer::default()
    };
    let details = Details {
        order,
        payer,
        ..Details::default()
    };
    let mut request = asked(6540, currency, true, details);
    let secret = secret(method.kind);
    request.data = PaymentMethodData::Payer(Box::new(PayerData { method, secret }));
    request
}

/// Returns the payer's secret for a method that needs one.
fn secret(kind: PaymentMethodType) -> Option<PayerSecret> {
    let texts = [
        (PaymentMethodType::Blik, "777987"),
        (PaymentMethodType::Boleto, "52998224725"),
        (PaymentMethodType::UpiCollect, "ada@upi"),
    ];
    let text = texts.into_iter().find(|(own, _)| *own == kind);
    let text = text.map(|(_, text)| PayerSecret::Text(SecretText::new(text)));
    text.or_else(|| (kind == PaymentMethodType::BancontactCard).then(bancontact))
}

fn bancontact() -> PayerSecret {
    let number = CardNumber::parse("6703444444444449").expect("a number");
    let expiry = Expiry::parse("3", "2030", "card", Timestamp::EPOCH).expect("an expiry");
    PayerSecret::Card(Box::new(Card::new(
        number,
        None,
        expiry,
        GivenCardDetails::default(),
    )))
}

#[test]
fn every_method_has_its_type_and_members() {
    let mut told = Vec::new();
    for rules in RULES.iter().filter(|rules| !rules.is_debit()) {
        let method = PayerMethod {
            bank_name: Some(BankName::MBank),
            ..PayerMethod::new(rules.kind)
        };
        let request = asked_by(method, rules.currencies[0], Order::default());
        let written = written(&request);
        assert_eq!(written["countryCode"], "NL");
        assert_eq!(written["shopperEmail"], "ada@example.com");
        let more = ["lineItems", "socialSecurityNumber", "channel"].map(|name| &written[name]);
        let more = more.into_iter().filter(|value| !value.is_null());
        let more: Vec<String> = more.map(Value::to_string).collect();
        let line = format!("{} {}", written["paymentMethod"], more.join(" "));
        told.push(line.trim_end().to_owned());
    }
    insta::assert_snapshot!(told.join("\n"), @r#"
    {"type":"affirm"} [{"description":"Order","quantity":1,"amountIncludingTax":6540}]
    {"type":"afterpaytouch"} [{"description":"Order","quantity":1,"amountIncludingTax":6540}]
    {"type":"alipay"}
    {"type":"bankTransfer_IBAN"}
    {"type":"bcmc","number":"6703444444444449","expiryMonth":"03","expiryYear":"2030"}
    {"type":"blik","blikCode":"777987"}
    {"type":"boletobancario"} "52998224725"
    {"type":"cashapp","subtype":"redirect"} "Web"
    {"type":"eps"}
    {"type":"ideal"}
    {"type":"klarna"} [{"description":"Order","quantity":1,"amountIncludingTax":6540}]
    {"type":"mobilepay"}
    {"type":"multibanco"}
    {"type":"onlineBanking_PL","issuer":"243"}
    {"type":"oxxo"}
    {"type":"paypal"}
    {"type":"pix"}
    {"type":"swish"}
    {"type":"trustly"}
    {"type":"twint"}
    {"type":"upi_collect","virtualPaymentAddress":"ada@upi"}
    {"type":"upi_qr"}
    {"type":"vipps","telephoneNumber":"+4741234567"}
    {"type":"wechatpayQR"}
    "#);
    let british = PayerMethod::new(PaymentMethodType::AfterpayClearpay);
    let british = written(&asked_by(british, Currency::GBP, Order::default()));
    assert_eq!(british["paymentMethod"], json!({ "type": "clearpay" }));
}

#[test]
fn a_pay_later_payment_has_lines_that_add_up() {
    let lines = |amount: i64| -> Value {
        let items = json!([
            { "product_name": "A book", "quantity": 2, "amount": 3000 },
            { "product_name": "Shipping", "quantity": 1, "amount": amount },
        ]);
        let order = Order {
            items: serde_json::from_value(items).expect("items"),
            ..Order::default()
        };
        let klarna = PayerMethod::new(PaymentMethodType::Klarna);
        written(&asked_by(klarna, Currency::EUR, order))["lineItems"].clone()
    };
    let whole = json!([
        { "description": "A book", "quantity": 2, "amountIncludingTax": 3000 },
        { "description": "Shipping", "quantity": 1, "amountIncludingTax": 540 },
    ]);
    assert_eq!(lines(540), whole);
    let in_one = json!([{ "description": "Order", "quantity": 1, "amountIncludingTax": 6540 }]);
    assert_eq!(lines(500), in_one);
    assert_eq!(lines(i64::MAX), in_one);
}

#[test]
fn the_country_of_the_bank_is_told_before_the_payers() {
    let trustly = PayerMethod {
        country: "SE".parse().ok(),
        ..PayerMethod::new(PaymentMethodType::Trustly)
    };
    let told = written(&asked_by(trustly, Currency::SEK, Order::default()));
    assert_eq!(told["countryCode"], "SE");
}

/// Adyen wants the country of some methods, which only one country has.
#[test]
fn the_only_country_of_a_method_is_told_if_the_payers_is_unknown() {
    let country = |kind, currency| {
        let mut request = asked_by(PayerMethod::new(kind), currency, Order::default());
        request.details.payer.billing = None;
        written(&request)["countryCode"].clone()
    };
    assert_eq!(country(PaymentMethodType::Oxxo, Currency::MXN), "MX");
    assert_eq!(country(PaymentMethodType::Multibanco, Currency::EUR), "PT");
    assert_eq!(
        country(PaymentMethodType::WeChatPay, Currency::EUR),
        Value::Null
    );
}

/// Only Bancontact authenticates payers by 3-D Secure.
#[test]
fn a_wish_for_three_ds_is_told_of_cards_alone() {
    let attempt = |kind| {
        let mut request = asked_by(PayerMethod::new(kind), Currency::EUR, Order::default());
        request.details.authentication.wanted = Some(AuthenticationType::ThreeDs);
        written(&request)["authenticationData"]["attemptAuthentication"].clone()
    };
    assert_eq!(attempt(PaymentMethodType::BancontactCard), "always");
    assert_eq!(attempt(PaymentMethodType::Ideal), Value::Null);
}

/// Adyen takes the states of Brazil by their letters only.
#[test]
fn a_boleto_is_sent_with_a_state_of_brazil() {
    let told = |state: Option<&str>| {
        let boleto = PayerMethod::new(PaymentMethodType::Boleto);
        let mut request = asked_by(boleto, Currency::BRL, Order::default());
        let place = Place {
            country: "BR".parse().ok(),
            state: state.map(str::to_owned),
            zip: Some("01310-100".to_owned()),
            ..place()
        };
        request.details.payer.billing = Some(Address {
            address: Some(place),
            ..Address::default()
        });
        match request::payment(&request, "BookshopNL") {
            Ok(payment) => {
                let payment = serde_json::to_value(payment).expect("JSON");
                payment["billingAddress"]["stateOrProvince"].to_string()
            }
            Err(error) => error.to_string(),
        }
    };
    let lines = [Some("SP"), Some("São Paulo"), None].map(told);
    insta::assert_snapshot!(lines.join("\n"), @r#"
    "SP"
    this connector has no place for boleto in this form
    this connector has no place for boleto in this form
    "#);
}

#[test]
fn a_method_that_adyen_cannot_take_is_not_sent() {
    let refused = |method: PayerMethod, currency| {
        let mut request = asked_by(method.clone(), currency, Order::default());
        request.data = PaymentMethodData::Payer(Box::new(method.into()));
        let refused = request::payment(&request, "BookshopNL").err();
        refused.map(|error| error.to_string())
    };
    let bank = |bank_name| PayerMethod {
        bank_name: Some(bank_name),
        ..PayerMethod::new(PaymentMethodType::OnlineBankingPoland)
    };
    let told = [
        refused(
            PayerMethod::new(PaymentMethodType::Przelewy24),
            Currency::PLN,
        ),
        refused(
            PayerMethod::new(PaymentMethodType::BancontactCard),
            Currency::EUR,
        ),
        refused(bank(BankName::Ing), Currency::PLN),
        refused(bank(BankName::MBank), Currency::PLN),
        refused(PayerMethod::new(PaymentMethodType::Blik), Currency::PLN),
        refused(
            PayerMethod::new(PaymentMethodType::UpiIntent),
            Currency::INR,
        ),
    ];
    insta::assert_debug_snapshot!(told, @r#"
    [
        Some(
            "this connector has no place for przelewy24 in this form",
        ),
        Some(
            "this connector has no place for bancontact_card in this form",
        ),
        Some(
            "this connector has no place for online_banking_poland in this form",
        ),
        None,
        Some(
            "this connector has no place for blik in this form",
        ),
        Some(
            "this connector has no place for upi_intent in this form",
        ),
    ]
    "#);
}
