//! Verifies that an ID token comes from the provider. The domain checks its claims.

use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, JwkSet, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use multirail_identity_domain::IdTokenClaims;
use multirail_kernel::secret::SecretText;

/// The reason why a token is not verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unproved {
    #[error("the ID token can't be read, or isn't signed")]
    Unreadable,
    #[error("the ID token is signed by a secret, which is no provider's key")]
    Algorithm,
    #[error("the ID token is signed with a key that the provider doesn't list")]
    UnknownKey,
    #[error("the signature of the ID token is not the provider's")]
    Signature,
}

/// Returns the claims of a token that is signed with one of these keys.
///
/// # Errors
/// [`Unproved`]
pub fn claims(token: &SecretText, keys: &JwkSet) -> Result<IdTokenClaims, Unproved> {
    // `none` is not an accepted algorithm.
    let header = decode_header(token.expose()).map_err(|_| Unproved::Unreadable)?;
    if header.crit.is_some() {
        return Err(Unproved::Unreadable);
    }
    let algorithm = header.alg;
    if !is_asymmetric(algorithm) {
        return Err(Unproved::Algorithm);
    }
    let mut rules = Validation::new(algorithm);
    // Only the signature: the domain checks the claims, with a given time.
    rules.validate_exp = false;
    rules.validate_aud = false;
    rules.required_spec_claims.clear();
    let named = header.kid.as_deref();
    let mut fitting = keys.keys.iter().filter(|key| fits(key, algorithm, named));
    let Some(first) = fitting.next() else {
        return Err(Unproved::UnknownKey);
    };
    // A token without a key id may be signed with any key.
    for key in std::iter::once(first).chain(fitting) {
        let Ok(key) = DecodingKey::from_jwk(key) else {
            continue;
        };
        if let Ok(proved) = decode::<IdTokenClaims>(token.expose(), &key, &rules) {
            return Ok(proved.claims);
        }
    }
    Err(Unproved::Signature)
}

fn is_asymmetric(algorithm: Algorithm) -> bool {
    matches!(
        algorithm,
        Algorithm::ES256
            | Algorithm::ES384
            | Algorithm::RS256
            | Algorithm::RS384
            | Algorithm::RS512
            | Algorithm::PS256
            | Algorithm::PS384
            | Algorithm::PS512
            | Algorithm::EdDSA
    )
}

/// Returns whether a key fits the algorithm. The key decides that, not the token.
fn fits(key: &Jwk, algorithm: Algorithm, named: Option<&str>) -> bool {
    let common = &key.common;
    let is_named = named.is_none_or(|name| common.key_id.as_deref() == Some(name));
    let signs = common
        .public_key_use
        .as_ref()
        .is_none_or(|purpose| *purpose == PublicKeyUse::Signature);
    let is_for_it = common
        .key_algorithm
        .is_none_or(|known| known.to_string() == format!("{algorithm:?}"));
    let is_of_its_kind = match (&key.algorithm, algorithm) {
        (
            AlgorithmParameters::RSA(_),
            Algorithm::RS256
            | Algorithm::RS384
            | Algorithm::RS512
            | Algorithm::PS256
            | Algorithm::PS384
            | Algorithm::PS512,
        ) => true,
        (AlgorithmParameters::EllipticCurve(curve), Algorithm::ES256) => {
            curve.curve == EllipticCurve::P256
        }
        (AlgorithmParameters::EllipticCurve(curve), Algorithm::ES384) => {
            curve.curve == EllipticCurve::P384
        }
        (AlgorithmParameters::OctetKeyPair(curve), Algorithm::EdDSA) => {
            curve.curve == EllipticCurve::Ed25519
        }
        // The library may add further kinds.
        _ => false,
    };
    is_named && signs && is_for_it && is_of_its_kind
}
