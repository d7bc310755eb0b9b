//! Sealing for subjects outside of a change-set.

use async_trait::async_trait;
use multirail_app::platform::ports::seal::Subject;
use multirail_app::platform::ports::{StoreFailure, SubjectSeal};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;

use super::sql_store::SqlStore;

#[async_trait]
impl SubjectSeal for SqlStore {
    async fn seal_for(
        &self,
        subject: &Subject,
        place: &str,
        text: &SecretText,
        now: Timestamp,
    ) -> Result<Vec<u8>, StoreFailure> {
        let key = self.keys.own(subject, now).await?;
        Ok(key.seal(place, text))
    }

    async fn open_for(&self, place: &str, sealed: &[u8]) -> Result<SecretText, StoreFailure> {
        let keys = self.keys.to_open_bytes(sealed).await?;
        keys.open_bytes(place, sealed)
    }
}
