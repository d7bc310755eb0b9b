//! Sealing what must not rest in the clear.

use std::fmt;
use std::sync::Arc;

use multirail_kernel::audit::Stamp;
use multirail_kernel::ids::{CustomerId, MerchantId};
use multirail_kernel::secret::SecretText;

use super::installation_keys::{InstallationKey, KeysRefused};

/// Seals and opens. `place` names where the sealed bytes rest, such as `held_card:<merchant>/<payment>`; bytes moved to
/// another place don't open.
///
/// What belongs to a merchant or a customer is sealed by a key of their own ([`DataKey`]); the keys of the installation
/// seal those keys, and what belongs to nobody. Sealed bytes name their key.
pub trait Seal: Send + Sync {
    /// Seals with the installation's key.
    fn seal(&self, place: &str, text: &SecretText) -> Vec<u8>;

    /// Opens what a key of the installation sealed.
    ///
    /// # Errors
    /// [`Unopened`] when the bytes were altered, moved, or sealed by a key that is not ours.
    fn open(&self, place: &str, sealed: &[u8]) -> Result<SecretText, Unopened>;

    /// What the key that sealed these bytes is called; `None` where they name none.
    fn sealed_by<'a>(&self, sealed: &'a [u8]) -> Option<SealedBy<'a>>;

    /// Makes a key for a subject: what seals, and what is stored of it.
    fn make_key(&self, subject: &Subject) -> (Arc<dyn DataKey>, WrappedDataKey);

    /// A stored key of a subject.
    ///
    /// # Errors
    /// [`Unopened`] when it was altered, is another subject's, or was wrapped by a key that is not ours.
    fn unwrap_key(
        &self,
        subject: &Subject,
        stored: &WrappedDataKey,
    ) -> Result<Arc<dyn DataKey>, Unopened>;

    /// A stored key of a subject, wrapped by the installation's key that seals now.
    ///
    /// # Errors
    /// As [`Seal::unwrap_key`].
    fn wrap_anew(
        &self,
        subject: &Subject,
        stored: &WrappedDataKey,
    ) -> Result<WrappedDataKey, Unopened>;

    /// The name of the installation's key that seals.
    fn installation_key(&self) -> String;

    /// Whether the installation's key of this name is at hand.
    fn has_installation_key(&self, key_id: &str) -> bool;

    /// Takes up the keys of the installation as they are stored now.
    ///
    /// # Errors
    /// [`KeysRefused`] when no master key of this server opens them; the former keys stay in use then.
    fn take_up(&self, stored: &[InstallationKey]) -> Result<(), KeysRefused>;

    /// The keyed hash under which an API key is stored, in hex.
    fn hash_api_key(&self, key: &SecretText) -> String;

    /// The keyed hash of some parts, of which the audit log is made. Its key is good for as long as the database.
    fn audit_stamp(&self, parts: &[&[u8]]) -> Stamp;

    /// A keyed hash of a value, short and only good for comparing; hashes of different scopes don't compare.
    fn fingerprint(&self, scope: &str, value: &str) -> String;

    /// The random-looking end of a payment's client secret, derived and therefore never stored.
    fn client_secret_suffix(&self, merchant_id: &str, payment_id: &str) -> SecretText;

    /// What nobody guesses of the address of a page that needs no key. `about` says which page, and of what. Derived and
    /// therefore never stored.
    fn visit_token(&self, about: &[&str]) -> SecretText;
}

/// The key of one subject. Its bytes are zeroed when the last holder drops it.
pub trait DataKey: Send + Sync {
    /// Its name, at most 64 characters, which stands in front of what it sealed.
    fn key_id(&self) -> &str;

    fn seal(&self, place: &str, text: &SecretText) -> Vec<u8>;

    /// # Errors
    /// [`Unopened`] when the bytes were altered, moved, or sealed by another key.
    fn open(&self, place: &str, sealed: &[u8]) -> Result<SecretText, Unopened>;
}

/// Whose data it is that a key seals: with the key all of it becomes unreadable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subject {
    pub merchant_id: MerchantId,
    /// `None`: what belongs to the merchant and to none of his customers.
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

/// What sealed some bytes.
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

/// A subject's key as it rests: useless without the installation's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrappedDataKey {
    pub key_id: String,
    pub wrapped: Vec<u8>,
}

/// Sealed bytes that don't open here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("sealed data does not open with our keys at this place")]
pub struct Unopened;
