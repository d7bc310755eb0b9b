//! Adyen's side behind a peer.

mod ledger;
mod stories;

use std::sync::{Arc, LazyLock, Mutex, MutexGuard};
use std::time::Duration;

use async_trait::async_trait;
use ledger::{Asked, Ledger};
use multirail_app::ports::connector::Connector;
use multirail_connectors::adyen::{Adyen, DESCRIPTION};
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

use crate::suite::peer::{Call, Document, Peer, Processor, Reply};
use crate::suite::subject::{Books, CardThat, Subject};

static DOCUMENT: LazyLock<Document> =
    LazyLock::new(|| Document::read(include_str!("../../src/adyen/peer.yaml")));

const API_KEY: &str = "AQEyhmfxK4vLaRdDw0m-test";
const MERCHANT_ACCOUNT: &str = "BookshopNL";
const HMAC_KEY: &str = "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056";

struct Behind(Arc<Mutex<Ledger>>);

#[async_trait]
impl Processor for Behind {
    fn document(&self) -> &'static Document {
        &DOCUMENT
    }

    async fn answer(&self, call: Call) -> Reply {
        let (status, body) = locked(&self.0).answer(&Asked {
            operation: &call.operation,
            payment: call.path.get("paymentPspReference").map_or("", |own| own),
            api_key: call.header("x-api-key"),
            idempotency_key: call.header("idempotency-key"),
            body: &call.body,
        });
        Reply::new(status, body)
    }

    fn refuse(&self, message: &str) -> Reply {
        let (status, body) = ledger::error(400, "702", message, "validation");
        Reply::new(status, body)
    }
}

fn locked(ledger: &Mutex<Ledger>) -> MutexGuard<'_, Ledger> {
    ledger.lock().expect("no test panics within")
}

struct AdyenSubject {
    ledger: Arc<Mutex<Ledger>>,
    peer: Peer,
}

pub async fn start() -> Box<dyn Subject> {
    let ledger = Ledger::new(API_KEY, MERCHANT_ACCOUNT, HMAC_KEY);
    let ledger = Arc::new(Mutex::new(ledger));
    let peer = Peer::start(Arc::new(Behind(Arc::clone(&ledger)))).await;
    Box::new(AdyenSubject { ledger, peer })
}

impl AdyenSubject {
    fn access_with(&self, api_key: &str) -> Access {
        let credentials =
            json!({ "auth_type": "BodyKey", "api_key": api_key, "key1": MERCHANT_ACCOUNT });
        // The connector knows the version.
        let url = self.peer.url();
        let url = url.strip_suffix(DOCUMENT.base_path()).unwrap_or(&url);
        Access {
            credentials: SecretText::new(credentials.to_string()),
            test_mode: true,
            metadata: Map::from_iter([("base_url".to_owned(), url.into())]),
        }
    }
}

#[async_trait]
impl Subject for AdyenSubject {
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
        Arc::new(Adyen::new(Arc::new(Client::new(settings))))
    }

    fn peer(&self) -> &Peer {
        &self.peer
    }

    fn access(&self) -> Access {
        self.access_with(API_KEY)
    }

    fn refused_access(&self) -> Access {
        self.access_with("another")
    }

    fn card(&self, wanted: CardThat) -> Card {
        let (number, holder) = match wanted {
            CardThat::IsApproved => ("4111111145551142", "A. Reader"),
            CardThat::IsDeclined => ("4111111145551142", "NOT_ENOUGH_BALANCE"),
            CardThat::AsksThePayer => (ledger::ENROLLED, "A. Reader"),
        };
        let number = CardNumber::parse(number).expect("a number");
        let code = CardCode::parse("737", "card_cvc").expect("a code");
        let expiry = Expiry::parse("3", "2030", "card", Timestamp::EPOCH).expect("an expiry");
        let given = GivenCardDetails {
            holder_name: Some(holder.to_owned()),
            ..GivenCardDetails::default()
        };
        Card::new(number, Some(code), expiry, given)
    }

    /// In Adyen's units, which are ours in the currencies of the suite.
    async fn books(&self, authorization: &ProcessorKey) -> Books {
        locked(&self.ledger).books(authorization.as_str())
    }

    async fn decide(&self, url: &str, approves: bool) -> Option<String> {
        locked(&self.ledger).visit(url, approves)
    }

    async fn notices(&self) -> Vec<RawNotice> {
        let bodies = locked(&self.ledger).notices().into_iter();
        let raw = bodies.map(|body| RawNotice {
            headers: Vec::new(),
            body,
        });
        raw.collect()
    }

    fn secrets(&self) -> Option<WebhookSecrets> {
        Some(WebhookSecrets {
            merchant_secret: SecretText::new(HMAC_KEY),
            additional_secret: None,
            unread: UnreadMembers::default(),
        })
    }

    fn leaves_out(&self) -> Vec<(&'static str, &'static str)> {
        vec![
            ("taken_in_several_parts", "it captures once"),
            ("every_kind_is_found", "it can't be asked about anything"),
            (
                "what_never_was_is_not_found",
                "it can't be asked about anything",
            ),
            ("a_look_up_that_fails", "it can't be asked about anything"),
        ]
    }
}
