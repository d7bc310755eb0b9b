//! The random keys of one installation, wrapped by the master key while they rest.

use std::fmt;
use std::str::FromStr;

use hmac::{Hmac, Mac};
use multirail_kernel::random::{Random, alphanumeric};
use sha2::Sha256;

use super::envelope::{Cipher, KEY_BYTES, KeyBytes, decrypt, encrypt, fresh_key, joined};
use super::master_key::MasterKey;

const WRAP_CONTEXT: &[u8] = b"multirail wrapped key 1";
const CLIENT_SECRET_CONTEXT: &[u8] = b"multirail client secret 1";
const FINGERPRINT_CONTEXT: &[u8] = b"multirail fingerprint 1";
const TOKEN_CONTEXT: &[u8] = b"multirail token 1";
const PASSWORD_CONTEXT: &[u8] = b"multirail password 1";
const AUDIT_CONTEXT: &[u8] = b"multirail audit 1";
const CLIENT_SECRET_CHARACTERS: usize = 20;
const VISIT_CONTEXT: &[u8] = b"multirail visit 1";
/// 190 bits: nobody tries them all.
const VISIT_CHARACTERS: usize = 32;
const LETTERS_AND_DIGITS: &[u8; 62] =
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// What a key of the ring is for.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum KeyPurpose {
    /// Seals data: cards on hold, connector credentials, stored answers.
    Data,
    /// Hashes API keys.
    ApiKeyHash,
    /// Fingerprints cards, so that equal ones are found without knowing them.
    Fingerprint,
    /// Derives what a payer holds: the client secret of a payment, the tokens of the addresses that he visits.
    ClientSecret,
}

impl KeyPurpose {
    /// Every purpose.
    pub const ALL: [Self; 4] = [
        Self::Data,
        Self::ApiKeyHash,
        Self::Fingerprint,
        Self::ClientSecret,
    ];

    /// The word that rests in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Data => "data",
            Self::ApiKeyHash => "api_key_hash",
            Self::Fingerprint => "fingerprint",
            Self::ClientSecret => "client_secret",
        }
    }
}

impl fmt::Display for KeyPurpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A purpose that this version doesn't know.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("\"{0}\" is no purpose of a key that this version knows")]
pub struct UnknownPurpose(pub String);

impl FromStr for KeyPurpose {
    type Err = UnknownPurpose;

    fn from_str(word: &str) -> Result<Self, UnknownPurpose> {
        Self::ALL
            .into_iter()
            .find(|purpose| purpose.as_str() == word)
            .ok_or_else(|| UnknownPurpose(word.to_owned()))
    }
}

/// A key as it rests: useless without the master key.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct WrappedKey {
    /// Names the key, at most 64 characters; stands in front of what it sealed.
    pub key_id: String,
    /// What it is for.
    pub purpose: KeyPurpose,
    /// The encrypted key. Bound to the other three members: none can be swapped.
    pub wrapped: Vec<u8>,
    /// When it was made, in microseconds since 1970. The newest data key seals.
    pub created_at_micros: i64,
}

/// Why a ring doesn't open.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum KeyRingError {
    /// No key opens.
    #[error(
        "the master key is not the one that this database was made with: \
         none of its {keys} stored keys opens"
    )]
    WrongMasterKey {
        /// How many were tried.
        keys: usize,
    },
    /// Others open, this one doesn't.
    #[error(
        "the stored key {key_id} ({purpose}) is damaged: the master key opens others but not it"
    )]
    DamagedKey {
        /// Which one.
        key_id: String,
        /// What it was for.
        purpose: KeyPurpose,
    },
    /// There is none for a purpose.
    #[error("the database holds no key for the purpose {0}")]
    MissingKey(KeyPurpose),
    /// There is more than one where only one can be right.
    #[error("the database holds more than one key for the purpose {0}")]
    AmbiguousKey(KeyPurpose),
}

pub(super) struct RingKey {
    pub(super) key_id: String,
    purpose: KeyPurpose,
    created_at_micros: i64,
    pub(super) bytes: KeyBytes,
}

/// The open keys of an installation.
pub struct KeyRing {
    /// Oldest first; the last one seals, all of them open.
    data: Vec<RingKey>,
    api_key_hash: RingKey,
    fingerprint: RingKey,
    client_secret: RingKey,
}

impl KeyRing {
    /// Makes the keys of a new installation. The second part is what the store keeps.
    pub fn create(
        master: &MasterKey,
        random: &dyn Random,
        created_at_micros: i64,
    ) -> (Self, Vec<WrappedKey>) {
        let fresh = |purpose| RingKey::fresh(purpose, random, created_at_micros);
        let ring = Self {
            data: vec![fresh(KeyPurpose::Data)],
            api_key_hash: fresh(KeyPurpose::ApiKeyHash),
            fingerprint: fresh(KeyPurpose::Fingerprint),
            client_secret: fresh(KeyPurpose::ClientSecret),
        };
        let wrapped = ring.wrapped_by(master, random);
        (ring, wrapped)
    }

    /// Opens the keys that the store kept.
    ///
    /// # Errors
    ///
    /// A wrong master key opens none of them and is told apart from a damaged row.
    pub fn open(master: &MasterKey, stored: &[WrappedKey]) -> Result<Self, KeyRingError> {
        let opened: Vec<_> = stored
            .iter()
            .map(|wrapped| (wrapped, RingKey::unwrap(master, wrapped)))
            .collect();
        if !opened.is_empty() && opened.iter().all(|(_, key)| key.is_none()) {
            return Err(KeyRingError::WrongMasterKey { keys: stored.len() });
        }
        let mut keys = Vec::with_capacity(opened.len());
        for (wrapped, key) in opened {
            keys.push(key.ok_or_else(|| KeyRingError::DamagedKey {
                key_id: wrapped.key_id.clone(),
                purpose: wrapped.purpose,
            })?);
        }
        let mut of = |purpose| -> Vec<RingKey> {
            keys.extract_if(.., |key| key.purpose == purpose).collect()
        };
        let mut data = of(KeyPurpose::Data);
        if data.is_empty() {
            return Err(KeyRingError::MissingKey(KeyPurpose::Data));
        }
        // The id decides between keys of the same moment, so that all servers agree.
        data.sort_by(|a, b| {
            (a.created_at_micros, &a.key_id).cmp(&(b.created_at_micros, &b.key_id))
        });
        let mut only = |purpose| {
            let mut found = of(purpose);
            match (found.pop(), found.is_empty()) {
                (Some(key), true) => Ok(key),
                (Some(_), false) => Err(KeyRingError::AmbiguousKey(purpose)),
                (None, _) => Err(KeyRingError::MissingKey(purpose)),
            }
        };
        Ok(Self {
            api_key_hash: only(KeyPurpose::ApiKeyHash)?,
            fingerprint: only(KeyPurpose::Fingerprint)?,
            client_secret: only(KeyPurpose::ClientSecret)?,
            data,
        })
    }

    /// All keys of the ring, wrapped by `master`: how the master key is changed.
    pub fn wrapped_by(&self, master: &MasterKey, random: &dyn Random) -> Vec<WrappedKey> {
        self.data
            .iter()
            .chain([&self.api_key_hash, &self.fingerprint, &self.client_secret])
            .map(|key| key.wrap(master, random))
            .collect()
    }

    /// The keyed BLAKE3 hash of an API key, 64 hexadecimal digits: what is stored of it.
    pub fn hash_api_key(&self, api_key: &str) -> String {
        blake3::keyed_hash(&self.api_key_hash.bytes, api_key.as_bytes())
            .to_hex()
            .to_string()
    }

    /// The HMAC-SHA256 of a value, 64 hexadecimal digits. The same value gives the same
    /// fingerprint within a scope (a merchant, say) and unrelated ones between scopes.
    pub fn fingerprint(&self, scope: &str, value: &str) -> String {
        let mut mac = <Hmac<Sha256> as Mac>::new_from_slice(self.fingerprint.bytes.as_slice())
            .expect("HMAC takes keys of any length");
        for part in [FINGERPRINT_CONTEXT, scope.as_bytes(), value.as_bytes()] {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        hex::encode(mac.finalize().into_bytes())
    }

    /// The last 20 letters and digits of a payment's client secret.
    ///
    /// Derived, not drawn: the secret needs no place in the database, so that whoever
    /// reads the database can't act for a payer.
    pub fn client_secret_suffix(&self, merchant_id: &str, payment_id: &str) -> String {
        self.letters_and_digits(
            &[
                CLIENT_SECRET_CONTEXT,
                merchant_id.as_bytes(),
                payment_id.as_bytes(),
            ],
            CLIENT_SECRET_CHARACTERS,
        )
    }

    /// The 32 letters and digits that open one page of ours to whoever was given its address. `about` says which
    /// page, and of what. Derived like a client secret, and unrelated to every one.
    pub fn visit_token(&self, about: &[&str]) -> String {
        let parts: Vec<&[u8]> = std::iter::once(VISIT_CONTEXT)
            .chain(about.iter().map(|part| part.as_bytes()))
            .collect();
        self.letters_and_digits(&parts, VISIT_CHARACTERS)
    }

    /// As many letters and digits as wanted, each of the 62 equally likely, that follow from the parts and from the
    /// key of what payers hold.
    fn letters_and_digits(&self, parts: &[&[u8]], wanted: usize) -> String {
        let mut stream = blake3::Hasher::new_keyed(&self.client_secret.bytes)
            .update(&joined(parts))
            .finalize_xof();
        let mut text = String::with_capacity(wanted);
        // A block at a time: each reading, however short, computes one.
        let mut block = [0_u8; blake3::BLOCK_LEN];
        loop {
            stream.fill(&mut block);
            for byte in block {
                if text.len() == wanted {
                    return text;
                }
                // 248 is the largest multiple of 62 in a byte: above it the first
                // letters would come up more often than the others.
                if byte < 248 {
                    text.push(char::from(LETTERS_AND_DIGITS[usize::from(byte % 62)]));
                }
            }
        }
    }

    /// What signs the tokens of users, with its name: it follows from the data key of that name, or from the one that
    /// seals. Nothing where there is no such key.
    pub(super) fn token_key(&self, key_id: Option<&str>) -> Option<(String, KeyBytes)> {
        let key = match key_id {
            Some(key_id) => self.data_key(key_id)?,
            None => self.sealing_key(),
        };
        let derived = blake3::keyed_hash(&key.bytes, TOKEN_CONTEXT);
        Some((key.key_id.clone(), KeyBytes::new(*derived.as_bytes())))
    }

    /// What is hashed beside every password. It never changes.
    pub(super) fn password_key(&self) -> KeyBytes {
        let derived = blake3::keyed_hash(&self.api_key_hash.bytes, PASSWORD_CONTEXT);
        KeyBytes::new(*derived.as_bytes())
    }

    /// What stamps the audit log. It never changes.
    pub(super) fn audit_key(&self) -> KeyBytes {
        let derived = blake3::keyed_hash(&self.api_key_hash.bytes, AUDIT_CONTEXT);
        KeyBytes::new(*derived.as_bytes())
    }

    /// A new data key beside the others. It seals once a ring has it.
    pub(super) fn another_data_key(
        &self,
        master: &MasterKey,
        random: &dyn Random,
        now_micros: i64,
    ) -> WrappedKey {
        // The newest one seals, whatever the clocks of servers say.
        let created_at_micros = now_micros.max(self.sealing_key().created_at_micros + 1);
        RingKey::fresh(KeyPurpose::Data, random, created_at_micros).wrap(master, random)
    }

    /// Whether the other ring seals with a later key.
    pub(super) fn is_older_than(&self, other: &KeyRing) -> bool {
        let age = |ring: &KeyRing| {
            let key = ring.sealing_key();
            (key.created_at_micros, key.key_id.clone())
        };
        age(self) < age(other)
    }

    /// The data key that seals.
    pub(super) fn sealing_key(&self) -> &RingKey {
        self.data.last().expect("a ring has at least one data key")
    }

    /// The data key with this id.
    pub(super) fn data_key(&self, key_id: &str) -> Option<&RingKey> {
        self.data.iter().find(|key| key.key_id == key_id)
    }
}

impl fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyRing")
            .field("sealing_key", &self.sealing_key().key_id)
            .field("data_keys", &self.data.len())
            .finish_non_exhaustive()
    }
}

impl RingKey {
    fn fresh(purpose: KeyPurpose, random: &dyn Random, created_at_micros: i64) -> Self {
        Self {
            key_id: format!("{purpose}_{}", alphanumeric(random, 12)),
            purpose,
            created_at_micros,
            bytes: fresh_key(random),
        }
    }

    fn wrap(&self, master: &MasterKey, random: &dyn Random) -> WrappedKey {
        let created_at = self.created_at_micros.to_be_bytes();
        let bound_to = bound_to(&self.key_id, self.purpose, &created_at);
        WrappedKey {
            key_id: self.key_id.clone(),
            purpose: self.purpose,
            wrapped: encrypt(
                &Cipher::of(&master.0),
                random,
                &bound_to,
                self.bytes.as_slice(),
            ),
            created_at_micros: self.created_at_micros,
        }
    }

    fn unwrap(master: &MasterKey, stored: &WrappedKey) -> Option<Self> {
        let created_at = stored.created_at_micros.to_be_bytes();
        let bound_to = bound_to(&stored.key_id, stored.purpose, &created_at);
        let plain = decrypt(&Cipher::of(&master.0), &bound_to, &stored.wrapped)?;
        let mut bytes = KeyBytes::new([0; KEY_BYTES]);
        if plain.len() != bytes.len() {
            return None;
        }
        bytes.copy_from_slice(&plain);
        Some(Self {
            key_id: stored.key_id.clone(),
            purpose: stored.purpose,
            created_at_micros: stored.created_at_micros,
            bytes,
        })
    }
}

fn bound_to<'a>(key_id: &'a str, purpose: KeyPurpose, created_at: &'a [u8; 8]) -> [&'a [u8]; 4] {
    [
        WRAP_CONTEXT,
        purpose.as_str().as_bytes(),
        key_id.as_bytes(),
        created_at,
    ]
}

#[cfg(test)]
mod tests;
