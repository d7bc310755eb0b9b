//! AES-256-GCM with a random nonce in front: the one place that names the cipher.

use aes_gcm::aead::{Aead, Payload};
use aes_gcm::{Aes256Gcm, KeyInit};
use multirail_domain::random::Random;
use zeroize::Zeroizing;

/// Length of every key, in bytes.
pub(super) const KEY_BYTES: usize = 32;
/// Length of the nonce that precedes the ciphertext, in bytes.
pub(super) const NONCE_BYTES: usize = 12;
/// Length of the authentication tag that ends the ciphertext, in bytes.
const TAG_BYTES: usize = 16;

/// Key material that is zeroed when it is dropped.
pub(super) type KeyBytes = Zeroizing<[u8; KEY_BYTES]>;

/// A fresh random key.
pub(super) fn fresh_key(random: &dyn Random) -> KeyBytes {
    let mut bytes = Zeroizing::new([0_u8; KEY_BYTES]);
    random.fill(bytes.as_mut_slice());
    bytes
}

/// Encrypts `plain`; the answer is nonce, ciphertext and tag in a row.
///
/// Nonces are random: one key may encrypt about four thousand million times before two
/// equal nonces become likely enough to matter.
pub(super) fn encrypt(
    key: &KeyBytes,
    random: &dyn Random,
    bound_to: &[&[u8]],
    plain: &[u8],
) -> Vec<u8> {
    let mut nonce = [0_u8; NONCE_BYTES];
    random.fill(&mut nonce);
    let ciphertext = Aes256Gcm::new((&**key).into())
        .encrypt(
            (&nonce).into(),
            Payload {
                msg: plain,
                aad: &joined(bound_to),
            },
        )
        .expect("AES-GCM encrypts anything shorter than 64 GiB");
    let mut sealed = Vec::with_capacity(NONCE_BYTES + ciphertext.len());
    sealed.extend_from_slice(&nonce);
    sealed.extend_from_slice(&ciphertext);
    sealed
}

/// Decrypts what [`encrypt`] made; `None` when the key, the bytes or `bound_to` differ.
pub(super) fn decrypt(
    key: &KeyBytes,
    bound_to: &[&[u8]],
    sealed: &[u8],
) -> Option<Zeroizing<Vec<u8>>> {
    if sealed.len() < NONCE_BYTES + TAG_BYTES {
        return None;
    }
    let (nonce, ciphertext) = sealed.split_first_chunk::<NONCE_BYTES>()?;
    Aes256Gcm::new((&**key).into())
        .decrypt(
            nonce.into(),
            Payload {
                msg: ciphertext,
                aad: &joined(bound_to),
            },
        )
        .ok()
        .map(Zeroizing::new)
}

/// Joins parts so that no two different lists give the same bytes: each part is
/// preceded by its length.
pub(super) fn joined(parts: &[&[u8]]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in parts {
        bytes.extend_from_slice(&(part.len() as u64).to_be_bytes());
        bytes.extend_from_slice(part);
    }
    bytes
}
