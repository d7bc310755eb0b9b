//! Verification of notices by a keyed hash over their bytes, as most processors sign them.

use hmac::{Hmac, Mac};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{RawNotice, WebhookSecrets};
use sha2::Sha256;

/// Maximum difference between the sending time and now, in seconds.
const TOLERANCE: i64 = 300;
/// Limits of a header with several signatures, and of their number. There is one for each valid
/// secret.
const HEADER: usize = 4_096;
const SIGNATURES: usize = 8;

/// Returns the account's secrets: one, or two while one is being replaced. Empty secrets are
/// skipped because they prove nothing.
pub fn secrets(secrets: Option<&WebhookSecrets>) -> impl Iterator<Item = &SecretText> {
    let both = secrets.into_iter().flat_map(|secrets| {
        std::iter::once(&secrets.merchant_secret).chain(&secrets.additional_secret)
    });
    both.filter(|secret| !secret.expose().is_empty())
}

/// The HMAC-SHA256 of these parts in sequence, under one key. It is computed once for all
/// comparisons.
pub struct Expected(Hmac<Sha256>);

impl Expected {
    pub fn new(key: &[u8], parts: &[&[u8]]) -> Self {
        let mut mac = Hmac::new_from_slice(key).expect("a key of HMAC has any length");
        for part in parts {
            mac.update(part);
        }
        Expected(mac)
    }

    /// Compares in constant time.
    pub fn is(&self, mac: &[u8]) -> bool {
        self.0.clone().verify_slice(mac).is_ok()
    }
}

/// Checks whether one of the secrets signed the body. The signature is its HMAC-SHA256, in
/// hexadecimal digits in this header.
pub fn is_body_signed(raw: &RawNotice, header: &str, own: Option<&WebhookSecrets>) -> bool {
    let signature = raw.header(header).map(str::trim);
    let Some(signature) = signature.and_then(|text| hex::decode(text).ok()) else {
        return false;
    };
    secrets(own)
        .any(|secret| Expected::new(secret.expose().as_bytes(), &[&raw.body]).is(&signature))
}

/// Checks whether one of the secrets made one of the signatures in this header, within the
/// tolerance. The header has the sending time and signatures: `t=1767268800,v1=38cd67,v1=0a1b2c`. A
/// signature is the HMAC-SHA256 of the time, a dot and the body, in hexadecimal digits.
pub fn is_signed_with_time(
    raw: &RawNotice,
    header: &str,
    own: Option<&WebhookSecrets>,
    now: Timestamp,
) -> bool {
    let Some(header) = raw.header(header).filter(|text| text.len() <= HEADER) else {
        return false;
    };
    let parts: Vec<(&str, &str)> = header
        .split(',')
        .filter_map(|part| part.trim().split_once('='))
        .collect();
    let named = |wanted: &'static str| {
        let of = parts.iter().filter(move |(name, _)| *name == wanted);
        of.map(|(_, value)| *value)
    };
    let Some(sent_at) = named("t").next() else {
        return false;
    };
    let age = |seconds: i64| now.unix_seconds().checked_sub(seconds);
    let age = sent_at.parse().ok().and_then(age);
    let is_new = age.is_some_and(|age| (-TOLERANCE..=TOLERANCE).contains(&age));
    // The header is untrusted: malformed signatures are skipped, and the body is hashed once per
    // secret.
    let signatures: Vec<[u8; 32]> = named("v1")
        .filter_map(|text| hex::decode(text).ok()?.try_into().ok())
        .take(SIGNATURES)
        .collect();
    if !is_new || signatures.is_empty() {
        return false;
    }
    let signed = [sent_at.as_bytes(), b".", &raw.body];
    secrets(own).any(|secret| {
        let expected = Expected::new(secret.expose().as_bytes(), &signed);
        signatures.iter().any(|signature| expected.is(signature))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use multirail_kernel::unread::UnreadMembers;

    /// RFC 4231, test case 2.
    #[test]
    fn a_mac_is_that_of_its_key_and_parts() {
        let mac = hex::decode("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
        let mac = mac.expect("hex");
        let is_hmac_sha256 =
            |key: &[u8], parts: &[&[u8]], mac: &[u8]| Expected::new(key, parts).is(mac);
        assert!(is_hmac_sha256(
            b"Jefe",
            &[b"what do ya want ", b"for nothing?"],
            &mac
        ));
        assert!(!is_hmac_sha256(b"Jefe", &[b"what do ya want"], &mac));
        assert!(!is_hmac_sha256(
            b"jefe",
            &[b"what do ya want for nothing?"],
            &mac
        ));
        assert!(!is_hmac_sha256(
            b"Jefe",
            &[b"what do ya want for nothing?"],
            &mac[..16]
        ));
    }

    #[test]
    fn an_empty_secret_proves_nothing() {
        let of = |merchant: &str, additional: Option<&str>| {
            let both = WebhookSecrets {
                merchant_secret: SecretText::new(merchant),
                additional_secret: additional.map(SecretText::new),
                unread: UnreadMembers::default(),
            };
            secrets(Some(&both)).count()
        };
        assert_eq!(secrets(None).count(), 0);
        assert_eq!(of("", None), 0);
        assert_eq!(of("", Some("")), 0);
        assert_eq!(of("a", None), 1);
        assert_eq!(of("a", Some("b")), 2);
    }

    #[test]
    fn a_body_is_signed_by_one_of_the_secrets() {
        let signed = |header: Option<&str>, body: &str, own: Option<(&str, Option<&str>)>| {
            let header = header.map(|text| ("signature".to_owned(), text.to_owned()));
            let raw = RawNotice {
                headers: header.into_iter().collect(),
                body: body.as_bytes().to_vec(),
            };
            let own = own.map(|(merchant, additional)| WebhookSecrets {
                merchant_secret: SecretText::new(merchant),
                additional_secret: additional.map(SecretText::new),
                unread: UnreadMembers::default(),
            });
            is_body_signed(&raw, "signature", own.as_ref())
        };
        let (body, own) = (r#"{"id":"evt_1"}"#, Some(("multirail", None)));
        let signature = "38cd670062c64542e5859be389b405eba4a424cfbc6b1facb4577f541af1aef7";
        assert!(signed(Some(signature), body, own));
        assert!(signed(Some(&signature.to_uppercase()), body, own));
        let changing = Some(("next", Some("multirail")));
        assert!(signed(Some(signature), body, changing));
        assert!(!signed(Some(signature), body, Some(("next", None))));
        assert!(!signed(Some(signature), body, None));
        assert!(!signed(Some(signature), r#"{"id":"evt_2"}"#, own));
        assert!(!signed(None, body, own));
        for other in ["", "00", &signature[..62], "no digits"] {
            assert!(!signed(Some(other), body, own), "{other}");
        }
    }
}
