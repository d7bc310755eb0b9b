//! Customers over a fake store, in which others change them meanwhile.

use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};

use async_trait::async_trait;
use multirail_domain::customers::customer::Personal;
use multirail_domain::customers::mandate::MandateView;
use multirail_kernel::ids::MandateId;
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Changes;

use super::*;
use crate::accounts::ports::deletion_guard::Deleted;
use crate::customers::ports::{CustomerSearch, MandateChange, MandateSearch};
use crate::fixture::{Committed, Noted, base, operator};
use crate::platform::ports::failure::{Gone, duplicate};
use crate::platform::ports::{CommitError, StoreFailure};

/// One customer. Each load returns the next stored state; only the version differs by default.
struct OneCustomer {
    looks: AtomicI64,
    found: Mutex<Vec<Customer>>,
}

impl Changes<CustomerChange> for OneCustomer {
    fn change(&self, change: CustomerChange) -> Change {
        Box::new(Noted(change))
    }
}

#[async_trait]
impl CustomerStore for OneCustomer {
    async fn customer(
        &self,
        _: &MerchantId,
        customer_id: &CustomerId,
    ) -> Result<Option<Customer>, StoreFailure> {
        let version = self.looks.fetch_add(1, Ordering::AcqRel) + 1;
        let mut found = self.found.lock().expect("no panic");
        let now = match found.len() {
            1 => found[0].clone(),
            _ => found.remove(0),
        };
        let is_it = now.customer_id == *customer_id;
        Ok(is_it.then_some(Customer { version, ..now }))
    }

    async fn customer_status(
        &self,
        _: &MerchantId,
        _: &CustomerId,
    ) -> Result<Option<CustomerStatus>, StoreFailure> {
        let found = self.found.lock().expect("no panic");
        Ok(Some(found[0].status))
    }

    async fn search_customers(
        &self,
        _: &MerchantId,
        _: &CustomerSearch,
    ) -> Result<Vec<Customer>, StoreFailure> {
        Ok(Vec::new())
    }
}

struct NoMandates;

impl Changes<MandateChange> for NoMandates {
    fn change(&self, change: MandateChange) -> Change {
        Box::new(Noted(change))
    }
}

#[async_trait]
impl MandateStore for NoMandates {
    async fn mandate(
        &self,
        _: &MerchantId,
        _: &MandateId,
    ) -> Result<Option<MandateView>, StoreFailure> {
        Ok(None)
    }

    async fn search_mandates(
        &self,
        _: &MerchantId,
        _: &MandateSearch,
    ) -> Result<Vec<MandateView>, StoreFailure> {
        Ok(Vec::new())
    }

    async fn has_active_mandate(
        &self,
        _: &MerchantId,
        _: &CustomerId,
        _: Timestamp,
    ) -> Result<bool, StoreFailure> {
        Ok(false)
    }
}

/// Objects only after this number of calls.
struct ObjectsAfter(AtomicI64);

#[async_trait]
impl DeletionGuard for ObjectsAfter {
    fn guards(&self, deleted: Deleted<'_>) -> Vec<Change> {
        vec![Box::new(Noted(format!("nothing needs {deleted:?}")))]
    }

    async fn refusal(&self, _: Deleted<'_>) -> Result<Option<Refusal>, StoreFailure> {
        let of = Object::Customer;
        let objects = self.0.fetch_sub(1, Ordering::AcqRel) <= 0;
        Ok(objects.then_some(Refusal::ActiveSubscriptions { of }))
    }
}

pub(crate) fn shop() -> MerchantId {
    MerchantId::parse("shop").expect("an id")
}

pub(crate) fn ada() -> Customer {
    let ada = CustomerId::parse("ada").expect("an id");
    Customer::create(shop(), ada, Personal::default(), Timestamp::EPOCH)
}

/// The service over a customer that each load finds in the next state; the last state stays. The guard objects after
/// `silent` calls.
pub(crate) fn service(found: Vec<Customer>, silent: i64) -> (Customers, Arc<Committed>) {
    let committed = Arc::new(Committed::default());
    let customers = Customers {
        base: base(&committed),
        store: Arc::new(OneCustomer {
            looks: AtomicI64::new(0),
            found: Mutex::new(found),
        }),
        mandates: Arc::new(NoMandates),
        guard: Arc::new(ObjectsAfter(AtomicI64::new(silent))),
        redactions: Arc::default(),
        reserved_ids: &["list"],
    };
    (customers, committed)
}

async fn redact_ada(customers: &Customers) -> Result<Customer, AppError> {
    let ada = ada().customer_id;
    customers.redact(&operator(), &shop(), &ada).await
}

fn new_customer(id: &str) -> CreateCustomer {
    CreateCustomer {
        merchant_id: shop(),
        customer_id: Some(id.to_owned()),
        personal: Personal::default(),
    }
}

#[tokio::test]
async fn a_taken_id_is_refused_as_a_duplicate() {
    let (customers, committed) = service(vec![ada()], 0);
    committed.refuse(CommitError::Duplicate(duplicate::CUSTOMER));
    let made = customers.create(&operator(), new_customer("ada")).await;
    let told = made.expect_err("it is taken").to_string();
    let expected = AppError::from(Customer::id_taken(&ada().customer_id));
    assert_eq!(told, expected.to_string());
    assert_eq!(committed.lines(), Vec::<String>::new());
}

#[tokio::test]
async fn a_word_of_the_paths_is_no_id() {
    let (customers, committed) = service(vec![ada()], 0);
    let made = customers.create(&operator(), new_customer("list")).await;
    let told = made.expect_err("it is reserved").to_string();
    assert!(told.contains("customer_id"), "{told}");
    assert_eq!(committed.lines(), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn a_redaction_is_decided_again_on_what_others_stored() {
    let (customers, committed) = service(vec![ada()], 9);
    committed.refuse(CommitError::Conflict);
    let redacted = redact_ada(&customers);
    let redacted = redacted.await.expect("stored");
    assert_eq!(redacted.version, 2, "the second look was decided on");
    assert_eq!(redacted.status, CustomerStatus::Redacted);
    let lines = committed.lines();
    assert!(lines[1].starts_with("  Redact("), "{lines:?}");
    // The guard's change follows the redaction's lock, in the same commit.
    assert!(lines[2].contains("nothing needs Customer("), "{lines:?}");
    assert_eq!(lines.len(), 3);
    // The worker was notified.
    customers.redactions.requested().await;
}

#[tokio::test(start_paused = true)]
async fn of_two_redactions_at_once_one_is_refused() {
    let gone = ada().redact(Timestamp::EPOCH).expect("a redaction");
    let (customers, committed) = service(vec![ada(), gone], 9);
    committed.refuse(CommitError::Conflict);
    let refused = redact_ada(&customers);
    let told = refused.await.expect_err("it is redacted").to_string();
    let expected = AppError::from(Refusal::CustomerRedacted);
    assert_eq!(told, expected.to_string());
    assert_eq!(committed.lines(), Vec::<String>::new());
}

#[tokio::test]
async fn a_guard_refuses_a_redaction_before_and_after_its_commit() {
    let of = Object::Customer;
    let expected = AppError::from(Refusal::ActiveSubscriptions { of }).to_string();
    for silent in [0, 1] {
        let (customers, committed) = service(vec![ada()], silent);
        // The caller reads the refusal's words, not that a statement found something.
        committed.refuse(CommitError::Gone(Gone::Mandate));
        let refused = redact_ada(&customers);
        let told = refused.await.expect_err("it is kept").to_string();
        assert_eq!(told, expected, "the guard is silent {silent} times");
        assert_eq!(committed.lines(), Vec::<String>::new());
    }
}
