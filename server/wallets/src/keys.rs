//! Keys in the forms of merchants and wallets, and their shared secrets.

use aws_lc_rs::agreement::{ECDH_P256, PrivateKey, UnparsedPublicKey, agree};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use multirail_app::payments::ports::wallet_opener::CannotOpen;
use multirail_kernel::secret::SecretText;
use zeroize::Zeroizing;

/// The start of the point in the DER of a P-256 public key.
const POINT_AT: usize = 26;
const POINT_LENGTH: usize = 65;
/// The bytes before the point.
const SPKI_P256: [u8; POINT_AT] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a,
    0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
];

/// Returns the bytes of a text that is PEM, base64 of PEM, or base64 of DER.
pub(crate) fn armored(text: &str) -> Option<Zeroizing<Vec<u8>>> {
    let text = text.trim();
    if text.starts_with("-----BEGIN") {
        let lines = text.lines().map(str::trim);
        let body: Zeroizing<String> = Zeroizing::new(
            lines
                .skip(1)
                .take_while(|line| !line.starts_with("-----END"))
                .collect(),
        );
        return STANDARD.decode(&*body).ok().map(Zeroizing::new);
    }
    let text: Zeroizing<String> =
        Zeroizing::new(text.chars().filter(|c| !c.is_whitespace()).collect());
    let bytes = Zeroizing::new(STANDARD.decode(&*text).ok()?);
    match std::str::from_utf8(&bytes) {
        Ok(inner) if inner.trim_start().starts_with("-----BEGIN") => armored(inner),
        Ok(_) | Err(_) => Some(bytes),
    }
}

/// Reads a merchant's private key.
pub(crate) fn private(text: &SecretText) -> Result<PrivateKey, CannotOpen> {
    let bytes = armored(text.expose()).ok_or(CannotOpen::UnreadableKey)?;
    PrivateKey::from_private_key_der(&ECDH_P256, &bytes).map_err(|_| CannotOpen::UnreadableKey)
}

/// Returns the DER of the public half of a private key.
pub(crate) fn public_der(key: &PrivateKey) -> Result<Vec<u8>, CannotOpen> {
    let point = key
        .compute_public_key()
        .map_err(|_| CannotOpen::UnreadableKey)?;
    Ok([&SPKI_P256[..], point.as_ref()].concat())
}

/// Returns the point of a P-256 public key in DER.
pub(crate) fn point(der: &[u8]) -> Option<&[u8]> {
    let rest = der.strip_prefix(&SPKI_P256[..])?;
    (rest.len() == POINT_LENGTH).then_some(rest)
}

/// Returns the secret that our key and a point share.
pub(crate) fn shared(key: &PrivateKey, point: &[u8]) -> Result<Zeroizing<Vec<u8>>, CannotOpen> {
    let theirs = UnparsedPublicKey::new(&ECDH_P256, point);
    agree(key, theirs, CannotOpen::Unreadable, |secret| {
        Ok(Zeroizing::new(secret.to_vec()))
    })
}

pub(crate) fn base64(text: &str) -> Result<Vec<u8>, CannotOpen> {
    STANDARD.decode(text).map_err(|_| CannotOpen::Unreadable)
}
