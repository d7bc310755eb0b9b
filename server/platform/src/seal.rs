//! Sealing of data that must not be stored in plaintext.

use std::fmt;
use std::sync::Arc;

use multirail_kernel::audit::Stamp;
use multirail_kernel::ids::{CustomerId, MerchantId};
use multirail_kernel::secret::SecretText;

use super::installation_keys::{InstallationKey, KeysRefused};

/// Seals and opens. `place` names where the sealed bytes are stored, such as `held_card:<merchant>/<payment>`; bytes that
/// were moved to another place can't be opened.
///
/// A key of their own ([`DataKey`]) seals the data of a merchant or a customer. The keys of the installation seal those
/// keys, and data without an owner. Sealed bytes name their key.
pub trait Seal: Send + Sync {
    /// Seals with the installation's key.
    fn seal(&self, place: &str, text: &SecretText) -> Vec<u8>;

    /// Opens bytes that a key of the installation sealed.
    ///
    /// # Errors
    /// [`Unopened`] if the bytes were altered, moved, or sealed by an unknown key.
    fn open(&self, place: &str, sealed: &[u8]) -> Result<SecretText, Unopened>;

    /// Returns the name of the key that sealed these bytes; `None` if they name none.
    fn sealed_by<'a>(&self, sealed: &'a [u8]) -> Option<SealedBy<'a>>;

    /// Makes a key for a subject; returns the key and its stored form.
    fn make_key(&self, subject: &Subject) -> (Arc<dyn DataKey>, WrappedDataKey);

    /// Unwraps a stored key of a subject.
    ///
    /// # Errors
    /// [`Unopened`] if it was altered, is another subject's, or was wrapped by an unknown key.
    fn unwrap_key(
        &self,
        subject: &Subject,
        stored: &WrappedDataKey,
    ) -> Result<Arc<dyn DataKey>, Unopened>;

    /// Wraps a stored key of a subject again, with the installation's key that seals now.
    ///
    /// # Errors
    /// As [`Seal::unwrap_key`].
    fn rewrap(
        &self,
        subject: &Subject,
        stored: &WrappedDataKey,
    ) -> Result<WrappedDataKey, Unopened>;

    /// Returns the name of the installation's key that seals.
    fn installation_key(&self) -> String;

    /// Returns whether the installation's key of this name is loaded.
    fn has_installation_key(&self, key_id: &str) -> bool;

    /// Loads the stored keys of the installation.
    ///
    /// # Errors
    /// [`KeysRefused`] if no master key of this server opens them; the former keys stay in use then.
    fn take_up(&self, stored: &[InstallationKey]) -> Result<(), KeysRefused>;

    /// Returns the keyed hash under which an API key is stored, in hex.
    fn hash_api_key(&self, key: &SecretText) -> String;

    /// Returns the keyed hash of some parts, for the audit log. Its key lasts as long as the database.
    fn audit_stamp(&self, parts: &[&[u8]]) -> Stamp;

    /// Returns a short keyed hash of a value, only good for comparing; hashes of different scopes differ.
    fn fingerprint(&self, scope: &str, value: &str) -> String;

    /// Returns the random-looking end of a payment's client secret. It is derived and therefore never stored.
    fn client_secret_suffix(&self, merchant_id: &str, payment_id: &str) -> SecretText;

    /// Returns the unguessable part of the address of a page that needs no key. `about` identifies the page and its object.
    /// It is derived and therefore never stored.
    fn visit_token(&self, about: &[&str]) -> SecretText;
}

/// The key of one subject. Its bytes are zeroed when the last holder drops it.
pub trait DataKey: Send + Sync {
    /// Returns the key's name, at most 64 characters, which precedes the bytes that it sealed.
    fn key_id(&self) -> &str;

    fn seal(&self, place: &str, text: &SecretText) -> Vec<u8>;

    /// Opens bytes that this key sealed.
    ///
    /// # Errors
    /// [`Unopened`] if the bytes were altered, moved, or sealed by another key.
    fn open(&self, place: &str, sealed: &[u8]) -> Result<SecretText, Unopened>;
}

/// The owner of sealed data: destroying the owner's key makes all of it unreadable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subject {
    pub merchant_id: MerchantId,
    /// `None`: data that belongs to the merchant and to none of the merchant's customers.
    pub customer_id: Option<CustomerId>,
}

impl Subject {
    pub fn merchant(merchant_id: &MerchantId) -> Self {
        Subject {
            merchant_id: merchant_id.clone(),
            customer_id: None,
        }
    }

    pub fn customer(merchant_id: &MerchantId, customer_id: &CustomerId) -> Self {
        Subject {
            merchant_id: merchant_id.clone(),
            customer_id: Some(customer_id.clone()),
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.customer_id {
            None => write!(f, "merchant {}", self.merchant_id),
            Some(customer_id) => write!(f, "customer {}/{customer_id}", self.merchant_id),
        }
    }
}

/// The kind and name of the key that sealed some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SealedBy<'a> {
    /// A key of the installation.
    Installation(&'a str),
    /// A key of a subject.
    Subject(&'a str),
}

impl<'a> SealedBy<'a> {
    pub fn key_id(self) -> &'a str {
        match self {
            SealedBy::Installation(key_id) | SealedBy::Subject(key_id) => key_id,
        }
    }
}

/// A subject's key as stored: useless without the installation's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrappedDataKey {
    pub key_id: String,
    pub wrapped: Vec<u8>,
}

/// Sealed bytes that can't be opened here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("sealed data does not open with our keys at this place")]
pub struct Unopened;
