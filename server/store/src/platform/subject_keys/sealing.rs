//! The keys of one change-set, and those of the rows that were read.

use std::sync::Arc;

use multirail_app::platform::ports::seal::{DataKey, SealedBy, Subject, WrappedDataKey};
use multirail_app::platform::ports::{
    Change, ChangeSet, EventRecord, IdempotencyChange, Seal, StoreFailure,
};
use multirail_kernel::ids::{CustomerId, MerchantId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::{PayerKey, SealedFor, Sealing};

use super::super::record::failure;
use super::{Found, TABLE, insert};
use crate::engine::{Row, Write};

/// The keys that seal one change-set or one row.
pub(crate) struct CommitKeys<'a> {
    seal: &'a dyn Seal,
    keys: Vec<(Subject, Arc<dyn DataKey>)>,
    /// Subjects whose key was destroyed.
    destroyed: Vec<Subject>,
    /// Statements that store the new keys.
    made: Vec<Write>,
    seals_payers: bool,
}

impl<'a> CommitKeys<'a> {
    pub(crate) fn new(seal: &'a dyn Seal) -> Self {
        CommitKeys {
            seal,
            keys: Vec::new(),
            destroyed: Vec::new(),
            made: Vec::new(),
            seals_payers: false,
        }
    }

    pub(crate) fn add(&mut self, subject: Subject, key: Arc<dyn DataKey>) {
        self.keys.push((subject, key));
    }

    pub(crate) fn has_none(&mut self, subject: Subject) {
        self.destroyed.push(subject);
    }

    pub(crate) fn seal_payers(&mut self) {
        self.seals_payers = true;
    }

    pub(crate) fn make(
        &mut self,
        subject: Subject,
        key: Arc<dyn DataKey>,
        stored: &WrappedDataKey,
        rotation: i64,
        at: Timestamp,
    ) {
        let insert = insert(&subject, stored, 1, rotation, at);
        self.made.push(insert.on(TABLE));
        self.add(subject, key);
    }

    /// Takes the statements that store new keys; they come before the values that those keys seal.
    pub(crate) fn take_made(&mut self) -> Vec<Write> {
        std::mem::take(&mut self.made)
    }

    fn key_of(
        &self,
        merchant_id: &MerchantId,
        customer_id: Option<&CustomerId>,
    ) -> Option<&Arc<dyn DataKey>> {
        let is_it = |subject: &Subject| is_of(subject, merchant_id, customer_id);
        let found = self.keys.iter().find(|(subject, _)| is_it(subject));
        found.map(|(_, key)| key)
    }

    fn seal_with(&self, key: Option<&Arc<dyn DataKey>>, place: &str, text: &SecretText) -> Vec<u8> {
        match key {
            Some(key) => key.seal(place, text),
            None => self.seal.seal(place, text),
        }
    }
}

impl Sealing for CommitKeys<'_> {
    fn seal(&self, merchant_id: &MerchantId, place: &str, text: &SecretText) -> Vec<u8> {
        self.seal_with(self.key_of(merchant_id, None), place, text)
    }

    fn seal_for(&self, subject: &Subject, place: &str, text: &SecretText) -> Vec<u8> {
        let merchant_id = &subject.merchant_id;
        let own = self.key_of(merchant_id, subject.customer_id.as_ref());
        self.seal_with(own.or_else(|| self.key_of(merchant_id, None)), place, text)
    }

    fn of_payer(&self, merchant_id: &MerchantId, customer_id: Option<&CustomerId>) -> PayerKey<'_> {
        if !self.seals_payers {
            return PayerKey::None;
        }
        let is_it = |subject: &Subject| is_of(subject, merchant_id, customer_id);
        match self.key_of(merchant_id, customer_id) {
            Some(key) => PayerKey::Key(key),
            None if self.destroyed.iter().any(is_it) => PayerKey::Destroyed,
            None => PayerKey::None,
        }
    }

    fn of_installation(&self) -> &dyn Seal {
        self.seal
    }
}

fn is_of(subject: &Subject, merchant_id: &MerchantId, customer_id: Option<&CustomerId>) -> bool {
    subject.merchant_id == *merchant_id && subject.customer_id.as_ref() == customer_id
}

/// Returns whether a change-set may seal anything.
pub(crate) fn seals(change_set: &ChangeSet) -> bool {
    owners(change_set).next().is_some()
}

/// Returns the owners of the keys that seal a change-set, in the order of its statements.
fn owners(change_set: &ChangeSet) -> impl Iterator<Item = Owner<'_>> {
    let changes = change_set.changes.iter().filter_map(sealed_for);
    let events = change_set.events.iter().map(owner_of_event);
    let answers = change_set.idempotency.iter().filter_map(owner_of_answer);
    changes.chain(events).chain(answers)
}

/// Returns the owners of all values that a change-set seals, without repetition.
pub(crate) fn subjects_of(change_set: &ChangeSet, seals_payers: bool) -> Vec<Subject> {
    let mut subjects = Subjects::default();
    for owner in owners(change_set) {
        match owner {
            Owner::Merchant(merchant_id) => subjects.add_merchant(merchant_id),
            Owner::Own(merchant_id, customer_id) => {
                subjects.add(Subject::customer(merchant_id, customer_id));
            }
            Owner::Paying(merchant_id, Some(customer_id)) if seals_payers => {
                subjects.add(Subject::customer(merchant_id, customer_id));
            }
            Owner::Paying(merchant_id, None) if seals_payers => subjects.add_merchant(merchant_id),
            Owner::Told(merchant_id, customer_id) if seals_payers => {
                subjects.add(Subject::customer(merchant_id, customer_id));
            }
            Owner::Announced(merchant_id, customer_id) if seals_payers => {
                subjects.add_merchant(merchant_id);
                subjects.add(Subject::customer(merchant_id, customer_id));
            }
            Owner::Told(merchant_id, _) | Owner::Announced(merchant_id, _) => {
                subjects.add_merchant(merchant_id);
            }
            Owner::Paying(..) => {}
        }
    }
    subjects.0
}

/// Subjects without repetition.
#[derive(Default)]
struct Subjects(Vec<Subject>);

impl Subjects {
    fn add(&mut self, subject: Subject) {
        if !self.0.contains(&subject) {
            self.0.push(subject);
        }
    }

    fn add_merchant(&mut self, merchant_id: &MerchantId) {
        let is_his = |one: &Subject| is_of(one, merchant_id, None);
        if !self.0.iter().any(is_his) {
            self.0.push(Subject::merchant(merchant_id));
        }
    }
}

/// The owner of a sealed value.
enum Owner<'a> {
    Merchant(&'a MerchantId),
    /// A customer.
    Own(&'a MerchantId, &'a CustomerId),
    /// A payer, whose data is sealed only where merchants have keys.
    Paying(&'a MerchantId, Option<&'a CustomerId>),
    /// The customer that an answer is about.
    Told(&'a MerchantId, &'a CustomerId),
    /// The customer that an event is about. The merchant owns the rest of the event.
    Announced(&'a MerchantId, &'a CustomerId),
}

/// Returns the owner of the key that seals an event.
fn owner_of_event(event: &EventRecord) -> Owner<'_> {
    match &event.customer_id {
        Some(customer_id) => Owner::Announced(&event.merchant_id, customer_id),
        None => Owner::Merchant(&event.merchant_id),
    }
}

/// Returns the owner of the key that seals a stored answer, if the change stores one.
fn owner_of_answer(change: &IdempotencyChange) -> Option<Owner<'_>> {
    match change {
        IdempotencyChange::StoreAnswer {
            merchant_id,
            answer,
            ..
        } => Some(match &answer.customer_id {
            Some(customer_id) => Owner::Told(merchant_id, customer_id),
            None => Owner::Merchant(merchant_id),
        }),
        IdempotencyChange::Claim(_)
        | IdempotencyChange::TakeOver { .. }
        | IdempotencyChange::Renew { .. }
        | IdempotencyChange::Abandon { .. } => None,
    }
}

/// Returns the owner of the key that seals a change, if it seals something.
fn sealed_for(change: &Change) -> Option<Owner<'_>> {
    match change.sealed_for() {
        SealedFor::Nobody => None,
        SealedFor::Merchant(merchant_id) => Some(Owner::Merchant(merchant_id)),
        SealedFor::Customer(merchant_id, customer_id) => Some(Owner::Own(merchant_id, customer_id)),
        SealedFor::Payer(merchant_id, customer_id) => Some(Owner::Paying(merchant_id, customer_id)),
    }
}

/// The keys that open the rows that were read.
pub struct OpenKeys<'a> {
    seal: &'a dyn Seal,
    keys: Vec<(String, Found)>,
}

impl<'a> OpenKeys<'a> {
    pub(crate) fn new(seal: &'a dyn Seal) -> Self {
        OpenKeys {
            seal,
            keys: Vec::new(),
        }
    }

    pub(crate) fn add(&mut self, key_id: &str, found: Found) {
        self.keys.push((key_id.to_owned(), found));
    }

    /// Opens a sealed column. `place` is the place that it was sealed for.
    ///
    /// # Errors
    /// [`StoreFailure::Destroyed`] if its key was destroyed.
    pub fn open(&self, row: &Row, column: &str, place: &str) -> Result<SecretText, StoreFailure> {
        let sealed = row.bytes(column).map_err(failure)?;
        self.open_bytes(place, &sealed)
    }

    /// Opens bytes in the same way.
    ///
    /// # Errors
    /// As [`OpenKeys::open`].
    pub fn open_bytes(&self, place: &str, sealed: &[u8]) -> Result<SecretText, StoreFailure> {
        let opened = match self.seal.sealed_by(sealed) {
            Some(SealedBy::Subject(key_id)) => {
                match self.keys.iter().find(|(name, _)| name == key_id) {
                    Some((_, Found::Key(key))) => key.open(place, sealed),
                    Some((_, Found::Destroyed)) => {
                        return Err(StoreFailure::Destroyed(place.to_owned()));
                    }
                    None => {
                        return Err(StoreFailure::Broken(format!(
                            "the bytes at {place} were sealed with the key {key_id}, which is missing"
                        )));
                    }
                }
            }
            Some(SealedBy::Installation(_)) | None => self.seal.open(place, sealed),
        };
        opened.map_err(|error| StoreFailure::Broken(format!("{place}: {error}")))
    }
}
