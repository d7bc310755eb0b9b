//! The two addresses that payers' browsers visit need no key. Without the attempt's token they answer nothing.

use multirail_conformance::bodies::{THREE_DS, card, order_with, with};
use multirail_conformance::shop::id;
use multirail_conformance::{Response, Shop};
use multirail_simulator::processor::AuthorizationRecord;
use reqwest::{Method, Url};
use serde_json::{Value, json};

use super::standing;

/// A payment whose payer is at the processor's page, and the paths of its two addresses.
struct Waiting {
    shop: Shop,
    payment: Value,
    start: String,
    back: String,
}

impl Waiting {
    async fn open() -> Self {
        let shop = Shop::open().await;
        let profile = json!({
            "return_url": "https://shop.example/thanks",
            "is_manual_retry_enabled": true,
        });
        shop.sets_up(profile).await.ok();
        let at_once = json!({ "confirm": true });
        let payment = shop.creates(with(order_with(THREE_DS), at_once)).await.ok();
        let start = start_of(&payment);
        let back = back_to(&shop, &payment);
        Self {
            shop,
            payment,
            start,
            back,
        }
    }

    async fn visits(&self, path: &str) -> Response {
        self.shop.wire.request(Method::GET, path).unjudged().await
    }

    /// Decides at the processor as the payer, whose browser never comes back.
    fn payer_decides(&self, approve: bool) {
        let token = asked_for(&self.shop, &self.payment).page_token;
        let decided = self
            .shop
            .processor()
            .decide(&token.expect("a page"), approve);
        decided.expect("the books can be written");
    }
}

fn start_of(payment: &Value) -> String {
    path_of(
        payment["next_action"]["redirect_to_url"]
            .as_str()
            .expect("a page to go to"),
    )
}

/// Returns the path to which the processor sends the payer of the newest authorization back.
fn back_to(shop: &Shop, payment: &Value) -> String {
    path_of(&asked_for(shop, payment).return_url)
}

/// Returns the payment's newest authorization from the processor's books.
fn asked_for(shop: &Shop, payment: &Value) -> AuthorizationRecord {
    let records = shop.processor().ledger().authorizations();
    let records = records.expect("the books can be read");
    let is_its = |record: &AuthorizationRecord| record.return_url.contains(id(payment));
    let newest = records.into_iter().rfind(is_its);
    newest.expect("an authorization")
}

fn path_of(url: &str) -> String {
    Url::parse(url).expect("an address").path().to_owned()
}

/// Splits off the last segment.
fn cut(path: &str) -> (&str, &str) {
    path.rsplit_once('/').expect("a path of segments")
}

/// Addresses that an attacker who knows their form could guess. `own` are the addresses of the attacker's own
/// payment.
fn guesses(waiting: &Waiting, own: (&str, &str)) -> Vec<String> {
    let payment_id = id(&waiting.payment);
    let (start, start_token) = cut(&waiting.start);
    let (back, back_token) = cut(&waiting.back);
    let (_, own_start_token) = cut(own.0);
    let (_, own_back_token) = cut(own.1);
    let mut other_case = back_token.to_owned().into_bytes();
    let last = other_case.last_mut().expect("a token");
    *last = if *last == b'x' { b'y' } else { b'x' };
    let other_case = String::from_utf8(other_case).expect("letters");
    let short = &back_token[..back_token.len() - 1];
    let zeroes = format!("visit_{}", "0".repeat(32));
    let other_attempt = back.replace(&format!("{payment_id}_1"), &format!("{payment_id}_2"));
    let other_connector = back.replace("/fauxpay/", "/stripe_test/");
    let nobodys = back.replace(payment_id, "pay_of_nobody");
    let elsewhere = waiting.back.replace("/bookshop/", "/florist/");
    vec![
        format!("/payments/{payment_id}/bookshop/redirect/response/fauxpay"),
        format!("/payments/{payment_id}/bookshop/redirect/response/any"),
        format!("/payments/redirect/{payment_id}/bookshop/{payment_id}_1"),
        start.to_owned(),
        back.to_owned(),
        format!("{start}/{zeroes}"),
        format!("{back}/{zeroes}"),
        format!("{back}/{other_case}"),
        format!("{back}/{short}"),
        format!("{back}/{back_token}x"),
        format!("{start}/{back_token}"),
        format!("{back}/{start_token}"),
        format!("{start}/{own_start_token}"),
        format!("{back}/{own_back_token}"),
        format!("{other_attempt}/{back_token}"),
        format!("{other_connector}/{back_token}"),
        format!("{nobodys}/{back_token}"),
        elsewhere,
    ]
}

#[tokio::test]
async fn guessed_addresses_lead_nowhere() {
    let waiting = Waiting::open().await;
    let florist = waiting.shop.server.shop("florist").await;
    let at_once = json!({ "confirm": true });
    let own = florist
        .creates(with(order_with(THREE_DS), at_once))
        .await
        .ok();
    let own = (start_of(&own), back_to(&florist, &own));
    let guesses = guesses(&waiting, (&own.0, &own.1));
    let nothing = waiting.visits("/payments/nothing/at/all").await;
    assert_eq!(nothing.status, 404);

    let nobody_enters = async || {
        for guess in &guesses {
            for method in [Method::GET, Method::POST, Method::HEAD] {
                let answer = waiting.shop.wire.request(method.clone(), guess).await;
                assert_eq!(answer.status, 404, "{method} {guess}: {}", answer.body);
                assert_eq!(answer.header("location"), None, "{method} {guess}");
                if method != Method::HEAD {
                    assert_eq!(answer.body, nothing.body, "{method} {guess}");
                }
            }
        }
    };
    nobody_enters().await;
    waiting.payer_decides(true);
    nobody_enters().await;
    let still = waiting.shop.retrieves(&waiting.payment).await.ok();
    assert_eq!(
        still["status"], "requires_customer_action",
        "nobody has made us ask the processor"
    );

    let payer = waiting.visits(&waiting.back).await;
    assert_eq!(payer.status, 302, "{}", payer.body);
    let target = payer.header("location").expect("the way on").to_owned();
    let secret = waiting.payment["client_secret"].as_str().expect("a secret");
    assert!(target.contains("status=succeeded"), "{target}");
    assert!(target.contains(secret), "{target}");
    nobody_enters().await;
}

#[tokio::test]
async fn a_payer_of_an_older_attempt_learns_nothing_of_the_newer_one() {
    let waiting = Waiting::open().await;
    let Waiting {
        shop,
        payment,
        start,
        back,
    } = &waiting;
    waiting.payer_decides(false);
    assert_eq!(
        standing(&shop.asks_about(payment).await.ok()),
        ("failed", 0, 0)
    );
    let again = shop.confirms(payment, card(THREE_DS)).await.ok();
    assert_eq!(again["status"], "requires_customer_action");
    let (newer_start, newer_back) = (start_of(&again), back_to(shop, payment));

    assert_eq!(waiting.visits(start).await.status, 410);
    waiting.payer_decides(true);
    let late = waiting.visits(back).await;
    assert_eq!((late.status, late.header("location")), (200, None));
    let page = late.body.as_str().expect("a page");
    let secret = payment["client_secret"].as_str().expect("a secret");
    for private in [secret, "shop.example", "succeeded", id(payment)] {
        assert!(!page.contains(private), "{private}: {page}");
    }

    assert_eq!(waiting.visits(&newer_start).await.status, 410);
    let payer = waiting.visits(&newer_back).await;
    let target = payer.header("location").expect("the way on");
    assert!(target.contains("status=succeeded"), "{target}");
}

#[tokio::test]
async fn a_payer_who_comes_back_too_early_is_sent_on() {
    let shop = Shop::open().await;
    let at_once = json!({ "confirm": true });
    let payment = shop.creates(with(order_with(THREE_DS), at_once)).await.ok();
    let back = back_to(&shop, &payment);
    let early = shop.wire.request(Method::GET, &back).unjudged().await;
    assert_eq!(early.status, 200);
    let page = early.body.as_str().expect("a page");
    assert!(page.contains("<h1>One step is missing</h1>"), "{page}");
    let start = payment["next_action"]["redirect_to_url"].as_str();
    let link = format!("href=\"{}\"", start.expect("a page to go to"));
    assert!(page.contains(&link), "{page}");
}
