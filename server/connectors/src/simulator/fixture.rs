//! A processor and a connector for tests, with a clock that tests move.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use multirail_kernel::clock::Clock;
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::money::Money;
use multirail_kernel::random::SeededRandom;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::card::{Card, CardNumber, Expiry, GivenCardDetails};
use multirail_sdk::connector::{
    Access, AuthorizeRequest, CaptureRequest, Description, Descriptor, Details, IncrementRequest,
    LookUpRequest, OperationKind, Outcome, RefundRequest, VoidRequest,
};
use multirail_sdk::connector::{Connector, Increments, Payments};
use multirail_sdk::instrument::PaymentMethodData;
use multirail_simulator::InProcess;
use multirail_simulator::processor::{Ledger, Processor};
use multirail_simulator::scripted::Script;
use multirail_simulator::serve::serve;
use tokio::net::TcpListener;

use super::remote::Remote;
use super::{DESCRIPTIONS, Simulator};

/// A deadline that no call within one process reaches.
pub const DEADLINE: Duration = Duration::from_secs(30);

/// The API key of the bench's account.
pub const API_KEY: &str = "sim_key";

pub const RETURN_URL: &str = "https://shop.example/return?a=1&b=2";

/// A clock that starts at noon and moves by hand.
pub struct HandClock(AtomicI64);

impl HandClock {
    pub fn advance(&self, seconds: i64) {
        self.0.fetch_add(seconds, Ordering::SeqCst);
    }
}

impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        let noon = Timestamp::from_micros(1_767_268_800_000_000);
        noon.plus_seconds(self.advanced_seconds())
            .expect("in range")
    }

    fn wall(&self) -> Timestamp {
        self.now()
    }

    fn advanced_seconds(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }

    fn set_advanced_seconds(&self, seconds: i64) {
        self.0.fetch_max(seconds, Ordering::SeqCst);
    }
}

impl Default for HandClock {
    fn default() -> Self {
        HandClock(AtomicI64::new(0))
    }
}

/// One connector and its processor.
pub struct Bench {
    pub processor: Arc<Processor>,
    pub clock: Arc<HandClock>,
    pub connector: Simulator,
}

impl Bench {
    pub fn new(name: &'static str) -> Self {
        Bench::on(name, Ledger::in_memory().expect("memory"))
    }

    pub fn on(name: &'static str, ledger: Ledger) -> Self {
        let clock = Arc::new(HandClock::default());
        let random = Arc::new(SeededRandom::new(7));
        let url = "http://127.0.0.1:8080/";
        let processor = Arc::new(Processor::new(ledger, url, clock.clone(), random));
        let transport = Arc::new(InProcess::new(Arc::clone(&processor)));
        Bench {
            connector: Simulator::new(described(name), transport, DEADLINE),
            processor,
            clock,
        }
    }

    /// Creates a bench with HTTP between connector and processor. Needs a runtime.
    pub async fn over_http(name: &'static str, deadline: Duration) -> (Self, SocketAddr) {
        let bench = Bench::new(name);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("bound");
        tokio::spawn(serve(listener, Arc::clone(&bench.processor)));
        let remote = Arc::new(Remote::new(address, deadline));
        let connector = Simulator::new(described(name), remote, deadline);
        (Bench { connector, ..bench }, address)
    }

    pub fn script(&self) -> &Script {
        self.processor.script()
    }

    /// Requests a sale of 65.40 USD.
    pub async fn sale(&self, key: &str, number: &str) -> Outcome {
        self.authorize_as(key, number, 6540, true).await
    }

    /// Requests an authorization of 65.40 USD with manual capture.
    pub async fn reserve(&self, key: &str, number: &str) -> Outcome {
        self.authorize_as(key, number, 6540, false).await
    }

    pub async fn authorize_as(
        &self,
        key: &str,
        number: &str,
        amount: i64,
        capture: bool,
    ) -> Outcome {
        let request = authorize_request(key, number, amount, capture);
        self.connector.authorize(request).await
    }

    /// Requests an authorization of 65.40 USD that may be raised.
    pub async fn reserve_to_raise(&self, key: &str, number: &str) -> Outcome {
        let mut request = authorize_request(key, number, 6540, false);
        request.details.may_be_raised = true;
        self.connector.authorize(request).await
    }

    /// Requests an extended authorization.
    pub async fn reserve_for_longer(&self, key: &str, number: &str) -> Outcome {
        let mut request = authorize_request(key, number, 6540, false);
        request.details.stands_longer = true;
        self.connector.authorize(request).await
    }

    /// Requests an authorization that a capture may exceed.
    pub async fn reserve_to_exceed(&self, key: &str, number: &str) -> Outcome {
        let mut request = authorize_request(key, number, 6540, false);
        request.details.may_be_exceeded = true;
        self.connector.authorize(request).await
    }

    pub async fn increment(&self, key: &str, of: &str, amount: i64) -> Outcome {
        let request = IncrementRequest {
            key: processor_key(key),
            access: access(),
            authorization_key: processor_key(of),
            authorization_reference: None,
            money: Money::new(amount, Currency::USD),
            reason: None,
        };
        self.connector.increment(request).await
    }

    pub async fn capture(&self, key: &str, of: &str, amount: i64, is_final: bool) -> Outcome {
        let request = CaptureRequest {
            key: processor_key(key),
            access: access(),
            authorization_key: processor_key(of),
            authorization_reference: None,
            money: Money::new(amount, Currency::USD),
            is_final,
            descriptor: Descriptor::default(),
        };
        self.connector.capture(request).await
    }

    pub async fn void(&self, key: &str, of: &str) -> Outcome {
        let request = VoidRequest {
            key: processor_key(key),
            access: access(),
            authorization_key: processor_key(of),
            authorization_reference: None,
            captured_at_once: false,
            reason: None,
        };
        self.connector.void(request).await
    }

    pub async fn refund(&self, key: &str, of: &str, amount: i64) -> Outcome {
        self.connector.refund(refund_request(key, of, amount)).await
    }

    pub async fn look_up(&self, kind: OperationKind, key: &str) -> Outcome {
        self.look_up_as(access(), kind, key).await
    }

    /// Looks an operation up through another account.
    pub async fn look_up_as(&self, access: Access, kind: OperationKind, key: &str) -> Outcome {
        let request = LookUpRequest {
            kind,
            key: processor_key(key),
            access,
            authorization_key: processor_key("a"),
            authorization_reference: None,
            reference: None,
            money: Money::new(6540, Currency::USD),
            started_at: self.clock.now(),
            returned_with: None,
        };
        let recovery = self
            .connector
            .description()
            .capabilities
            .recovery
            .for_operation(kind);
        self.connector.look_up(request).await.judge(recovery, 0)
    }
}

pub fn authorize_request(key: &str, number: &str, amount: i64, capture: bool) -> AuthorizeRequest {
    let expiry = Expiry::parse("10", "2035", "card", Timestamp::EPOCH).expect("an expiry");
    let number = CardNumber::parse(number).expect("a number");
    AuthorizeRequest {
        key: processor_key(key),
        access: access(),
        money: Money::new(amount, Currency::USD),
        capture,
        data: PaymentMethodData::Card(Card::new(number, None, expiry, GivenCardDetails::default())),
        return_url: RETURN_URL.to_owned(),
        details: Details::default(),
    }
}

pub fn refund_request(key: &str, of: &str, amount: i64) -> RefundRequest {
    RefundRequest {
        key: processor_key(key),
        access: access(),
        authorization_key: processor_key(of),
        authorization_reference: None,
        money: Money::new(amount, Currency::USD),
        of_excess: false,
        reason: None,
    }
}

/// Returns the access of the bench's account.
pub fn access() -> Access {
    access_with(API_KEY)
}

pub fn access_with(api_key: &str) -> Access {
    let credentials = format!(r#"{{"auth_type":"HeaderKey","api_key":"{api_key}"}}"#);
    Access {
        credentials: SecretText::new(credentials),
        ..Access::default()
    }
}

pub fn described(name: &str) -> &'static Description {
    let mut named = DESCRIPTIONS.iter().filter(|one| one.name == name);
    named.next().expect("a simulator")
}

fn processor_key(text: &str) -> ProcessorKey {
    ProcessorKey::parse(text).expect("a key")
}
