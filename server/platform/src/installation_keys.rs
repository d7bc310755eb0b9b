//! The keys of the installation: how they are stored, and how they and the keys of merchants and customers are changed.

use async_trait::async_trait;
use multirail_kernel::timestamp::Timestamp;

use super::failure::StoreFailure;

/// A stored key, wrapped by the master key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstallationKey {
    pub key_id: String,
    /// The key's purpose, in one word. The newest data key seals.
    pub purpose: String,
    pub wrapped: Vec<u8>,
    /// The same key wrapped by the next master key, while servers are given that one.
    pub next_wrapped: Option<Vec<u8>>,
    pub created_at_micros: i64,
    /// Since when no data is sealed with it.
    pub retired_at_micros: Option<i64>,
}

impl InstallationKey {
    /// Returns whether this is a data key, which seals.
    pub fn is_data_key(&self) -> bool {
        self.purpose == "data"
    }
}

/// Operations that change the keys of the installation. None returns a master key.
pub trait InstallationKeys: Send + Sync {
    /// Makes another data key, wrapped by the master key.
    ///
    /// # Errors
    /// [`KeysRefused`] if this server's master key doesn't open the stored keys.
    fn make_data_key(
        &self,
        stored: &[InstallationKey],
        now_micros: i64,
    ) -> Result<InstallationKey, KeysRefused>;

    /// Wraps all keys with the next master key; `None` if the given text is no master key that was sealed with the present
    /// one.
    ///
    /// # Errors
    /// [`KeysRefused`] if this server's master key doesn't open the stored keys.
    fn wrap_for_next(
        &self,
        stored: &[InstallationKey],
        handed_over: &str,
    ) -> Result<Option<NextMasterKey>, KeysRefused>;

    /// Returns the name of the present master key; `None` if this server doesn't have it.
    fn master_key_name(&self, stored: &[InstallationKey]) -> Option<String>;

    /// Returns the name of the master key in this server's settings, read again: the key of its next start. Settings that
    /// can't be read again have none.
    fn master_key_in_settings(&self) -> Option<String>;
}

/// A master key that replaces the present one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextMasterKey {
    pub is_the_present_one: bool,
    /// The key's name, which reveals nothing of the key itself.
    pub name: String,
    /// The installation's keys by id, wrapped by this master key.
    pub wrapped: Vec<(String, Vec<u8>)>,
}

/// The stored keys can't be used. The text reveals nothing of any key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct KeysRefused(pub String);

/// A change of all data keys that begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRotation {
    pub rotation_id: String,
    /// The installation's key that seals from now on.
    pub data_key: InstallationKey,
    /// Wall time.
    pub started_at: Timestamp,
    /// Wall time from which no server seals with a former key any more.
    pub settled_at: Timestamp,
}

/// A change of all data keys, and its progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rotation {
    pub rotation_id: String,
    pub started_at: Timestamp,
    pub settled_at: Timestamp,
    pub finished_at: Option<Timestamp>,
    /// Number of the pass, from 1. Passes over all sealed columns are repeated until one finds nothing under a former key.
    pub pass: i64,
    /// The column that is being resealed, as `table.column`.
    pub at_column: String,
    /// Sealed rows at the beginning; `None` until they are counted.
    pub rows_in_all: Option<i64>,
    /// Rows that this pass has looked at.
    pub looked_at: i64,
    /// Values that were resealed, in all passes.
    pub sealed_anew: i64,
    /// Values that this pass could not open.
    pub unreadable: i64,
}

/// The result of one portion of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Portion {
    /// There is more to do. Holds how many rows were resealed.
    More(u64),
    /// The next pass begins at this wall time.
    Wait(Timestamp),
    /// No value is left under a former key.
    Finished,
    /// Another server has the claim.
    Lost,
}

/// One server's claim of a rotation, for a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RotationClaim {
    pub rotation_id: String,
    pub fence: i64,
}

/// Counts of subjects with keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SubjectCounts {
    pub merchants: i64,
    pub customers: i64,
    /// Customers whose keys were destroyed.
    pub destroyed: i64,
}

/// The stored keys, and the work of changing them.
#[async_trait]
pub trait KeyStore: Send + Sync {
    /// Returns the keys of the installation, oldest first.
    async fn installation_keys(&self) -> Result<Vec<InstallationKey>, StoreFailure>;

    /// Returns the name of the next master key, while both are valid.
    async fn next_master_key(&self) -> Result<Option<String>, StoreFailure>;

    async fn subject_counts(&self) -> Result<SubjectCounts, StoreFailure>;

    /// Begins a change of all data keys; returns false if one is under way, or the master key is being changed.
    async fn begin_rotation(&self, begun: &NewRotation) -> Result<bool, StoreFailure>;

    /// Returns the wall time from which plaintext of an earlier version is sealed, by a change of all data keys; none if
    /// there is no plaintext.
    async fn sealing_due_from(&self, wall: Timestamp) -> Result<Option<Timestamp>, StoreFailure>;

    /// Returns the rotation that began last.
    async fn last_rotation(&self) -> Result<Option<Rotation>, StoreFailure>;

    /// Claims the open rotation, unless another server has claimed it.
    async fn claim_rotation(
        &self,
        wall: Timestamp,
        seconds: i64,
    ) -> Result<Option<RotationClaim>, StoreFailure>;

    /// Looks at the next rows and reseals values under a former key, in one commit with the progress. The claim holds for
    /// `seconds` from then on.
    async fn seal_portion(
        &self,
        claim: &RotationClaim,
        wall: Timestamp,
        seconds: i64,
        at_most: i64,
    ) -> Result<Portion, StoreFailure>;

    /// Ends the claim.
    async fn release_rotation(&self, claim: &RotationClaim) -> Result<(), StoreFailure>;

    /// Stores all keys wrapped by the next master key too; returns false if a rotation began or ended meanwhile.
    async fn store_next_master_key(&self, next: &NextMasterKey) -> Result<bool, StoreFailure>;

    /// Replaces the present master key by the next one; returns false if there is none.
    async fn drop_former_master_key(&self) -> Result<bool, StoreFailure>;

    /// Loads changed keys, at once.
    async fn take_up_keys(&self) -> Result<(), StoreFailure>;
}
