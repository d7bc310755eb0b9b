//! Changes of stored objects, as the crate describes them that has their statements.

use std::fmt;

use multirail_domain::audit::Named;
use multirail_domain::ids::MerchantId;
use multirail_domain::secret::SecretText;
use multirail_domain::timestamp::Timestamp;
use multirail_sql::{Dialect, Write};

use super::failure::StoreFailure;

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
    /// Has the keys of everybody whom the changes name in [`Change::sealed_for`].
    pub sealing: &'a dyn Sealing,
}

/// Seals texts with the keys of one commit.
pub trait Sealing {
    /// Seals a text that belongs to a merchant. `place` names where the sealed bytes rest; they open nowhere else.
    fn seal(&self, merchant_id: &MerchantId, place: &str, text: &SecretText) -> Vec<u8>;
}

/// The copies that servers keep in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invalidates {
    Nothing,
    /// The objects that change rarely: every server reads them anew.
    Settings,
}

/// The owner of the key that seals what a change stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SealedFor<'a> {
    /// The change seals nothing.
    Nobody,
    Merchant(&'a MerchantId),
}
