//! The identity provider of a test (OpenID Connect Core 1.0, Discovery 1.0, PKCE): it lets in whom the test says, hands out codes and
//! tokens, changes its keys, and can be told to lie. Written from the specifications, without a line of what calls it.

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

/// What the browser comes back with.
#[derive(Clone, Debug)]
pub struct Back {
    pub code: String,
    pub state: String,
    pub iss: String,
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
