//! Signatures of the simulated processor's notices.

use hmac::{Hmac, Mac};
use sha2::Sha256;

pub use multirail_simulator_wire::NOTICE_SIGNATURE_HEADER as SIGNATURE_HEADER;

/// Returns the [`SIGNATURE_HEADER`] of a notice's body, signed with the merchant's secret.
pub fn sign(secret: &str, body: &str) -> String {
    let mut mac =
        Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("a key of HMAC has any length");
    mac.update(body.as_bytes());
    hex::encode(mac.finalize().into_bytes())
}
