//! Sealing with the keys of merchants and customers, outside of a change-set.

use async_trait::async_trait;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;

use super::failure::StoreFailure;
use super::seal::Subject;

/// Seals what belongs to somebody with a key of theirs. What the store seals of a change-set it seals itself.
#[async_trait]
pub trait SubjectSeal: Send + Sync {
    /// Seals with the subject's own key. Who has none yet is given one, in a commit before.
    ///
    /// # Errors
    /// [`StoreFailure::Destroyed`] when the subject's key was; others when it can't be read.
    async fn seal_for(
        &self,
        subject: &Subject,
        place: &str,
        text: &SecretText,
        now: Timestamp,
    ) -> Result<Vec<u8>, StoreFailure>;

    /// Opens what any key sealed for this place; the bytes name it.
    ///
    /// # Errors
    /// [`StoreFailure::Destroyed`] when that key was, [`StoreFailure::Broken`] when the bytes were altered or moved.
    async fn open_for(&self, place: &str, sealed: &[u8]) -> Result<SecretText, StoreFailure>;
}
