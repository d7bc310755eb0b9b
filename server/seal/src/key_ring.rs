//! The random keys of one installation, wrapped by the master key when stored.

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
/// 190 bits, too many to guess.
const VISIT_CHARACTERS: usize = 32;
const LETTERS_AND_DIGITS: &[u8; 62] =
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The purpose of a key in the ring.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum KeyPurpose {
    /// Seals data: cards on hold, connector credentials, stored answers.
    Data,
    /// Hashes API keys.
    ApiKeyHash,
    /// Fingerprints cards, so that equal ones are found without knowing them.
    Fingerprint,
    /// Derives the secrets of payers: a payment's client secret, and the tokens in the addresses of their pages.
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

    /// Returns the word that the database stores.
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

/// A key as stored: useless without the master key.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct WrappedKey {
    /// The key's name, at most 64 characters, which precedes the bytes that it sealed.
    pub key_id: String,
    /// The purpose of the key.
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
        /// The id of the key.
        key_id: String,
        /// The purpose of the key.
        purpose: KeyPurpose,
    },
    /// There is none for a purpose.
    #[error("the database holds no key for the purpose {0}")]
    MissingKey(KeyPurpose),
    /// There is more than one for a purpose that has only one key.
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
    /// Makes the keys of a new installation. The second part is for the store.
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

    /// Opens the stored keys.
    ///
    /// # Errors
    ///
    /// A wrong master key opens none of them, which distinguishes it from a damaged row.
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

    /// Returns all keys of the ring, wrapped by `master`, to change the master key.
    pub fn wrapped_by(&self, master: &MasterKey, random: &dyn Random) -> Vec<WrappedKey> {
        self.data
            .iter()
            .chain([&self.api_key_hash, &self.fingerprint, &self.client_secret])
            .map(|key| key.wrap(master, random))
            .collect()
    }

    /// Returns the keyed BLAKE3 hash of an API key, 64 hexadecimal digits, which is stored instead of the key.
    pub fn hash_api_key(&self, api_key: &str) -> String {
        blake3::keyed_hash(&self.api_key_hash.bytes, api_key.as_bytes())
            .to_hex()
            .to_string()
    }

    /// Returns the HMAC-SHA256 of a value, 64 hexadecimal digits. The same value has the same fingerprint within a scope (a
    /// merchant, say) and unrelated ones between scopes.
    pub fn fingerprint(&self, scope: &str, value: &str) -> String {
        let mut mac = <Hmac<Sha256> as Mac>::new_from_slice(self.fingerprint.bytes.as_slice())
            .expect("HMAC takes keys of any length");
        for part in [FINGERPRINT_CONTEXT, scope.as_bytes(), value.as_bytes()] {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        hex::encode(mac.finalize().into_bytes())
    }

    /// Returns the last 20 letters and digits of a payment's client secret.
    ///
    /// The secret is derived and never stored, so that nobody who reads the database can act for a payer.
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

    /// Returns the 32 letters and digits that open one page of ours to everyone who has its address. `about` identifies the
    /// page and its object. The token is derived like a client secret, and unrelated to every one.
    pub fn visit_token(&self, about: &[&str]) -> String {
        let parts: Vec<&[u8]> = std::iter::once(VISIT_CONTEXT)
            .chain(about.iter().map(|part| part.as_bytes()))
            .collect();
        self.letters_and_digits(&parts, VISIT_CHARACTERS)
    }

    /// Derives letters and digits from the parts and the key for payers' secrets, each of the 62 equally likely.
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
                // 248 is the largest multiple of 62 in a byte: above it the first letters would come up more often than the
                // others.
                if byte < 248 {
                    text.push(char::from(LETTERS_AND_DIGITS[usize::from(byte % 62)]));
                }
            }
        }
    }

    /// Returns the key that signs the tokens of users, and its name. It is derived from the data key of that name, or from
    /// the one that seals. Without such a key there is none.
    pub(super) fn token_key(&self, key_id: Option<&str>) -> Option<(String, KeyBytes)> {
        let key = match key_id {
            Some(key_id) => self.data_key(key_id)?,
            None => self.sealing_key(),
        };
        let derived = blake3::keyed_hash(&key.bytes, TOKEN_CONTEXT);
        Some((key.key_id.clone(), KeyBytes::new(*derived.as_bytes())))
    }

    /// Returns the key that is hashed together with every password. It never changes.
    pub(super) fn password_key(&self) -> KeyBytes {
        let derived = blake3::keyed_hash(&self.api_key_hash.bytes, PASSWORD_CONTEXT);
        KeyBytes::new(*derived.as_bytes())
    }

    /// Returns the key that stamps the audit log. It never changes.
    pub(super) fn audit_key(&self) -> KeyBytes {
        let derived = blake3::keyed_hash(&self.api_key_hash.bytes, AUDIT_CONTEXT);
        KeyBytes::new(*derived.as_bytes())
    }

    /// Makes another data key. It seals once a ring has it.
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

    /// Returns whether the other ring seals with a later key.
    pub(super) fn is_older_than(&self, other: &KeyRing) -> bool {
        let age = |ring: &KeyRing| {
            let key = ring.sealing_key();
            (key.created_at_micros, key.key_id.clone())
        };
        age(self) < age(other)
    }

    /// Returns the data key that seals.
    pub(super) fn sealing_key(&self) -> &RingKey {
        self.data.last().expect("a ring has at least one data key")
    }

    /// Returns the data key with this id.
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
                &Cipher::new(&master.0),
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
        let plain = decrypt(&Cipher::new(&master.0), &bound_to, &stored.wrapped)?;
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
