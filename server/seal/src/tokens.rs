//! The tokens of users: JSON Web Tokens, signed by HMAC-SHA256 with keys that are derived from the data keys of the ring.
//! Each names its key (`kid`). After a change of data keys another key signs, and earlier tokens stay valid until they
//! expire.

use jsonwebtoken::{
    Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, decode_header, encode,
};
use multirail_app::platform::ports::{TokenClaims, Tokens};
use multirail_kernel::secret::SecretText;
use serde::{Deserialize, Serialize};

use super::ring_seal::RingSeal;

/// There is one tenant: the operator of the service.
const TENANT: &str = "public";

/// The receiver of tokens that only the console takes.
const CONSOLE: &str = "console";

/// The claims as in the token.
#[derive(Serialize, Deserialize)]
struct Claims {
    user_id: String,
    merchant_id: String,
    role_id: String,
    exp: i64,
    org_id: String,
    profile_id: Option<String>,
    tenant_id: String,
    /// The id of the sign-in.
    jti: String,
    /// The receiver of the token (RFC 7519), where only the console takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    aud: Option<String>,
}

impl Tokens for RingSeal {
    fn sign(&self, claims: &TokenClaims) -> SecretText {
        let ring = self.ring.now();
        let (key_id, key) = ring.token_key(None).expect("a ring has a key that seals");
        let header = Header {
            kid: Some(key_id),
            ..Header::new(Algorithm::HS256)
        };
        let claims = Claims {
            user_id: claims.user_id.clone(),
            merchant_id: claims.merchant_id.clone(),
            role_id: claims.role_id.clone(),
            exp: claims.exp,
            org_id: claims.org_id.clone(),
            profile_id: claims.profile_id.clone(),
            tenant_id: TENANT.to_owned(),
            jti: claims.session_id.clone(),
            aud: claims.is_for_console.then(|| CONSOLE.to_owned()),
        };
        let key = EncodingKey::from_secret(key.as_slice());
        let token = encode(&header, &claims, &key);
        SecretText::new(token.expect("plain claims are signed"))
    }

    fn read(&self, token: &str) -> Option<TokenClaims> {
        let named = decode_header(token).ok()?.kid?;
        let ring = self.ring.now();
        let (_, key) = ring.token_key(Some(&named))?;
        let mut rules = Validation::new(Algorithm::HS256);
        // The caller checks the time, which it passes in.
        rules.validate_exp = false;
        rules.validate_aud = false;
        let key = DecodingKey::from_secret(key.as_slice());
        let claims = decode::<Claims>(token, &key, &rules).ok()?.claims;
        let is_for_console = match claims.aud.as_deref() {
            None => false,
            Some(CONSOLE) => true,
            Some(_) => return None,
        };
        (claims.tenant_id == TENANT).then_some(TokenClaims {
            is_for_console,
            session_id: claims.jti,
            user_id: claims.user_id,
            merchant_id: claims.merchant_id,
            role_id: claims.role_id,
            org_id: claims.org_id,
            profile_id: claims.profile_id,
            exp: claims.exp,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{KeyRing, MasterKey};
    use super::*;
    use multirail_app::platform::ports::InstallationKeys;
    use multirail_app::platform::ports::Seal;
    use multirail_app::platform::ports::installation_keys::InstallationKey;
    use multirail_system::random::OsRandom;

    fn claims() -> TokenClaims {
        TokenClaims {
            session_id: "ses_1".to_owned(),
            user_id: "user_1".to_owned(),
            merchant_id: "bookshop".to_owned(),
            role_id: "org_admin".to_owned(),
            org_id: "org_1".to_owned(),
            profile_id: None,
            is_for_console: false,
            exp: 1_000,
        }
    }

    fn master() -> MasterKey {
        MasterKey::from_hex("2f81c7a05d3e964bb8f6127c90ae53d41b7e0298c6f5a43d8107be925cf06a3e")
            .expect("a key")
    }

    fn seal() -> (RingSeal, Vec<InstallationKey>) {
        let (ring, wrapped) = KeyRing::create(&master(), &OsRandom, 1);
        let seal = RingSeal::new(ring, Arc::new(OsRandom)).with_master_key(master(), None);
        (seal, wrapped.into_iter().map(Into::into).collect())
    }

    #[test]
    fn a_token_says_what_was_signed_and_nothing_else_is_read() {
        let (seal, _) = seal();
        let token = seal.sign(&claims());
        assert_eq!(seal.read(token.expose()), Some(claims()));
        let parts: Vec<&str> = token.expose().split('.').collect();
        let [header, body, signature] = parts.as_slice() else {
            panic!("{parts:?}")
        };
        let other = super::tests::seal().0.sign(&TokenClaims {
            role_id: "merchant_admin".to_owned(),
            ..claims()
        });
        let others: Vec<&str> = other.expose().split('.').collect();
        // {"alg":"none","kid":…} with an empty signature, and tokens that a client could build.
        let none = {
            use base64::Engine;
            let engine = base64::engine::general_purpose::URL_SAFE_NO_PAD;
            let text = engine.decode(header).expect("base64");
            let text = String::from_utf8(text).expect("JSON");
            engine.encode(text.replace("HS256", "none"))
        };
        for forged in [
            format!("{header}.{body}."),
            format!("{header}.{body}"),
            format!("{header}.{}.{signature}", others[1]),
            format!("{header}.{body}.{}", others[2]),
            format!("{none}.{body}."),
            format!("{none}.{body}.{signature}"),
            other.expose().to_owned(),
            String::new(),
            "..".to_owned(),
        ] {
            assert_eq!(seal.read(&forged), None, "{forged}");
        }
    }

    #[test]
    fn a_token_says_whether_it_is_for_the_console() {
        let (seal, _) = seal();
        let for_console = TokenClaims {
            is_for_console: true,
            ..claims()
        };
        let token = seal.sign(&for_console);
        assert_eq!(seal.read(token.expose()), Some(for_console));
    }

    #[test]
    fn another_data_key_signs_from_now_on_and_what_was_signed_is_read() {
        let (seal, mut stored) = seal();
        let before = seal.sign(&claims());
        stored.push(seal.make_data_key(&stored, 2).expect("a key"));
        seal.take_up(&stored).expect("the keys");
        let after = seal.sign(&claims());
        let key_of = |token: &SecretText| decode_header(token.expose()).expect("a header").kid;
        assert_ne!(key_of(&before), key_of(&after));
        for token in [before, after] {
            assert_eq!(seal.read(token.expose()), Some(claims()));
        }
    }
}
