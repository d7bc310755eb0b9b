//! A payer at a browser, and the shop that sells to them.

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::elements::Element;
use fantoccini::{Client, Locator};
use multirail_conformance::Shop;
use multirail_conformance::bodies::{order, with};
use multirail_conformance::patience::{PATIENCE, until};
use serde_json::{Value, json};

use super::chromium::Beyond;

pub struct Payer {
    pub browser: Client,
    pub shop: Shop,
}

/// The fields of a card besides its number. These values are always accepted.
pub const EXPIRY: &str = "1035";
pub const CODE: &str = "123";

impl Payer {
    /// Creates a payer with a fresh browser session and a shop of their own.
    pub async fn with(browser: Client) -> Self {
        let payer = Self {
            browser,
            shop: Shop::open().await,
        };
        payer
            .tool("Emulation.clearDeviceMetricsOverride", json!({}))
            .await;
        payer.prefers("en-US", "light").await;
        payer.runs_scripts(true).await;
        // The page of the story before asks its server for news, and that server has stopped.
        let blank = payer.browser.goto("about:blank").await;
        blank.expect("a blank page");
        payer.console().await;
        payer
    }

    /// Turns the scripts of pages on or off. Scripts of the test itself run in both cases.
    pub async fn runs_scripts(&self, runs: bool) {
        let disabled = json!({ "value": !runs });
        self.tool("Emulation.setScriptExecutionDisabled", disabled)
            .await;
    }

    /// Sets the browser's preferred language and its light or dark color scheme.
    pub async fn prefers(&self, language: &str, scheme: &str) {
        let agent = self
            .browser
            .execute("return navigator.userAgent", Vec::new())
            .await;
        let agent = agent.expect("a browser");
        let accepts = json!({ "userAgent": agent, "acceptLanguage": language });
        self.tool("Emulation.setUserAgentOverride", accepts).await;
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.tool("Emulation.setEmulatedMedia", features).await;
    }

    pub async fn tool(&self, command: &str, parameters: Value) -> Value {
        let answer = self.browser.issue_cmd(Beyond::tool(command, parameters));
        answer.await.expect("a command of Chromium")
    }

    /// Creates a payment with a payment link.
    pub async fn is_sent_a_link(&self, more: Value) -> Value {
        let body = with(order(), json!({ "payment_link": true }));
        self.shop.creates(with(body, more)).await.ok()
    }

    pub async fn opens(&self, payment: &Value) {
        let link = payment["payment_link"]["link"].as_str().expect("a link");
        self.browser.goto(link).await.expect("the page");
    }

    /// Waits for an element.
    pub async fn sees(&self, css: &str) -> Element {
        self.finds(Locator::Css(css)).await
    }

    /// Waits until the page has this heading.
    pub async fn reads(&self, heading: &str) {
        let path = format!("//h1[normalize-space()='{heading}']");
        self.finds(Locator::XPath(&path)).await;
    }

    /// Waits for an element. Retries when the driver fails because the page is being left.
    pub async fn finds(&self, what: Locator<'_>) -> Element {
        let deadline = tokio::time::Instant::now() + PATIENCE;
        loop {
            let wait = self.browser.wait().at_most(PATIENCE);
            match wait.for_element(what).await {
                Ok(element) => return element,
                Err(_) if tokio::time::Instant::now() < deadline => {}
                Err(error) => panic!("no {what:?}: {error}: {}", self.page().await),
            }
        }
    }

    /// Waits until an element contains this text.
    pub async fn sees_text(&self, css: &str, text: &str) {
        until(
            format!("{css} says {text}"),
            async || self.sees(css).await.text().await.unwrap_or_default(),
            |said| said.contains(text),
        )
        .await;
    }

    pub async fn types(&self, field: &str, text: &str) {
        let field = self.sees(&format!("#{field}")).await;
        field.clear().await.expect("a field");
        field.send_keys(text).await.expect("a field");
    }

    pub async fn fills_in(&self, card: &str) {
        self.types("number", card).await;
        self.types("expiry", EXPIRY).await;
        self.types("code", CODE).await;
    }

    pub async fn presses(&self, css: &str) {
        let button = self.sees(css).await;
        button.click().await.expect("a button");
    }

    /// Presses keys one after the other, wherever the focus is.
    pub async fn strikes(&self, keys: &str) {
        let mut actions = KeyActions::new("keyboard".to_owned());
        for value in keys.chars() {
            actions = actions
                .then(KeyAction::Down { value })
                .then(KeyAction::Up { value });
        }
        let struck = self.browser.perform_actions(actions).await;
        struck.expect("a keyboard");
    }

    /// Runs a script in the page and returns its value.
    pub async fn asks(&self, script: &str) -> Value {
        let answer = self.browser.execute(script, Vec::new()).await;
        answer.unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Returns the id of the focused element.
    pub async fn focus(&self) -> Value {
        self.asks("return document.activeElement.id").await
    }

    /// Returns the width of the screen, and the width that the page needs, in CSS pixels.
    pub async fn widths(&self) -> Value {
        self.asks("return [innerWidth, document.documentElement.scrollWidth]")
            .await
    }

    pub async fn page(&self) -> String {
        self.browser.source().await.unwrap_or_default()
    }

    /// Returns the console lines since the last look.
    pub async fn console(&self) -> Vec<String> {
        let lines = self.browser.issue_cmd(Beyond::console()).await;
        let lines = lines.expect("a console");
        let lines = lines.as_array().expect("a list").iter();
        lines.map(|line| line["message"].to_string()).collect()
    }

    /// Checks that nothing was blocked and no script failed.
    pub async fn heard_no_complaint(&self) {
        assert_eq!(self.console().await, Vec::<String>::new());
    }
}
