//! Implements the sealing port with a key ring.

use std::sync::{Arc, Mutex};

use multirail_app::platform::ports::Seal;
use multirail_app::platform::ports::installation_keys::{InstallationKey, KeysRefused};
use multirail_app::platform::ports::seal::{DataKey, SealedBy, Subject, Unopened, WrappedDataKey};
use multirail_kernel::audit::Stamp;
use multirail_kernel::random::Random;
use multirail_kernel::secret::SecretText;

use super::audit_stamp::audit_stamp;
use super::subject_key::SubjectKey;
use super::{MasterKey, Sealer, SharedRing};

/// Hexadecimal digits of a fingerprint: 128 bits distinguish any two requests.
const FINGERPRINT_DIGITS: usize = 32;

/// A function that reads the master key from a server's settings, where it may differ from the one that the server started with.
pub type ReadMasterKey = Box<dyn Fn() -> Option<MasterKey> + Send + Sync>;

/// Seals, opens and hashes with the keys of one ring, and changes them.
pub struct RingSeal {
    pub(super) ring: SharedRing,
    pub(super) sealer: Sealer,
    pub(super) random: Arc<dyn Random>,
    /// The master keys that this server has been given, the latest last.
    pub(super) masters: Mutex<Vec<MasterKey>>,
    pub(super) read_master: Option<ReadMasterKey>,
}

impl RingSeal {
    /// Returns the sealing port over an opened ring.
    pub fn new(ring: impl Into<SharedRing>, random: Arc<dyn Random>) -> Self {
        let ring = ring.into();
        RingSeal {
            sealer: Sealer::new(ring.clone(), Arc::clone(&random)),
            ring,
            random,
            masters: Mutex::default(),
            read_master: None,
        }
    }

    /// Sets the master key that the ring was opened with, and the function that reads a later one.
    pub fn with_master_key(self, master: MasterKey, read: Option<ReadMasterKey>) -> Self {
        RingSeal {
            masters: Mutex::new(vec![master]),
            read_master: read,
            ..self
        }
    }
}

impl Seal for RingSeal {
    fn seal(&self, place: &str, text: &SecretText) -> Vec<u8> {
        self.sealer.seal(place, text.expose().as_bytes())
    }

    fn open(&self, place: &str, sealed: &[u8]) -> Result<SecretText, Unopened> {
        let plain = self.sealer.open(place, sealed).map_err(|_| Unopened)?;
        let text = std::str::from_utf8(&plain).map_err(|_| Unopened)?;
        Ok(SecretText::new(text))
    }

    fn sealed_by<'a>(&self, sealed: &'a [u8]) -> Option<SealedBy<'a>> {
        let key_id = Sealer::key_id_of(sealed)?;
        Some(if SubjectKey::is_named(key_id) {
            SealedBy::Subject(key_id)
        } else {
            SealedBy::Installation(key_id)
        })
    }

    fn make_key(&self, subject: &Subject) -> (Arc<dyn DataKey>, WrappedDataKey) {
        let (key, stored) = SubjectKey::create(&self.sealer, &self.random, subject);
        (Arc::new(key), stored)
    }

    fn unwrap_key(
        &self,
        subject: &Subject,
        stored: &WrappedDataKey,
    ) -> Result<Arc<dyn DataKey>, Unopened> {
        let key = SubjectKey::unwrap(&self.sealer, &self.random, subject, stored)?;
        Ok(Arc::new(key))
    }

    fn rewrap(
        &self,
        subject: &Subject,
        stored: &WrappedDataKey,
    ) -> Result<WrappedDataKey, Unopened> {
        SubjectKey::rewrap(&self.sealer, subject, stored)
    }

    fn installation_key(&self) -> String {
        self.ring.now().sealing_key().key_id.clone()
    }

    fn has_installation_key(&self, key_id: &str) -> bool {
        self.ring.now().data_key(key_id).is_some()
    }

    fn take_up(&self, stored: &[InstallationKey]) -> Result<(), KeysRefused> {
        self.take_up_keys(stored)
    }

    fn hash_api_key(&self, key: &SecretText) -> String {
        self.ring.now().hash_api_key(key.expose())
    }

    fn audit_stamp(&self, parts: &[&[u8]]) -> Stamp {
        audit_stamp(&self.ring.now(), parts)
    }

    fn fingerprint(&self, scope: &str, value: &str) -> String {
        let mut hash = self.ring.now().fingerprint(scope, value);
        hash.truncate(FINGERPRINT_DIGITS);
        hash
    }

    fn client_secret_suffix(&self, merchant_id: &str, payment_id: &str) -> SecretText {
        SecretText::new(
            self.ring
                .now()
                .client_secret_suffix(merchant_id, payment_id),
        )
    }

    fn visit_token(&self, about: &[&str]) -> SecretText {
        SecretText::new(self.ring.now().visit_token(about))
    }
}
