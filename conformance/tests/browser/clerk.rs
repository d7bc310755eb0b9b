//! A person who looks after the demo merchant's payments at the console.

use std::ops::Deref;

use fantoccini::Locator;
use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::elements::Element;
use fantoccini::key::Key;
use multirail_conformance::bodies::{APPROVED, paid_with, with};
use multirail_conformance::patience::until;
use multirail_conformance::shop::id;
use serde_json::{Value, json};

use super::payer::Payer;

/// A person at the console. Their browser has the verbs of a payer's, and their shop is the demo merchant's.
pub struct Clerk(Payer);

impl Deref for Clerk {
    type Target = Payer;

    fn deref(&self) -> &Payer {
        &self.0
    }
}

/// Returns an amount as the console shows it, with a space that doesn't break.
pub fn usd(amount: &str) -> String {
    format!("{amount}\u{a0}USD")
}

impl Clerk {
    /// Takes over the browser without cookies. Cookies don't tell ports apart, so an earlier story's would be sent too.
    pub async fn with(mut payer: Payer) -> Self {
        let reads = payer.shop.operator("merchant_accounts_retrieve");
        let account = reads.at("account_id", "demo").await.ok();
        let mut demo = payer.shop.server.shop_of(&account).await;
        let connected = demo.call("connector_accounts_list").await.ok();
        let account = connected[0]["merchant_connector_id"].as_str();
        demo.connector_account_id = account.expect("an account").to_owned();
        payer.shop = demo;
        payer.tool("Network.clearBrowserCookies", json!({})).await;
        Self(payer)
    }

    /// Has a payer pay 65.40 US dollars by card, unless the members say otherwise.
    pub async fn is_paid(&self, more: Value) -> Value {
        let paid = self.shop.creates(with(paid_with(APPROVED), more));
        paid.await.ok()
    }

    /// Returns the amounts of the payment's refunds, as a program reads them.
    pub async fn refunded(&self, payment: &Value) -> Value {
        let of_payment = json!({ "payment_id": id(payment) });
        let listed = self.shop.call("refunds_list").json(&of_payment);
        let listed = listed.await.ok();
        let refunds = listed["data"].as_array().expect("a list").iter();
        refunds.map(|refund| refund["amount"].clone()).collect()
    }

    /// Opens the link that the sandbox prints, and is signed in.
    pub async fn opens_the_link(&self) {
        let link = self.shop.console_link().await;
        self.browser.goto(&link).await.expect("the console");
        self.is_at("Home").await;
        let address = self.browser.current_url().await.expect("an address");
        assert_eq!(address.fragment(), None, "the token stays nowhere");
    }

    /// Makes the screen this wide, in CSS pixels. Narrow screens are phones.
    pub async fn has_width(&self, width: u32) {
        let is_phone = width < 640;
        let (height, scale) = if is_phone { (740, 2) } else { (900, 1) };
        let screen = json!({ "width": width, "height": height, "deviceScaleFactor": scale, "mobile": is_phone });
        self.tool("Emulation.setDeviceMetricsOverride", screen)
            .await;
    }

    /// Checks that nothing is wider than the screen. A scrollbar makes the page narrower than a desk's screen.
    pub async fn fits(&self, width: u32, place: &str) {
        let widths = self.widths().await;
        assert_eq!(widths[0], json!(width), "{place}");
        let needed = widths[1].as_u64().expect("a number");
        assert!(needed <= u64::from(width), "{place}: {needed}");
    }

    /// Opens a screen by its address.
    pub async fn goes_to(&self, path: &str) {
        let address = format!("{}/console{path}", self.shop.url());
        self.browser.goto(&address).await.expect("the console");
    }

    /// Waits until the screen has this heading and awaits no answer.
    pub async fn is_at(&self, heading: &str) {
        self.finds_text("main//h1", heading).await;
        let rests = "return !document.body.innerText.includes('Loading…') && !document.querySelector('[aria-busy=true]')";
        self.waits("every answer", rests).await;
    }

    /// Waits until a script returns true.
    pub async fn waits(&self, awaited: &str, script: &str) {
        until(
            awaited,
            async || self.asks(script).await,
            |answer| *answer == json!(true),
        )
        .await;
    }

    /// Waits for an element that contains this text.
    pub async fn finds_text(&self, path: &str, text: &str) -> Element {
        let path = format!("//{path}[contains(normalize-space(.), '{text}')]");
        self.finds(Locator::XPath(&path)).await
    }

    /// Clicks on the element that contains this text.
    pub async fn clicks(&self, path: &str, text: &str) {
        let element = self.finds_text(path, text).await;
        element.click().await.expect("something to click on");
    }

    /// Clicks on the element whose whole text this is.
    pub async fn clicks_exactly(&self, path: &str, text: &str) {
        let path = format!("//{path}[normalize-space(.)='{text}']");
        let element = self.finds(Locator::XPath(&path)).await;
        element.click().await.expect("something to click on");
    }

    /// Clicks on the button whose name this is for assistive technology.
    pub async fn clicks_labelled(&self, name: &str) {
        let path = format!("//button[@aria-label='{name}']");
        let button = self.finds(Locator::XPath(&path)).await;
        button.click().await.expect("a button");
    }

    /// Opens a screen by the navigation.
    pub async fn navigates_to(&self, screen: &str) {
        self.clicks_exactly("nav[@aria-label='Console']//a", screen)
            .await;
        self.is_at(screen).await;
    }

    /// Returns the field with this label.
    pub async fn field(&self, label: &str) -> Element {
        let path = format!("//input[@id=//label[normalize-space(.)='{label}']/@for]");
        self.finds(Locator::XPath(&path)).await
    }

    /// Types into a field, in place of its former text.
    pub async fn writes(&self, label: &str, text: &str) {
        let field = self.field(label).await;
        let keys = format!("{}a{}{text}", Key::Control, Key::Null);
        field.send_keys(&keys).await.expect("a field");
    }

    /// Waits until a field is marked as wrong, and its description says this.
    pub async fn is_told_at(&self, label: &str, text: &str) {
        let (label, text) = (json!(label), json!(text));
        let said = format!(
            "const named = [...document.querySelectorAll('input')].find((one) => one.labels?.[0]?.textContent === {label});
             if (named?.getAttribute('aria-invalid') !== 'true') return false;
             const ids = (named.getAttribute('aria-describedby') ?? '').split(' ');
             return ids.some((id) => document.getElementById(id)?.textContent.includes({text}))"
        );
        self.waits("a message at the field", &said).await;
    }

    /// Waits until no dialog is open.
    pub async fn sees_no_dialog(&self) {
        let closed = "return !document.querySelector('[role=dialog]')";
        self.waits("no dialog", closed).await;
    }

    /// Presses a key together with Control.
    pub async fn strikes_with_control(&self, value: char) {
        let control = char::from(Key::Control);
        let actions = KeyActions::new("keyboard".to_owned())
            .then(KeyAction::Down { value: control })
            .then(KeyAction::Down { value })
            .then(KeyAction::Up { value })
            .then(KeyAction::Up { value: control });
        let struck = self.browser.perform_actions(actions).await;
        struck.expect("a keyboard");
    }

    pub async fn strikes_enter(&self) {
        self.strikes(&Key::Enter).await;
    }

    /// Moves the focus by Tab to the element of this kind with this text. The focus is visible there.
    pub async fn tabs_to(&self, css: &str, text: &str) {
        let is_there = format!(
            "const at = document.activeElement; return at.matches({}) && at.textContent.includes({}) && at.matches(':focus-visible')",
            json!(css),
            json!(text)
        );
        for _ in 0..80 {
            self.strikes(&Key::Tab).await;
            if self.asks(&is_there).await == json!(true) {
                return;
            }
        }
        panic!("no way by Tab to {css} {text}: {}", self.page().await);
    }

    /// Waits until the field with this label has the focus.
    pub async fn has_focus_in(&self, label: &str) {
        let label = json!(label);
        let has = format!(
            "return document.activeElement?.labels?.[0]?.textContent === {label} || document.activeElement?.ariaLabel === {label}"
        );
        self.waits("the focus", &has).await;
    }

    /// Opens the palette by Ctrl-K, types a text, and chooses the entry that it leads to.
    pub async fn jumps_to(&self, text: &str, entry: &str) {
        self.strikes_with_control('k').await;
        self.has_focus_in("Search and commands").await;
        self.strikes(text).await;
        // The field stays focused, and names the chosen entry to assistive technology.
        let chosen = format!(
            "const id = document.activeElement?.getAttribute('aria-activedescendant');
             return Boolean(id) && document.getElementById(id)?.textContent.includes({})",
            json!(entry)
        );
        self.waits("a chosen entry", &chosen).await;
        self.strikes_enter().await;
        self.sees_no_dialog().await;
    }

    /// Checks that the console of the browser holds nothing but refusals of the server.
    pub async fn heard_refusals_only(&self) {
        let mut said = self.console().await;
        said.retain(|line| !is_refusal(line));
        assert_eq!(said, Vec::<String>::new());
    }
}

/// Returns whether a line of the browser's console reports a refused request. A server or network that fails refuses
/// nothing.
fn is_refusal(line: &str) -> bool {
    line.contains("Failed to load resource: the server responded with a status of 4")
}

#[test]
fn a_failure_is_no_refusal() {
    let failed = |why: &str| {
        let line = format!("http://127.0.0.1:9/console/api/user - Failed to load resource: {why}");
        is_refusal(&json!(line).to_string())
    };
    let answered =
        |status: &str| failed(&format!("the server responded with a status of {status}"));
    assert!(answered("401 (Unauthorized)"));
    assert!(answered("429 (Too Many Requests)"));
    assert!(!answered("500 (Internal Server Error)"));
    assert!(!answered("503 (Service Unavailable)"));
    assert!(!failed("net::ERR_CONNECTION_REFUSED"));
    assert!(!is_refusal("\"Uncaught TypeError: a status of 401\""));
}
