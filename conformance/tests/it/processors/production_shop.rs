//! A shop in production with one processor.

use std::fmt::Write as _;
use std::ops::Deref;
use std::sync::Arc;

use multirail_conformance::bodies::{order_with, with};
use multirail_conformance::patience::until;
use multirail_conformance::{Browser, Response, Shop, TestServer};
use multirail_peers::{CardThat, Notice, Peer, StandIn, TestCard};
use multirail_server::config::{Inputs, Setting};
use serde_json::{Value, json};
use tempfile::NamedTempFile;

pub const RETURN_URL: &str = "https://shop.example/thanks";

pub struct ProductionShop {
    shop: Shop,
    pub stand_in: Arc<dyn StandIn>,
    pub peer: Peer,
    connector: &'static str,
    /// The number of notices sent.
    told: usize,
    lines: Vec<String>,
    // The file with the certificate authority, which the server has read.
    _authority: NamedTempFile,
}

impl ProductionShop {
    pub async fn open(connector: &'static str, stand_in: Arc<dyn StandIn>) -> Self {
        Self::open_at(connector, stand_in, async |trusting| {
            TestServer::start_in_production(trusting).await
        })
        .await
    }

    /// Opens the shop in a sandbox, whose clock can be moved.
    pub async fn open_in_a_sandbox(connector: &'static str, stand_in: Arc<dyn StandIn>) -> Self {
        Self::open_at(connector, stand_in, async |trusting| {
            TestServer::start_with(trusting).await
        })
        .await
    }

    /// Starts the server. Its operator's settings trust the stand-in's certificate and allow calls to this machine.
    async fn open_at(
        connector: &'static str,
        stand_in: Arc<dyn StandIn>,
        start: impl AsyncFnOnce(&dyn Fn(Inputs) -> Inputs) -> Arc<TestServer>,
    ) -> Self {
        let peer = Peer::start(stand_in.clone()).await;
        let authority = NamedTempFile::new().expect("a file");
        std::fs::write(authority.path(), peer.certificate_pem()).expect("it is written");
        let server = start(&|inputs| {
            inputs
                .with(Setting::ConnectorAllowedTargets, "127.0.0.1")
                .with(
                    Setting::ConnectorTrustedCertificates,
                    authority.path().to_string_lossy(),
                )
                .with(Setting::MetricsListen, "127.0.0.1:0")
        })
        .await;
        let mut shop = server.shop_without_connector("bookshop").await;
        let account = shop.connects(connector, account(&*stand_in, &peer));
        let account = account.await.ok();
        let id = account["merchant_connector_id"].as_str();
        shop.connector_account_id = id.expect("an id").to_owned();
        ProductionShop {
            shop,
            stand_in,
            peer,
            connector,
            told: 0,
            lines: Vec::new(),
            _authority: authority,
        }
    }

    pub fn connector(&self) -> &'static str {
        self.connector
    }

    /// Creates a payment of 65.40 with such a card, confirmed at once. Some processors authenticate the payer only if
    /// the merchant asks.
    pub async fn pays(&self, wanted: CardThat, more: Value) -> Value {
        let authentication = match wanted {
            CardThat::AsksThePayer => "three_ds",
            CardThat::IsApproved | CardThat::IsDeclined => "no_three_ds",
        };
        let browser = match wanted {
            CardThat::AsksThePayer => json!({ "browser_info": browser() }),
            CardThat::IsApproved | CardThat::IsDeclined => json!({}),
        };
        let more = with(browser, more);
        let more = with(json!({ "authentication_type": authentication }), more);
        self.pays_with(self.stand_in.card(wanted), more).await
    }

    /// Creates a payment with this card; it must be accepted.
    pub async fn pays_with(&self, card: TestCard, more: Value) -> Value {
        self.tries(card, more).await.ok()
    }

    /// Creates a payment with this card and returns any answer.
    pub async fn tries(&self, card: TestCard, more: Value) -> Response {
        let body = json!({
            "confirm": true, "return_url": RETURN_URL,
            "payment_method_data": { "card": { "card_holder_name": card.holder, "card_cvc": card.code } },
        });
        let body = with(with(order_with(card.number), body), more);
        self.shop.creates(body).await
    }

    /// Writes down the state of a payment or a refund.
    pub fn notes(&mut self, what: &str, object: &Value) {
        let mut line = format!("{what}: {}", object["status"].as_str().unwrap_or("-"));
        for (name, words) in [
            ("amount_received", "received"),
            ("amount_capturable", "capturable"),
        ] {
            match object[name].as_i64() {
                None | Some(0) => {}
                Some(amount) => write!(line, ", {amount} {words}").expect("a text"),
            }
        }
        for name in [
            "error_code",
            "error_message",
            "unified_code",
            "unified_message",
        ] {
            if let Some(text) = object[name].as_str() {
                write!(line, ", {name} {text:?}").expect("a text");
            }
        }
        self.lines.push(line);
    }

    /// Writes down the payment as a merchant reads it now.
    pub async fn reads(&mut self, what: &str, payment: &Value) {
        let payment = self.shop.retrieves(payment).await.ok();
        self.notes(what, &payment);
    }

    pub fn writes(&mut self, line: String) {
        self.lines.push(line);
    }

    /// Writes down the processor's books, payment by payment.
    pub fn looks_into_the_books(&mut self) {
        for booked in self.stand_in.all_books() {
            let books = booked.books;
            self.lines.push(format!(
                "the processor's books: authorized {}, captured {}, released {}, given back {}",
                books.authorized, books.captured, books.released, books.given_back
            ));
        }
    }

    /// Writes down the operator's list of unresolved operations.
    pub async fn looks_at_what_waits(&mut self) {
        let open = self.shop.operator("unresolved_operations_list").await.ok();
        let open = open.as_array().expect("a list");
        if open.is_empty() {
            self.lines.push("nothing waits".to_owned());
        }
        for one in open {
            let text = |name: &str| one[name].as_str().unwrap_or("-").to_owned();
            self.lines.push(format!(
                "{} is {} and waits for {}",
                text("operation"),
                text("progress"),
                text("waits_for")
            ));
        }
    }

    /// Delivers the processor's remaining notices.
    pub async fn receives_notices(&mut self) {
        let notices = self.stand_in.notices();
        self.receives(notices[self.told..].iter()).await;
        self.told = notices.len();
    }

    /// Delivers the processor's remaining notices from the last to the first, each of them twice.
    pub async fn receives_notices_backwards(&mut self) {
        let notices = self.stand_in.notices();
        let backwards = notices[self.told..].iter().rev();
        self.receives(backwards.flat_map(|notice| [notice, notice]))
            .await;
        self.told = notices.len();
    }

    /// Delivers these notices; the server finishes each one before the next.
    async fn receives<'a>(&self, notices: impl Iterator<Item = &'a Notice>) {
        let url = format!(
            "{}/webhooks/{}/{}",
            self.shop.address(),
            self.shop.merchant_id,
            self.shop.connector_account_id
        );
        for notice in notices {
            let status = notice.send(&url).await.expect("an answer");
            assert_eq!(status, 200, "{notice:?}");
            self.works_on_what_is_filed().await;
        }
    }

    async fn works_on_what_is_filed(&self) {
        until(
            "all that is filed is worked on",
            async || self.shop.operator("notices_list").await.ok(),
            |filed| {
                let mut filed = filed.as_array().expect("a list").iter();
                filed.all(|one| one["status"] != "waiting")
            },
        )
        .await;
    }

    /// Delivers the remaining notices. Writes down the payment, the processor's books, and unresolved operations.
    pub async fn receives_notices_about(&mut self, payment: &Value) {
        self.receives_notices().await;
        self.reads("when the processor has told of it", payment)
            .await;
        self.looks_into_the_books();
        self.looks_at_what_waits().await;
    }

    /// Follows the payment's page to the processor as the payer, decides there, and ends at the shop's address.
    pub async fn payer_decides(&self, payment: &Value, approves: bool) -> Vec<(String, String)> {
        let page = payment["next_action"]["redirect_to_url"].as_str();
        let browser = Browser::new(&self.shop.wire);
        let processors = browser.opens(page.expect("a page")).await.expect("a page");
        let back = self.stand_in.decide(processors.url.as_str(), approves);
        let back = back.expect("the processor knows its page");
        let end = browser.opens(&back).await.expect("the way back");
        let pairs = end.query();
        assert!(end.url.as_str().starts_with(RETURN_URL), "{}", end.url);
        pairs
    }

    /// Returns the processor's name, and below it what was written down.
    pub fn evidence(&self) -> String {
        let lines = self.lines.iter().map(|line| format!("  {line}\n"));
        format!("{}\n{}", self.connector, lines.collect::<String>())
    }
}

impl Deref for ProductionShop {
    type Target = Shop;

    fn deref(&self) -> &Shop {
        &self.shop
    }
}

/// The browser data that a checkout collects.
pub fn browser() -> Value {
    json!({
        "accept_header": "text/html", "color_depth": 24, "java_enabled": false, "java_script_enabled": true,
        "language": "en-GB", "screen_height": 1080, "screen_width": 1920, "time_zone": 0, "user_agent": "Mozilla/5.0",
    })
}

/// The body of a connector account at this stand-in.
pub fn account(stand_in: &dyn StandIn, peer: &Peer) -> Value {
    json!({
        "connector_account_details": stand_in.credentials(),
        "connector_webhook_details": { "merchant_secret": stand_in.notice_secret() },
        "metadata": stand_in.metadata(&peer.origin()),
        "test_mode": true,
    })
}
