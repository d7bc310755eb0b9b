//! The keys of the installation: how they rest, and how they and those of merchants and customers are changed.

use async_trait::async_trait;
use multirail_kernel::timestamp::Timestamp;

use super::failure::StoreFailure;

/// A key as it rests, wrapped by the master key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstallationKey {
    pub key_id: String,
    /// What it is for, in one word. Of the data keys the newest seals.
    pub purpose: String,
    pub wrapped: Vec<u8>,
    /// The same key as the next master key wraps it, while servers are given that one.
    pub next_wrapped: Option<Vec<u8>>,
    pub created_at_micros: i64,
    /// Since when nothing is left under it.
    pub retired_at_micros: Option<i64>,
}

impl InstallationKey {
    /// Whether it is one of those that seal.
    pub fn is_data_key(&self) -> bool {
        self.purpose == "data"
    }
}

/// What the keys of the installation are changed with. No master key comes out of it.
pub trait InstallationKeys: Send + Sync {
    /// A further data key, wrapped by the master key.
    ///
    /// # Errors
    /// [`KeysRefused`] where the master key of this server doesn't open what is stored.
    fn make_data_key(
        &self,
        stored: &[InstallationKey],
        now_micros: i64,
    ) -> Result<InstallationKey, KeysRefused>;

    /// All keys as the next master key wraps them; `None` where what was handed over is no master key that was sealed
    /// with the present one.
    ///
    /// # Errors
    /// [`KeysRefused`] where the master key of this server doesn't open what is stored.
    fn wrap_for_next(
        &self,
        stored: &[InstallationKey],
        handed_over: &str,
    ) -> Result<Option<NextMasterKey>, KeysRefused>;

    /// What the present master key is called; `None` where this server doesn't have it.
    fn master_key_name(&self, stored: &[InstallationKey]) -> Option<String>;

    /// What the master key is called that the settings of this server hold now, where they can be read again: the one that it
    /// will be started with next.
    fn master_key_in_settings(&self) -> Option<String>;
}

/// A master key that takes the place of the present one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextMasterKey {
    pub is_the_present_one: bool,
    /// Tells it from others, and nothing of it.
    pub name: String,
    /// Each key, by its id, as this one wraps it.
    pub wrapped: Vec<(String, Vec<u8>)>,
}

/// The stored keys can't be used. Says nothing of any key.
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
    /// Wall time from which nobody seals with a former key any more.
    pub settled_at: Timestamp,
}

/// A change of all data keys, and how far it has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rotation {
    pub rotation_id: String,
    pub started_at: Timestamp,
    pub settled_at: Timestamp,
    pub finished_at: Option<Timestamp>,
    /// All sealed columns are looked through again until nothing is found under a former key: 1 at first.
    pub pass: i64,
    /// The column that is being looked through, as `table.column`.
    pub at_column: String,
    /// Sealed rows that there were at the beginning; `None` until they are counted.
    pub rows_in_all: Option<i64>,
    /// Rows that this pass has looked at.
    pub looked_at: i64,
    /// What was sealed anew, in all passes.
    pub sealed_anew: i64,
    /// What this pass could not open.
    pub unreadable: i64,
}

/// What one portion of the work came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Portion {
    /// There is more to do. How many rows were sealed anew.
    More(u64),
    /// The next pass begins at this wall time.
    Wait(Timestamp),
    /// Nothing is left under any former key.
    Finished,
    /// Another server is at it.
    Lost,
}

/// The right of one server to work on a rotation, for a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RotationClaim {
    pub rotation_id: String,
    pub fence: i64,
}

/// Whose keys there are.
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
    /// The keys of the installation, oldest first.
    async fn installation_keys(&self) -> Result<Vec<InstallationKey>, StoreFailure>;

    /// What the next master key is called, while both are good.
    async fn next_master_key(&self) -> Result<Option<String>, StoreFailure>;

    async fn subject_counts(&self) -> Result<SubjectCounts, StoreFailure>;

    /// Begins a change of all data keys; false where one is under way, or the master key is being changed.
    async fn begin_rotation(&self, begun: &NewRotation) -> Result<bool, StoreFailure>;

    /// Wall time from which what an earlier version left in the clear is to be sealed, by a change of all data keys; nothing
    /// where nothing rests in the clear.
    async fn sealing_due_from(&self, wall: Timestamp) -> Result<Option<Timestamp>, StoreFailure>;

    /// The one that began last.
    async fn last_rotation(&self) -> Result<Option<Rotation>, StoreFailure>;

    /// Takes up the open one, where no other server is at it.
    async fn claim_rotation(
        &self,
        wall: Timestamp,
        seconds: i64,
    ) -> Result<Option<RotationClaim>, StoreFailure>;

    /// Looks at the next rows and seals anew what is under a former key, in one commit with how far that has come. The
    /// claim holds for `seconds` from then on.
    async fn seal_portion(
        &self,
        claim: &RotationClaim,
        wall: Timestamp,
        seconds: i64,
        at_most: i64,
    ) -> Result<Portion, StoreFailure>;

    /// Gives the claim back.
    async fn release_rotation(&self, claim: &RotationClaim) -> Result<(), StoreFailure>;

    /// Keeps all keys under the next master key too; false where a rotation began or ended meanwhile.
    async fn store_next_master_key(&self, next: &NextMasterKey) -> Result<bool, StoreFailure>;

    /// Has the next master key take the place of the present one; false where there is none.
    async fn drop_former_master_key(&self) -> Result<bool, StoreFailure>;

    /// Takes up what was changed, at once.
    async fn take_up_keys(&self) -> Result<(), StoreFailure>;
}
