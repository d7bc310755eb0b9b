use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use multirail_domain::customers::customer::{Customer, Personal};
use multirail_domain::customers::mandate::MandateView;
use multirail_domain::operations::operation::Operation;
use multirail_domain::operations::received_notice::{Sender, ToldOf};
use multirail_kernel::context::{Context, FreshKeys};
use multirail_kernel::currency::Currency;
use multirail_kernel::idempotency::Fingerprint;
use multirail_kernel::ids::{CustomerId, MerchantId, ProcessorKey, ProfileId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{About, Approval, Fact, Outcome};

use super::{Aggregate, Driver, Due, Stage, StepParts, Stored};
use crate::customers::mandates::announce::MandateContent;
use crate::fixture::{Committed, Noted, announcer, base};
use crate::operations::ports::open_operations::{OpenObject, UnresolvedOperation};
use crate::operations::told::Told;
use crate::operations::unresolved_operation::Unresolved;
use crate::platform::announcer::{Content, Identity};
use crate::platform::idempotency::{Claim, Commits, Made, Render};
use crate::platform::ports::failure::duplicate;
use crate::platform::ports::{Actor, Change, CommitError, ObjectClass, StoreFailure};
use crate::{AppError, Origin};

const PARCEL: ObjectClass = ObjectClass::new("parcel");

/// An object with calls that records only the outcomes that it was given.
#[derive(Clone, Debug, PartialEq)]
struct Parcel {
    addressee: Customer,
    profile_id: ProfileId,
    heard: usize,
    version: i64,
}

/// A step of a parcel, and the calls that follow it.
struct Step(Parcel, Vec<ProcessorKey>);

/// The services of parcels: the states that each load finds next, and the calls that were made.
struct Depot {
    stored: Mutex<Parcel>,
    called: Mutex<Vec<ProcessorKey>>,
    /// The call that can't be made.
    fails: Option<ProcessorKey>,
}

impl Aggregate for Parcel {
    type Id = CustomerId;
    type Services = Depot;
    type Step = Step;
    type Call = ProcessorKey;
    type Inputs = ();
    const OBJECT: Object = Object::Customer;
    const CLASS: ObjectClass = PARCEL;

    fn id(&self) -> &CustomerId {
        &self.addressee.customer_id
    }

    fn parse_id(text: &str) -> Option<CustomerId> {
        CustomerId::parse(text).ok()
    }

    fn identity(&self) -> Identity<'_> {
        Identity {
            merchant_id: &self.addressee.merchant_id,
            profile_id: &self.profile_id,
            object_id: self.addressee.customer_id.as_str(),
            customer_id: None,
            version: self.version,
            modified_at: self.addressee.created_at,
        }
    }

    fn set_version(&mut self, version: i64) {
        self.version = version;
    }

    async fn load(depot: &Depot, _: &MerchantId, _: &CustomerId) -> Result<Self, AppError> {
        let mut stored = depot.stored.lock().expect("no panic");
        stored.version += 1;
        Ok(stored.clone())
    }

    fn operation(&self, _: &ProcessorKey) -> Option<&Operation> {
        None
    }

    fn currency(&self) -> Currency {
        Currency::USD
    }

    fn decide_on(&self, _: Fact, _: &Context) -> Result<Step, Refusal> {
        let heard = self.heard + 1;
        let after = Parcel {
            heard,
            ..self.clone()
        };
        Ok(Step(after, Vec::new()))
    }

    fn decide_to_ask(&self, _: Option<&ProcessorKey>, _: &Context) -> Result<Step, Refusal> {
        Ok(Step(self.clone(), Vec::new()))
    }

    fn next_question_at(&self, _: &ProcessorKey, _: Timestamp, _: i64) -> Option<Timestamp> {
        None
    }

    fn split_step(_: &Depot, _: Option<&Self>, step: Step, (): &mut ()) -> StepParts<Self> {
        StepParts {
            after: step.0,
            changes: Vec::new(),
            announcements: Vec::new(),
            mandates: Vec::new(),
            calls: step.1.into_iter().map(Due::Do).collect(),
        }
    }

    fn change(_: &Depot, _: Option<Arc<Self>>, after: Arc<Self>) -> Change {
        let note = format!("heard {} at {}", after.heard, after.version);
        Box::new(Noted(note))
    }

    async fn perform(
        &self,
        depot: &Depot,
        key: &ProcessorKey,
        (): &mut (),
    ) -> Result<Outcome, AppError> {
        depot.called.lock().expect("no panic").push(key.clone());
        match depot.fails.as_ref() == Some(key) {
            true => Err(AppError::Broken("no connector".to_owned())),
            false => Ok(Outcome::Done(Approval::default())),
        }
    }

    async fn look_up(&self, _: &Depot, _: &ProcessorKey, (): &()) -> Result<Outcome, AppError> {
        Err(AppError::Broken("nobody is asked".to_owned()))
    }

    fn is_left_to_repeat(&self, _: &Claim) -> bool {
        false
    }

    async fn unresolved(
        _: &Depot,
        _: &CustomerId,
        _: &UnresolvedOperation,
    ) -> Result<Option<Unresolved>, AppError> {
        Ok(None)
    }

    async fn read_notice(
        _: &Arc<Depot>,
        _: &MerchantId,
        id: &CustomerId,
        _: Sender<'_>,
        _: &About,
        _: Option<&Outcome>,
    ) -> Result<Told, AppError> {
        Ok(Told {
            object: OpenObject::new(PARCEL, id.as_str()),
            told: ToldOf::NotAskedFor,
            by_others: None,
        })
    }

    fn content(&self, _: &Depot) -> Content {
        Content {
            content_type: "parcel_details",
            object: "{}".to_owned(),
        }
    }

    fn answer<T>(&self, _: &Depot, render: impl FnOnce(Made<'_>) -> T) -> T {
        render(Made::object(
            &self.addressee,
            Some(&self.addressee.customer_id),
        ))
    }
}

/// Renders nothing.
struct Silent;

impl MandateContent for Silent {
    fn mandate(&self, _: &MandateView) -> String {
        String::new()
    }
}

/// A driver, and a parcel whose two calls are stored and not yet made.
struct Bench {
    driver: Driver,
    depot: Depot,
    committed: Arc<Committed>,
    origin: Origin,
    keys: [ProcessorKey; 2],
}

impl Bench {
    fn new() -> Self {
        let committed = Arc::new(Committed::default());
        let base = base(&committed);
        let merchant_id = MerchantId::parse("bookshop").expect("an id");
        let customer_id = CustomerId::parse("ada").expect("an id");
        let now = base.now();
        let addressee = Customer::create(merchant_id, customer_id, Personal::default(), now);
        let claim = Claim {
            merchant_id: addressee.merchant_id.clone(),
            operation: "parcels_send",
            key: "key_1".to_owned(),
            fingerprint: Fingerprint::default(),
            commits: Commits::Several {
                of: PARCEL,
                is_resumed: false,
            },
            render: Render::object(|_: &Customer| Some(SecretText::new("{}"))),
            is_overtaken: AtomicBool::new(false),
            is_answered: AtomicBool::new(false),
            resumes: OnceLock::new(),
        };
        let parcel = Parcel {
            addressee,
            profile_id: ProfileId::generate(base.random.as_ref()),
            heard: 0,
            version: 0,
        };
        let keys = [base.next(), base.next()];
        let announcer = announcer(&base);
        Bench {
            driver: Driver {
                base,
                announcer: Arc::new(announcer),
                mandates: Arc::new(Silent),
                ended_requests: Default::default(),
            },
            depot: Depot {
                stored: Mutex::new(parcel),
                called: Mutex::default(),
                fails: None,
            },
            committed,
            origin: Origin::of_request(Actor::Admin, "req_1".to_owned(), Some(Arc::new(claim))),
            keys,
        }
    }

    /// Stores the parcel with its calls.
    async fn intends(&self) -> Stored<Parcel> {
        let parcel = self.depot.stored.lock().expect("no panic").clone();
        let step = Step(parcel, self.keys.to_vec());
        let (depot, origin) = (&self.depot, &self.origin);
        let driver = &self.driver;
        let stored = driver.commit_step(depot, origin, None, step, &mut (), Stage::FIRST);
        let stored: Stored<Parcel> = stored.await.expect("stored");
        *self.depot.stored.lock().expect("no panic") = stored.object.clone();
        stored
    }

    async fn carries_out(&self, stored: Stored<Parcel>) -> Result<Parcel, AppError> {
        let carried_out = self.driver.carry_out(&self.depot, &self.origin, stored, ());
        carried_out.await.map(|carried_out| carried_out.object)
    }

    fn called(&self) -> Vec<ProcessorKey> {
        self.depot.called.lock().expect("no panic").clone()
    }

    /// Returns the stored changes, and the names of those of the idempotency key.
    fn stored(&self) -> String {
        let lines = self.committed.lines().into_iter().map(|line| {
            let end = line.find(['(', '{']).unwrap_or(line.len());
            line[..end].trim_end().to_owned()
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

#[tokio::test]
async fn a_fact_is_repeated_until_it_is_stored() {
    let bench = Bench::new();
    let stored = bench.intends().await;
    for _ in 0..20 {
        bench.committed.refuse(CommitError::Conflict);
    }
    let parcel = bench.carries_out(stored).await.expect("stored");
    assert_eq!(bench.called(), bench.keys, "each call is made once");
    assert_eq!(parcel.version, 23);
    insta::assert_snapshot!(bench.stored(), @r#"
    Admin for bookshop
      "heard 0 at 0"
      key: Claim
    Admin for bookshop
      "heard 1 at 21"
      key: Renew
    Admin for bookshop
      "heard 2 at 22"
      key: StoreAnswer
    "#);
}

#[tokio::test]
async fn a_call_that_cant_be_made_leaves_the_others() {
    let mut bench = Bench::new();
    bench.depot.fails = Some(bench.keys[0].clone());
    let stored = bench.intends().await;
    let failed = bench.carries_out(stored).await.expect_err("the first call");
    assert!(failed.to_string().contains("no connector"), "{failed}");
    assert_eq!(bench.called(), bench.keys);
    let claim = bench.origin.claim.as_ref().expect("a claim");
    let ended = bench.driver.ended_requests.find(claim).expect("noted");
    assert_eq!(ended.calls, bench.keys[..1], "a repeat settles it");
    insta::assert_snapshot!(bench.stored(), @r#"
    Admin for bookshop
      "heard 0 at 0"
      key: Claim
    Admin for bookshop
      "heard 1 at 1"
      key: StoreAnswer
    "#);
}

#[tokio::test]
async fn a_fact_is_stored_without_the_answer_that_a_repeat_was_given_meanwhile() {
    let bench = Bench::new();
    let mut stored = bench.intends().await;
    stored.calls.truncate(1);
    let answered = CommitError::Duplicate(duplicate::ANSWER);
    bench.committed.refuse(answered);
    bench.carries_out(stored).await.expect("stored");
    assert_eq!(bench.called(), bench.keys[..1]);
    let claim = bench.origin.claim.as_ref().expect("a claim");
    assert!(claim.is_overtaken.load(Ordering::Acquire));
    insta::assert_snapshot!(bench.stored(), @r#"
    Admin for bookshop
      "heard 0 at 0"
      key: Claim
    Admin for bookshop
      "heard 1 at 2"
    "#);
}

#[tokio::test]
async fn calls_of_a_commit_that_failed_are_noted_as_never_made() {
    let bench = Bench::new();
    let down = StoreFailure::Unavailable("the database is away".to_owned());
    bench.committed.refuse(CommitError::Failed(down));
    let parcel = bench.depot.stored.lock().expect("no panic").clone();
    let step = Step(parcel, bench.keys.to_vec());
    let committed = bench.driver.commit_step::<Parcel>(
        &bench.depot,
        &bench.origin,
        None,
        step,
        &mut (),
        Stage::FIRST,
    );
    assert!(committed.await.is_err());
    let claim = bench.origin.claim.as_ref().expect("a claim");
    let ended = bench.driver.ended_requests.find(claim).expect("noted");
    assert_eq!(ended.calls, bench.keys);
    assert_eq!(bench.called(), []);
    assert_eq!(bench.stored(), "");
}
