//! The identity provider of a test (OpenID Connect Core 1.0, Discovery 1.0, PKCE): it lets in whom the test says, hands out codes and
//! tokens, changes its keys, and can be told to lie. Written from the specifications, without a line of what calls it.

mod keys;
mod serve;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};

use reqwest::{Url, header, redirect};
use tokio::net::TcpListener;

use keys::Key;

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

/// A provider on this machine, without TLS.
pub struct IdentityProvider {
    address: SocketAddr,
    books: Arc<Mutex<Books>>,
}

/// What the browser comes back with.
#[derive(Clone, Debug)]
pub struct Back {
    pub code: String,
    pub state: String,
    pub iss: String,
}

struct Books {
    issuer: String,
    members: BTreeMap<String, Member>,
    /// The newest signs.
    keys: Vec<Key>,
    lie: Option<Lie>,
    /// Whether addresses stand in ID tokens; at user info they always do.
    tells_addresses: bool,
    /// Whether it takes the secret in the form alone.
    wants_secret_in_form: bool,
    grants: BTreeMap<String, Grant>,
    access_tokens: BTreeMap<String, String>,
    asked: BTreeMap<&'static str, usize>,
    drawn: u64,
}

/// What a code is worth.
struct Grant {
    sub: String,
    nonce: String,
    challenge: String,
}

impl IdentityProvider {
    /// Opens it on a free port.
    ///
    /// # Panics
    /// Where there is none.
    pub async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let books = Books {
            issuer: format!("http://{address}/realms/books"),
            members: BTreeMap::new(),
            keys: vec![Key::rsa("first")],
            lie: None,
            tells_addresses: true,
            wants_secret_in_form: false,
            grants: BTreeMap::new(),
            access_tokens: BTreeMap::new(),
            asked: BTreeMap::new(),
            drawn: 0,
        };
        let books = Arc::new(Mutex::new(books));
        tokio::spawn(serve::serve(listener, Arc::clone(&books)));
        Self { address, books }
    }

    pub fn issuer(&self) -> String {
        self.books().issuer.clone()
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub fn knows(&self, member: Member) {
        self.books().members.insert(member.sub.clone(), member);
    }

    pub fn lies(&self, lie: impl Into<Option<Lie>>) {
        self.books().lie = lie.into();
    }

    /// Addresses of people are told at the user info endpoint alone from now on.
    pub fn tells_addresses_at_user_info(&self) {
        self.books().tells_addresses = false;
    }

    pub fn wants_secret_in_form(&self) {
        self.books().wants_secret_in_form = true;
    }

    /// Another key, of another kind, takes the place of all former ones.
    pub fn changes_keys(&self) {
        self.books().keys = vec![Key::elliptic("second")];
    }

    /// How often one of its addresses was called: `document`, `keys`, `token`, `user_info`.
    pub fn was_asked(&self, what: &str) -> usize {
        self.books().asked.get(what).copied().unwrap_or_default()
    }

    /// The browser of a member goes to the page, he lets himself in, and it is sent back.
    ///
    /// # Panics
    /// Where the provider shows him an error in the place of that.
    pub async fn visit(&self, page: &str, sub: &str) -> Back {
        let builder = reqwest::Client::builder().redirect(redirect::Policy::none());
        let browser = builder.build().expect("a client");
        let mut page: Url = page.parse().expect("an address");
        page.query_pairs_mut().append_pair("as", sub);
        let answer = browser.get(page).send().await.expect("an answer");
        let status = answer.status();
        let location = answer.headers().get(header::LOCATION).cloned();
        let text = answer.text().await.expect("a text");
        assert_eq!(status, 303, "{text}");
        let location = location.expect("a location");
        let back: Url = location
            .to_str()
            .expect("a text")
            .parse()
            .expect("an address");
        assert!(back.as_str().starts_with(REDIRECT_URL), "{back}");
        let parameters: BTreeMap<String, String> = back.query_pairs().into_owned().collect();
        Back {
            code: parameters["code"].clone(),
            state: parameters["state"].clone(),
            iss: parameters["iss"].clone(),
        }
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().expect("no test panics within")
    }
}

impl Books {
    /// A text that was not given out before, and that nobody who tests has to guess.
    fn draw(&mut self, kind: &str) -> String {
        self.drawn += 1;
        format!("{kind}-{}", self.drawn)
    }

    fn is_lying(&self, lie: Lie) -> bool {
        self.lie == Some(lie)
    }
}
