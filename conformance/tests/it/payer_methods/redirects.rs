//! Payers who pay, cancel or never return.

use multirail_conformance::Shop;
use multirail_conformance::bodies::with;
use multirail_simulator::processor::PAGE_VALID_SECONDS;
use serde_json::{Value, json};

use super::{
    afterpay, asked, bancontact, by, event_types, ideal, klarna, order_by, paypal, presses,
};
use crate::payments::becomes;

/// Returns the payment with its attempts.
async fn with_attempts(shop: &Shop, payment: &Value) -> Value {
    let call = shop.retrieves(payment).query("expand_attempts", true);
    call.await.ok()
}

/// Returns the token of the payer's page, which the processor gave to the newest authorization.
fn page_token(shop: &Shop) -> String {
    let books = shop.processor().ledger().authorizations();
    let newest = books.expect("the books").pop().expect("an authorization");
    newest.page_token.expect("a page")
}

#[tokio::test]
async fn a_payer_pays_and_gets_the_money_back_in_parts() {
    let shop = Shop::open().await;
    let (bank, billing) = (
        json!({ "bank_name": "m_bank", "billing_details": { "email": "ada@example.com" } }),
        json!({ "email": "ada@example.com" }),
    );
    let table = [
        (
            ideal(),
            "Pay with iDEAL?",
            json!({ "bank_redirect": { "bank_name": "ing", "country": "NL" } }),
        ),
        (
            by(
                "bank_redirect",
                "bancontact_card",
                "bancontact_card",
                json!({ "billing_details": billing }),
            ),
            "Pay with Bancontact?",
            json!({ "bank_redirect": {} }),
        ),
        (
            by(
                "bank_redirect",
                "eps",
                "eps",
                json!({ "bank_name": "bawag_psk_ag", "country": "AT" }),
            ),
            "Pay with eps?",
            json!({ "bank_redirect": { "bank_name": "bawag_psk_ag", "country": "AT" } }),
        ),
        (
            with(
                by("bank_redirect", "przelewy24", "przelewy24", bank),
                json!({ "currency": "PLN" }),
            ),
            "Pay with Przelewy24?",
            json!({ "bank_redirect": { "bank_name": "m_bank" } }),
        ),
        (
            with(
                by(
                    "bank_redirect",
                    "online_banking_poland",
                    "online_banking_poland",
                    json!({ "issuer": "m_bank" }),
                ),
                json!({ "currency": "PLN" }),
            ),
            "Pay with Przelewy online?",
            json!({ "bank_redirect": { "bank_name": "m_bank" } }),
        ),
        (
            with(
                by(
                    "bank_redirect",
                    "trustly",
                    "trustly",
                    json!({ "country": "SE" }),
                ),
                json!({ "currency": "SEK" }),
            ),
            "Pay with Trustly?",
            json!({ "bank_redirect": { "country": "SE" } }),
        ),
        (
            with(
                by("upi", "upi_intent", "upi_intent", json!({})),
                json!({ "currency": "INR" }),
            ),
            "Pay with UPI?",
            json!({ "upi": { "upi_intent": {} } }),
        ),
        (
            klarna(),
            "Pay with Klarna?",
            json!({ "pay_later": { "klarna": {} } }),
        ),
        (
            with(
                by("pay_later", "affirm", "affirm_redirect", json!({})),
                json!({ "currency": "USD" }),
            ),
            "Pay with Affirm?",
            json!({ "pay_later": { "affirm": {} } }),
        ),
        (
            afterpay(),
            "Pay with Afterpay?",
            json!({ "pay_later": { "afterpay_clearpay": {} } }),
        ),
        (
            paypal(),
            "Pay with PayPal?",
            json!({ "wallet": { "paypal": {} } }),
        ),
        (
            by("wallet", "ali_pay", "ali_pay_redirect", json!({})),
            "Pay with Alipay?",
            json!({ "wallet": { "ali_pay": {} } }),
        ),
        (
            by("wallet", "mobile_pay", "mobile_pay_redirect", json!({})),
            "Pay with MobilePay?",
            json!({ "wallet": { "mobile_pay": {} } }),
        ),
        (
            with(
                by("wallet", "twint", "twint_redirect", json!({})),
                json!({ "currency": "CHF" }),
            ),
            "Pay with TWINT?",
            json!({ "wallet": { "twint": {} } }),
        ),
        (
            with(
                by("wallet", "vipps", "vipps_redirect", json!({})),
                json!({ "currency": "NOK" }),
            ),
            "Pay with Vipps?",
            json!({ "wallet": { "vipps": {} } }),
        ),
    ];
    let told_email = [
        "bancontact_card",
        "przelewy24",
        "klarna",
        "afterpay_clearpay",
        "paypal",
    ];
    let several = table.len() as i64;
    for (method, title, details) in table {
        let order = shop.creates(order_by(method.clone())).await.ok();
        assert_eq!(order["status"], "requires_confirmation");
        // The stored method pays: the confirm doesn't repeat it.
        let payment = shop.confirms(&order, json!({})).await.ok();
        assert_eq!(payment["status"], "requires_customer_action", "{title}");
        assert_eq!(presses(&shop, &payment, title, "Pay").await, "succeeded");

        let paid = with_attempts(&shop, &payment).await;
        assert_eq!(paid["status"], "succeeded");
        assert_eq!(paid["amount_received"], 6540);
        assert_eq!(paid["payment_method"], method["payment_method"]);
        assert_eq!(paid["payment_method_type"], method["payment_method_type"]);
        let shown = &paid["payment_method_data"];
        assert_eq!(shown["card"], json!(null));
        let kind = method["payment_method_type"].as_str().expect("a word");
        let is_told = told_email.contains(&kind);
        assert_eq!(
            shown["billing"]["email"] == "ada@example.com",
            is_told,
            "{kind}"
        );
        for (family, members) in details.as_object().expect("a family") {
            assert_eq!(shown[family], *members, "{shown}");
        }
        let attempt = &paid["attempts"][0];
        assert_eq!(attempt["status"], "charged");
        assert_eq!(attempt["payment_method"], method["payment_method"]);
        assert_eq!(
            attempt["payment_method_type"],
            method["payment_method_type"]
        );

        for amount in [2000, 4540] {
            let refund = shop.refunds(&paid, json!({ "amount": amount })).await.ok();
            assert_eq!(refund["status"], "succeeded");
        }
        shop.refunds(&paid, json!({ "amount": 1 }))
            .await
            .refused(400, "IR_13");
        assert_eq!(
            event_types(&shop, &payment).await,
            ["action_required", "payment_succeeded"]
        );
    }
    let money = shop.money();
    assert_eq!(
        (money.captured, money.refunded),
        (several * 6540, several * 6540)
    );
}

#[tokio::test]
async fn a_payer_cancels_and_may_try_another_method() {
    let shop = Shop::open().await;
    shop.sets_up(json!({ "is_manual_retry_enabled": true }))
        .await
        .ok();
    let payment = asked(&shop, ideal()).await;
    let brought = presses(&shop, &payment, "Pay with iDEAL?", "Cancel").await;
    assert_eq!(brought, "failed");
    let failed = with_attempts(&shop, &payment).await;
    assert_eq!(failed["status"], "failed");
    assert_eq!(failed["error_code"], "DC_18");
    assert_eq!(
        failed["error_message"],
        "Payment declined: Cancelled by the payer"
    );
    assert_eq!(failed["attempts"][0]["status"], "failure");
    assert_eq!(
        event_types(&shop, &payment).await,
        ["action_required", "payment_failed"]
    );
    let again = shop.confirms(&payment, paypal()).await.ok();
    assert_eq!(again["status"], "requires_customer_action");
    let brought = presses(&shop, &again, "Pay with PayPal?", "Pay").await;
    assert_eq!(brought, "succeeded");
    let paid = shop.retrieves(&payment).await.ok();
    assert_eq!(paid["attempt_count"], 2);
    assert_eq!(paid["payment_method_type"], "paypal");
    assert_eq!(shop.money().captured, 6540);
}

#[tokio::test]
async fn a_payer_who_never_returns_is_asked_about() {
    let shop = Shop::open().await;
    // The payer pays, and closes the browser.
    let payment = asked(&shop, ideal()).await;
    let decided = shop.processor().decide(&page_token(&shop), true);
    decided.expect("the payer pays");
    shop.time_passes(600).await;
    let paid = becomes(&shop, &payment, "succeeded").await;
    assert_eq!(paid["amount_received"], 6540);
    // The payer leaves the page alone, and the processor ends the payment.
    let payment = asked(&shop, klarna()).await;
    shop.time_passes(PAGE_VALID_SECONDS - 60).await;
    let early = shop.asks_about(&payment).await.ok();
    assert_eq!(early["status"], "requires_customer_action");
    shop.time_passes(60).await;
    let failed = becomes(&shop, &payment, "failed").await;
    assert_eq!(
        failed["error_message"],
        "Payment declined: The payer did not decide in time"
    );
    assert_eq!(shop.money().captured, 6540);
}

#[tokio::test]
async fn money_is_reserved_and_captured_later() {
    let shop = Shop::open().await;
    let manual = with(paypal(), json!({ "capture_method": "manual" }));
    let payment = asked(&shop, manual).await;
    let brought = presses(&shop, &payment, "Pay with PayPal?", "Pay").await;
    assert_eq!(brought, "requires_capture");
    let captured = shop.captures(&payment, json!({})).await.ok();
    assert_eq!(captured["status"], "succeeded");
    assert_eq!(shop.money().captured, 6540);
}

#[tokio::test]
async fn a_cancelled_payment_takes_no_money() {
    let shop = Shop::open().await;
    let payment = asked(&shop, ideal()).await;
    let cancelled = shop.cancels(&payment, json!({})).await.ok();
    assert_eq!(cancelled["status"], "cancelled");
    assert_eq!(cancelled["next_action"], json!(null));
    let decided = shop.processor().decide(&page_token(&shop), true);
    decided.expect("the page is closed");
    assert_eq!(shop.money().captured, 0);
}

#[tokio::test]
async fn the_payer_may_choose_the_bank_at_the_page() {
    let shop = Shop::open().await;
    let method = json!({ "payment_method_data": { "bank_redirect": { "ideal": {} } } });
    let bank_unknown = json!({ "payment_method": "bank_redirect", "payment_method_type": "ideal" });
    let payment = asked(&shop, with(bank_unknown, method)).await;
    let details = &payment["payment_method_data"]["bank_redirect"];
    assert_eq!(*details, json!({}));
    let brought = presses(&shop, &payment, "Pay with iDEAL?", "Pay").await;
    assert_eq!(brought, "succeeded");
    assert_eq!(shop.money().captured, 6540);
}

#[tokio::test]
async fn a_payers_card_pays_once_and_is_not_stored() {
    let shop = Shop::open().await;
    let order = shop.creates(order_by(json!({}))).await.ok();
    let payment = shop
        .confirms(&order, bancontact("4111111111111111"))
        .await
        .ok();
    let shown = &payment["payment_method_data"]["bank_redirect"];
    assert_eq!(*shown, json!({ "bancontact_card": { "last4": "1111" } }));
    let brought = presses(&shop, &payment, "Pay with Bancontact?", "Pay").await;
    assert_eq!(brought, "succeeded");
    let books = shop.processor().ledger().authorizations();
    let filed = format!("{:?}", books.expect("the books"));
    assert!(!filed.contains("4111111111111111"), "{filed}");

    // The card is refused although its payer agrees.
    let payment = asked(&shop, bancontact("4000000000000002")).await;
    let brought = presses(&shop, &payment, "Pay with Bancontact?", "Pay").await;
    assert_eq!(brought, "failed");

    let early = order_by(bancontact("4111111111111111"));
    shop.creates(early).await.refused(400, "IR_20");
    let table = [
        (json!({ "card_number": "4111111111111112" }), 400, "IR_06"),
        (json!({ "card_exp_month": null }), 400, "IR_04"),
        (json!({ "card_number": null }), 400, "IR_04"),
        // Without a card, its holder would be dropped.
        (
            json!({ "card_number": null, "card_exp_month": null, "card_exp_year": null }),
            400,
            "IR_04",
        ),
        (json!({ "card_exp_year": "2019" }), 400, "IR_16"),
    ];
    for (change, status, code) in table {
        let data = json!({ "bank_redirect": { "bancontact_card": change } });
        let wrong = with(
            bancontact("4111111111111111"),
            json!({ "payment_method_data": data }),
        );
        let order = shop.creates(order_by(json!({}))).await.ok();
        let message = shop.confirms(&order, wrong).await.refused(status, code);
        assert!(message.contains("bancontact_card"), "{message}");
    }
    assert_eq!(shop.money().captured, 6540);
}
