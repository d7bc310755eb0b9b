//! Plays Apple Pay and Google Pay for tests: seals cards as they do, for a merchant's key, and signs with its own
//! authorities. No production program contains it.

pub mod apple;
pub mod google;

use aws_lc_rs::agreement::{ECDH_P256, PrivateKey, UnparsedPublicKey, agree};
use aws_lc_rs::encoding::{AsDer, EcPrivateKeyRfc5915Der};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The bytes before the point in the DER of a P-256 public key.
const SPKI_P256: [u8; 26] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a,
    0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
];

/// A merchant's key for wallets.
pub struct MerchantKey {
    key: PrivateKey,
}

impl Default for MerchantKey {
    fn default() -> Self {
        Self::generate()
    }
}

impl MerchantKey {
    /// Returns a new key.
    pub fn generate() -> Self {
        let key = PrivateKey::generate(&ECDH_P256).expect("a key");
        MerchantKey { key }
    }

    /// Returns the key as PEM.
    pub fn pem(&self) -> String {
        let der: EcPrivateKeyRfc5915Der<'_> = self.key.as_der().expect("DER");
        format!(
            "-----BEGIN EC PRIVATE KEY-----\n{}\n-----END EC PRIVATE KEY-----\n",
            STANDARD.encode(der.as_ref())
        )
    }

    fn point(&self) -> Vec<u8> {
        point(&self.key)
    }
}

fn point(key: &PrivateKey) -> Vec<u8> {
    let public = key.compute_public_key().expect("a point");
    public.as_ref().to_vec()
}

fn der(point: &[u8]) -> Vec<u8> {
    [&SPKI_P256[..], point].concat()
}

/// Returns a key for one message, and the secret that it shares with the merchant's key.
fn ephemeral(merchant: &MerchantKey) -> (Vec<u8>, Vec<u8>) {
    let key = PrivateKey::generate(&ECDH_P256).expect("a key");
    let theirs = UnparsedPublicKey::new(&ECDH_P256, merchant.point());
    let secret = agree(&key, theirs, (), |secret| Ok(secret.to_vec())).expect("a secret");
    (point(&key), secret)
}
