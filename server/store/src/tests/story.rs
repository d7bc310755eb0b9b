//! A payment that goes from step to step through the store.

use multirail_app::payments::ports::{PaymentChange, PaymentStore};
use multirail_app::platform::ports::StoreFailure;
use multirail_domain::accounts::connector_account::Candidate;
use multirail_domain::accounts::profile::Profile;
use multirail_domain::payments::payment::confirm::Confirm;
use multirail_domain::payments::payment::create::Create;
use multirail_domain::payments::payment::instrument::CardInput;
use multirail_domain::payments::payment::{
    AtHand, CaptureMethod, Changes, Command, Context, Fact, Input, InstrumentInput, Payment,
    ProfileWishes, transition,
};
use multirail_kernel::address::{self, Address};
use multirail_kernel::context::FreshKeys;
use multirail_kernel::country::CountryCode;
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{PaymentId, ProcessorKey};
use multirail_kernel::secret::SecretText;
use multirail_sdk::card::GivenCardDetails;
use multirail_sdk::connector::{Approval, Decline, Outcome};
use multirail_sdk::payment_method::PaymentMethod;

use super::news::{at, shop};
use super::routing::InOrder;
use crate::fixture::{CONNECTOR, TestStore, changing};

/// A payment and its progress. Each step is one server's: it reads, decides and stores.
pub(super) struct Story {
    pub(super) payment_id: PaymentId,
    candidate: Candidate,
    steps: u32,
}

/// A step needs one key.
impl FreshKeys for Story {
    fn next(&self) -> ProcessorKey {
        self.key()
    }
}

impl Story {
    pub(super) async fn begin(test: &TestStore, name: &str, profile: &Profile) -> Story {
        Story::begin_with(test, name, profile, Changes::default()).await
    }

    /// Begins with this customer and payer.
    pub(super) async fn begin_with(
        test: &TestStore,
        name: &str,
        profile: &Profile,
        said: Changes,
    ) -> Story {
        let account = test.account(profile, "mca_1", "cards").into();
        let story = Story {
            payment_id: PaymentId::parse(name).expect("an id"),
            candidate: Candidate {
                account,
                capabilities: CONNECTOR.capabilities.clone(),
            },
            steps: 0,
        };
        let changes = Changes {
            amount: Some(6540),
            currency: Some(Currency::USD),
            capture_method: Some(CaptureMethod::ManualMultiple),
            instrument: card(),
            ..said
        };
        let create = Create {
            merchant_id: shop(),
            payment_id: story.payment_id.clone(),
            profile_id: profile.profile_id.clone(),
            publishable_key: "pk_snd_1".to_owned(),
            initiator: None,
            owner: None,
            named_merchant_id: None,
            session_expiry_seconds: 900,
            confirm_at_once: true,
            changes,
        };
        let created = Payment::create(create, at(0)).expect("a payment");
        let insert = changing(PaymentChange::Insert(created.payment.into()));
        test.commit(vec![insert]).await.expect("a commit");
        story
    }

    /// Returns the key that this step would send to the processor.
    fn key(&self) -> ProcessorKey {
        let key = format!("mrk_{}_{}", self.payment_id, self.steps);
        ProcessorKey::parse(&key).expect("a key")
    }

    pub(super) async fn payment(&self, test: &TestStore) -> Result<Payment, StoreFailure> {
        let found = test.store.payment(&shop(), &self.payment_id).await;
        found.map(|found| found.expect("a payment"))
    }

    /// One server reads the payment, decides and stores the result.
    pub(super) async fn step(&mut self, server: &TestStore, input: impl FnOnce(&Payment) -> Input) {
        self.steps += 1;
        let context = Context {
            now: at(i64::from(self.steps)),
            keys: self,
            calls_over_until: at(0),
        };
        let before = self.payment(server).await.expect("a payment");
        let step = transition(&before, input(&before), &context).expect("a step");
        let update = changing(PaymentChange::Update {
            before: before.into(),
            after: step.payment.into(),
        });
        server.commit(vec![update]).await.expect("a commit");
    }

    pub(super) async fn confirm(&mut self, server: &TestStore) {
        let confirm = Confirm {
            changes: Changes {
                instrument: card(),
                ..Changes::default()
            },
            candidates: vec![self.candidate.clone()],
            connectors: Default::default(),
            active: None,
            three_ds: None,
            dynamic: None,
            routing: &InOrder,
            manual_retry_enabled: true,
            wishes: ProfileWishes::default(),
            card_is_held: false,
            card_code_is_held: false,
            card_is_kept: false,
            credentials_are_held: false,
            by_client: false,
            by_owner: false,
            resumes: false,
            draw: 0,
        };
        let confirm = Input::Command(Command::Confirm(confirm.into()));
        self.step(server, |_| confirm).await;
    }

    pub(super) async fn capture(&mut self, server: &TestStore, amount: i64) {
        let capture = Command::Capture {
            amount_to_capture: Some(amount),
            credentials: AtHand::default(),
        };
        self.step(server, |_| Input::Command(capture)).await;
    }

    /// Applies the processor's outcome of the newest operation.
    pub(super) async fn learns(&mut self, server: &TestStore, outcome: Outcome) {
        let about = self.key();
        let fact = Fact { about, outcome };
        self.step(server, |_| Input::Fact(fact)).await;
    }
}

pub(super) fn card() -> InstrumentInput {
    InstrumentInput {
        payment_method: Some(PaymentMethod::Card),
        card: Some(CardInput {
            number: SecretText::new("4111111111111111"),
            exp_month: "10".to_owned(),
            exp_year: "35".to_owned(),
            code: SecretText::new("737"),
            given: GivenCardDetails::default(),
        }),
        billing: Some(billing_address()),
        ..InstrumentInput::default()
    }
}

pub(super) fn done() -> Outcome {
    Outcome::Done(Approval {
        reference: Some("ref_1".to_owned()),
        ..Approval::default()
    })
}

pub(super) fn declined() -> Outcome {
    Outcome::Declined(Decline {
        code: "DC_08".to_owned(),
        message: "Payment declined".to_owned(),
        ..Decline::default()
    })
}

/// An address in Germany.
pub(super) fn billing_address() -> Box<Address> {
    let country = "DE".parse::<CountryCode>().ok();
    Box::new(Address {
        address: Some(address::Place {
            country,
            ..address::Place::default()
        }),
        ..Address::default()
    })
}
