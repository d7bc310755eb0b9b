//! Signing in by the operator's identity provider (OpenID Connect): the values that tie an answer to its request, the
//! checks of tokens, and the admission of users.

mod claims;
mod entry;

pub use claims::{Expected, IdTokenClaims, Identity, TokenFault, UserInfoClaims};
pub use entry::{Entry, Known, Newcomers, OidcRules};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac};
use multirail_kernel::ids::UserId;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use sha2::Sha256;

/// Seconds until a sign-in in progress expires: ten minutes.
pub const OIDC_SECONDS: i64 = 600;

/// A sign-in in progress. Any server of the database can finish it, once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BegunOidc {
    /// The keyed hash of the token of the browser that began. The token itself is never stored.
    pub hash: String,
    pub expires_at: Timestamp,
}

/// The values that a sign-in sends with the browser. All are derived from the token of the browser that began, so
/// nothing is stored, and knowing the browser's addresses isn't enough to finish the sign-in.
pub struct OidcTies {
    /// Returns with the browser (RFC 6749, 10.12).
    pub state: SecretText,
    /// Returns inside the signed token.
    pub nonce: SecretText,
    /// Is sent to the provider's token endpoint; its hash goes with the browser (PKCE, RFC 7636).
    pub verifier: SecretText,
}

impl OidcTies {
    pub fn from_token(token: &SecretText) -> Self {
        let tie = |name: &str| {
            let mac = mac(token, name).finalize().into_bytes();
            SecretText::new(URL_SAFE_NO_PAD.encode(mac))
        };
        OidcTies {
            state: tie("state"),
            nonce: tie("nonce"),
            verifier: tie("verifier"),
        }
    }
}

/// Checks whether this is the state of the sign-in that was begun with this token, in constant time.
pub fn is_state_of(token: &SecretText, state: &str) -> bool {
    let given = URL_SAFE_NO_PAD.decode(state).unwrap_or_default();
    mac(token, "state").verify_slice(&given).is_ok()
}

fn mac(token: &SecretText, name: &str) -> Hmac<Sha256> {
    let mac = <Hmac<Sha256> as Mac>::new_from_slice(token.expose().as_bytes());
    let mac = mac.expect("keys of any length are taken");
    mac.chain_update("oidc ").chain_update(name)
}

/// The link between a user and a person at the identity provider. Each belongs to exactly one of the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdentityLink {
    /// The keyed hash of issuer and subject, which identifies the person even if their address changes.
    pub hash: String,
    pub user_id: UserId,
    pub created_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_has_three_different_ties() {
        let token = SecretText::new("oidc_1");
        let ties = OidcTies::from_token(&token);
        assert_eq!(ties.state, OidcTies::from_token(&token).state);
        assert_ne!(ties.state, ties.nonce);
        assert_ne!(ties.nonce, ties.verifier);
        // RFC 7636, 4.1: at least 43 characters.
        assert_eq!(ties.verifier.expose().len(), 43);
        assert!(is_state_of(&token, ties.state.expose()));
        let other = SecretText::new("oidc_2");
        assert!(!is_state_of(&other, ties.state.expose()));
        for wrong in ["", "%", ties.nonce.expose(), &ties.state.expose()[..42]] {
            assert!(!is_state_of(&token, wrong), "{wrong}");
        }
    }
}
