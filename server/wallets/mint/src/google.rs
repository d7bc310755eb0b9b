//! Google Pay's ECv2.

use aws_lc_rs::cipher::{AES_256, EncryptingKey, EncryptionContext, UnboundCipherKey};
use aws_lc_rs::encoding::{AsDer, PublicKeyX509Der};
use aws_lc_rs::iv::FixedLength;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};
use aws_lc_rs::{hkdf, hmac};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::{MerchantKey, ephemeral};

/// Google's keys: a root key and one that signs.
pub struct Google {
    root: EcdsaKeyPair,
    intermediate: EcdsaKeyPair,
}

impl Default for Google {
    fn default() -> Self {
        Self::new()
    }
}

impl Google {
    /// Returns new keys.
    pub fn new() -> Self {
        let key = || EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING).expect("a key");
        Google {
            root: key(),
            intermediate: key(),
        }
    }

    /// Returns the root keys as Google publishes them.
    pub fn root_signing_keys(&self) -> Value {
        json!([
            { "keyValue": public(&self.root), "protocolVersion": "ECv2", "keyExpiration": "4102444800000" },
        ])
    }

    /// Seals a message, such as `{messageExpiration, messageId, paymentMethod, paymentMethodDetails}`. `until` is the
    /// end of the intermediate key, in milliseconds since 1970.
    pub fn seal(
        &self,
        merchant: &MerchantKey,
        recipient: &str,
        message: &Value,
        until: i64,
    ) -> String {
        let (point, secret) = ephemeral(merchant);
        let material = [point.clone(), secret].concat();
        let derived = hkdf::Salt::new(hkdf::HKDF_SHA256, &[]).extract(&material);
        let mut keys = [0; 64];
        let info = [&b"Google"[..]];
        let derived = derived.expand(&info, Length).expect("keys");
        derived.fill(&mut keys).expect("keys");
        let mut sealed = message.to_string().into_bytes();
        let key = UnboundCipherKey::new(&AES_256, &keys[..32]).expect("a key");
        let key = EncryptingKey::ctr(key).expect("a key");
        let context = EncryptionContext::Iv128(FixedLength::from([0; 16]));
        key.less_safe_encrypt(&mut sealed, context).expect("sealed");
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &keys[32..]), &sealed);
        let signed_message = json!({
            "encryptedMessage": STANDARD.encode(&sealed),
            "ephemeralPublicKey": STANDARD.encode(&point),
            "tag": STANDARD.encode(tag),
        })
        .to_string();
        let signed_key = json!({
            "keyValue": public(&self.intermediate), "keyExpiration": until.to_string(),
        })
        .to_string();
        let parts = ["Google", recipient, "ECv2", &signed_message];
        json!({
            "protocolVersion": "ECv2",
            "signature": sign(&self.intermediate, &parts),
            "intermediateSigningKey": {
                "signedKey": signed_key,
                "signatures": [sign(&self.root, &["Google", "ECv2", &signed_key])],
            },
            "signedMessage": signed_message,
        })
        .to_string()
    }
}

struct Length;

impl hkdf::KeyType for Length {
    fn len(&self) -> usize {
        64
    }
}

fn public(key: &EcdsaKeyPair) -> String {
    let der: PublicKeyX509Der<'_> = key.public_key().as_der().expect("DER");
    STANDARD.encode(der.as_ref())
}

fn sign(key: &EcdsaKeyPair, parts: &[&str]) -> String {
    let mut said = Vec::new();
    for part in parts {
        said.extend((part.len() as u32).to_le_bytes());
        said.extend(part.as_bytes());
    }
    let signature = key.sign(&SystemRandom::new(), &said).expect("a signature");
    STANDARD.encode(signature)
}
