//! Sealing with the keys of merchants and customers, outside of a change-set.

use async_trait::async_trait;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;

use super::failure::StoreFailure;
use super::seal::Subject;

/// Seals data with its owner's key. The store itself seals the data of change-sets.
#[async_trait]
pub trait SubjectSeal: Send + Sync {
    /// Seals with the subject's own key. A subject without a key gets one, in a commit before.
    ///
    /// # Errors
    /// [`StoreFailure::Destroyed`] if the subject's key was destroyed; others if it can't be read.
    async fn seal_for(
        &self,
        subject: &Subject,
        place: &str,
        text: &SecretText,
        now: Timestamp,
    ) -> Result<Vec<u8>, StoreFailure>;

    /// Opens bytes that any key sealed for this place; the bytes name the key.
    ///
    /// # Errors
    /// [`StoreFailure::Destroyed`] if that key was destroyed, [`StoreFailure::Broken`] if the bytes were altered or moved.
    async fn open_for(&self, place: &str, sealed: &[u8]) -> Result<SecretText, StoreFailure>;
}
