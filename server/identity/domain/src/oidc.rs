//! Signing in by the operator's identity provider (OpenID Connect): what ties an answer of the provider to whoever asked for it,
//! what is believed of a token of his, and who comes in by it.

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

/// How long a sign-in that was begun can be finished, in seconds: ten minutes.
pub const OIDC_SECONDS: i64 = 600;

/// A sign-in that was begun and not finished. Any server of the database finishes it, once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BegunOidc {
    /// Keyed hash of the token that the one who began it holds; the token itself is stored nowhere.
    pub hash: String,
    pub expires_at: Timestamp,
}

/// What a begun sign-in sends along with the browser. All of it follows from the token that only the one who began it holds, so
/// that nothing of it is stored, and whoever has only seen the browser's addresses can't finish it.
pub struct OidcTies {
    /// Comes back with the browser (RFC 6749, 10.12).
    pub state: SecretText,
    /// Comes back inside the signed token.
    pub nonce: SecretText,
    /// Its hash goes with the browser, it itself to the provider's token endpoint (PKCE, RFC 7636).
    pub verifier: SecretText,
}

impl OidcTies {
    pub fn of(token: &SecretText) -> Self {
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

/// Whether this is the state of the sign-in that was begun with this token. Takes as long for a wrong one.
pub fn is_state_of(token: &SecretText, state: &str) -> bool {
    let given = URL_SAFE_NO_PAD.decode(state).unwrap_or_default();
    mac(token, "state").verify_slice(&given).is_ok()
}

fn mac(token: &SecretText, name: &str) -> Hmac<Sha256> {
    let mac = <Hmac<Sha256> as Mac>::new_from_slice(token.expose().as_bytes());
    let mac = mac.expect("keys of any length are taken");
    mac.chain_update("oidc ").chain_update(name)
}

/// Which user somebody of the identity provider is. One of the provider's is one user of ours, and the other way round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdentityLink {
    /// Keyed hash of issuer and subject, by which he is known from then on, whatever his address becomes.
    pub hash: String,
    pub user_id: UserId,
    pub created_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ties_a_sign_in_to_its_token_is_three_different_things() {
        let token = SecretText::new("oidc_1");
        let ties = OidcTies::of(&token);
        assert_eq!(ties.state, OidcTies::of(&token).state);
        assert_ne!(ties.state, ties.nonce);
        assert_ne!(ties.nonce, ties.verifier);
        // RFC 7636, 4.1: 43 characters at least.
        assert_eq!(ties.verifier.expose().len(), 43);
        assert!(is_state_of(&token, ties.state.expose()));
        let other = SecretText::new("oidc_2");
        assert!(!is_state_of(&other, ties.state.expose()));
        for wrong in ["", "%", ties.nonce.expose(), &ties.state.expose()[..42]] {
            assert!(!is_state_of(&token, wrong), "{wrong}");
        }
    }
}
