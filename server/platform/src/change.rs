//! Changes of stored objects, as the crate describes them that has their statements.

use std::fmt;
use std::sync::Arc;

use multirail_kernel::audit::Named;
use multirail_kernel::ids::{CustomerId, MerchantId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_sql::{Dialect, Write};

use super::failure::StoreFailure;
use super::seal::{DataKey, Seal, Subject};

/// One change of one object. It has no default methods: whoever adds a change answers every question about it.
pub trait Change: fmt::Debug + Send + Sync {
    /// Adds its statements, in the order in which they run.
    ///
    /// # Errors
    /// A value that can't be written, which is a mistake of ours.
    fn write(&self, with: &Writing<'_>, writes: &mut Vec<Write>) -> Result<(), StoreFailure>;

    /// Says which copies in the memory of servers are out of date once it is stored.
    fn invalidates(&self) -> Invalidates;

    /// Says whose key seals what it stores.
    fn sealed_for(&self) -> SealedFor<'_>;

    /// Names the object for the audit log; nothing where the change merely goes along with another one.
    fn audited(&self) -> Option<Named>;
}

/// Makes changes out of values of one type. A store is one for each object whose statements it has, so that use cases can
/// put a change together without knowing its statements.
pub trait Changes<C>: Send + Sync {
    /// Returns the change with everything that a commit asks of it.
    fn change(&self, change: C) -> Box<dyn Change>;
}

/// The circumstances of a commit that statements depend on.
pub struct Writing<'a> {
    pub dialect: Dialect,
    /// The business time of the change-set.
    pub at: Timestamp,
    /// The longest time that a call to a processor may be under way.
    pub in_flight_seconds: i64,
    /// Has the keys of everybody whom the changes name in [`Change::sealed_for`].
    pub sealing: &'a dyn Sealing,
}

/// Seals texts with the keys of one commit. `place` names where the sealed bytes rest; they open nowhere else.
pub trait Sealing {
    /// Seals a text that belongs to a merchant: with his key, or with the installation's where he has none.
    fn seal(&self, merchant_id: &MerchantId, place: &str, text: &SecretText) -> Vec<u8>;

    /// Seals a text that belongs to a subject. A text for a customer whose key was destroyed is sealed with the merchant's key.
    /// It is not stored, because the row that it was for has changed.
    fn seal_for(&self, subject: &Subject, place: &str, text: &SecretText) -> Vec<u8>;

    /// Says what there is to seal who paid with.
    fn of_payer(&self, merchant_id: &MerchantId, customer_id: Option<&CustomerId>) -> PayerKey<'_>;

    /// Returns the keys of the installation, which seal and hash what belongs to nobody.
    fn of_installation(&self) -> &dyn Seal;
}

/// What there is to seal who paid with.
pub enum PayerKey<'a> {
    Key(&'a Arc<dyn DataKey>),
    /// The customer was redacted: nothing of him is stored.
    Destroyed,
    /// Merchants have no keys yet. Who paid stands in the record, where servers of before find it.
    None,
}

/// The copies that servers keep in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invalidates {
    Nothing,
    /// The objects that change rarely: every server reads them anew.
    Settings,
    /// The keys of customers, one of which is destroyed.
    CustomerKeys,
}

/// The owner of the key that seals what a change stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SealedFor<'a> {
    /// The change seals nothing.
    Nobody,
    Merchant(&'a MerchantId),
    Customer(&'a MerchantId, &'a CustomerId),
    /// Somebody who is sealed by a key only where merchants have keys: a customer, or a guest of the merchant.
    Payer(&'a MerchantId, Option<&'a CustomerId>),
}
