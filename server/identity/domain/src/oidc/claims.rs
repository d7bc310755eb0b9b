//! Checks the claims of a token after its signature was verified. (OpenID Connect Core, 3.1.3.7)

use std::fmt;

use multirail_kernel::email::Email;
use multirail_kernel::timestamp::Timestamp;
use serde::Deserialize;

/// The tolerated difference between the provider's clock and ours, in seconds.
const SKEW_SECONDS: i64 = 60;

/// The maximum length of a provider's subject.
const LONGEST_SUBJECT: usize = 255;

/// The claims of an ID token that are read. They don't print.
#[derive(Deserialize)]
pub struct IdTokenClaims {
    iss: String,
    sub: String,
    aud: Audience,
    /// Unix seconds, which some providers write with fractions.
    exp: f64,
    iat: f64,
    nbf: Option<f64>,
    nonce: Option<String>,
    azp: Option<String>,
    email: Option<String>,
    email_verified: Option<Truth>,
}

/// The answer of the provider's user info endpoint. Some providers return an address only there.
#[derive(Deserialize)]
pub struct UserInfoClaims {
    sub: String,
    email: Option<String>,
    email_verified: Option<Truth>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Several(Vec<String>),
}

/// A boolean, which some providers write as a text.
#[derive(Deserialize)]
#[serde(untagged)]
enum Truth {
    Plain(bool),
    Text(String),
}

impl Truth {
    fn holds(&self) -> bool {
        match self {
            Truth::Plain(holds) => *holds,
            Truth::Text(text) => text == "true",
        }
    }
}

/// The values that a token must have for this sign-in.
pub struct Expected<'a> {
    pub issuer: &'a str,
    pub client_id: &'a str,
    pub nonce: &'a str,
    /// The current wall time.
    pub wall: Timestamp,
}

/// The reason why a signed token doesn't belong to this sign-in, for the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenFault {
    #[error("the token has another issuer")]
    Issuer,
    #[error("the token is not for this client")]
    Audience,
    #[error("the token was issued to another client")]
    Party,
    #[error("the token is of another sign-in: its nonce differs")]
    Nonce,
    #[error("the token has expired")]
    Expired,
    #[error("the token is from the future: compare the clocks")]
    Early,
    #[error("the token has no subject")]
    Subject,
    #[error("the user info belongs to another person")]
    OtherSubject,
}

/// A person at the identity provider. It doesn't print.
#[derive(Clone, PartialEq, Eq)]
pub struct Identity {
    pub issuer: String,
    pub subject: String,
    /// Set only if the provider says that the address is verified.
    pub email: Option<Email>,
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Identity").finish_non_exhaustive()
    }
}

impl IdTokenClaims {
    /// Returns the person who has signed in.
    ///
    /// # Errors
    /// [`TokenFault`]
    pub fn identity(self, expected: &Expected<'_>) -> Result<Identity, TokenFault> {
        if self.iss != expected.issuer {
            return Err(TokenFault::Issuer);
        }
        let is_ours = |audience: &str| audience == expected.client_id;
        let is_ours_alone = match &self.aud {
            Audience::One(one) if is_ours(one) => true,
            Audience::Several(all) if all.iter().any(|one| is_ours(one)) => all.len() == 1,
            Audience::One(_) | Audience::Several(_) => return Err(TokenFault::Audience),
        };
        // A token for several audiences must name the one that it was issued to.
        match &self.azp {
            Some(party) if is_ours(party) => {}
            None if is_ours_alone => {}
            Some(_) | None => return Err(TokenFault::Party),
        }
        let now = expected.wall.unix_seconds() as f64;
        let skew = SKEW_SECONDS as f64;
        if now >= self.exp + skew {
            return Err(TokenFault::Expired);
        }
        if self.iat.max(self.nbf.unwrap_or(self.iat)) > now + skew {
            return Err(TokenFault::Early);
        }
        if self.nonce.as_deref() != Some(expected.nonce) {
            return Err(TokenFault::Nonce);
        }
        if self.sub.is_empty() || self.sub.len() > LONGEST_SUBJECT {
            return Err(TokenFault::Subject);
        }
        Ok(Identity {
            issuer: self.iss,
            subject: self.sub,
            email: verified(self.email.as_deref(), self.email_verified.as_ref()),
        })
    }
}

impl Identity {
    /// Adds the address from the user info endpoint.
    ///
    /// # Errors
    /// [`TokenFault::OtherSubject`] if the answer is about another person.
    pub fn with(self, answer: &UserInfoClaims) -> Result<Identity, TokenFault> {
        if answer.sub != self.subject {
            return Err(TokenFault::OtherSubject);
        }
        let email = verified(answer.email.as_deref(), answer.email_verified.as_ref());
        Ok(Identity {
            email: self.email.or(email),
            ..self
        })
    }
}

/// Returns the address if the provider has verified it.
fn verified(email: Option<&str>, is_verified: Option<&Truth>) -> Option<Email> {
    let email = email.filter(|_| is_verified.is_some_and(Truth::holds))?;
    Email::parse(email).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const NOW: i64 = 1_800_000_000;

    fn claims(changes: Value) -> Value {
        let mut claims = json!({
            "iss": "https://id.example", "sub": "248289761001", "aud": "multirail", "exp": NOW + 300, "iat": NOW - 5,
            "nonce": "n-0S6", "email": "Ada@books.example", "email_verified": true,
        });
        for (name, value) in changes.as_object().expect("members") {
            claims[name] = value.clone();
        }
        claims
    }

    fn identity_of(changes: Value) -> Result<Identity, TokenFault> {
        let claims: IdTokenClaims = serde_json::from_value(claims(changes)).expect("claims");
        claims.identity(&Expected {
            issuer: "https://id.example",
            client_id: "multirail",
            nonce: "n-0S6",
            wall: Timestamp::EPOCH.plus_seconds(NOW).expect("a time"),
        })
    }

    fn email(changes: Value) -> Option<String> {
        let identity = identity_of(changes).expect("an identity");
        identity.email.map(|email| email.as_str().to_owned())
    }

    #[test]
    fn a_token_is_believed_that_is_about_this_sign_in() {
        let identity = identity_of(json!({})).expect("an identity");
        assert_eq!(identity.subject, "248289761001");
        assert!(!format!("{identity:?}").contains("248289761001"));
        for fine in [
            json!({ "aud": ["multirail"] }),
            json!({ "azp": "multirail" }),
            json!({ "aud": ["another", "multirail"], "azp": "multirail" }),
            json!({ "exp": NOW - 59 }),
            json!({ "exp": 1_800_000_000.5 }),
            json!({ "iat": NOW + 60, "nbf": NOW + 60 }),
        ] {
            assert!(identity_of(fine.clone()).is_ok(), "{fine}");
        }
    }

    #[test]
    fn any_other_is_not() {
        for (change, fault) in [
            (json!({ "iss": "https://id.example/" }), TokenFault::Issuer),
            (json!({ "aud": "another" }), TokenFault::Audience),
            (json!({ "aud": [] }), TokenFault::Audience),
            (
                json!({ "aud": ["multirail", "another"] }),
                TokenFault::Party,
            ),
            (json!({ "azp": "another" }), TokenFault::Party),
            (json!({ "exp": NOW - 60 }), TokenFault::Expired),
            (json!({ "iat": NOW + 61 }), TokenFault::Early),
            (json!({ "nbf": NOW + 61 }), TokenFault::Early),
            (json!({ "nonce": "another" }), TokenFault::Nonce),
            (json!({ "nonce": null }), TokenFault::Nonce),
            (json!({ "sub": "" }), TokenFault::Subject),
            (json!({ "sub": "1".repeat(256) }), TokenFault::Subject),
        ] {
            assert_eq!(identity_of(change.clone()), Err(fault), "{change}");
        }
    }

    #[test]
    fn an_address_counts_where_it_is_verified() {
        let known = Some("ada@books.example".to_owned());
        assert_eq!(email(json!({})), known);
        assert_eq!(email(json!({ "email_verified": "true" })), known);
        for not in [
            json!({ "email_verified": false }),
            json!({ "email_verified": "yes" }),
            json!({ "email_verified": null }),
            json!({ "email": null }),
            json!({ "email": "ada" }),
        ] {
            assert_eq!(email(not.clone()), None, "{not}");
        }
    }

    #[test]
    fn user_info_adds_an_address_of_the_same_person() {
        let bare = || identity_of(json!({ "email": null })).expect("an identity");
        let info = |sub: &str| -> UserInfoClaims {
            let info = json!({ "sub": sub, "email": "ada@books.example", "email_verified": true });
            serde_json::from_value(info).expect("user info")
        };
        let known = bare().with(&info("248289761001")).expect("an identity");
        assert_eq!(
            known.email.as_ref().map(Email::as_str),
            Some("ada@books.example")
        );
        assert_eq!(bare().with(&info("another")), Err(TokenFault::OtherSubject));
    }
}
