//! Encryption and hashing of stored data, and the keys for both.
//!
//! The operator's *master key* never touches data. It wraps a handful of random keys that are stored in the database, one
//! for each purpose; together they are the [`KeyRing`]. Changing the master key only wraps a few keys again
//! ([`KeyRing::wrapped_by`]); sealed and hashed data stays valid.
//!
//! The ring's data key seals the keys of merchants and customers (`subject_key`), and those seal each owner's data:
//! destroying a customer's key redacts the customer. A change of the data key reseals its data in portions while servers
//! run. The ring opens with all data keys and seals with the newest ([`SharedRing`]).
//!
//! A [`Sealer`] encrypts with the ring's data key and binds every blob to the place where it is stored. A sealed card that
//! is copied to another payment's row doesn't open.
//!
//! Nothing in this crate prints a key, and key bytes are zeroed when they are dropped.

mod audit_stamp;
mod embedded_vault;
mod envelope;
mod installation;
mod key_ring;
mod master_key;
mod passwords;
mod ring_seal;
mod sealer;
mod shared_ring;
mod subject_key;
#[cfg(test)]
mod tests;
mod tokens;

pub use embedded_vault::EmbeddedVault;
pub use key_ring::{KeyPurpose, KeyRing, KeyRingError, UnknownPurpose, WrappedKey};
pub use master_key::{InvalidMasterKey, MasterKey};
pub use passwords::Argon2Passwords;
pub use ring_seal::{ReadMasterKey, RingSeal};
pub use sealer::{SealError, Sealer};
pub use shared_ring::SharedRing;
