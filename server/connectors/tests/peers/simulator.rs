//! The simulator's processor behind a peer, which validates requests by `peer.yaml` and fails by
//! script.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use multirail_connectors::simulator::remote::Remote;
use multirail_connectors::simulator::{DESCRIPTIONS, Simulator};
use multirail_kernel::clock::Clock;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::random::SeededRandom;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_peers::DisputeBooks;
use multirail_sdk::bank_account::BankScheme;
use multirail_sdk::card::{Card, CardNumber, Expiry, GivenCardDetails};
use multirail_sdk::connector::Connector;
use multirail_sdk::connector::{Access, Description};
use multirail_simulator::pages;
use multirail_simulator::processor::{
    AccountDoes, Ledger, Processor as Simulated, RETURN_AFTER_DAYS, Reply as SimulatedReply,
    TEST_ACCOUNTS, TestAccount,
};
use multirail_simulator_wire::{API_KEY_HEADER, KEY_HEADER, Method, WireRequest};

use crate::suite::bench::Authorization;
use crate::suite::peer::{Call, Document, Peer, Processor, Reply};
use crate::suite::subject::{AccountThat, Books, CardThat, Subject};

static DOCUMENT: LazyLock<Document> =
    LazyLock::new(|| Document::read(include_str!("../../src/simulator/peer.yaml")));

/// Evidence by dispute: texts, and the sizes of files, because the simulator receives no contents.
type HandedIn = Arc<Mutex<HashMap<String, BTreeMap<String, String>>>>;

struct Behind {
    processor: Arc<Simulated>,
    handed_in: HandedIn,
}

impl Behind {
    /// Records accepted evidence.
    fn keep(&self, call: &Call) {
        let Some(dispute) = call.path.get("reference") else {
            return;
        };
        let texts = call.at("/texts").as_object().into_iter().flatten();
        let texts =
            texts.map(|(name, text)| (name.clone(), text.as_str().unwrap_or_default().to_owned()));
        let files = call.at("/files").as_array().into_iter().flatten();
        let files = files.map(|file| {
            let name = file["name"].as_str().unwrap_or_default();
            (name.to_owned(), format!("{} bytes", file["bytes"]))
        });
        let mut handed_in = self.handed_in.lock().expect("no test panics within");
        handed_in.insert(dispute.clone(), texts.chain(files).collect());
    }
}

#[async_trait]
impl Processor for Behind {
    fn document(&self) -> &'static Document {
        &DOCUMENT
    }

    async fn answer(&self, call: Call) -> Reply {
        let key = call.header(KEY_HEADER);
        let request = WireRequest {
            method: if call.raw.method == http::Method::GET {
                Method::Get
            } else {
                Method::Post
            },
            path: call.raw.path.clone(),
            api_key: SecretText::new(call.header(API_KEY_HEADER)),
            key: (!key.is_empty()).then(|| key.to_owned()),
            body: SecretText::new(String::from_utf8_lossy(&call.raw.body)),
        };
        match self.processor.handle(request) {
            SimulatedReply::Answer(answer) => {
                if answer.status == 200 && call.operation.ends_with("/challenge") {
                    self.keep(&call);
                }
                let body = serde_json::from_str(&answer.body).expect("JSON");
                Reply::new(answer.status, body)
            }
            SimulatedReply::HangUp | SimulatedReply::Silence => {
                panic!("the suite has its own faults")
            }
        }
    }

    fn refuse(&self, message: &str) -> Reply {
        let error = serde_json::json!({"code": "DC_02", "message": message});
        Reply::new(400, serde_json::json!({ "error": error }))
    }
}

/// A clock that stands at noon until it is moved.
#[derive(Default)]
struct HandClock(AtomicI64);

impl HandClock {
    fn advance(&self, seconds: i64) {
        self.0.fetch_add(seconds, Ordering::SeqCst);
    }
}

impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        let noon = Timestamp::from_micros(1_767_268_800_000_000);
        let now = noon.plus_seconds(self.advanced_seconds());
        now.expect("in range")
    }

    fn wall(&self) -> Timestamp {
        self.now()
    }

    fn advanced_seconds(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }

    fn set_advanced_seconds(&self, seconds: i64) {
        self.0.store(seconds, Ordering::SeqCst);
    }
}

struct SimulatorSubject {
    processor: Arc<Simulated>,
    handed_in: HandedIn,
    clock: Arc<HandClock>,
    peer: Peer,
}

pub async fn start() -> Box<dyn Subject> {
    let ledger = Ledger::in_memory().expect("memory");
    let random = Arc::new(SeededRandom::new(7));
    let url = "http://127.0.0.1:8080";
    let clock = Arc::new(HandClock::default());
    let processor = Arc::new(Simulated::new(ledger, url, clock.clone(), random));
    let handed_in = HandedIn::default();
    let behind = Behind {
        processor: Arc::clone(&processor),
        handed_in: Arc::clone(&handed_in),
    };
    let peer = Peer::start_plain(Arc::new(behind)).await;
    Box::new(SimulatorSubject {
        processor,
        handed_in,
        clock,
        peer,
    })
}

#[async_trait]
impl Subject for SimulatorSubject {
    fn description(&self) -> &'static Description {
        let mut all = DESCRIPTIONS.iter();
        all.find(|one| one.name == "fauxpay").expect("a simulator")
    }

    fn connector(&self, deadline: Duration) -> Arc<dyn Connector> {
        let remote = Arc::new(Remote::new(self.peer.address(), deadline));
        Arc::new(Simulator::new(self.description(), remote, deadline))
    }

    fn peer(&self) -> &Peer {
        &self.peer
    }

    fn access(&self) -> Access {
        Access {
            credentials: SecretText::new(r#"{"auth_type":"HeaderKey","api_key":"sim_key"}"#),
            ..Access::default()
        }
    }

    fn refused_access(&self) -> Access {
        Access {
            credentials: SecretText::new(r#"{"auth_type":"HeaderKey","api_key":"refused_key"}"#),
            ..Access::default()
        }
    }

    fn card(&self, wanted: CardThat) -> Card {
        let number = match wanted {
            CardThat::IsApproved => "4111111111111111",
            CardThat::IsDeclined => "4000000000000002",
            CardThat::AsksThePayer => "4000003800000446",
        };
        card(number)
    }

    async fn books(&self, authorization: &ProcessorKey) -> Books {
        let totals = self.processor.ledger().totals().expect("totals");
        let Some(totals) = totals.get(authorization.as_str()) else {
            return Books::default();
        };
        Books {
            authorized: totals.authorized,
            captured: totals.captured,
            released: totals.released,
            given_back: totals.reversed + totals.refunded,
        }
    }

    fn disputable_card(&self) -> Card {
        card("4000000000000259")
    }

    fn held_card(&self) -> Card {
        card("4000000000009235")
    }

    async fn raises_dispute(&self, sold: &Authorization) -> String {
        let reference = sold.reference.as_deref().expect("it is sold");
        format!("{reference}_dispute")
    }

    async fn dispute_books(&self, dispute: &str) -> DisputeBooks {
        let asked = WireRequest {
            method: Method::Get,
            path: format!("/fauxpay/disputes/{dispute}"),
            api_key: SecretText::new("sim_key"),
            key: None,
            body: SecretText::default(),
        };
        let SimulatedReply::Answer(answer) = self.processor.handle(asked) else {
            panic!("it answers")
        };
        let accepted = answer.body.contains("dispute_accepted");
        let handed_in = self.handed_in.lock().expect("no test panics within");
        let evidence = handed_in.get(dispute).cloned();
        DisputeBooks {
            accepted: accepted.into(),
            challenged: evidence.is_some().into(),
            evidence: evidence.unwrap_or_default(),
        }
    }

    fn now(&self) -> Timestamp {
        self.clock.now()
    }

    fn account(&self, scheme: BankScheme, that: AccountThat) -> (&'static str, &'static str) {
        let does = match that {
            AccountThat::Pays => AccountDoes::Pay,
            AccountThat::IsRefused => AccountDoes::LackFunds,
            AccountThat::Returns => AccountDoes::Return,
        };
        let mut accounts = TEST_ACCOUNTS.iter();
        let is_wanted = |one: &&TestAccount| one.scheme == scheme.as_str() && one.does == does;
        let account = accounts.find(is_wanted).expect("a test account");
        (account.number, account.bank_code)
    }

    async fn returns_debit(&self, paid: &Authorization) -> String {
        self.clock.advance(RETURN_AFTER_DAYS * 86_400);
        self.raises_dispute(paid).await
    }

    async fn passes_a_minute(&self) {
        self.clock.advance(60);
    }

    fn keeps_files(&self) -> bool {
        false
    }

    fn presses_apps(&self) -> bool {
        false
    }

    async fn decide(&self, url: &str, approves: bool) -> Option<String> {
        let token = url.rsplit('/').next().expect("a token");
        let decision = if approves { "true" } else { "false" };
        let page = pages::complete(&self.processor, token, Some(decision));
        assert_eq!(page.status, 302);
        None
    }
}

fn card(number: &str) -> Card {
    let number = CardNumber::parse(number).expect("a number");
    let expiry = Expiry::parse("10", "2035", "card", Timestamp::EPOCH).expect("an expiry");
    Card::new(number, None, expiry, GivenCardDetails::default())
}
