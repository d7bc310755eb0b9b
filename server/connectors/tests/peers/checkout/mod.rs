//! Checkout.com's side behind a peer.

mod ledger;
mod payment;
mod stories;

use std::sync::{Arc, LazyLock, Mutex, MutexGuard};
use std::time::Duration;

use async_trait::async_trait;
use hmac::{Hmac, Mac};
use ledger::{Asked, Ledger, WITHOUT_FUNDS};
use multirail_app::ports::connector::Connector;
use multirail_connectors::checkout::{Checkout, DESCRIPTION};
use multirail_connectors::client::{Client, ClientSettings};
use multirail_domain::card::{Card, CardCode, CardNumber, Expiry, GivenCardDetails};
use multirail_domain::connector::{Access, Description, RawNotice};
use multirail_domain::connector_account::WebhookSecrets;
use multirail_domain::ids::ProcessorKey;
use multirail_domain::secret::SecretText;
use multirail_domain::timestamp::Timestamp;
use multirail_domain::unread::UnreadMembers;
use multirail_domain::webhook::target::{AllowedTargets, TargetRules};
use serde_json::{Map, json};
use sha2::Sha256;

use crate::suite::peer::{Call, Document, Peer, Processor, Reply};
use crate::suite::subject::{Books, CardThat, Subject};

static DOCUMENT: LazyLock<Document> =
    LazyLock::new(|| Document::read(include_str!("../../../src/checkout/peer.yaml")));

const SECRET_KEY: &str = "sk_sbox_peerpeerpeerpeerpeerpeer2a";
const CHANNEL: &str = "pc_peerpeerpeerpeerpeerpeer2b";
/// The key that the merchant gave to the workflow which sends events.
const SIGNATURE_KEY: &str = "peer-signature-key";

struct Behind(Arc<Mutex<Ledger>>);

#[async_trait]
impl Processor for Behind {
    fn document(&self) -> &'static Document {
        &DOCUMENT
    }

    async fn answer(&self, call: Call) -> Reply {
        let said = locked(&self.0).answer(&Asked {
            operation: &call.operation,
            payment: call.path.get("id").map_or("", |own| own),
            authorization: call.header("authorization"),
            idempotency_key: call.header("cko-idempotency-key"),
            query: &call.query,
            body: &call.body,
        });
        reply(said)
    }

    fn refuse(&self, message: &str) -> Reply {
        reply(ledger::invalid(message))
    }
}

/// Every answer has a number.
fn reply((status, body): ledger::Said) -> Reply {
    let mut reply = Reply::new(status, body);
    let number = "0HL80RJLS76I7:00000001".to_owned();
    reply.headers.push(("cko-request-id", number));
    reply
}

fn locked(ledger: &Mutex<Ledger>) -> MutexGuard<'_, Ledger> {
    ledger.lock().expect("no test panics within")
}

pub struct CheckoutSubject {
    ledger: Arc<Mutex<Ledger>>,
    peer: Peer,
}

pub async fn start() -> Box<dyn Subject> {
    Box::new(CheckoutSubject::start().await)
}

impl CheckoutSubject {
    pub async fn start() -> Self {
        let ledger = Arc::new(Mutex::new(Ledger::new(SECRET_KEY, CHANNEL)));
        let peer = Peer::start(Arc::new(Behind(Arc::clone(&ledger)))).await;
        CheckoutSubject { ledger, peer }
    }

    fn access_with(&self, api_key: &str) -> Access {
        let credentials = json!({ "auth_type": "HeaderKey", "api_key": api_key });
        let metadata = [
            ("base_url", self.peer.url()),
            ("endpoint_prefix", "vkuhvk4v".to_owned()),
            ("processing_channel_id", CHANNEL.to_owned()),
        ];
        let metadata = metadata.map(|(name, value)| (name.to_owned(), value.into()));
        Access {
            credentials: SecretText::new(credentials.to_string()),
            test_mode: true,
            metadata: Map::from_iter(metadata),
        }
    }
}

/// The hash of the body, in hexadecimal digits.
pub fn signature(body: &[u8]) -> String {
    let mac = Hmac::<Sha256>::new_from_slice(SIGNATURE_KEY.as_bytes()).expect("any length");
    hex::encode(mac.chain_update(body).finalize().into_bytes())
}

#[async_trait]
impl Subject for CheckoutSubject {
    fn description(&self) -> &'static Description {
        &DESCRIPTION
    }

    fn connector(&self, deadline: Duration) -> Arc<dyn Connector> {
        let settings = ClientSettings {
            targets: TargetRules {
                allowed: AllowedTargets::read(["127.0.0.1"]).expect("a target"),
                ..TargetRules::default()
            },
            deadline,
            calls_per_account: 8,
            proxy: None,
            trusted: self.peer.certificates(),
        };
        Arc::new(Checkout::new(Arc::new(Client::new(settings))))
    }

    fn peer(&self) -> &Peer {
        &self.peer
    }

    fn access(&self) -> Access {
        self.access_with(SECRET_KEY)
    }

    fn refused_access(&self) -> Access {
        self.access_with("sk_sbox_another")
    }

    fn card(&self, wanted: CardThat) -> Card {
        let number = match wanted {
            // Who is asked for an authentication is the merchant's wish.
            CardThat::IsApproved | CardThat::AsksThePayer => "4242424242424242",
            CardThat::IsDeclined => WITHOUT_FUNDS,
        };
        let number = CardNumber::parse(number).expect("a number");
        let code = CardCode::parse("100", "card_cvc").expect("a code");
        let expiry = Expiry::parse("12", "2030", "card", Timestamp::EPOCH).expect("an expiry");
        Card::new(number, Some(code), expiry, GivenCardDetails::default())
    }

    /// In Checkout.com's units, which are ours in the currencies of the suite. Its references are the ends of our keys.
    async fn books(&self, authorization: &ProcessorKey) -> Books {
        let key = authorization.as_str();
        let reference = &key[key.len().saturating_sub(30)..];
        locked(&self.ledger).books(reference)
    }

    async fn decide(&self, url: &str, approves: bool) -> Option<String> {
        locked(&self.ledger).visit(url, approves)
    }

    async fn notices(&self) -> Vec<RawNotice> {
        let bodies = locked(&self.ledger).events().into_iter();
        let raw = bodies.map(|body| RawNotice {
            headers: vec![("cko-signature".to_owned(), signature(&body))],
            body,
        });
        raw.collect()
    }

    fn secrets(&self) -> Option<WebhookSecrets> {
        Some(WebhookSecrets {
            merchant_secret: SecretText::new(SIGNATURE_KEY),
            additional_secret: None,
            unread: UnreadMembers::default(),
        })
    }
}
