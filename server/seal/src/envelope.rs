//! AES-256-GCM with a random nonce in front: the one place that names the cipher.

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use multirail_kernel::random::Random;
use zeroize::Zeroizing;

/// Length of every key, in bytes.
pub(super) const KEY_BYTES: usize = 32;
/// Length of the nonce that precedes the ciphertext, in bytes.
pub(super) const NONCE_BYTES: usize = 12;
/// Length of the authentication tag that ends the ciphertext, in bytes.
const TAG_BYTES: usize = 16;

/// Key material that is zeroed when it is dropped.
pub(super) type KeyBytes = Zeroizing<[u8; KEY_BYTES]>;

/// Makes a new random key.
pub(super) fn fresh_key(random: &dyn Random) -> KeyBytes {
    let mut bytes = Zeroizing::new([0_u8; KEY_BYTES]);
    random.fill(bytes.as_mut_slice());
    bytes
}

/// A key prepared for encryption, for keys that seal often. It is zeroed when it is dropped.
pub(super) struct Cipher(LessSafeKey);

impl Cipher {
    pub(super) fn new(key: &KeyBytes) -> Self {
        let key = UnboundKey::new(&AES_256_GCM, key.as_slice()).expect("the key has its length");
        Cipher(LessSafeKey::new(key))
    }
}

/// Encrypts `plain`; returns nonce, ciphertext and tag in a row.
///
/// Nonces are random: one key may encrypt about four thousand million times before two equal nonces become likely enough to
/// matter.
pub(super) fn encrypt(
    cipher: &Cipher,
    random: &dyn Random,
    bound_to: &[&[u8]],
    plain: &[u8],
) -> Vec<u8> {
    encrypt_after(&[], cipher, random, bound_to, plain)
}

/// Encrypts `plain` and appends the result to a prefix.
pub(super) fn encrypt_after(
    before: &[&[u8]],
    cipher: &Cipher,
    random: &dyn Random,
    bound_to: &[&[u8]],
    plain: &[u8],
) -> Vec<u8> {
    let start = before.iter().map(|part| part.len()).sum();
    let mut sealed = Vec::with_capacity(start + NONCE_BYTES + plain.len() + TAG_BYTES);
    for part in before {
        sealed.extend_from_slice(part);
    }
    sealed.resize(start + NONCE_BYTES, 0);
    sealed.extend_from_slice(plain);
    let (nonce, text) = sealed[start..]
        .split_first_chunk_mut::<NONCE_BYTES>()
        .expect("begins with the nonce");
    random.fill(nonce);
    let nonce = Nonce::assume_unique_for_key(*nonce);
    let tag = cipher
        .0
        .seal_in_place_separate_tag(nonce, Aad::from(joined(bound_to)), text)
        .expect("AES-GCM encrypts anything shorter than 64 GiB");
    sealed.extend_from_slice(tag.as_ref());
    sealed
}

/// Decrypts the output of [`encrypt`]; returns `None` if the key, the bytes or `bound_to` differ.
pub(super) fn decrypt(
    cipher: &Cipher,
    bound_to: &[&[u8]],
    sealed: &[u8],
) -> Option<Zeroizing<Vec<u8>>> {
    if sealed.len() < NONCE_BYTES + TAG_BYTES {
        return None;
    }
    let (nonce, ciphertext) = sealed.split_first_chunk::<NONCE_BYTES>()?;
    let mut opened = Zeroizing::new(ciphertext.to_vec());
    let nonce = Nonce::assume_unique_for_key(*nonce);
    let length = cipher
        .0
        .open_in_place(nonce, Aad::from(joined(bound_to)), &mut opened)
        .ok()?
        .len();
    opened.truncate(length);
    Some(opened)
}

/// Joins parts so that no two different lists give the same bytes: each part is preceded by its length.
pub(super) fn joined(parts: &[&[u8]]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(parts.iter().map(|part| 8 + part.len()).sum());
    for part in parts {
        bytes.extend_from_slice(&(part.len() as u64).to_be_bytes());
        bytes.extend_from_slice(part);
    }
    bytes
}
