//! How the simulated processor proves that a notice is its own.

use hmac::{Hmac, Mac};
use sha2::Sha256;

pub use multirail_simulator_wire::NOTICE_SIGNATURE_HEADER as SIGNATURE_HEADER;

/// The value of [`SIGNATURE_HEADER`] over a notice's body, by the secret that the merchant was given.
pub fn sign(secret: &str, body: &str) -> String {
    let mut mac =
        Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("a key of HMAC has any length");
    mac.update(body.as_bytes());
    hex::encode(mac.finalize().into_bytes())
}
