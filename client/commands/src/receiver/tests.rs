use std::net::SocketAddr;

use multirail_app::webhooks::ports::{WebhookRequest, WebhookSender};
use multirail_domain::accounts::profile::{ProfileSecrets, WebhookSecret};
use multirail_domain::webhooks::webhook::signature::signature_headers;
use multirail_domain::webhooks::webhook::{
    DISPUTE_DETAILS, Envelope, Exchange, MANDATE_DETAILS, PAYMENT_DETAILS, REFUND_DETAILS,
    SUBSCRIPTION_DETAILS,
};
use multirail_kernel::clock::Clock;
use multirail_kernel::event::EventType;
use multirail_kernel::ids::{EventId, MerchantId};
use multirail_kernel::random::SeededRandom;
use multirail_kernel::secret::SecretText;
use multirail_kernel::target::TargetRules;
use multirail_kernel::timestamp::Timestamp;
use multirail_outbound::{Bounds, GuardedClient, Manner};
use multirail_senders::webhooks::HttpWebhookSender;
use multirail_system::clock::SystemClock;
use serde_json::Value;

use super::*;

const HASH_KEY: &str = "a key of the merchant";

/// The printed text.
#[derive(Clone, Default)]
struct Paper(Arc<Mutex<Vec<u8>>>);

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("not poisoned").write(bytes)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Paper {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().expect("not poisoned").clone()).expect("UTF-8")
    }
}

/// A receiver in this process and the server's own sender.
struct Scene {
    address: SocketAddr,
    paper: Paper,
    sender: HttpWebhookSender,
}

fn secret() -> WebhookSecret {
    WebhookSecret::generate(Timestamp::EPOCH, &SeededRandom::new(1))
}

impl Scene {
    async fn listening(manners: Manners) -> Self {
        let socket = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = socket.local_addr().expect("an address");
        let paper = Paper::default();
        let listener = WebhookListener::new(manners, Utc::now, Box::new(paper.clone()));
        tokio::spawn(serve(socket, Arc::new(listener)));
        let rules = TargetRules {
            allows_http: true,
            allows_loopback: true,
            ..TargetRules::default()
        };
        let bounds = Bounds {
            time: Duration::from_secs(20),
            body_bytes: 1024,
        };
        Scene {
            address,
            paper,
            sender: HttpWebhookSender::new(GuardedClient::new(rules, &Manner::webhooks()), bounds),
        }
    }

    /// Sends a payment's event.
    async fn is_sent(&self, id: &str, seconds_ago: i64, object: &str) -> Exchange {
        let content = (PAYMENT_DETAILS, object);
        self.receives(id, seconds_ago, EventType::PaymentSucceeded, content)
            .await
    }

    async fn receives(
        &self,
        id: &str,
        seconds_ago: i64,
        event_type: EventType,
        (content_type, object): (&'static str, &str),
    ) -> Exchange {
        let event_id = EventId::parse(id).expect("an id");
        let body = Envelope {
            merchant_id: &MerchantId::parse("bookshop").expect("an id"),
            event_id: &event_id,
            event_type,
            content_type,
            object,
            timestamp: Timestamp::EPOCH,
        };
        let body = body.to_body();
        let secrets = ProfileSecrets {
            payment_response_hash_key: Some(SecretText::new(HASH_KEY)),
            webhook_secrets: vec![secret()],
            ..ProfileSecrets::default()
        };
        let wall = SystemClock::new()
            .wall()
            .plus_seconds(-seconds_ago)
            .expect("in range");
        let signed =
            signature_headers(&secrets, &event_id, body.as_bytes(), Timestamp::EPOCH, wall);
        let signed = signed.into_iter();
        let request = WebhookRequest {
            url: format!("http://{}/hooks", self.address),
            headers: signed
                .map(|(name, value)| (name.to_owned(), SecretText::new(value)))
                .collect(),
            body,
        };
        self.sender.send(request).await
    }
}

fn payment() -> String {
    let mut payment = example("PaymentRequiresPaymentMethod");
    payment["payment_id"] = "pay_1".into();
    payment.to_string()
}

fn example(name: &str) -> Value {
    let document: Value = serde_json::from_str(&multirail_api::document_json()).expect("JSON");
    document["components"]["examples"][name]["value"].clone()
}

fn knowing_both() -> Manners {
    Manners {
        by_secret: Some(Verifier::with_secret(secret().secret.expose()).expect("a secret")),
        by_hash_key: Some(Verifier::with_hash_key(HASH_KEY).expect("a key")),
        ..Manners::default()
    }
}

#[tokio::test]
async fn deliveries_are_checked_printed_and_failed_as_asked() {
    let manners = Manners {
        fail_next: 1,
        ..knowing_both()
    };
    let scene = Scene::listening(manners).await;
    assert_eq!(
        scene.is_sent("evt_1", 0, &payment()).await.status_code,
        Some(500)
    );
    assert_eq!(
        scene.is_sent("evt_1", 0, &payment()).await.status_code,
        Some(200)
    );
    assert_eq!(
        scene.is_sent("evt_2", 600, &payment()).await.status_code,
        Some(200)
    );
    insta::assert_snapshot!(scene.paper.text(), @r"
    #1  payment_succeeded  POST /hooks
        event        evt_1, made 1970-01-01T00:00:00.000Z
        payment      pay_1 is requires_payment_method, 6540 USD
        webhook-signature        fits
        x-webhook-signature-512  fits
        answered     500

    #2  payment_succeeded  POST /hooks  (try 2 of this event)
        event        evt_1, made 1970-01-01T00:00:00.000Z
        payment      pay_1 is requires_payment_method, 6540 USD
        webhook-signature        fits
        x-webhook-signature-512  fits
        answered     200

    #3  payment_succeeded  POST /hooks
        event        evt_2, made 1970-01-01T00:00:00.000Z
        payment      pay_1 is requires_payment_method, 6540 USD
        webhook-signature        DOESN'T FIT: the delivery was signed too long ago
        x-webhook-signature-512  fits
        answered     200
    ");
}

#[tokio::test]
async fn refunds_are_printed_too() {
    let scene = Scene::listening(knowing_both()).await;
    let refund = example("RefundSucceeded").to_string();
    scene
        .receives(
            "evt_1",
            0,
            EventType::RefundSucceeded,
            (REFUND_DETAILS, &refund),
        )
        .await;
    insta::assert_snapshot!(scene.paper.text(), @r"
    #1  refund_succeeded  POST /hooks
        event        evt_1, made 1970-01-01T00:00:00.000Z
        refund       return-2071 of pay_Lh3Qw8Zt5Rk1Xn7Vb2Mc is succeeded, 2000 USD
        webhook-signature        fits
        x-webhook-signature-512  fits
        answered     200
    ");
}

#[tokio::test]
async fn disputes_are_printed_too() {
    let scene = Scene::listening(knowing_both()).await;
    let dispute = example("DisputeLost").to_string();
    scene
        .receives(
            "evt_1",
            0,
            EventType::DisputeLost,
            (DISPUTE_DETAILS, &dispute),
        )
        .await;
    insta::assert_snapshot!(scene.paper.text(), @r"
    #1  dispute_lost  POST /hooks
        event        evt_1, made 1970-01-01T00:00:00.000Z
        dispute      dp_Hs6Df8Jq1NpT4kYb9Wc2 of pay_Lh3Qw8Zt5Rk1Xn7Vb2Mc is dispute_lost in dispute, 6540 USD
        webhook-signature        fits
        x-webhook-signature-512  fits
        answered     200
    ");
}

#[tokio::test]
async fn mandates_and_invoices_are_printed_too() {
    let scene = Scene::listening(knowing_both()).await;
    let mandate = example("MandateActive").to_string();
    let mandate = (MANDATE_DETAILS, mandate.as_str());
    scene
        .receives("evt_1", 0, EventType::MandateActive, mandate)
        .await;
    let subscription = example("SubscriptionActive").to_string();
    let subscription = (SUBSCRIPTION_DETAILS, subscription.as_str());
    scene
        .receives("evt_2", 0, EventType::InvoicePaid, subscription)
        .await;
    insta::assert_snapshot!(scene.paper.text(), @r"
    #1  mandate_active  POST /hooks
        event        evt_1, made 1970-01-01T00:00:00.000Z
        mandate      man_4dSk8Hq1Yx7Wb2Nc9Rt5 of pay_0193c8a2c5QmX4Rk7Ltd is active
        webhook-signature        fits
        x-webhook-signature-512  fits
        answered     200

    #2  invoice_paid  POST /hooks
        event        evt_2, made 1970-01-01T00:00:00.000Z
        subscription sub_Kd8Rt2Wq5Yn7Zc3Mv6Lp is active
        payment      pay_Lh3Qw8Zt5Rk1Xn7Vb2Mc is succeeded, 990 EUR
        invoice      invoice_Hb4Nx9Tf2Qs6Wj8Rk3Pd is invoice_paid, 990 EUR
        webhook-signature        fits
        x-webhook-signature-512  fits
        answered     200
    ");
}

#[tokio::test]
async fn without_secrets_it_says_what_is_missing() {
    let stranger = Verifier::with_hash_key("another").expect("a key");
    let manners = Manners {
        by_hash_key: Some(stranger),
        shows_body: true,
        ..Manners::default()
    };
    let scene = Scene::listening(manners).await;
    scene.is_sent("evt_1", 0, r#"{"no":"payment"}"#).await;
    insta::assert_snapshot!(scene.paper.text(), @r#"
    #1  ?  POST /hooks
        event        the delivery can't be read: missing field `payment_id` at line 1 column 16
        webhook-signature        not checked: give --secret
        x-webhook-signature-512  DOESN'T FIT: no signature in x-webhook-signature-512 fits
        answered     200
        {
          "merchant_id": "bookshop",
          "event_id": "evt_1",
          "event_type": "payment_succeeded",
          "content": {
            "type": "payment_details",
            "object": {
              "no": "payment"
            }
          },
          "timestamp": "1970-01-01T00:00:00.000Z"
        }
    "#);
}

#[tokio::test]
async fn what_is_no_delivery_is_answered_too() {
    let scene = Scene::listening(knowing_both()).await;
    let url = format!("http://{}/", scene.address);
    let http = reqwest::Client::new();
    let get = http.get(&url).send().await.expect("an answer");
    assert_eq!(get.status(), 405);
    let post = http.post(&url).body("\u{1b}[2Jhello").send().await;
    assert_eq!(post.expect("an answer").status(), 200);
    let printed = scene.paper.text();
    assert!(
        printed.contains("#1  ?  POST /\n") && !printed.contains('\u{1b}'),
        "{printed}"
    );
    let long = http
        .post(&url)
        .body(vec![b'a'; DELIVERY_BYTES + 1])
        .send()
        .await;
    assert_eq!(long.expect("an answer").status(), 413);
}
