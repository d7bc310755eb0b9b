//! Verifies that Apple signed a message: a detached signature (RFC 5652) with its certificates, which have to lead to a
//! root.

use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_ASN1, ECDSA_P256_SHA384_ASN1, ECDSA_P384_SHA256_ASN1, ECDSA_P384_SHA384_ASN1,
    EcdsaVerificationAlgorithm, UnparsedPublicKey,
};
use cms::cert::CertificateChoices;
use cms::cert::x509::Certificate;
use cms::cert::x509::attr::Attribute;
use cms::cert::x509::der::asn1::{ObjectIdentifier, OctetString};
use cms::cert::x509::der::{Decode, Encode};
use cms::cert::x509::ext::pkix::BasicConstraints;
use cms::cert::x509::spki::SubjectPublicKeyInfoOwned;
use cms::cert::x509::time::Time;
use cms::content_info::ContentInfo;
use cms::signed_data::{SignedData, SignerIdentifier, SignerInfo};
use multirail_app::payments::ports::wallet_opener::CannotOpen;
use multirail_kernel::timestamp::Timestamp;

use crate::ber;

/// Returns the identifier of one of the names below, which are all valid.
fn oid(name: &str) -> ObjectIdentifier {
    ObjectIdentifier::new_unwrap(name)
}

const SIGNED_DATA: &str = "1.2.840.113549.1.7.2";
const MESSAGE_DIGEST: &str = "1.2.840.113549.1.9.4";
const SIGNING_TIME: &str = "1.2.840.113549.1.9.5";
const P256: &str = "1.2.840.10045.3.1.7";
const P384: &str = "1.3.132.0.34";
const ECDSA_SHA256: &str = "1.2.840.10045.4.3.2";
const ECDSA_SHA384: &str = "1.2.840.10045.4.3.3";
const BASIC_CONSTRAINTS: &str = "2.5.29.19";
/// Apple's marks for certificates that sign payments, and for those that issue them.
const SIGNS_PAYMENTS: &str = "1.2.840.113635.100.6.29";
const NAMES_SIGNERS: &str = "1.2.840.113635.100.6.2.14";

/// The largest distance of a signing time from now, in seconds. A payment uses its token at once; an older one may be a
/// copy.
const FRESH_SECONDS: i64 = 300;
const MICROS: i64 = 1_000_000;

/// Checks that a root can be read.
pub(crate) fn check_readable(root: &[u8]) -> Result<(), CannotOpen> {
    let root = Certificate::from_der(root).map_err(|_| CannotOpen::UnreadableKey)?;
    let info = &root.tbs_certificate.subject_public_key_info;
    curve(info).map(|_| ()).ok_or(CannotOpen::UnreadableKey)
}

/// Checks that the message was signed just now by a signer whose certificates lead to the root.
pub(crate) fn check(
    signature: &[u8],
    said: &[u8],
    root: &[u8],
    now: Timestamp,
) -> Result<(), CannotOpen> {
    let der = ber::to_der(signature).ok_or(CannotOpen::Unreadable)?;
    let unreadable = |_| CannotOpen::Unreadable;
    let info = ContentInfo::from_der(&der).map_err(unreadable)?;
    if info.content_type != oid(SIGNED_DATA) {
        return Err(CannotOpen::Unreadable);
    }
    let data: SignedData = info.content.decode_as().map_err(unreadable)?;
    let root = Certificate::from_der(root).map_err(|_| CannotOpen::UnreadableKey)?;
    let signer = match data.signer_infos.0.as_slice() {
        [signer] => signer,
        _ => return Err(CannotOpen::NotSigned),
    };
    let certificates = data.certificates.as_ref().map(|set| set.0.as_slice());
    let certificates: Vec<&Certificate> = certificates
        .unwrap_or_default()
        .iter()
        .filter_map(|choice| match choice {
            CertificateChoices::Certificate(certificate) => Some(certificate),
            CertificateChoices::Other(_) => None,
        })
        .collect();
    let leaf = certificates
        .iter()
        .find(|one| is_of(signer, one) && has(one, SIGNS_PAYMENTS));
    let leaf = leaf.ok_or(CannotOpen::NotSigned)?;
    let is_chained = certificates.iter().any(|middle| {
        has(middle, NAMES_SIGNERS)
            && is_authority(middle)
            && is_valid(middle, now)
            && issued(middle, leaf)
            && issued(&root, middle)
    });
    if !is_chained || !is_valid(leaf, now) || !is_valid(&root, now) {
        return Err(CannotOpen::NotSigned);
    }
    check_signer(signer, leaf, said, now)
}

fn check_signer(
    signer: &SignerInfo,
    leaf: &Certificate,
    said: &[u8],
    now: Timestamp,
) -> Result<(), CannotOpen> {
    let not_signed = CannotOpen::NotSigned;
    let attributes = signer.signed_attrs.as_ref().ok_or(not_signed)?;
    let find = |wanted: &str| {
        let mut found = attributes.iter().filter(|one| one.oid == oid(wanted));
        match (found.next(), found.next()) {
            (Some(Attribute { values, .. }), None) => values.iter().next(),
            (_, _) => None,
        }
    };
    let hashed = find(MESSAGE_DIGEST).and_then(|value| value.decode_as::<OctetString>().ok());
    let is_of_this = hashed.is_some_and(|own| own.as_bytes() == digest(&SHA256, said).as_ref());
    let at = find(SIGNING_TIME).and_then(|value| value.to_der().ok());
    let at = at
        .and_then(|der| Time::from_der(&der).ok())
        .ok_or(not_signed)?;
    let covered = attributes.to_der().map_err(|_| not_signed)?;
    let signature = signer.signature.as_bytes();
    if !is_of_this || !is_signed(leaf, ECDSA_SHA256, &covered, signature) {
        return Err(not_signed);
    }
    let seconds = i64::try_from(at.to_unix_duration().as_secs()).unwrap_or(i64::MAX);
    let age = (now.as_micros() / MICROS).saturating_sub(seconds);
    if age.abs() > FRESH_SECONDS {
        return Err(CannotOpen::Expired);
    }
    Ok(())
}

fn is_of(signer: &SignerInfo, certificate: &Certificate) -> bool {
    match &signer.sid {
        SignerIdentifier::IssuerAndSerialNumber(named) => {
            let own = &certificate.tbs_certificate;
            named.issuer == own.issuer && named.serial_number == own.serial_number
        }
        // Apple identifies certificates by issuer and serial number.
        SignerIdentifier::SubjectKeyIdentifier(_) => false,
    }
}

fn extension<'a>(certificate: &'a Certificate, wanted: &str) -> Option<&'a OctetString> {
    let extensions = certificate.tbs_certificate.extensions.as_deref()?;
    let mut found = extensions.iter().filter(|one| one.extn_id == oid(wanted));
    found.next().map(|extension| &extension.extn_value)
}

fn has(certificate: &Certificate, mark: &str) -> bool {
    extension(certificate, mark).is_some()
}

fn is_authority(certificate: &Certificate) -> bool {
    let constraints = extension(certificate, BASIC_CONSTRAINTS);
    let constraints = constraints.and_then(|own| BasicConstraints::from_der(own.as_bytes()).ok());
    constraints.is_some_and(|own| own.ca)
}

fn is_valid(certificate: &Certificate, now: Timestamp) -> bool {
    let validity = &certificate.tbs_certificate.validity;
    let seconds =
        |time: &Time| i64::try_from(time.to_unix_duration().as_secs()).unwrap_or(i64::MAX);
    let now = now.as_micros() / MICROS;
    (seconds(&validity.not_before)..=seconds(&validity.not_after)).contains(&now)
}

fn issued(issuer: &Certificate, certificate: &Certificate) -> bool {
    let own = &certificate.tbs_certificate;
    let algorithm = certificate.signature_algorithm.oid.to_string();
    let (Ok(covered), Some(signature)) = (own.to_der(), certificate.signature.as_bytes()) else {
        return false;
    };
    own.issuer == issuer.tbs_certificate.subject
        && own.signature == certificate.signature_algorithm
        && is_signed(issuer, &algorithm, &covered, signature)
}

fn is_signed(by: &Certificate, algorithm: &str, said: &[u8], signature: &[u8]) -> bool {
    let info = &by.tbs_certificate.subject_public_key_info;
    let verifies: &'static EcdsaVerificationAlgorithm = match (curve(info), algorithm) {
        (Some(P256), ECDSA_SHA256) => &ECDSA_P256_SHA256_ASN1,
        (Some(P256), ECDSA_SHA384) => &ECDSA_P256_SHA384_ASN1,
        (Some(P384), ECDSA_SHA256) => &ECDSA_P384_SHA256_ASN1,
        (Some(P384), ECDSA_SHA384) => &ECDSA_P384_SHA384_ASN1,
        (_, _) => return false,
    };
    let point = info.subject_public_key.as_bytes();
    point.is_some_and(|point| {
        let key = UnparsedPublicKey::new(verifies, point);
        key.verify(said, signature).is_ok()
    })
}

fn curve(info: &SubjectPublicKeyInfoOwned) -> Option<&'static str> {
    let named: ObjectIdentifier = info.algorithm.parameters.as_ref()?.decode_as().ok()?;
    [P256, P384].into_iter().find(|curve| named == oid(curve))
}
