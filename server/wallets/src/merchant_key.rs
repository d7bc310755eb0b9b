//! A merchant's key for wallets, made by a sandbox.

use aws_lc_rs::agreement::{ECDH_P256, PrivateKey};
use aws_lc_rs::encoding::{AsDer, EcPrivateKeyRfc5915Der, PublicKeyX509Der};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use multirail_kernel::random::Random;
use zeroize::Zeroizing;

/// The number of draws for a private key. All but one number in four billion are one.
const TRIES: usize = 8;

/// A new key pair of the curve P-256.
pub struct MerchantKey {
    /// PEM.
    pub private: Zeroizing<String>,
    /// Base64 of DER.
    pub public: String,
}

impl MerchantKey {
    /// Makes a key pair; returns `None` where the cryptography refuses every draw.
    pub fn generate(random: &dyn Random) -> Option<Self> {
        let key = (0..TRIES).find_map(|_| {
            let mut number = Zeroizing::new([0_u8; 32]);
            random.fill(&mut *number);
            PrivateKey::from_private_key(&ECDH_P256, &*number).ok()
        })?;
        let private: EcPrivateKeyRfc5915Der<'_> = key.as_der().ok()?;
        let public: PublicKeyX509Der<'_> = key.compute_public_key().ok()?.as_der().ok()?;
        Some(MerchantKey {
            private: Zeroizing::new(format!(
                "-----BEGIN EC PRIVATE KEY-----\n{}\n-----END EC PRIVATE KEY-----\n",
                STANDARD.encode(private.as_ref())
            )),
            public: STANDARD.encode(public.as_ref()),
        })
    }
}
