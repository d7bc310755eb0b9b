//! Use cases over a store and the simulated processor, whose connector has another description.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use multirail_app::operations::ports::open_operations::Room;
use multirail_app::payments::capture::CapturePayment;
use multirail_app::payments::create::CreatePayment;
use multirail_app::payments::{CallCredentials, PaymentView};
use multirail_app::platform::ports::{Actor, Clock};
use multirail_app::{Origin, Services};
use multirail_database::Fatal;
use multirail_domain::accounts::connector_account::WebhookSecrets;
use multirail_domain::payments::payment::instrument::CardInput;
use multirail_domain::payments::payment::{CaptureMethod, Changes, InstrumentInput};
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::MerchantId;
use multirail_kernel::random::Random;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::card::GivenCardDetails;
use multirail_sdk::connector::{
    Access, AccountCheck, AuthorizeRequest, CaptureDescriptor, CaptureRequest, Connector,
    ConnectorDirectory, Description, Finding, LookUpRequest, Notice, NoticePart, Notices, Outcome,
    Payments, RawNotice, Recoveries, Recovery, RefundRequest, Unreadable, VoidRequest,
};
use multirail_sdk::payment_method::PaymentMethod;
use multirail_simulator::processor::Processor;
use multirail_simulator::scripted::{Call, Fault};
use multirail_system::clock::SystemClock;
use multirail_system::random::OsRandom;
use tempfile::TempDir;

use super::super::super::connectors::Sources;
use super::super::super::{demo, listen, open, services};
use crate::BuiltIn;
use crate::config::{Config, Inputs, Setting};
use crate::sandbox_keys::keys_for;

/// The simulator's connector with another description. It records the parameters with which payers returned.
struct Described {
    inner: Arc<dyn Connector>,
    description: &'static Description,
    returned_with: Arc<Mutex<Vec<Option<String>>>>,
}

#[async_trait]
impl Connector for Described {
    fn description(&self) -> &'static Description {
        self.description
    }

    async fn check(&self, access: Access) -> AccountCheck {
        self.inner.check(access).await
    }
}

#[async_trait]
impl Payments for Described {
    async fn authorize(&self, request: AuthorizeRequest) -> Outcome {
        self.inner.authorize(request).await
    }

    async fn capture(&self, request: CaptureRequest) -> Outcome {
        self.inner.capture(request).await
    }

    async fn void(&self, request: VoidRequest) -> Outcome {
        self.inner.void(request).await
    }

    async fn refund(&self, request: RefundRequest) -> Outcome {
        self.inner.refund(request).await
    }

    async fn look_up(&self, request: LookUpRequest) -> Finding {
        let returned_with = request.returned_with.clone();
        self.returned_with.lock().unwrap().push(returned_with);
        self.inner.look_up(request).await
    }
}

impl Notices for Described {
    fn verify_notice(
        &self,
        raw: &RawNotice,
        secrets: Option<&WebhookSecrets>,
        wall: Timestamp,
    ) -> bool {
        self.inner.verify_notice(raw, secrets, wall)
    }

    fn read_notices(&self, raw: &RawNotice, access: &Access) -> Result<Vec<Notice>, Unreadable> {
        self.inner.read_notices(raw, access)
    }

    fn notice_parts(&self, raw: RawNotice) -> Vec<NoticePart> {
        vec![NoticePart::whole(raw)]
    }
}

/// One connector under its one name.
struct Only(Arc<dyn Connector>);

impl ConnectorDirectory for Only {
    fn find(&self, name: &str) -> Option<Arc<dyn Connector>> {
        self.describe(name).map(|_| Arc::clone(&self.0))
    }

    fn describe(&self, name: &str) -> Option<&'static Description> {
        Some(self.0.description()).filter(|description| description.name == name)
    }

    fn names(&self) -> Vec<&'static str> {
        vec![self.0.description().name]
    }
}

/// Use cases over a store and a simulated processor.
pub(super) struct Bench {
    pub(super) services: Services,
    clock: Arc<SystemClock>,
    pub(super) processor: Arc<Processor>,
    /// The parameters of every look-up.
    pub(super) returned_with: Arc<Mutex<Vec<Option<String>>>>,
    pub(super) merchant_id: MerchantId,
    _directory: TempDir,
}

impl Bench {
    pub(super) async fn open(recovery: Recovery, repeats_authorizations: bool) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let inputs = Inputs::default()
            .with(Setting::Sandbox, "true")
            .with(Setting::Listen, "127.0.0.1:0")
            .with(Setting::DataDirectory, directory.path().to_string_lossy());
        let config = Config::read(&inputs).unwrap_or_else(|problems| panic!("{problems}"));
        let random: Arc<dyn Random> = Arc::new(OsRandom);
        let keys = keys_for(&config, random.as_ref()).unwrap();
        let opened = open::open(&config, &keys, &random, Fatal::logged());
        let opened = opened.await.unwrap();
        let url = "http://127.0.0.1:8080";
        let processor = listen::processor(&config, url, &opened, &random).unwrap();
        let sources = Sources {
            built_in: BuiltIn {
                connectors: &multirail_connectors::BuiltIn,
                routing: &multirail_routing::BuiltIn,
            },
            simulated: Some(&processor),
        };
        let services = services::of_core(&config, url, url, &opened, &random, sources).unwrap();
        let demo = demo::ensure(&services, &config).await.unwrap();
        let inner = services.processors.connectors.find("fauxpay").unwrap();
        let mut description = inner.description().clone();
        description.capabilities.recovery = Recoveries::all(recovery);
        description.capabilities.repeats_authorizations = repeats_authorizations;
        // One for each test.
        let description = Box::leak(Box::new(description));
        let returned_with = Arc::default();
        let described = Described {
            inner,
            description,
            returned_with: Arc::clone(&returned_with),
        };
        let only = Arc::new(Only(Arc::new(described)));
        let urls = (url, url);
        let services = services::over(&config, urls, &opened, &random, sources, only);
        Bench {
            services: services.unwrap(),
            clock: opened.clock,
            processor,
            returned_with,
            merchant_id: MerchantId::parse(&demo.merchant_id).unwrap(),
            _directory: directory,
        }
    }

    pub(super) fn next_meets(&self, call: Call, fault: Fault) {
        self.processor.script().next(call, fault);
    }

    /// Confirms a payment of 65.40 USD; returns its state.
    pub(super) async fn pays(&self, capture_method: CaptureMethod) -> PaymentView<'static> {
        self.pays_with("4111111111111111", capture_method).await
    }

    pub(super) async fn pays_with(
        &self,
        number: &str,
        capture_method: CaptureMethod,
    ) -> PaymentView<'static> {
        let card = CardInput {
            number: SecretText::new(number),
            exp_month: "10".to_owned(),
            exp_year: "2035".to_owned(),
            code: SecretText::new("737"),
            given: GivenCardDetails::default(),
        };
        let changes = Changes {
            amount: Some(6540),
            currency: Some(Currency::USD),
            capture_method: Some(capture_method),
            instrument: InstrumentInput {
                payment_method: Some(PaymentMethod::Card),
                card: Some(card),
                ..InstrumentInput::default()
            },
            ..Changes::default()
        };
        let request = CreatePayment {
            owner: None,
            merchant_id: self.merchant_id.clone(),
            payment_id: None,
            profile_id: None,
            named_merchant_id: None,
            confirm: true,
            changes,
            credentials: CallCredentials::default(),
        };
        self.services
            .payments
            .create(&origin(), request)
            .await
            .unwrap()
    }

    pub(super) async fn captures(&self, view: &PaymentView<'_>) -> PaymentView<'static> {
        let request = CapturePayment {
            merchant_id: self.merchant_id.clone(),
            payment_id: view.payment.payment_id.clone(),
            amount_to_capture: None,
            descriptor: CaptureDescriptor::default(),
            credentials: CallCredentials::default(),
        };
        self.services
            .payments
            .capture(&origin(), request)
            .await
            .unwrap()
    }

    /// Asks about the open operation of a payment; returns the payment's state and next action.
    pub(super) async fn asks_about(&self, view: &PaymentView<'_>) -> String {
        let payment_id = &view.payment.payment_id;
        let origin = origin();
        let read =
            self.services
                .read_payments
                .retrieve(&origin, &self.merchant_id, payment_id, true);
        let status = read.await.unwrap().payment.status;
        match self.waiting().await.as_str() {
            "" => status.to_string(),
            waiting => format!("{status}, {waiting}"),
        }
    }

    /// Asks as the worker does; returns about how many operations.
    pub(super) async fn asks_what_is_due(&self) -> usize {
        let room = Room {
            free: 10,
            of_one_connector: 10,
            ..Room::default()
        };
        let claimed = self.services.operation_sync.claim(room).await.unwrap();
        for one in &claimed {
            self.services
                .operation_sync
                .ask(&origin(), one)
                .await
                .unwrap();
        }
        claimed.len()
    }

    /// Returns the operator's view of the operations without a final answer.
    pub(super) async fn waiting(&self) -> String {
        let unresolved = self
            .services
            .unresolved_operations
            .list(None, None)
            .await
            .unwrap();
        let lines: Vec<String> = unresolved
            .iter()
            .map(|one| {
                let progress = one.operation.progress;
                format!("{} {progress} waits for {}", one.kind, one.waits_for)
            })
            .collect();
        lines.join(", ")
    }

    /// Returns the amount that the simulated processor has reserved or captured.
    pub(super) fn held(&self) -> i64 {
        let ledger = self.processor.ledger();
        let authorized: i64 = ledger
            .authorizations()
            .unwrap()
            .iter()
            .map(|one| one.approved_amount.unwrap_or_default())
            .sum();
        let voids = ledger.voids().unwrap().into_iter();
        let done = voids.filter(|void| void.error.is_none());
        let voided: i64 = done.map(|void| void.amount).sum();
        authorized - voided
    }

    pub(super) fn captured(&self) -> i64 {
        let captures = self.processor.ledger().captures().unwrap();
        captures.iter().map(|capture| capture.amount).sum()
    }

    /// Returns how many scripted faults have not happened.
    pub(super) fn remaining_faults(&self) -> usize {
        self.processor.script().waiting()
    }

    pub(super) fn time_passes(&self, seconds: i64) {
        let advanced = self.clock.advanced_seconds();
        self.clock.set_advanced_seconds(advanced + seconds);
    }
}

pub(super) fn origin() -> Origin {
    Origin::of_service(Actor::Startup)
}
