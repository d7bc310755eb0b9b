//! Google Pay's ECv2: Google's root key vouches for an intermediate key, which signs. The message is sealed for our key
//! by ECDH, HKDF, AES in counter mode and HMAC.

use aws_lc_rs::cipher::{AES_128, AES_256, DecryptingKey, DecryptionContext, UnboundCipherKey};
use aws_lc_rs::iv::FixedLength;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_ASN1, UnparsedPublicKey};
use aws_lc_rs::{hkdf, hmac};
use multirail_app::payments::ports::wallet_opener::CannotOpen;
use multirail_domain::payments::session::{GoogleKey, GoogleRootKey, OpenedWallet, UnreadablePart};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use serde::Deserialize;
use zeroize::{Zeroize, Zeroizing};

use crate::keys::{base64, point, private, shared};

const SENDER: &str = "Google";
const PROTOCOL: &str = "ECv2";
const MICROS_OF_MILLI: i64 = 1_000;
/// The length of each of the two keys, in bytes.
const KEY_LENGTH: usize = 32;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Token {
    protocol_version: String,
    signature: String,
    intermediate_signing_key: Intermediate,
    signed_message: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Intermediate {
    signed_key: String,
    signatures: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SignedKey {
    key_value: String,
    key_expiration: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SignedMessage {
    encrypted_message: String,
    ephemeral_public_key: String,
    tag: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Message {
    message_expiration: String,
    payment_method: String,
    payment_method_details: Details,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Details {
    #[serde(with = "multirail_kernel::secret::sealed")]
    pan: SecretText,
    expiration_month: u8,
    expiration_year: u16,
    auth_method: String,
    #[serde(default, with = "multirail_kernel::secret::sealed_option")]
    cryptogram: Option<SecretText>,
    #[serde(default)]
    eci_indicator: Option<String>,
}

/// Opens a token that Google signed for us.
pub(crate) fn open(
    text: &str,
    key: &GoogleKey,
    now: Timestamp,
) -> Result<OpenedWallet, CannotOpen> {
    let token: Token = read(text.as_bytes())?;
    if token.protocol_version != PROTOCOL {
        return Err(CannotOpen::Unreadable);
    }
    check_signatures(&token, key, now)?;
    let signed: SignedMessage = read(token.signed_message.as_bytes())?;
    let ours = private(&key.private_key)?;
    let ephemeral = base64(&signed.ephemeral_public_key)?;
    let secret = shared(&ours, &ephemeral)?;
    let message = unseal(&signed, &ephemeral, &secret, KEY_LENGTH)?;
    let message: Message = read(&message)?;
    if !is_ahead(&message.message_expiration, now) {
        return Err(CannotOpen::Expired);
    }
    let Details {
        pan,
        expiration_month,
        expiration_year,
        auth_method,
        cryptogram,
        eci_indicator,
    } = message.payment_method_details;
    let cryptogram = match (auth_method.as_str(), cryptogram) {
        ("PAN_ONLY", _) => None,
        ("CRYPTOGRAM_3DS", Some(cryptogram)) => Some(cryptogram),
        _ => return Err(CannotOpen::Unreadable),
    };
    if message.payment_method != "CARD" {
        return Err(CannotOpen::Unreadable);
    }
    Ok(OpenedWallet {
        number: pan,
        exp_month: expiration_month.to_string(),
        exp_year: expiration_year.to_string(),
        eci: eci_indicator.filter(|_| cryptogram.is_some()),
        cryptogram,
        holder_name: None,
        // Google seals only the card.
        agreed: None,
    })
}

/// Checks the recipient, and Google's keys.
pub(crate) fn check(key: &GoogleKey) -> Result<(), UnreadablePart> {
    let merchant = key.recipient_id.strip_prefix("merchant:");
    if merchant.is_none_or(|id| id.is_empty() || !id.bytes().all(|b| b.is_ascii_alphanumeric())) {
        let expected = "`merchant:` and Google's id of the merchant";
        return Err(UnreadablePart::new("recipient_id", expected));
    }
    check_roots(&key.root_signing_keys)
}

/// Checks the keys of our protocol; Google also publishes those of others.
fn check_roots(roots: &[GoogleRootKey]) -> Result<(), UnreadablePart> {
    let mut own = roots.iter().enumerate();
    let is_own = |root: &GoogleRootKey| root.protocol_version == PROTOCOL;
    if !roots.iter().any(is_own) {
        let expected = "Google's `keys`, one of them at least with the protocolVersion ECv2";
        return Err(UnreadablePart::new("root_signing_keys", expected));
    }
    own.try_for_each(|(index, root)| {
        let unreadable = |member: &str, expected| {
            let member = format!("root_signing_keys[{index}].{member}");
            Err(UnreadablePart::new(member, expected))
        };
        let key = base64(&root.key_value).ok();
        let ends = root.key_expiration.as_deref();
        if is_own(root) && key.as_deref().and_then(point).is_none() {
            unreadable(
                "keyValue",
                "base64 of a public key of the curve P-256 in DER",
            )
        } else if is_own(root) && ends.is_some_and(|ends| ends.parse::<i64>().is_err()) {
            unreadable("keyExpiration", "milliseconds since 1970, as a text")
        } else {
            Ok(())
        }
    })
}

fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, CannotOpen> {
    serde_json::from_slice(bytes).map_err(|_| CannotOpen::Unreadable)
}

/// Returns whether a time, in milliseconds since 1970, is in the future.
fn is_ahead(milliseconds: &str, now: Timestamp) -> bool {
    let until = milliseconds.parse::<i64>().ok();
    let until = until.and_then(|until| until.checked_mul(MICROS_OF_MILLI));
    until.is_some_and(|until| now.as_micros() < until)
}

fn check_signatures(token: &Token, key: &GoogleKey, now: Timestamp) -> Result<(), CannotOpen> {
    let Intermediate {
        signed_key,
        signatures,
    } = &token.intermediate_signing_key;
    let vouched = signed_over(&[SENDER, PROTOCOL, signed_key]);
    let is_good = |root: &&GoogleRootKey| {
        let ends = root.key_expiration.as_deref();
        root.protocol_version == PROTOCOL && ends.is_none_or(|ends| is_ahead(ends, now))
    };
    let mut roots = key.root_signing_keys.iter().filter(is_good);
    let is_vouched_for = roots.any(|root| {
        let mut signatures = signatures.iter();
        signatures.any(|signature| is_signed(&root.key_value, &vouched, signature))
    });
    if !is_vouched_for {
        return Err(CannotOpen::NotSigned);
    }
    let intermediate: SignedKey = read(signed_key.as_bytes())?;
    if !is_ahead(&intermediate.key_expiration, now) {
        return Err(CannotOpen::Expired);
    }
    let said = signed_over(&[SENDER, &key.recipient_id, PROTOCOL, &token.signed_message]);
    if is_signed(&intermediate.key_value, &said, &token.signature) {
        Ok(())
    } else {
        Err(CannotOpen::NotSigned)
    }
}

/// Returns the signed bytes: every part after its length in four bytes, the smallest first.
fn signed_over(parts: &[&str]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in parts {
        let length = u32::try_from(part.len()).unwrap_or(u32::MAX);
        bytes.extend(length.to_le_bytes());
        bytes.extend(part.as_bytes());
    }
    bytes
}

/// Checks a signature. `key` is base64 of a public key in DER.
fn is_signed(key: &str, said: &[u8], signature: &str) -> bool {
    let (Ok(key), Ok(signature)) = (base64(key), base64(signature)) else {
        return false;
    };
    point(&key).is_some_and(|point| {
        let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, point);
        key.verify(said, &signature).is_ok()
    })
}

struct Length(usize);

impl hkdf::KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

/// Opens a message. `length` is that of each of the two keys.
fn unseal(
    signed: &SignedMessage,
    ephemeral: &[u8],
    secret: &[u8],
    length: usize,
) -> Result<Zeroizing<Vec<u8>>, CannotOpen> {
    let broken = |_| CannotOpen::Unreadable;
    let material = Zeroizing::new([ephemeral, secret].concat());
    let salt = hkdf::Salt::new(hkdf::HKDF_SHA256, &[]);
    let derived = salt.extract(&material);
    let info = [SENDER.as_bytes()];
    let derived = derived.expand(&info, Length(2 * length)).map_err(broken)?;
    let mut keys = Zeroizing::new(vec![0; 2 * length]);
    derived.fill(&mut keys).map_err(broken)?;
    let (for_cipher, for_tag) = keys.split_at(length);

    let mut message = Zeroizing::new(base64(&signed.encrypted_message)?);
    let tag = base64(&signed.tag)?;
    let key = hmac::Key::new(hmac::HMAC_SHA256, for_tag);
    // Another key, or an altered message: they look the same.
    hmac::verify(&key, &message, &tag).map_err(|_| CannotOpen::AnotherKey)?;
    let cipher = if length == KEY_LENGTH {
        &AES_256
    } else {
        &AES_128
    };
    let key = UnboundCipherKey::new(cipher, for_cipher).map_err(broken)?;
    let key = DecryptingKey::ctr(key).map_err(broken)?;
    let context = DecryptionContext::Iv128(FixedLength::from([0; 16]));
    let opened = key.decrypt(&mut message, context).map_err(broken)?.len();
    message[opened..].zeroize();
    message.truncate(opened);
    Ok(message)
}

#[cfg(test)]
mod tests;
