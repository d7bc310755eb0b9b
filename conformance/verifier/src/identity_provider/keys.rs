//! The provider's keys and the tokens that they sign.

use aws_lc_rs::hmac;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::{KeyPair as RsaKeyPair, KeySize};
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair, RSA_PKCS1_SHA256,
    RsaPublicKeyComponents,
};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

pub struct Key {
    name: &'static str,
    pair: Pair,
}

enum Pair {
    Rsa(RsaKeyPair),
    Elliptic(EcdsaKeyPair),
}

impl Key {
    pub fn rsa(name: &'static str) -> Self {
        let pair = RsaKeyPair::generate(KeySize::Rsa2048).expect("a key");
        Key {
            name,
            pair: Pair::Rsa(pair),
        }
    }

    pub fn elliptic(name: &'static str) -> Self {
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).expect("a key");
        Key {
            name,
            pair: Pair::Elliptic(pair),
        }
    }

    /// Returns the key as the provider lists it. (RFC 7517)
    pub fn listed(&self) -> Value {
        match &self.pair {
            Pair::Rsa(pair) => {
                let public = RsaPublicKeyComponents::<Vec<u8>>::from(pair.public_key());
                json!({
                    "kty": "RSA", "kid": self.name, "use": "sig", "alg": "RS256",
                    "n": encode(&public.n), "e": encode(&public.e),
                })
            }
            Pair::Elliptic(pair) => {
                // The byte 4, then both coordinates.
                let (x, y) = pair.public_key().as_ref()[1..].split_at(32);
                json!({
                    "kty": "EC", "kid": self.name, "use": "sig", "crv": "P-256", "x": encode(x), "y": encode(y),
                })
            }
        }
    }

    /// Signs a token with these claims, under this key's name or another one.
    pub fn sign(&self, name: Option<&str>, claims: &Value) -> String {
        let algorithm = match &self.pair {
            Pair::Rsa(_) => "RS256",
            Pair::Elliptic(_) => "ES256",
        };
        let header = json!({ "alg": algorithm, "typ": "JWT", "kid": name.unwrap_or(self.name) });
        let signed = parts(&header, claims);
        let random = SystemRandom::new();
        let signature = match &self.pair {
            Pair::Rsa(pair) => {
                let mut signature = vec![0; pair.public_modulus_len()];
                pair.sign(
                    &RSA_PKCS1_SHA256,
                    &random,
                    signed.as_bytes(),
                    &mut signature,
                )
                .expect("a signature");
                signature
            }
            Pair::Elliptic(pair) => {
                let signature = pair.sign(&random, signed.as_bytes());
                signature.expect("a signature").as_ref().to_vec()
            }
        };
        format!("{signed}.{}", encode(&signature))
    }

    pub fn name(&self) -> &'static str {
        self.name
    }
}

/// Builds an unsigned token.
pub fn unsigned(claims: &Value) -> String {
    format!(
        "{}.",
        parts(&json!({ "alg": "none", "typ": "JWT" }), claims)
    )
}

/// Builds a token signed with a text that others know too.
pub fn signed_by(secret: &str, kid: &str, claims: &Value) -> String {
    let signed = parts(&json!({ "alg": "HS256", "typ": "JWT", "kid": kid }), claims);
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    let signature = hmac::sign(&key, signed.as_bytes());
    format!("{signed}.{}", encode(signature.as_ref()))
}

pub fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn parts(header: &Value, claims: &Value) -> String {
    let part = |value: &Value| encode(value.to_string().as_bytes());
    format!("{}.{}", part(header), part(claims))
}
