//! Sealing what must not rest in the clear.

use multirail_domain::secret::SecretText;

/// Seals and opens. `place` names where the sealed bytes rest, such as `held_card:<merchant>/<payment>`; bytes moved to
/// another place don't open.
pub trait Seal: Send + Sync {
    fn seal(&self, place: &str, text: &SecretText) -> Vec<u8>;

    /// # Errors
    /// [`Unopened`] when the bytes were altered, moved, or sealed by a key that is not ours.
    fn open(&self, place: &str, sealed: &[u8]) -> Result<SecretText, Unopened>;

    /// The keyed hash under which an API key is stored, in hex.
    fn hash_api_key(&self, key: &SecretText) -> String;

    /// A keyed hash of a value, short and only good for comparing; hashes of different scopes don't compare.
    fn fingerprint(&self, scope: &str, value: &str) -> String;

    /// The random-looking end of a payment's client secret, derived and therefore never stored.
    fn client_secret_suffix(&self, merchant_id: &str, payment_id: &str) -> SecretText;

    /// What nobody guesses of the address of a page that needs no key. `about` says which page, and of what. Derived and
    /// therefore never stored.
    fn visit_token(&self, about: &[&str]) -> SecretText;
}

/// Sealed bytes that don't open here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("sealed data does not open with our keys at this place")]
pub struct Unopened;
