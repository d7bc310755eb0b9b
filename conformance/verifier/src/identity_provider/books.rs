//! What the provider knows, and what it does wrong.

use std::collections::BTreeMap;

use super::keys::Key;

pub const CLIENT_ID: &str = "multirail-at-books";
/// With characters that a header has to have encoded.
pub const CLIENT_SECRET: &str = "s3cret:of/the+client=";
pub const REDIRECT_URL: &str = "https://dashboard.books.example/signed-in";

/// Somebody whom the provider knows.
#[derive(Clone, Debug)]
pub struct Member {
    pub sub: String,
    pub email: Option<String>,
    pub is_verified: bool,
}

impl Member {
    /// With a verified address.
    pub fn new(sub: &str, email: &str) -> Self {
        Member {
            sub: sub.to_owned(),
            email: Some(email.to_owned()),
            is_verified: true,
        }
    }
}

/// What the provider does wrong from now on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    // About the token.
    OtherIssuer,
    OtherAudience,
    OtherAudienceToo,
    OtherParty,
    OtherNonce,
    NoNonce,
    Expired,
    FromTheFuture,
    /// A byte of the signature is another one.
    BrokenSignature,
    /// Signed with another key under the name of the right one.
    ForgedSignature,
    /// Signed with a key that isn't listed.
    UnlistedKey,
    /// `alg` is `none`, and there is no signature.
    Unsigned,
    /// Signed by HMAC with the client's secret.
    SignedBySecret,
    /// Signed by HMAC with the text of the public key.
    SignedByPublicKey,
    NoIdToken,
    NoJwt,
    // About user info.
    OtherSubject,
    // About the token endpoint.
    RefusesCodes,
    AnswersHtml,
    AnswersTooMuch,
    SaysNothing,
    // About discovery.
    NamesAnotherIssuer,
    IsDown,
    DocumentTooLong,
    SendsElsewhere,
}

pub(super) struct Books {
    pub(super) issuer: String,
    pub(super) members: BTreeMap<String, Member>,
    /// The newest signs.
    pub(super) keys: Vec<Key>,
    pub(super) lie: Option<Lie>,
    /// Whether addresses stand in ID tokens; at user info they always do.
    pub(super) tells_addresses: bool,
    /// Whether it takes the secret in the form alone.
    pub(super) wants_secret_in_form: bool,
    pub(super) grants: BTreeMap<String, Grant>,
    pub(super) access_tokens: BTreeMap<String, String>,
    pub(super) asked: BTreeMap<&'static str, usize>,
    pub(super) drawn: u64,
}

/// What a code is worth.
pub(super) struct Grant {
    pub(super) sub: String,
    pub(super) nonce: String,
    pub(super) challenge: String,
}

impl Books {
    /// A text that was not given out before, and that nobody who tests has to guess.
    pub(super) fn draw(&mut self, kind: &str) -> String {
        self.drawn += 1;
        format!("{kind}-{}", self.drawn)
    }

    pub(super) fn is_lying(&self, lie: Lie) -> bool {
        self.lie == Some(lie)
    }
}
