//! Changes of stored objects, as the crate with their statements describes them.

use std::fmt;
use std::sync::Arc;

use multirail_kernel::audit::Named;
use multirail_kernel::ids::{CustomerId, MerchantId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_sql::{Dialect, Write};

use super::failure::StoreFailure;
use super::seal::{DataKey, Seal, Subject};

/// One change of one object. It has no default methods: the author of a change implements every one.
pub trait Change: fmt::Debug + Send + Sync {
    /// Adds its statements, in the order in which they run.
    ///
    /// # Errors
    /// Fails when a value can't be serialized, which is a mistake of ours.
    fn write(&self, with: &Writing<'_>, writes: &mut Vec<Write>) -> Result<(), StoreFailure>;

    /// Returns the cached copies that are out of date once the change is stored.
    fn invalidates(&self) -> Invalidates;

    /// Returns the owner of the key that seals the stored data.
    fn sealed_for(&self) -> SealedFor<'_>;

    /// Returns the object's name for the audit log; none if the change merely accompanies another one.
    fn audited(&self) -> Option<Named>;
}

/// Builds changes from values of one type. A store implements this trait for its objects, so that use cases can build changes
/// without knowing their statements.
pub trait Changes<C>: Send + Sync {
    /// Returns the change with everything that a commit needs.
    fn change(&self, change: C) -> Box<dyn Change>;
}

/// The circumstances of a commit that statements depend on.
pub struct Writing<'a> {
    pub dialect: Dialect,
    /// The business time of the change-set.
    pub at: Timestamp,
    /// The longest time that a call to a processor may be under way.
    pub in_flight_seconds: i64,
    /// The keys of every owner that the changes name in [`Change::sealed_for`].
    pub sealing: &'a dyn Sealing,
}

/// Seals texts with the keys of one commit. `place` names where the sealed bytes are stored; they can't be opened for
/// another place.
pub trait Sealing {
    /// Seals a text that belongs to a merchant: with the merchant's key, or with the installation's if there is none.
    fn seal(&self, merchant_id: &MerchantId, place: &str, text: &SecretText) -> Vec<u8>;

    /// Seals a text that belongs to a subject. If the customer's key was destroyed, the merchant's key seals it. Such a
    /// text is never stored, because the row that it was for has changed.
    fn seal_for(&self, subject: &Subject, place: &str, text: &SecretText) -> Vec<u8>;

    /// Returns the key for a payer's personal data.
    fn of_payer(&self, merchant_id: &MerchantId, customer_id: Option<&CustomerId>) -> PayerKey<'_>;

    /// Returns the keys of the installation, which seal and hash data without an owner.
    fn of_installation(&self) -> &dyn Seal;
}

/// The key for a payer's personal data.
pub enum PayerKey<'a> {
    Key(&'a Arc<dyn DataKey>),
    /// The customer was redacted: no personal data is stored.
    Destroyed,
    /// Merchants have no keys yet. The personal data stays in the record, where older servers find it.
    None,
}

/// The copies that servers cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invalidates {
    Nothing,
    /// The objects that change rarely: every server reads them again.
    Settings,
    /// The keys of customers, one of which is destroyed.
    CustomerKeys,
}

/// The owner of the key that seals a change's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SealedFor<'a> {
    /// The change seals nothing.
    Nobody,
    Merchant(&'a MerchantId),
    Customer(&'a MerchantId, &'a CustomerId),
    /// A payer, sealed with a key of their own only if merchants have keys: a customer, or a guest of the merchant.
    Payer(&'a MerchantId, Option<&'a CustomerId>),
}
