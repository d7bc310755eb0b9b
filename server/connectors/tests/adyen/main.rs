//! Adyen's connector and Adyen's side, over HTTP: what is asked is strictly what `peer.yaml` has, and money moves once.

#[path = "../peers/adyen.rs"]
mod ledger;
mod peer;
mod stories;

use std::sync::Arc;
use std::time::Duration;

use multirail_app::ports::connector::Connector;
use multirail_connectors::adyen::Adyen;
use multirail_connectors::client::{Client, ClientSettings};
use multirail_domain::card::{Card, CardCode, CardNumber, Expiry, GivenCardDetails};
use multirail_domain::connector::{
    Access, AuthorizeRequest, CaptureRequest, Descriptor, Details, LookUpRequest, News,
    OperationKind, Outcome, RawNotice, RefundRequest, VoidRequest,
};
use multirail_domain::connector_account::WebhookSecrets;
use multirail_domain::currency::Currency;
use multirail_domain::ids::ProcessorKey;
use multirail_domain::money::Money;
use multirail_domain::payment::PaymentMethodData;
use multirail_domain::secret::SecretText;
use multirail_domain::timestamp::Timestamp;
use multirail_domain::unread::UnreadMembers;
use multirail_domain::webhook::target::{AllowedTargets, TargetRules};
use serde_json::{Map, json};

use peer::{API_KEY, HMAC_KEY, MERCHANT_ACCOUNT, Peer};

/// Authorised without further ado.
const CARD: &str = "4111111145551142";

/// A connector and the processor behind it.
struct Bench {
    peer: Peer,
    client: Arc<Client>,
    connector: Adyen,
}

impl Bench {
    async fn new() -> Self {
        let settings = ClientSettings {
            targets: TargetRules {
                allowed: AllowedTargets::read(["127.0.0.1"]).expect("a target"),
                ..TargetRules::default()
            },
            deadline: Duration::from_secs(20),
            calls_per_account: 8,
            proxy: None,
            trusted: Vec::new(),
        };
        let client = Arc::new(Client::new(settings));
        Bench {
            peer: Peer::start().await,
            connector: Adyen::new(Arc::clone(&client)),
            client,
        }
    }

    fn access(&self) -> Access {
        self.access_with(API_KEY, MERCHANT_ACCOUNT)
    }

    fn access_with(&self, api_key: &str, merchant_account: &str) -> Access {
        let credentials =
            json!({ "auth_type": "BodyKey", "api_key": api_key, "key1": merchant_account });
        Access {
            credentials: SecretText::new(credentials.to_string()),
            test_mode: true,
            metadata: Map::from_iter([("base_url".to_owned(), self.peer.url().into())]),
        }
    }

    fn payment(&self, name: &str, amount: i64, capture: bool) -> AuthorizeRequest {
        self.payment_by(name, amount, capture, CARD, Details::default())
    }

    fn payment_by(
        &self,
        name: &str,
        amount: i64,
        capture: bool,
        number: &str,
        details: Details,
    ) -> AuthorizeRequest {
        let expiry = Expiry::parse("3", "2030", "card", Timestamp::EPOCH).expect("an expiry");
        let number = CardNumber::parse(number).expect("a number");
        let code = CardCode::parse("737", "card_cvc").expect("a code");
        let given = GivenCardDetails::default();
        AuthorizeRequest {
            key: key(name),
            access: self.access(),
            money: Money::new(amount, Currency::EUR),
            capture,
            data: PaymentMethodData::Card(Card::new(number, Some(code), expiry, given)),
            return_url: "https://pay.example/payments/redirect/response".to_owned(),
            details,
        }
    }

    async fn authorize(&self, name: &str, amount: i64, capture: bool) -> Outcome {
        self.connector
            .authorize(self.payment(name, amount, capture))
            .await
    }

    async fn capture(&self, name: &str, of: &str, reference: &str, amount: i64) -> Outcome {
        let request = CaptureRequest {
            key: key(name),
            access: self.access(),
            authorization_key: key(of),
            authorization_reference: Some(reference.to_owned()),
            money: Money::new(amount, Currency::EUR),
            is_final: false,
            descriptor: Descriptor::default(),
        };
        self.connector.capture(request).await
    }

    async fn void(&self, name: &str, of: &str, reference: Option<&str>, at_once: bool) -> Outcome {
        let request = VoidRequest {
            key: key(name),
            access: self.access(),
            authorization_key: key(of),
            authorization_reference: reference.map(str::to_owned),
            captured_at_once: at_once,
            reason: None,
        };
        self.connector.void(request).await
    }

    async fn refund(&self, name: &str, of: &str, reference: &str, amount: i64) -> Outcome {
        let request = RefundRequest {
            key: key(name),
            access: self.access(),
            authorization_key: key(of),
            authorization_reference: Some(reference.to_owned()),
            money: Money::new(amount, Currency::EUR),
            reason: Some("customer request".to_owned()),
        };
        self.connector.refund(request).await
    }

    /// Of a payer who comes back to the payment `name` with this query.
    fn returned(&self, name: &str, query: &str) -> LookUpRequest {
        LookUpRequest {
            kind: OperationKind::Authorize,
            key: key(name),
            access: self.access(),
            authorization_key: key(name),
            authorization_reference: None,
            reference: None,
            money: Money::new(6540, Currency::EUR),
            started_at: Timestamp::EPOCH,
            returned_with: Some(query.to_owned()),
        }
    }

    /// What Adyen has told since the last time: the event, whose it is and what became of it.
    fn told(&self) -> Vec<String> {
        let secrets = WebhookSecrets {
            merchant_secret: SecretText::new(HMAC_KEY),
            additional_secret: None,
            unread: UnreadMembers::default(),
        };
        let bodies = self.peer.with_ledger(|ledger| ledger.take_notices());
        let notices = bodies.into_iter().flat_map(|body| {
            let raw = RawNotice {
                headers: Vec::new(),
                body,
            };
            let (access, now) = (self.access(), Timestamp::EPOCH);
            let read = self
                .connector
                .read_notices(&raw, &access, Some(&secrets), now);
            read.expect("it is signed")
        });
        notices
            .map(|notice| match notice.news {
                News::Outcome { about, outcome } => {
                    let name = about.key.as_ref().map_or("?", |key| &key.as_str()[4..]);
                    format!("{} {name} {}", about.kind, short(&outcome))
                }
                News::Hint { .. } | News::Nothing => format!("{} tells nothing", notice.kind),
            })
            .collect()
    }

    fn taken(&self) -> (i64, i64) {
        self.peer.with_ledger(|ledger| ledger.taken())
    }
}

fn key(name: &str) -> ProcessorKey {
    ProcessorKey::parse(&format!("mrk_{name}")).expect("a key")
}

fn short(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Done(done) => match done.amount_minor {
            Some(amount) => format!("done {amount}"),
            None => "done".to_owned(),
        },
        Outcome::CustomerMustAct { .. } => "must act".to_owned(),
        Outcome::Declined(decline) => {
            let place = if decline.in_authentication {
                " in authentication"
            } else {
                ""
            };
            format!("declined{place} {}: {}", decline.code, decline.message)
        }
        Outcome::Pending { .. } => "pending".to_owned(),
        Outcome::NeverHappened { reason } => format!("never happened: {reason}"),
        Outcome::Unknown(reason) => format!("unknown: {reason}"),
    }
}

/// The reference of what was done or taken.
fn reference(outcome: &Outcome) -> String {
    let reference = match outcome {
        Outcome::Done(done) => done.reference.clone(),
        Outcome::CustomerMustAct { reference, .. } | Outcome::Pending { reference } => {
            reference.clone()
        }
        Outcome::Declined(_) | Outcome::NeverHappened { .. } | Outcome::Unknown(_) => None,
    };
    reference.unwrap_or_else(|| panic!("no reference: {outcome:?}"))
}
