//! Requests that no account can carry out are refused before an attempt.

use std::sync::Arc;

use multirail_conformance::Shop;
use multirail_conformance::bodies::with;
use multirail_peers::checkout::Checkout;
use serde_json::{Value, json};

use super::vouchers::{boleto, oxxo};
use super::{afterpay, at_once, by, ideal, klarna, order_by, paypal};
use crate::processors::production_shop::ProductionShop;

#[tokio::test]
async fn what_the_simulated_processor_does_not_take_is_refused() {
    let shop = Shop::open().await;
    let data = |data: Value| json!({ "payment_method_data": data });
    let table = [
        (
            "in dollars",
            with(ideal(), json!({ "currency": "USD" })),
            400,
            "IR_39",
        ),
        (
            "in yen",
            with(klarna(), json!({ "currency": "JPY" })),
            400,
            "IR_39",
        ),
        (
            "reserved",
            with(ideal(), json!({ "capture_method": "manual" })),
            400,
            "IR_39",
        ),
        (
            "saved",
            with(
                paypal(),
                json!({ "setup_future_usage": "on_session", "customer_id": "ada" }),
            ),
            400,
            "IR_20",
        ),
        (
            "without the payer",
            with(ideal(), json!({ "off_session": true })),
            400,
            "IR_16",
        ),
        (
            "as another type",
            with(ideal(), json!({ "payment_method_type": "eps" })),
            422,
            "IR_06",
        ),
        (
            "as another family",
            with(
                ideal(),
                json!({ "payment_method": "pay_later", "payment_method_type": "klarna" }),
            ),
            422,
            "IR_06",
        ),
        (
            "twice",
            with(
                ideal(),
                data(json!({ "pay_later": { "klarna_redirect": {} } })),
            ),
            422,
            "IR_06",
        ),
        (
            "beside another bank method",
            with(ideal(), data(json!({ "bank_redirect": { "eps": {} } }))),
            422,
            "IR_06",
        ),
        (
            "by no data",
            with(ideal(), data(json!({ "bank_redirect": { "ideal": null } }))),
            400,
            "IR_04",
        ),
        (
            "by a method that nothing takes",
            with(
                ideal(),
                json!({
                    "payment_method_type": "sofort",
                    "payment_method_data": { "bank_redirect": { "ideal": null, "sofort": {} } },
                }),
            ),
            400,
            "IR_19",
        ),
        (
            "with two e-mail addresses",
            with(
                paypal(),
                data(json!({ "billing": { "email": "eve@example.com" } })),
            ),
            422,
            "IR_06",
        ),
        (
            "from another country",
            with(
                afterpay(),
                data(json!({ "billing": { "address": { "country": "FR" } } })),
            ),
            400,
            "IR_39",
        ),
        (
            "without a member that the processor needs",
            with(
                afterpay(),
                data(
                    json!({ "pay_later": { "afterpay_clearpay_redirect": { "billing_name": null } } }),
                ),
            ),
            400,
            "IR_04",
        ),
        (
            "with a blank name",
            with(
                afterpay(),
                data(
                    json!({ "pay_later": { "afterpay_clearpay_redirect": { "billing_name": " " } } }),
                ),
            ),
            400,
            "IR_04",
        ),
        (
            "with an e-mail address that is none",
            with(
                afterpay(),
                data(
                    json!({ "pay_later": { "afterpay_clearpay_redirect": { "billing_email": "foo" } } }),
                ),
            ),
            400,
            "IR_06",
        ),
        (
            "in another way",
            with(ideal(), json!({ "payment_experience": "display_qr_code" })),
            400,
            "IR_39",
        ),
        (
            "with a member that the method hasn't",
            by(
                "wallet",
                "twint",
                "twint_redirect",
                json!({ "email": "ada@example.com" }),
            ),
            400,
            "IR_06",
        ),
        (
            "at a bank of nowhere",
            with(
                ideal(),
                data(json!({ "bank_redirect": { "ideal": { "bank_name": "unborn" } } })),
            ),
            400,
            "IR_06",
        ),
    ];
    let mut told = Vec::new();
    for (what, method, status, code) in table {
        let body = at_once(method);
        let answer = shop.creates(body).await;
        told.push(format!("{what}: {}", answer.refused(status, code)));
    }
    insta::assert_snapshot!(told.join("\n"), @r#"
    in dollars: fauxpay takes payment_method_type ideal only in EUR
    in yen: fauxpay takes payment_method_type klarna only in AUD, CAD, CHF, CZK, DKK, EUR, GBP, NOK, NZD, PLN, SEK, USD
    reserved: fauxpay takes payment_method_type ideal only with capture_method automatic
    saved: setup_future_usage with payment_method wallet is not supported
    without the payer: payment_method_type ideal needs the payer: off_session can't be true
    as another type: payment_method_data.bank_redirect.ideal is not the data of payment_method_type
    as another family: payment_method_data is not the data of payment_method pay_later
    twice: payment_method_data takes exactly one instrument
    beside another bank method: payment_method_data takes exactly one instrument
    by no data: payment_method_data.bank_redirect.ideal is required and was not given
    by a method that nothing takes: no connector that is built takes payment_method_type sofort yet
    with two e-mail addresses: payment_method_data.wallet.paypal_redirect and payment_method_data.billing have different values for email
    from another country: fauxpay takes payment_method_type afterpay_clearpay only from payers in AU, CA, GB, NZ, US
    without a member that the processor needs: payment_method_data.billing.address.first_name (or first and last name in payment_method_data.pay_later.afterpay_clearpay_redirect.billing_name) is required and was not given
    with a blank name: payment_method_data.billing.address.first_name (or first and last name in payment_method_data.pay_later.afterpay_clearpay_redirect.billing_name) is required and was not given
    with an e-mail address that is none: payment_method_data.billing.email (or payment_method_data.pay_later.afterpay_clearpay_redirect.billing_email) is no e-mail address
    in another way: fauxpay takes payment_method_type ideal only with payment_experience redirect_to_url
    with a member that the method hasn't: `payment_method_data.wallet.twint_redirect.email` is not a known member here.
    at a bank of nowhere: `payment_method_data.bank_redirect.ideal.bank_name` must be one of the words that the document lists.
    "#);
    let books = shop.processor().ledger().authorizations();
    assert_eq!(books.expect("the books"), [], "the processor wasn't asked");
}

#[tokio::test]
async fn what_a_method_without_a_page_does_not_take_is_refused() {
    let shop = Shop::open().await;
    let of = |method: Value, currency: &str| with(method, json!({ "currency": currency }));
    let pix = |choices: Value| of(by("bank_transfer", "pix", "pix", choices), "BRL");
    let blik = |choices: Value| of(by("bank_redirect", "blik", "blik", choices), "PLN");
    let code = || json!({ "blik_code": "123456" });
    let abroad = json!({ "billing": { "address": { "country": "US" } } });
    let no_number = json!({ "payment_method_data": { "voucher": { "boleto": { "social_security_number": null } } } });
    let no_email = json!({ "billing": { "email": null } });
    let upi = |method: Value| of(method, "INR");
    let swish = by("bank_redirect", "swish", "swish", json!({}));
    let table = [
        ("in euro", of(pix(json!({})), "EUR"), 400, "IR_39"),
        (
            "with a tax number",
            pix(json!({ "cpf": "12345678909" })),
            400,
            "IR_06",
        ),
        ("without a code", blik(json!({})), 400, "IR_04"),
        (
            "with a short code",
            blik(json!({ "blik_code": "12345" })),
            422,
            "IR_05",
        ),
        (
            "reserved",
            with(blik(code()), json!({ "capture_method": "manual" })),
            400,
            "IR_39",
        ),
        (
            "saved",
            with(
                blik(code()),
                json!({ "setup_future_usage": "on_session", "customer_id": "ada" }),
            ),
            400,
            "IR_20",
        ),
        (
            "without an address",
            upi(by("upi", "upi_collect", "upi_collect", json!({}))),
            400,
            "IR_04",
        ),
        (
            "by no data",
            upi(json!({
                "payment_method": "upi", "payment_method_type": "upi_qr", "payment_method_data": { "upi": {} },
            })),
            400,
            "IR_04",
        ),
        ("from another country", with(oxxo(), abroad), 400, "IR_39"),
        (
            "without an e-mail address",
            with(oxxo(), no_email),
            400,
            "IR_04",
        ),
        (
            "without a tax number",
            with(boleto(), no_number),
            400,
            "IR_04",
        ),
        (
            "without a country",
            by(
                "bank_transfer",
                "sepa_bank_transfer",
                "sepa_bank_transfer",
                json!({}),
            ),
            400,
            "IR_04",
        ),
        ("by data of another family", of(swish, "SEK"), 400, "IR_19"),
    ];
    let mut told = Vec::new();
    for (what, method, status, code) in table {
        let body = at_once(method);
        let answer = shop.creates(body).await;
        told.push(format!("{what}: {}", answer.refused(status, code)));
    }
    insta::assert_snapshot!(told.join("\n"), @r#"
    in euro: fauxpay takes payment_method_type pix only in BRL
    with a tax number: `payment_method_data.bank_transfer.pix.cpf` is not a known member here.
    without a code: payment_method_data.bank_redirect.blik.blik_code is required and was not given
    with a short code: `payment_method_data.bank_redirect.blik.blik_code` must be at least 6 characters long.
    reserved: fauxpay takes payment_method_type blik only with capture_method automatic
    saved: setup_future_usage with payment_method bank_redirect is not supported
    without an address: payment_method_data.upi.upi_collect.vpa_id is required and was not given
    by no data: payment_method_data.upi.upi_qr is required and was not given
    from another country: fauxpay takes payment_method_type oxxo only from payers in MX; connectors that could: stripe
    without an e-mail address: payment_method_data.billing.email is required and was not given
    without a tax number: payment_method_data.voucher.boleto.social_security_number is required and was not given
    without a country: payment_method_data.bank_transfer.sepa_bank_transfer.country is required and was not given
    by data of another family: no connector that is built takes this payment_method_data.bank_redirect: payment_method_type swish is taken with payment_method_data.wallet.swish_qr
    "#);
    let books = shop.processor().ledger().authorizations();
    assert_eq!(books.expect("the books"), [], "the processor wasn't asked");
}

#[tokio::test]
async fn a_processor_without_the_methods_refuses_them_before_an_attempt() {
    let shop = ProductionShop::open("checkout", Arc::new(Checkout::new())).await;
    let mut told = Vec::new();
    for method in [ideal(), paypal(), klarna()] {
        let order = shop.creates(order_by(json!({}))).await.ok();
        told.push(shop.confirms(&order, method).await.refused(400, "IR_19"));
        let after = shop.retrieves(&order).await.ok();
        assert_eq!(after["status"], "requires_payment_method");
    }
    insta::assert_snapshot!(told.join("\n"), @"
    no connector of the profile takes payment_method_type ideal; connectors that do: adyen, stripe
    no connector of the profile takes payment_method_type paypal; connectors that do: adyen, stripe
    no connector of the profile takes payment_method_type klarna; connectors that do: adyen, stripe
    ");
}
