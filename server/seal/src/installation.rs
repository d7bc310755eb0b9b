//! Changes the keys of the installation while servers run.

use std::sync::{MutexGuard, PoisonError};

use multirail_app::platform::ports::InstallationKeys;
use multirail_app::platform::ports::installation_keys::{
    InstallationKey, KeysRefused, NextMasterKey,
};

use super::key_ring::{KeyPurpose, KeyRing, KeyRingError, WrappedKey};
use super::master_key::MasterKey;
use super::ring_seal::RingSeal;

impl KeyRing {
    /// Opens stored keys with the master key, or with the next one while both are valid.
    ///
    /// # Errors
    /// The error of [`KeyRing::open`].
    pub fn open_stored(
        master: &MasterKey,
        stored: &[InstallationKey],
    ) -> Result<KeyRing, KeysRefused> {
        let present = stored.iter().map(|key| wrapped(key, &key.wrapped));
        let present = present.collect::<Result<Vec<_>, _>>()?;
        let refused = match KeyRing::open(master, &present) {
            Ok(ring) => return Ok(ring),
            Err(refused) => refused,
        };
        let next = stored
            .iter()
            .map(|key| Some((key, key.next_wrapped.as_ref()?)));
        let is_wrong = matches!(refused, KeyRingError::WrongMasterKey { .. });
        if let (true, Some(next)) = (is_wrong, next.collect::<Option<Vec<_>>>()) {
            let next = next.into_iter().map(|(key, bytes)| wrapped(key, bytes));
            let next = next.collect::<Result<Vec<_>, _>>()?;
            if let Ok(ring) = KeyRing::open(master, &next) {
                return Ok(ring);
            }
        }
        Err(KeysRefused(refused.to_string()))
    }
}

impl RingSeal {
    pub(super) fn take_up_keys(&self, stored: &[InstallationKey]) -> Result<(), KeysRefused> {
        let mut masters = self.masters();
        let opened =
            self.first_that_opens(&mut masters, |master| KeyRing::open_stored(master, stored));
        let (_, ring) = opened?;
        // Keys that were read earlier may lack one that is in use already.
        if !ring.is_older_than(&self.ring.now()) {
            self.ring.replace(ring);
        }
        Ok(())
    }

    /// Returns the master key that wraps the stored keys, and the opened ring.
    fn present(&self, stored: &[InstallationKey]) -> Result<(MasterKey, KeyRing), KeysRefused> {
        let present = stored.iter().map(|key| wrapped(key, &key.wrapped));
        let present = present.collect::<Result<Vec<_>, _>>()?;
        self.first_that_opens(&mut self.masters(), |master| {
            KeyRing::open(master, &present).map_err(|error| KeysRefused(error.to_string()))
        })
    }

    /// Tries this server's master keys, the latest first, and then the one that the operator may have set meanwhile.
    fn first_that_opens(
        &self,
        masters: &mut Vec<MasterKey>,
        open: impl Fn(&MasterKey) -> Result<KeyRing, KeysRefused>,
    ) -> Result<(MasterKey, KeyRing), KeysRefused> {
        let mut refused = KeysRefused("this server has no master key".to_owned());
        for master in masters.iter().rev() {
            match open(master) {
                Ok(ring) => return Ok((master.clone(), ring)),
                Err(why) => refused = why,
            }
        }
        let later = self.read_master.as_ref().and_then(|read| read());
        let later = later.filter(|later| !masters.iter().any(|master| master.is(later)));
        let Some(later) = later else {
            return Err(refused);
        };
        let ring = open(&later)?;
        masters.push(later.clone());
        Ok((later, ring))
    }

    fn masters(&self) -> MutexGuard<'_, Vec<MasterKey>> {
        self.masters.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl InstallationKeys for RingSeal {
    fn make_data_key(
        &self,
        stored: &[InstallationKey],
        now_micros: i64,
    ) -> Result<InstallationKey, KeysRefused> {
        let (master, ring) = self.present(stored)?;
        Ok(ring
            .another_data_key(&master, self.random.as_ref(), now_micros)
            .into())
    }

    fn wrap_for_next(
        &self,
        stored: &[InstallationKey],
        handed_over: &str,
    ) -> Result<Option<NextMasterKey>, KeysRefused> {
        let (present, ring) = self.present(stored)?;
        let Some(next) = present.handed_over(handed_over) else {
            return Ok(None);
        };
        let wrapped = ring.wrapped_by(&next, self.random.as_ref());
        let found = NextMasterKey {
            is_the_present_one: next.is(&present),
            name: next.name(),
            wrapped: wrapped
                .into_iter()
                .map(|key| (key.key_id, key.wrapped))
                .collect(),
        };
        let mut masters = self.masters();
        if !masters.iter().any(|master| master.is(&next)) {
            // In front: the latest key that opens everything is tried first.
            masters.insert(0, next);
        }
        Ok(Some(found))
    }

    fn master_key_name(&self, stored: &[InstallationKey]) -> Option<String> {
        let (master, _) = self.present(stored).ok()?;
        Some(master.name())
    }

    fn master_key_in_settings(&self) -> Option<String> {
        let read = self.read_master.as_ref()?;
        read().map(|master| master.name())
    }
}

impl From<WrappedKey> for InstallationKey {
    fn from(key: WrappedKey) -> Self {
        InstallationKey {
            key_id: key.key_id,
            purpose: key.purpose.to_string(),
            wrapped: key.wrapped,
            next_wrapped: None,
            created_at_micros: key.created_at_micros,
            retired_at_micros: None,
        }
    }
}

fn wrapped(key: &InstallationKey, bytes: &[u8]) -> Result<WrappedKey, KeysRefused> {
    let purpose: Result<KeyPurpose, _> = key.purpose.parse();
    Ok(WrappedKey {
        key_id: key.key_id.clone(),
        purpose: purpose.map_err(|error| KeysRefused(format!("a stored key: {error}")))?,
        wrapped: bytes.to_vec(),
        created_at_micros: key.created_at_micros,
    })
}

#[cfg(test)]
mod tests;
