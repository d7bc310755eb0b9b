//! Tests of instruments in requests.

use std::collections::BTreeSet;

use multirail_client::types::{
    AchDebitRequest, AfterpayClearpayRedirectRequest, ApplePayMethod, ApplePayRequest,
    BacsDebitRequest, BancontactCardRequest, BankName, BecsDebitRequest, BlikRequest,
    BoletoRequest, CardNetwork, Currency, EpsRequest, GooglePayInfo, GooglePayRequest,
    GooglePayTokenData, IdealRequest, KlarnaRedirectRequest, MultibancoRequest,
    NetworkTokenRequest, OnlineBankingPolandRequest, PaymentConfirmRequest, PaymentCreateRequest,
    PaypalRedirectRequest, Przelewy24Request, SepaBankTransferRequest, SepaDebitRequest,
    TrustlyRequest, UpiCollectRequest,
};
use multirail_client::{Instrument, KeptElsewhere, PayerMethod, PaysWith, SeriesCard, requests};
use serde_json::{Value, json};

fn sent(instrument: impl Into<Instrument>) -> Value {
    let order = PaymentCreateRequest::new(6540, Currency::Usd).pays_with(instrument);
    serde_json::to_value(order).expect("a request is JSON")
}

fn card() -> Instrument {
    requests::card_of("4111111111111111", "10", "2035", "123").into()
}

fn apple() -> ApplePayRequest {
    let card = ApplePayMethod::new("Visa 1111", "Visa", "credit");
    ApplePayRequest::new("sealed", card, "transaction")
}

fn google() -> GooglePayRequest {
    let sealed = GooglePayTokenData::new().token("sealed");
    GooglePayRequest::new(
        "CARD",
        "Visa 1111",
        GooglePayInfo::new("VISA", "1111"),
        sealed,
    )
}

fn saved() -> Instrument {
    Instrument::Saved {
        payment_token: "token_1".to_owned(),
        cvc: "123".into(),
    }
}

fn mandate() -> Instrument {
    Instrument::Mandate {
        mandate_id: "man_1".to_owned(),
    }
}

fn recurring() -> Instrument {
    Instrument::Recurring {
        payment_method_id: "pm_1".to_owned(),
    }
}

fn network_token() -> NetworkTokenRequest {
    NetworkTokenRequest::new("4895370012003478", "10", "2035", "AgAAAA")
}

/// Returns a request for each instrument.
fn all() -> Vec<Value> {
    vec![
        sent(card()),
        sent(apple()),
        sent(google()),
        sent(IdealRequest::new().bank_name(BankName::Ing)),
        sent(KlarnaRedirectRequest::new()),
        sent(PaypalRedirectRequest::new()),
        sent(BancontactCardRequest::new()),
        sent(EpsRequest::new()),
        sent(OnlineBankingPolandRequest::new()),
        sent(Przelewy24Request::new()),
        sent(TrustlyRequest::new()),
        sent(AfterpayClearpayRedirectRequest::new()),
        sent(AchDebitRequest::new("000123456789", "110000000")),
        sent(BacsDebitRequest::new("00012345", "108800")),
        sent(BecsDebitRequest::new("000123456", "000000")),
        sent(SepaDebitRequest::new("DE89370400440532013000")),
        sent(PayerMethod::Affirm),
        sent(PayerMethod::AliPay),
        sent(PayerMethod::MobilePay),
        sent(PayerMethod::Twint),
        sent(PayerMethod::Vipps),
        sent(BlikRequest::new()),
        sent(BoletoRequest::new()),
        sent(MultibancoRequest::new()),
        sent(SepaBankTransferRequest::new()),
        sent(UpiCollectRequest::new()),
        sent(PayerMethod::Cashapp),
        sent(PayerMethod::Oxxo),
        sent(PayerMethod::Pix),
        sent(PayerMethod::Swish),
        sent(PayerMethod::UpiIntent),
        sent(PayerMethod::UpiQr),
        sent(PayerMethod::WeChatPay),
        sent(network_token()),
        sent(saved()),
        sent(recurring()),
        sent(mandate()),
        sent(KeptElsewhere::new("pm_1", "mca_1")),
        sent(SeriesCard::new("4111111111111111", "10", "2035", "ntid_1")),
    ]
}

/// Returns the words by which a request names its instrument.
fn words(request: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for (family, value) in request["payment_method_data"]
        .as_object()
        .into_iter()
        .flatten()
    {
        match (family.as_str(), value.as_object()) {
            (
                "wallet" | "bank_debit" | "bank_redirect" | "bank_transfer" | "pay_later" | "upi"
                | "voucher",
                Some(members),
            ) => {
                found.extend(members.keys().map(|name| format!("{family}.{name}")));
            }
            _ => found.push(family.clone()),
        }
    }
    if let Some(kind) = request["recurring_details"]["type"].as_str() {
        found.push(format!("recurring_details.{kind}"));
    }
    if request["payment_token"].is_string() {
        found.push("payment_token".to_owned());
    }
    found
}

/// Returns the members of a schema that have their own type. Free-form members belong to connectors, and none uses
/// them.
fn typed(schema: &Value) -> Vec<String> {
    let members = schema["properties"].as_object().into_iter().flatten();
    let typed = members.filter(|(_, member)| member["anyOf"].is_array());
    typed.map(|(name, _)| name.clone()).collect()
}

#[test]
fn every_instrument_of_the_document_has_a_helper() {
    let document = crate::support::document();
    let schemas = &document["components"]["schemas"];
    let members = |family: &'static str, schema: &str| {
        let names = typed(&schemas[schema]).into_iter();
        names.map(move |name| format!("{family}.{name}"))
    };
    let mut of_document = BTreeSet::from(["payment_token".to_owned()]);
    for family in typed(&schemas["PaymentMethodDataRequest"]) {
        match family.as_str() {
            // `billing` is no instrument, and `card_token` only adds the code to a `payment_token`.
            "billing" | "card_token" => {}
            "wallet" => of_document.extend(members("wallet", "WalletRequest")),
            "bank_debit" => of_document.extend(members("bank_debit", "BankDebitRequest")),
            "bank_redirect" => of_document.extend(members("bank_redirect", "BankRedirectRequest")),
            "pay_later" => of_document.extend(members("pay_later", "PayLaterRequest")),
            "bank_transfer" => of_document.extend(members("bank_transfer", "BankTransferRequest")),
            "upi" => of_document.extend(members("upi", "UpiRequest")),
            "voucher" => of_document.extend(members("voucher", "VoucherRequest")),
            _ => {
                of_document.insert(family);
            }
        }
    }
    let kinds = schemas["RecurringDetailsKind"]["enum"].as_array();
    for kind in kinds.expect("words").iter().filter_map(Value::as_str) {
        of_document.insert(format!("recurring_details.{kind}"));
    }
    assert!(of_document.len() > 8, "{of_document:?}");
    let of_helpers: Vec<String> = all().iter().flat_map(words).collect();
    assert_eq!(
        of_helpers.len(),
        all().len(),
        "each says one: {of_helpers:?}"
    );
    assert_eq!(BTreeSet::from_iter(of_helpers), of_document);
}

#[test]
fn each_instrument_sets_its_own_members() {
    let card = sent(card());
    assert_eq!(
        card,
        json!({
            "amount": 6540, "currency": "USD", "payment_method": "card", "payment_method_type": "credit",
            "payment_method_data": { "card": {
                "card_number": "4111111111111111", "card_exp_month": "10", "card_exp_year": "2035", "card_cvc": "123",
            } },
        })
    );
    let apple = sent(apple());
    assert_eq!(apple["payment_method_type"], "apple_pay");
    assert_eq!(
        apple["payment_method_data"]["wallet"]["apple_pay"]["payment_data"],
        "sealed"
    );
    let google = sent(google());
    assert_eq!(google["payment_method"], "wallet");
    let wallet = &google["payment_method_data"]["wallet"]["google_pay"];
    assert_eq!(wallet["tokenization_data"]["token"], "sealed");
    let ideal = sent(IdealRequest::new().bank_name(BankName::Ing));
    assert_eq!(ideal["payment_method"], "bank_redirect");
    assert_eq!(
        ideal["payment_method_data"]["bank_redirect"],
        json!({ "ideal": { "bank_name": "ing" } })
    );
    let klarna = sent(KlarnaRedirectRequest::new().billing_email("ada@example.com"));
    assert_eq!(klarna["payment_method_type"], "klarna");
    assert_eq!(
        klarna["payment_method_data"]["pay_later"],
        json!({ "klarna_redirect": { "billing_email": "ada@example.com" } })
    );
    let paypal = sent(PaypalRedirectRequest::new());
    assert_eq!(paypal["payment_method_type"], "paypal");
    assert_eq!(
        paypal["payment_method_data"]["wallet"],
        json!({ "paypal_redirect": {} })
    );
    let twint = sent(PayerMethod::Twint);
    assert_eq!(twint["payment_method"], "wallet");
    assert_eq!(twint["payment_method_type"], "twint");
    assert_eq!(
        twint["payment_method_data"],
        json!({ "wallet": { "twint_redirect": {} } })
    );
    assert_eq!(sent(network_token())["payment_method"], "network_token");
    let saved = sent(saved());
    assert_eq!(
        (&saved["payment_token"], &saved["card_cvc"]),
        (&json!("token_1"), &json!("123"))
    );
    let mandate = sent(mandate());
    assert_eq!(
        mandate["recurring_details"],
        json!({ "type": "mandate_id", "data": "man_1" })
    );
    assert_eq!(mandate["off_session"], true);
    let kind = &sent(recurring())["recurring_details"]["type"];
    assert_eq!(kind, "payment_method_id");
}

#[test]
fn another_instrument_leaves_nothing_of_the_one_before() {
    let order = PaymentConfirmRequest::new()
        .pays_with(card())
        .pays_with(KeptElsewhere::new("pm_1", "mca_1"))
        .pays_with(saved());
    assert_eq!(order.payment_method_data, None);
    assert_eq!(order.recurring_details, None);
}

#[test]
fn agreements_made_elsewhere_have_the_documents_form() {
    let kept = KeptElsewhere::new("pm_1", "mca_1");
    let request = sent(kept.clone());
    assert_eq!(
        request["recurring_details"],
        json!({
            "type": "processor_payment_token",
            "data": { "processor_payment_token": "pm_1", "merchant_connector_id": "mca_1" },
        })
    );
    assert_eq!(request["off_session"], true);
    let data = &sent(kept.connector_customer_id("cus_1"))["recurring_details"]["data"];
    assert_eq!(data["connector_customer_id"], "cus_1");
    let series = SeriesCard::new("4111111111111111", "10", "2035", "ntid_1");
    let series = series.card_holder_name("Ada Reader");
    let series = series.card_network(CardNetwork::Visa);
    assert!(!format!("{series:?}").contains("4111"));
    assert_eq!(
        sent(series)["recurring_details"],
        json!({
            "type": "network_transaction_id_and_card_details",
            "data": {
                "card_number": "4111111111111111", "card_exp_month": "10", "card_exp_year": "2035",
                "network_transaction_id": "ntid_1", "card_holder_name": "Ada Reader", "card_network": "Visa",
            },
        })
    );
}
