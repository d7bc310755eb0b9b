//! A shop's own page with the embedded checkout, on an origin of its own.

use std::path::Path;

use fantoccini::Locator;
use fantoccini::elements::Element;
use fantoccini::key::Key;
use multirail_conformance::bodies::{order, with};
use serde_json::{Value, json};
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::payer::{CODE, EXPIRY, Payer};

/// The element in which the frame stands.
pub const FRAME: &str = "#payment iframe";
const NONCE: &str = "c2hvcA";

/// A script of the shop that keeps every message to its page.
const SPY: &str = r"
window.heard = [];
addEventListener('message', (event) => heard.push(JSON.stringify(event.data)));
";

/// A page of a shop that sells for this payment.
pub struct ShopPage {
    server: MockServer,
    pub payment: Value,
}

impl ShopPage {
    /// Serves the page of the README of `client/checkout` for a new payment, and opens it.
    pub async fn opens(payer: &Payer, more: Value) -> Self {
        let page = Self::serves(payer, more).await;
        page.is_opened(payer).await;
        page
    }

    pub async fn serves(payer: &Payer, more: Value) -> Self {
        let payment = payer.shop.creates(with(order(), more)).await.ok();
        let page = Self {
            server: MockServer::start().await,
            payment,
        };
        let html = page.html(payer);
        let secret = json!({ "client_secret": page.payment["client_secret"] });
        let policy = page.policy(payer);
        let shown = ResponseTemplate::new(200)
            .insert_header("content-security-policy", policy.as_str())
            .set_body_raw(html, "text/html; charset=utf-8");
        let thanks = ResponseTemplate::new(200).set_body_raw(
            "<!doctype html><title>Shop</title><h1>Thank you</h1>",
            "text/html",
        );
        let answers = [
            ("GET", "/", shown),
            ("GET", "/thanks", thanks),
            (
                "POST",
                "/create-payment",
                ResponseTemplate::new(200).set_body_json(secret),
            ),
            ("GET", "/favicon.ico", ResponseTemplate::new(204)),
        ];
        for (verb, at, answer) in answers {
            let mock = Mock::given(method(verb)).and(path(at)).respond_with(answer);
            mock.mount(&page.server).await;
        }
        page
    }

    pub fn origin(&self) -> String {
        self.server.uri()
    }

    pub async fn is_opened(&self, payer: &Payer) {
        let opened = payer.browser.goto(&self.server.uri()).await;
        opened.expect("the shop's page");
    }

    /// Returns the page of the README with its addresses and keys replaced, and a nonce at its scripts.
    fn html(&self, payer: &Payer) -> String {
        let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../client/checkout/README.md");
        let readme = std::fs::read_to_string(readme).expect("the README of the checkout");
        let (_, rest) = readme.split_once("```html\n").expect("a page");
        let (page, _) = rest.split_once("```").expect("its end");
        assert!(page.lines().count() <= 15, "{page}");
        let page = page
            .replace("https://pay.shop.example", payer.shop.server.url())
            .replace("https://shop.example", &self.server.uri())
            .replace("pk_...", &payer.shop.publishable_key)
            .replace("pro_...", &payer.shop.profile_id)
            .replace("<script", &format!("<script nonce=\"{NONCE}\""));
        format!(
            "<!doctype html><html lang=\"en\"><head><title>Shop</title></head><body><main><h1>Your cart</h1>\
             <script nonce=\"{NONCE}\">{SPY}</script>{page}</main></body></html>"
        )
    }

    /// A strict policy of a shop: its own scripts by nonce, Trusted Types, and the checkout's frame alone.
    fn policy(&self, payer: &Payer) -> String {
        let checkout = payer.shop.server.url();
        format!(
            "default-src 'none'; script-src 'nonce-{NONCE}'; frame-src {checkout}; connect-src 'self'; img-src 'self'; \
             form-action 'none'; base-uri 'none'; require-trusted-types-for 'script'"
        )
    }
}

impl Payer {
    /// Works inside the frame from now on.
    pub async fn goes_into_the_frame(&self) {
        let frame = self.sees(FRAME).await;
        frame.enter_frame().await.expect("the frame");
    }

    /// Works on the shop's page again.
    pub async fn goes_out_of_the_frame(&self) {
        let page = self.browser.clone().enter_parent_frame().await;
        page.expect("the shop's page");
    }

    /// Waits for the field with this label.
    pub async fn field(&self, label: &str) -> Element {
        let path = format!("//*[@id=//label[normalize-space()='{label}']/@for]");
        self.finds(Locator::XPath(&path)).await
    }

    pub async fn fills_in_at(&self, label: &str, text: &str) {
        let field = self.field(label).await;
        field.send_keys(text).await.expect("a field");
    }

    /// Types a card into the fields of the frame.
    pub async fn fills_in_the_frame(&self, number: &str) {
        self.fills_in_at("Card number", number).await;
        self.fills_in_at("Expiry (MM/YY)", EXPIRY).await;
        self.fills_in_at("Security code", CODE).await;
    }

    /// Presses the shop's own button.
    pub async fn pays_at_the_shop(&self) {
        self.presses("#form > button").await;
    }

    /// Moves the focus by Tab to the field with this label, inside the frame.
    pub async fn tabs_to_field(&self, label: &str) {
        let label = json!(label);
        let is_there =
            format!("return document.activeElement?.labels?.[0]?.textContent === {label}");
        for _ in 0..20 {
            self.strikes(&Key::Tab).await;
            if self.asks(&is_there).await == json!(true) {
                return;
            }
        }
        panic!("no way by Tab to {label}: {}", self.page().await);
    }

    /// Checks that the payment was paid once, in whole.
    pub async fn has_paid_once(&self, payment: &Value) -> Value {
        let paid = self.is(payment, "succeeded").await;
        assert_eq!(self.shop.money().captured, 6540);
        paid
    }
}
