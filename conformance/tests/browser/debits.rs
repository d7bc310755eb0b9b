//! Debits of bank accounts on the hosted page: the account, the mandate and the payer's consent.

use fantoccini::Locator;
use multirail_conformance::bodies::with;
use serde_json::{Value, json};

use super::axe;
use super::methods::{ENTER, SPACE, TAB, order};
use super::payer::Payer;
use super::phone::narrow;

impl Payer {
    /// Agrees to the mandate with the mouse.
    async fn agrees(&self, kind: &str) {
        let label = format!("//label[input[@id='{kind}-consent']]");
        let label = self.finds(Locator::XPath(&label)).await;
        label.click().await.expect("a consent");
    }

    /// Waits for the bank's answer to a debit, which is successful.
    async fn is_debited(&self, payment: &Value) -> Value {
        self.reads("Your payment is being processed").await;
        axe::is_content(self).await;
        self.is(payment, "processing").await;
        self.shop.asks_about(payment).await.ok();
        self.reads("Thank you").await;
        self.heard_no_complaint().await;
        self.is(payment, "succeeded").await
    }
}

pub async fn sepa_by_keyboard(payer: Payer) {
    let payment = payer.shops_in("EUR").await;
    payer.moves_to("sepa").await;
    payer.sees("#pay-sepa:not([hidden])").await;
    payer.keys(TAB).await;
    assert_eq!(payer.focus().await, "sepa-holder");
    for text in ["Ada Okafor", "de88 3704 0044-0532 0130 00"] {
        payer.keys(&format!("{text}{TAB}")).await;
    }
    payer
        .sees_text("#sepa-iban-error", "as it stands on your card or statement")
        .await;
    let grouped = "return document.getElementById('sepa-iban').value";
    assert_eq!(payer.asks(grouped).await, "DE88 3704 0044 0532 0130 00");
    assert_eq!(payer.focus().await, "sepa-consent");
    let button = format!("{TAB}{ENTER}");
    payer.keys(&button).await;
    payer
        .sees_text("#sepa-consent-error", "your account can’t be debited")
        .await;
    assert_eq!(payer.focus().await, "sepa-iban");
    axe::is_content(&payer).await;
    payer.types("sepa-iban", "DE89370400440532013000").await;
    payer.keys(&format!("{TAB}{SPACE}{button}")).await;

    let paid = payer.is_debited(&payment).await;
    let account = json!({ "iban": "DE********3000", "bank_account_holder_name": "Ada Okafor" });
    let shown = &paid["payment_method_data"]["bank_debit"];
    assert_eq!(shown["sepa"], account);
}

pub async fn ach_by_mouse(payer: Payer) {
    let payment = payer.shops_in("USD").await;
    payer.chooses("ach").await;
    axe::is_content(&payer).await;
    payer.pays_by("ach").await;
    for (field, text) in [
        ("holder", "fill in this field"),
        ("routing", "9 digits"),
        ("account", "4 to 17 digits"),
        ("consent", "Please agree"),
    ] {
        payer.sees_text(&format!("#ach-{field}-error"), text).await;
    }
    assert_eq!(payer.focus().await, "ach-holder");
    axe::is_content(&payer).await;
    payer.types("ach-holder", "Ada Okafor").await;
    payer.types("ach-account", "000-12345-6789").await;
    payer.agrees("ach").await;
    // The last digit checks the others.
    payer.types("ach-routing", "110000001").await;
    payer.pays_by("ach").await;
    payer.sees_text("#ach-routing-error", "9 digits").await;
    payer.types("ach-routing", "110000000").await;
    let wrong = "return document.querySelectorAll('[aria-invalid]').length";
    assert_eq!(payer.asks(wrong).await, 0, "the account can be right");
    let kind = payer.sees("#ach-kind").await;
    kind.select_by_value("savings").await.expect("a kind");
    payer.pays_by("ach").await;

    let paid = payer.is_debited(&payment).await;
    let shown = &paid["payment_method_data"]["bank_debit"]["ach"];
    assert_eq!(shown["account_number"], "********6789");
    assert_eq!(shown["bank_type"], "savings");
}

/// The scheme wants payers to see their account once more.
pub async fn bacs_is_confirmed(payer: Payer) {
    let payment = payer.shops_in("GBP").await;
    payer.chooses("bacs").await;
    payer.types("bacs-holder", "Ada Okafor").await;
    payer.types("bacs-account", "0001234").await;
    payer.types("bacs-sort-code", "10-88-00").await;
    payer.sees_text("#pay-bacs [type=submit]", "Continue").await;
    payer.pays_by("bacs").await;
    payer.sees_text("#bacs-account-error", "8 digits").await;
    payer.types("bacs-account", "11111113").await;
    payer.pays_by("bacs").await;
    payer.sees("[data-step=review]:not([hidden])").await;
    let heading = "return document.activeElement.textContent";
    assert_eq!(payer.asks(heading).await, "Please check your details");
    let entered =
        "return [...document.querySelectorAll('[data-entered]')].map((one) => one.textContent)";
    assert_eq!(
        payer.asks(entered).await,
        json!(["Ada Okafor", "10-88-00", "11111113"])
    );
    payer
        .sees_text("#bacs-mandate", "Direct Debit Guarantee")
        .await;
    axe::is_content(&payer).await;

    payer.presses("#pay-bacs [data-change]").await;
    assert_eq!(payer.focus().await, "bacs-holder");
    payer.types("bacs-account", "00012345").await;
    payer.pays_by("bacs").await;
    payer
        .sees_text("#pay-bacs [type=submit]", "Pay £65.40")
        .await;
    payer.pays_by("bacs").await;
    payer.sees_text("#bacs-consent-error", "Please agree").await;
    payer.agrees("bacs").await;
    payer.pays_by("bacs").await;
    let paid = payer.is_debited(&payment).await;
    let shown = &paid["payment_method_data"]["bank_debit"]["bacs"];
    assert_eq!(shown["account_number"], "********2345");
}

pub async fn a_closed_account_is_declined(payer: Payer) {
    let payment = payer.shops_in("AUD").await;
    let debits = async |account: &str| {
        payer.chooses("becs").await;
        payer.types("becs-holder", "Ada Okafor").await;
        payer.types("becs-bsb", "000-000").await;
        payer.types("becs-account", account).await;
        payer.agrees("becs").await;
        payer.pays_by("becs").await;
    };
    debits("111111113").await;
    payer
        .sees_text("[role=alert]", "You can try again, also in another way")
        .await;
    axe::is_content(&payer).await;
    payer.is(&payment, "failed").await;
    debits("000123456").await;
    let paid = payer.is_debited(&payment).await;
    assert_eq!(paid["attempt_count"], 2);
}

/// The consent has the time, the address and the browser of the payer's request.
pub async fn a_mandate_for_later_debits(payer: Payer) {
    let terms = json!({ "multi_use": { "amount": 6540, "currency": "EUR" } });
    let later = json!({
        "customer_id": "ada", "mandate_data": { "mandate_type": terms },
        "payment_link_config": { "seller_name": "Books & more" },
    });
    let payment = payer.is_sent_a_link(with(order("EUR"), later)).await;
    payer.opens(&payment).await;
    payer.chooses("sepa").await;
    payer.sees_text("#sepa-mandate", "Books & more").await;
    payer.sees_text("#sepa-mandate", "Recurrent").await;
    payer.types("sepa-holder", "Ada Okafor").await;
    payer.types("sepa-iban", "DE89370400440532013000").await;
    payer.agrees("sepa").await;
    payer.pays_by("sepa").await;
    let paid = payer.is_debited(&payment).await;
    let mandate = paid["mandate_id"].as_str().expect("a mandate");
    let mandate = payer
        .shop
        .call("mandates_retrieve")
        .at("mandate_id", mandate);
    let consent = &mandate.await.ok()["customer_acceptance"];
    assert_eq!(consent["acceptance_type"], "online");
    assert_eq!(consent["online"]["ip_address"], "127.0.0.1");
    let agent = payer.asks("return navigator.userAgent").await;
    assert_eq!(consent["online"]["user_agent"], agent);
    assert!(consent["accepted_at"].is_string(), "{consent}");
}

pub async fn mandates_fit_a_small_screen(payer: Payer) {
    payer
        .tool("Emulation.setDeviceMetricsOverride", narrow())
        .await;
    for (kind, currency, scheme) in [
        ("ach", "USD", "light"),
        ("bacs", "GBP", "dark"),
        ("becs", "AUD", "light"),
        ("sepa", "EUR", "dark"),
    ] {
        let only = json!({ "currency": currency, "allowed_payment_method_types": [kind] });
        let payment = payer.is_sent_a_link(only).await;
        for language in ["en", "de", "fr", "es", "ja"] {
            payer.prefers(language, scheme).await;
            payer.opens(&payment).await;
            payer.sees(&format!("#pay-{kind}")).await;
            // Both steps of a review at once.
            payer
                .asks("document.querySelectorAll('[data-step]').forEach((one) => { one.hidden = false; })")
                .await;
            assert_eq!(payer.widths().await, json!([320, 320]), "{kind} {language}");
            axe::is_content(&payer).await;
        }
    }
    payer.heard_no_complaint().await;
}
