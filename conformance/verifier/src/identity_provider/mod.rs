//! A test's identity provider (OpenID Connect Core 1.0, Discovery 1.0, PKCE). It signs in the members that the test
//! names, issues codes and tokens, changes its keys, and can simulate faults. It was written from the specifications,
//! independently of the server's client.

mod books;
mod keys;
mod serve;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};

use reqwest::{Url, header, redirect};
use tokio::net::TcpListener;

use books::Books;
pub use books::{CLIENT_ID, CLIENT_SECRET, Lie, Member, REDIRECT_URL};
use keys::Key;

/// A provider on this machine, without TLS.
pub struct IdentityProvider {
    address: SocketAddr,
    books: Arc<Mutex<Books>>,
}

/// The parameters with which the browser comes back.
#[derive(Clone, Debug)]
pub struct Back {
    pub code: String,
    pub state: String,
    pub iss: String,
}

impl IdentityProvider {
    /// Starts the provider on a free port.
    ///
    /// # Panics
    /// Panics when there is no free port.
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

    /// From now on, only the user info endpoint returns addresses.
    pub fn tells_addresses_at_user_info(&self) {
        self.books().tells_addresses = false;
    }

    pub fn wants_secret_in_form(&self) {
        self.books().wants_secret_in_form = true;
    }

    /// Replaces all keys with one of another kind.
    pub fn changes_keys(&self) {
        self.books().keys = vec![Key::elliptic("second")];
    }

    /// Returns how often an endpoint was called: `document`, `keys`, `token`, `user_info`.
    pub fn was_asked(&self, what: &str) -> usize {
        self.books().asked.get(what).copied().unwrap_or_default()
    }

    /// Opens the sign-in page in a member's browser, signs the member in, and returns the parameters of the redirect.
    ///
    /// # Panics
    /// Panics when the provider shows an error instead.
    pub async fn visit(&self, page: &str, sub: &str) -> Back {
        self.visit_for(page, sub, REDIRECT_URL).await
    }

    /// Opens the sign-in page as [`Self::visit`] does, for a sign-in that ends at this address.
    ///
    /// # Panics
    /// Panics when the provider shows an error instead, or sends the browser elsewhere.
    pub async fn visit_for(&self, page: &str, sub: &str, ends_at: &str) -> Back {
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
        assert!(back.as_str().starts_with(ends_at), "{back}");
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
