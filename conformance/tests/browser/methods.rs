//! Payments by other methods than cards, on the hosted page.

use fantoccini::Locator;
use multirail_conformance::bodies::with;
use multirail_simulator::processor::Step;
use serde_json::{Value, json};

use super::axe;
use super::payer::Payer;

pub const TAB: &str = "\u{e004}";
pub const ENTER: &str = "\u{e007}";
pub const SPACE: &str = " ";
const DOWN: &str = "\u{e015}";

/// An order in this currency.
pub fn order(currency: &str) -> Value {
    json!({ "currency": currency, "description": "Two books" })
}

impl Payer {
    /// Opens the page of a new payment in this currency.
    pub async fn shops_in(&self, currency: &str) -> Value {
        let payment = self.is_sent_a_link(order(currency)).await;
        self.opens(&payment).await;
        payment
    }

    /// Chooses a method with the mouse.
    pub async fn chooses(&self, kind: &str) {
        let label = format!("//label[input[@name='method' and @value='{kind}']]");
        let label = self.finds(Locator::XPath(&label)).await;
        label.click().await.expect("a choice");
        self.sees(&format!("#pay-{kind}:not([hidden])")).await;
    }

    /// Chooses a method with the arrow keys, from the card.
    pub async fn moves_to(&self, kind: &str) {
        let page = self.sees("body").await;
        page.send_keys(TAB).await.expect("a page");
        for _ in 0..30 {
            let chosen = self.browser.active_element().await.expect("a focus");
            if chosen.prop("value").await.expect("a value").as_deref() == Some(kind) {
                return;
            }
            chosen.send_keys(DOWN).await.expect("a choice");
        }
        panic!("no {kind}: {}", self.page().await);
    }

    /// Types into the focused element.
    pub async fn keys(&self, keys: &str) {
        let focused = self.browser.active_element().await.expect("a focus");
        focused.send_keys(keys).await.expect("keys");
    }

    /// Presses the button of a method's form.
    pub async fn pays_by(&self, kind: &str) {
        self.presses(&format!("#pay-{kind} [type=submit]")).await;
    }

    /// Presses a button at the page of the processor.
    async fn answers(&self, choice: &str) {
        self.sees(".choice").await;
        let path = format!("//button[normalize-space()='{choice}']");
        let button = self.finds(Locator::XPath(&path)).await;
        button.click().await.expect("a button");
    }

    pub async fn is(&self, payment: &Value, status: &str) -> Value {
        let now = self.shop.retrieves(payment).await.ok();
        assert_eq!(now["status"], status, "{now}");
        now
    }

    /// Checks that the page is the same after another visit.
    async fn still_reads(&self, payment: &Value, heading: &str) {
        self.reads(heading).await;
        axe::is_content(self).await;
        self.opens(payment).await;
        self.reads(heading).await;
        self.heard_no_complaint().await;
    }
}

pub async fn ideal_with_a_bank(payer: Payer) {
    let payment = payer.shops_in("EUR").await;
    payer.sees("#card:not([hidden])").await;
    let first = "return document.querySelector('input[name=method]').value";
    assert_eq!(payer.asks(first).await, "card", "the card is first");
    axe::is_content(&payer).await;
    payer.chooses("ideal").await;
    let open = "return [...document.querySelectorAll('form:not([hidden])')].map((form) => form.id)";
    assert_eq!(payer.asks(open).await, json!(["pay-ideal"]));
    axe::is_content(&payer).await;
    let bank = payer.sees("#ideal-bank").await;
    bank.select_by_value("ing").await.expect("a bank");
    payer.pays_by("ideal").await;
    payer.sees(".choice").await;
    payer.opens(&payment).await;
    payer
        .sees_text("main", "iDEAL still waits for you to approve")
        .await;
    payer.sees_text("a.button", "Go on to iDEAL").await;
    axe::is_content(&payer).await;
    payer.presses("a.button").await;
    payer.answers("Pay").await;
    payer.reads("Thank you").await;
    payer.heard_no_complaint().await;
    let paid = payer.is(&payment, "succeeded").await;
    assert_eq!(paid["payment_method_type"], "ideal");
    let bank = &paid["payment_method_data"]["bank_redirect"];
    assert_eq!(*bank, json!({ "bank_name": "ing" }));
}

pub async fn pix_is_scanned(payer: Payer) {
    let payment = payer.shops_in("BRL").await;
    payer.chooses("pix").await;
    payer.pays_by("pix").await;
    payer.still_reads(&payment, "Scan the code to pay").await;
    let shown = payer.is(&payment, "requires_customer_action").await;
    let text = &shown["next_action"]["display_text"];
    let code = payer.sees("#fact-code").await.text().await;
    assert_eq!(*text, code.expect("the code"));
    let drawn = "return [document.querySelector('svg').getAttribute('aria-label'),
        document.querySelectorAll('img, iframe').length, document.querySelector('time').dateTime.length]";
    let drawn = payer.asks(drawn).await;
    assert_eq!(
        drawn,
        json!(["QR code of this payment; its text is below", 0, 24])
    );
    payer.sees_text("#watching", "checks for the payment").await;
    payer.presses("[data-copy]").await;
    payer.sees_text("#watching", "Cop").await;
    // The payer scans the code with a phone, and this page notices.
    let books = payer.shop.processor().ledger().authorizations();
    let newest = books.expect("the books").pop().expect("an authorization");
    let token = newest.page_token.expect("a page");
    let decided = payer.shop.processor().decide(&token, true);
    decided.expect("the payer pays");
    payer.reads("Thank you").await;
    payer.is(&payment, "succeeded").await;
}

pub async fn blik_waits(payer: Payer) {
    let payment = payer.shops_in("PLN").await;
    payer.chooses("blik").await;
    payer.pays_by("blik").await;
    payer.sees_text("#blik-blik-error", "6 digits").await;
    axe::is_content(&payer).await;
    payer.types("blik-blik", "12345").await;
    payer.pays_by("blik").await;
    payer.sees_text("#blik-blik-error", "6 digits").await;
    payer.types("blik-blik", "123 456").await;
    let wrong = "return document.querySelectorAll('[aria-invalid]').length";
    assert_eq!(payer.asks(wrong).await, 0, "the code can be right");
    payer.pays_by("blik").await;
    payer
        .still_reads(&payment, "Approve the payment in your app")
        .await;
    let live = "const said = document.getElementById('watching'); return [said.getAttribute('role'), said.textContent.length > 0]";
    assert_eq!(payer.asks(live).await, json!(["status", true]));
    payer.is(&payment, "requires_customer_action").await;
    payer.shop.time_passes(60).await;
    payer.reads("Thank you").await;
    payer.is(&payment, "succeeded").await;
}

pub async fn a_voucher_is_paid(payer: Payer) {
    let payment = payer.shops_in("BRL").await;
    payer.chooses("boleto").await;
    payer.types("boleto-first-name", "Ada").await;
    payer.types("boleto-last-name", "Okafor").await;
    payer.types("boleto-tax-number", "123.456.789").await;
    payer.pays_by("boleto").await;
    payer
        .sees_text("#boleto-tax-number-error", "11 or 14 digits")
        .await;
    payer.types("boleto-tax-number", "123.456.789-09").await;
    payer.pays_by("boleto").await;
    payer.still_reads(&payment, "Pay with this voucher").await;
    let shown = payer.is(&payment, "requires_customer_action").await;
    let voucher = &shown["next_action"]["voucher_details"];
    let number = payer.sees("#fact-number").await.text().await;
    assert_eq!(voucher["reference"], number.expect("the number"));
    let name = &shown["payment_method_data"]["billing"]["address"];
    assert_eq!(name["last_name"], "Okafor");
    payer.sees("[data-print]:not([hidden])").await;
    payer.presses("a.button").await;
    payer.answers("Pay").await;
    payer.reads("Thank you").await;
    payer.is(&payment, "succeeded").await;
}

pub async fn a_transfer_arrives_in_parts(payer: Payer) {
    let payment = payer.shops_in("EUR").await;
    payer.chooses("sepa_bank_transfer").await;
    let country = payer.sees("#sepa_bank_transfer-country").await;
    let named = country
        .find(Locator::Css("option[value=NL]"))
        .await
        .expect("a country");
    assert_eq!(named.text().await.expect("a name"), "Netherlands");
    country.select_by_value("NL").await.expect("a country");
    payer.pays_by("sepa_bank_transfer").await;
    payer.still_reads(&payment, "Transfer the amount").await;
    payer
        .sees_text("#fact-iban", "NL91 ABNA 0417 1643 00")
        .await;
    let copied = "return document.querySelector('[data-shown=fact-iban]').dataset.copy";
    assert_eq!(payer.asks(copied).await, "NL91ABNA0417164300");
    payer.sees_text(".facts", "€65.40").await;
    payer.presses("a.button").await;
    payer.answers("Pay half").await;
    payer.sees_text(".facts", "€32.70").await;
    payer.reads("Transfer the amount").await;
    axe::is_content(&payer).await;
    payer.is(&payment, "processing").await;
    payer.presses("a.button").await;
    payer.answers("Pay").await;
    payer.reads("Thank you").await;
    payer.is(&payment, "succeeded").await;
}

pub async fn another_method_after_a_decline(payer: Payer) {
    let payment = payer.shops_in("EUR").await;
    payer.chooses("ideal").await;
    payer.pays_by("ideal").await;
    payer.answers("Cancel").await;
    payer
        .sees_text("[role=alert]", "You can try again, also in another way")
        .await;
    axe::is_content(&payer).await;
    payer.is(&payment, "failed").await;
    payer.chooses("paypal").await;
    payer.pays_by("paypal").await;
    payer.answers("Pay").await;
    payer.reads("Thank you").await;
    payer.heard_no_complaint().await;
    let paid = payer.is(&payment, "succeeded").await;
    assert_eq!(paid["attempt_count"], 2);
    assert_eq!(paid["payment_method_type"], "paypal");
    assert_eq!(payer.shop.money().captured, 6540);
}

/// A code can't be given up, so the page waits for its end.
pub async fn another_method_after_a_code(payer: Payer) {
    let long = with(order("BRL"), json!({ "session_expiry": 7200 }));
    let payment = payer.is_sent_a_link(long).await;
    payer.opens(&payment).await;
    payer.chooses("pix").await;
    payer.pays_by("pix").await;
    payer.reads("Scan the code to pay").await;
    payer
        .sees_text("#other-way", "you can choose again on this page")
        .await;
    let is_raw = "const time = document.querySelector('#other-way time'); return time.textContent === time.dateTime";
    assert_eq!(
        payer.asks(is_raw).await,
        false,
        "the script writes the time"
    );
    axe::is_content(&payer).await;
    let end = Step::QrCode.valid_seconds();
    payer.shop.time_passes(end).await;
    payer
        .sees_text("[role=alert]", "You can try again, also in another way")
        .await;
    payer.is(&payment, "failed").await;
    payer.chooses("boleto").await;
    payer.heard_no_complaint().await;
}

/// The order knows the payer's name, and the page asks for the rest.
pub async fn asks_for_what_is_unknown(payer: Payer) {
    let named = json!({ "billing": { "address": { "first_name": "Ada", "last_name": "Okafor" } } });
    let payment = with(order("GBP"), named);
    let payment = payer.is_sent_a_link(payment).await;
    payer.opens(&payment).await;
    payer.chooses("afterpay_clearpay").await;
    let asked = "return [...document.querySelectorAll('#pay-afterpay_clearpay [data-member]')].map((one) => one.id)";
    assert_eq!(
        payer.asks(asked).await,
        json!(["afterpay_clearpay-email"]),
        "the name is known"
    );
    payer.types("afterpay_clearpay-email", "ada").await;
    payer.pays_by("afterpay_clearpay").await;
    payer
        .sees_text("#afterpay_clearpay-email-error", "such as ada@example.com")
        .await;
    payer
        .types("afterpay_clearpay-email", "ada@example.com")
        .await;
    payer.pays_by("afterpay_clearpay").await;
    payer.answers("Pay").await;
    payer.reads("Thank you").await;
    let paid = payer.is(&payment, "succeeded").await;
    let billing = &paid["payment_method_data"]["billing"];
    assert_eq!(billing["email"], "ada@example.com");
    assert_eq!(billing["address"]["last_name"], "Okafor");
}

/// The processor's only way to pay is a method beside cards, so that there is nothing to choose.
pub async fn one_method_needs_no_choice(payer: Payer) {
    let one = json!({ "allowed_payment_method_types": ["ideal"] });
    let payment = with(order("EUR"), one);
    let payment = payer.is_sent_a_link(payment).await;
    payer.opens(&payment).await;
    payer.sees_text("#payment-title", "iDEAL").await;
    let radios = "return document.querySelectorAll('input[type=radio]').length";
    assert_eq!(payer.asks(radios).await, 0);
    axe::is_content(&payer).await;
    payer.pays_by("ideal").await;
    payer.answers("Pay").await;
    payer.reads("Thank you").await;
    payer.is(&payment, "succeeded").await;
}

pub async fn by_keyboard_alone(payer: Payer) {
    let payment = payer.shops_in("EUR").await;
    payer.moves_to("ideal").await;
    payer.sees("#pay-ideal:not([hidden])").await;
    payer.keys(TAB).await;
    assert_eq!(payer.focus().await, "ideal-bank");
    payer.keys("ING").await;
    payer.keys(TAB).await;
    payer.keys(ENTER).await;
    payer.answers("Cancel").await;
    payer
        .sees_text("[role=alert]", "You can try again, also in another way")
        .await;
    let tried = payer.is(&payment, "failed").await;
    let bank = &tried["payment_method_data"]["bank_redirect"];
    assert_eq!(*bank, json!({ "bank_name": "ing" }));

    payer.moves_to("sepa_bank_transfer").await;
    payer.keys(TAB).await;
    payer.keys("Netherlands").await;
    payer.keys(TAB).await;
    payer.keys(SPACE).await;
    payer.reads("Transfer the amount").await;
    payer.sees_text("#fact-iban", "NL91").await;
    payer.heard_no_complaint().await;
}
