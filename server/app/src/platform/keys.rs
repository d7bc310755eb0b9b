//! The keys of the service: their state, and how an operator changes them while servers run.
//!
//! One commit begins a change of data keys. Any server then works on it (`work`), in portions with a commit each.
//!
//! A change of the master key is two commits of a few rows. After the first one both keys open the database, after the
//! second one only the next.

mod work;

use std::sync::Arc;

use multirail_kernel::random::alphanumeric;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;

use crate::AppError;
use crate::platform::base::Base;
use crate::platform::ports::installation_keys::{
    InstallationKey, KeysRefused, NewRotation, Rotation, SubjectCounts,
};
use crate::platform::ports::{InstallationKeys, KeyStore};

pub use work::{KeyNotifier, Work};

/// The state of all keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeysStatus {
    /// The name of the present master key; `None` where this server doesn't have it.
    pub master_key: Option<String>,
    /// The name of the next master key, while both are valid.
    pub next_master_key: Option<String>,
    /// The data keys of the service, oldest first.
    pub data_keys: Vec<DataKeyStatus>,
    pub subjects: SubjectCounts,
    pub rotation: Option<Rotation>,
}

/// The state of a data key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataKeyStatus {
    pub key_id: String,
    pub use_of_it: DataKeyUse,
    pub created_at: Timestamp,
}

/// The use of a data key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataKeyUse {
    Seals,
    /// Opens data that was sealed earlier.
    Opens,
    /// Seals no stored data any more.
    Retired,
}

impl DataKeyUse {
    pub fn as_str(self) -> &'static str {
        match self {
            DataKeyUse::Seals => "sealing",
            DataKeyUse::Opens => "opening",
            DataKeyUse::Retired => "retired",
        }
    }
}

/// A change of the keys by an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeysChange {
    DataKeys,
    /// The next master key, sealed with the present one.
    MasterKey(String),
    FinishMasterKey,
}

/// The use cases of the keys.
pub struct Keys {
    pub base: Arc<Base>,
    pub store: Arc<dyn KeyStore>,
    pub installation_keys: Arc<dyn InstallationKeys>,
    /// Wakes the worker that seals data with the new key.
    pub notifier: KeyNotifier,
    /// Seconds after which no server stores data any more that it sealed with the old keys.
    pub settling_seconds: i64,
}

impl Keys {
    /// Returns the state of the keys.
    ///
    /// # Errors
    /// Only where the store fails.
    pub async fn status(&self) -> Result<KeysStatus, AppError> {
        // Read before the keys: after a finished change the keys then show its effect.
        let rotation = self.store.last_rotation().await?;
        let stored = self.store.installation_keys().await?;
        Ok(KeysStatus {
            master_key: self.installation_keys.master_key_name(&stored),
            next_master_key: self.store.next_master_key().await?,
            data_keys: data_keys(&stored),
            subjects: self.store.subject_counts().await?,
            rotation,
        })
    }

    /// Changes the keys; the same request again changes nothing else.
    ///
    /// # Errors
    /// [`Refusal::InvalidValue`] and [`Refusal::Precondition`] as the operation `keys_rotate` lists them.
    pub async fn change(&self, change: KeysChange) -> Result<KeysStatus, AppError> {
        match change {
            KeysChange::DataKeys => self.change_data_keys().await?,
            KeysChange::MasterKey(handed_over) => self.name_next_master_key(&handed_over).await?,
            KeysChange::FinishMasterKey => self.drop_former_master_key().await?,
        }
        self.status().await
    }

    /// Begins to seal data that an earlier version stored unsealed, once no server of that version can be running.
    /// Returns whether to check again.
    ///
    /// # Errors
    /// As [`Keys::change`].
    pub async fn seal_what_rests_clear(&self) -> Result<bool, AppError> {
        let wall = self.base.clock.wall();
        let Some(due_from) = self.store.sealing_due_from(wall).await? else {
            return Ok(false);
        };
        if due_from <= wall {
            self.change_data_keys().await?;
        }
        Ok(true)
    }

    async fn change_data_keys(&self) -> Result<(), AppError> {
        if self.is_rotating().await? {
            return Ok(());
        }
        let stored = self.store.installation_keys().await?;
        let now = self.base.clock.wall();
        let made = self
            .installation_keys
            .make_data_key(&stored, now.as_micros());
        let settled_at = now.plus_seconds(self.settling_seconds);
        let begun = NewRotation {
            rotation_id: format!("rot_{}", alphanumeric(self.base.random.as_ref(), 20)),
            data_key: made.map_err(not_ours)?,
            started_at: now,
            settled_at: settled_at.unwrap_or(now),
        };
        if self.store.begin_rotation(&begun).await? {
            tracing::info!(
                rotation_id = begun.rotation_id,
                "all data keys are being changed"
            );
            self.notifier.notify();
            return Ok(());
        }
        // Another request was faster, with this change or the other.
        if self.is_rotating().await? {
            return Ok(());
        }
        let why = "the master key is being changed: finish that first";
        Err(Refusal::precondition(why).into())
    }

    async fn is_rotating(&self) -> Result<bool, AppError> {
        let last = self.store.last_rotation().await?;
        Ok(last.is_some_and(|rotation| rotation.finished_at.is_none()))
    }

    async fn name_next_master_key(&self, handed_over: &str) -> Result<(), AppError> {
        let stored = self.store.installation_keys().await?;
        let next = self.installation_keys.wrap_for_next(&stored, handed_over);
        let Some(next) = next.map_err(not_ours)? else {
            let why = "next_master_key is no master key that was handed over with the present one";
            return Err(Refusal::invalid_value(why).into());
        };
        if next.is_the_present_one {
            let why = "next_master_key is the master key that is in use";
            return Err(Refusal::invalid_value(why).into());
        }
        if !self.store.store_next_master_key(&next).await? {
            let why = "data keys are being changed: wait until that is finished";
            return Err(Refusal::precondition(why).into());
        }
        tracing::info!(
            next = next.name,
            "two master keys open the database: the present one, and the next until it takes its place"
        );
        Ok(())
    }

    async fn drop_former_master_key(&self) -> Result<(), AppError> {
        let next = self.store.next_master_key().await?;
        if let (Some(next), Some(held)) = (next, self.installation_keys.master_key_in_settings())
            && next != held
        {
            let why = "the settings of this server still hold the former master key, with which it would not start again: put the \
                       next one in its place first";
            return Err(Refusal::precondition(why).into());
        }
        if !self.store.drop_former_master_key().await? {
            let why = "no master key was named that could take the place of the present one";
            return Err(Refusal::precondition(why).into());
        }
        self.store.take_up_keys().await?;
        tracing::info!("the former master key opens nothing any more");
        Ok(())
    }
}

/// The operator runs this server with a former master key.
fn not_ours(refused: KeysRefused) -> AppError {
    tracing::error!(%refused, "the keys can't be changed by this server");
    let why = "this server was started with another master key than the present one: give it that and start it again";
    Refusal::precondition(why).into()
}

fn data_keys(stored: &[InstallationKey]) -> Vec<DataKeyStatus> {
    let data_keys: Vec<&InstallationKey> = stored.iter().filter(|key| key.is_data_key()).collect();
    let newest = data_keys.len().saturating_sub(1);
    let status = |(index, key): (usize, &&InstallationKey)| DataKeyStatus {
        key_id: key.key_id.clone(),
        use_of_it: match key.retired_at_micros {
            _ if index == newest => DataKeyUse::Seals,
            None => DataKeyUse::Opens,
            Some(_) => DataKeyUse::Retired,
        },
        created_at: Timestamp::from_micros(key.created_at_micros),
    };
    data_keys.iter().enumerate().map(status).collect()
}
