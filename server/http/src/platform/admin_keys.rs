//! The operator's keys.

use multirail_kernel::secret::SecretText;
use subtle::ConstantTimeEq;

/// The keys that open the operations of the operator.
#[derive(Clone, Debug)]
pub struct AdminKeys {
    pub current: SecretText,
    /// The previous key, while it is still valid.
    pub former: Option<SecretText>,
}

impl AdminKeys {
    /// Returns all keys, the current one first.
    pub fn all(&self) -> Vec<&SecretText> {
        std::iter::once(&self.current).chain(&self.former).collect()
    }

    /// Returns whether `given` is an admin key. Takes the same time wherever the texts differ.
    pub fn include(&self, given: &str) -> bool {
        // Hashing first hides the length as well.
        let digest = |text: &str| *blake3::hash(text.as_bytes()).as_bytes();
        let is = |key: &SecretText| digest(given).ct_eq(&digest(key.expose()));
        let former = self.former.as_ref().map(is);
        let former = former.unwrap_or_else(|| 0_u8.into());
        (is(&self.current) | former).into()
    }
}
