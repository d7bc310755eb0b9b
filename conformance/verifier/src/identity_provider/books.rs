//! The provider's members, keys and configured faults.

use std::collections::BTreeMap;

use super::keys::Key;

pub const CLIENT_ID: &str = "multirail-at-books";
/// Contains characters that must be encoded in a header.
pub const CLIENT_SECRET: &str = "s3cret:of/the+client=";
pub const REDIRECT_URL: &str = "https://dashboard.books.example/signed-in";
/// The end of the console's registered address. A test's console has another port each time.
const CONSOLE_PAGE: &str = "/console/signed_in";

/// Returns whether the operator has registered this address at the provider.
pub(super) fn is_registered(redirect_uri: &str) -> bool {
    redirect_uri == REDIRECT_URL || redirect_uri.ends_with(CONSOLE_PAGE)
}

/// A person with an account at the provider.
#[derive(Clone, Debug)]
pub struct Member {
    pub sub: String,
    pub email: Option<String>,
    pub is_verified: bool,
}

impl Member {
    /// Creates a member with a verified address.
    pub fn new(sub: &str, email: &str) -> Self {
        Member {
            sub: sub.to_owned(),
            email: Some(email.to_owned()),
            is_verified: true,
        }
    }
}

/// A fault of the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    // Faults of the token.
    OtherIssuer,
    OtherAudience,
    OtherAudienceToo,
    OtherParty,
    OtherNonce,
    NoNonce,
    Expired,
    FromTheFuture,
    /// One byte of the signature is wrong.
    BrokenSignature,
    /// Signed with another key under the right key's name.
    ForgedSignature,
    /// Signed with a key that isn't listed.
    UnlistedKey,
    /// `alg` is `none`, without a signature.
    Unsigned,
    /// Signed by HMAC with the client's secret.
    SignedBySecret,
    /// Signed by HMAC with the text of the public key.
    SignedByPublicKey,
    NoIdToken,
    NoJwt,
    // Faults of user info.
    OtherSubject,
    // Faults of the token endpoint.
    RefusesCodes,
    AnswersHtml,
    AnswersTooMuch,
    SaysNothing,
    // Faults of discovery.
    NamesAnotherIssuer,
    IsDown,
    DocumentTooLong,
    SendsElsewhere,
}

pub(super) struct Books {
    pub(super) issuer: String,
    pub(super) members: BTreeMap<String, Member>,
    /// The keys; the newest one signs.
    pub(super) keys: Vec<Key>,
    pub(super) lie: Option<Lie>,
    /// Whether ID tokens contain addresses; user info always does.
    pub(super) tells_addresses: bool,
    /// Whether it accepts the client's secret only in the form.
    pub(super) wants_secret_in_form: bool,
    pub(super) grants: BTreeMap<String, Grant>,
    pub(super) access_tokens: BTreeMap<String, String>,
    pub(super) asked: BTreeMap<&'static str, usize>,
    pub(super) drawn: u64,
}

/// The grant behind a code.
pub(super) struct Grant {
    pub(super) sub: String,
    /// The address to which the browser went back. The exchange has to name it again. (RFC 6749, 4.1.3)
    pub(super) redirect_uri: String,
    pub(super) nonce: String,
    pub(super) challenge: String,
}

impl Books {
    /// Returns a new, predictable text.
    pub(super) fn draw(&mut self, kind: &str) -> String {
        self.drawn += 1;
        format!("{kind}-{}", self.drawn)
    }

    pub(super) fn is_lying(&self, lie: Lie) -> bool {
        self.lie == Some(lie)
    }
}
