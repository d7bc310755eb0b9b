//! From an address and a key to a client.

use std::time::Duration;

use multirail_types::Secret;
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;

use crate::{Client, Retries};

const KEY_HEADER: HeaderName = HeaderName::from_static("api-key");
const PROFILE_HEADER: HeaderName = HeaderName::from_static("x-profile-id");
const CONNECTED_HEADER: HeaderName = HeaderName::from_static("x-connected-merchant-id");
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// A confirm waits for a processor, which may take its time.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Where the service is and who is calling; [`build`](Connection::build) makes the [`Client`].
///
/// One connection carries one key. A program that acts both as operator and as merchant makes two.
///
/// ```
/// use multirail_client::Connection;
///
/// let client = Connection::new("https://payments.example.com").secret_key("the key").profile("pro_1").build()?;
/// # let _ = client;
/// # Ok::<(), multirail_client::ConnectError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a connection does nothing until it is built"]
pub struct Connection {
    /// Checked and without a slash at its end, or what is wrong with it. A refused address isn't kept: it may hold a
    /// password.
    base_url: Result<String, &'static str>,
    keys: Vec<(HeaderName, Secret)>,
    profile_id: Option<String>,
    connected_merchant_id: Option<String>,
    timeout: Duration,
    retries: Retries,
}

/// A connection that can't be built. It never quotes a key.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// The address is none that a client can call.
    #[error("the base URL can't be used: {0}")]
    BaseUrl(&'static str),
    /// More than one key was given, and every call sends exactly one.
    #[error("a connection takes one key: make another connection for the other key")]
    SeveralKeys,
    /// The key is empty, or it holds what no header can carry, such as the line break at the end of a file.
    #[error("the key is empty or holds characters that a header can't carry, such as a line break")]
    UnusableKey,
    /// The same for the profile id.
    #[error("the profile id is empty or holds characters that a header can't carry")]
    UnusableProfile,
    /// The same for the id of the connected merchant account.
    #[error("the merchant account's id is empty or holds characters that a header can't carry")]
    UnusableMerchant,
    /// The HTTP client could not be set up, for instance because the machine has no TLS certificates.
    #[error("the HTTP client could not be set up")]
    Http(#[source] reqwest::Error),
}

impl Connection {
    /// A connection to the service at `base_url`, such as `http://127.0.0.1:8080`; a path in front of the API's own
    /// paths may follow. Without a key only the health operations answer.
    pub fn new(base_url: impl AsRef<str>) -> Self {
        Self {
            base_url: checked(base_url.as_ref()),
            keys: Vec::new(),
            profile_id: None,
            connected_merchant_id: None,
            timeout: TIMEOUT,
            retries: Retries::default(),
        }
    }

    /// Calls as a merchant's server, with one of its API keys.
    pub fn secret_key(self, key: impl Into<Secret>) -> Self {
        self.key(KEY_HEADER, key.into())
    }

    /// Calls as the operator of the service.
    pub fn admin_key(self, key: impl Into<Secret>) -> Self {
        self.key(KEY_HEADER, key.into())
    }

    /// Calls as a payer's program. Operations of a payment then want its `client_secret` too.
    pub fn publishable_key(self, key: impl Into<Secret>) -> Self {
        self.key(KEY_HEADER, key.into())
    }

    /// Calls as a payer's program for one payment, with its `sdk_authorization`: no operation wants its `client_secret` then.
    pub fn sdk_authorization(self, authorization: impl Into<Secret>) -> Self {
        self.key(AUTHORIZATION, authorization.into())
    }

    /// Calls as a user who has signed in, with the `token` that signing in answers. What it opens follows from the user's role.
    pub fn user_token(self, token: impl Into<Secret>) -> Self {
        let token: Secret = token.into();
        // An empty one stays empty, and is refused as such.
        let value = if token.expose().is_empty() {
            token
        } else {
            Secret::new(format!("Bearer {}", token.expose()))
        };
        self.key(AUTHORIZATION, value)
    }

    /// Narrows a secret key to one business profile: sent as `X-Profile-Id` with every call.
    pub fn profile(mut self, profile_id: impl Into<String>) -> Self {
        self.profile_id = Some(profile_id.into());
        self
    }

    /// Calls with a platform's secret key for a merchant account that is connected to the platform: sent as
    /// `X-Connected-Merchant-Id` with every call. Operations that can't be called so are refused with 400 `IR_43`.
    pub fn connected_merchant(mut self, merchant_id: impl Into<String>) -> Self {
        self.connected_merchant_id = Some(merchant_id.into());
        self
    }

    /// How long each try of a call may take, answer included; 60 seconds unless set.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// How often a call is tried before its failure is told, the first try included; 3 unless set, and 1 for never
    /// again.
    ///
    /// Repeated are calls that got lost (no connection, a timeout, an answer that broke off) or were put off (408,
    /// 429, 502, 503, 504, 409 `MR_02`, 422 `HE_00`), and only where doing it twice is the same as doing it once:
    /// questions, and everything that takes an idempotency key. Such calls carry a key from the first try on, a random
    /// one unless the builder was given one. All other calls are tried once.
    pub fn tries(mut self, tries: u32) -> Self {
        self.retries.tries = tries;
        self
    }

    /// How long a call goes on being repeated, beyond [`Connection::tries`], while the service answers 409 `MR_02`: its
    /// first try is still being worked on, or its server died and another one will soon know how it ended. A minute
    /// unless set; a client with one try doesn't wait.
    pub fn claim_patience(mut self, patience: Duration) -> Self {
        self.retries.claim_patience = patience;
        self
    }

    /// The longest wait before the second try; 200 milliseconds unless set. It doubles with each further try, up to
    /// ten seconds, and each wait is drawn at random below it. Where the service says `Retry-After` that is waited
    /// first; a call that would have to wait more than ten seconds for it is not repeated.
    pub fn base_wait(mut self, base_wait: Duration) -> Self {
        self.retries.base_wait = base_wait;
        self
    }

    /// The client. Nothing is sent yet. Clones of it share their open connections.
    ///
    /// # Errors
    /// The address, the key, the profile's or the merchant account's id can't be used, or there are several keys.
    pub fn build(self) -> Result<Client, ConnectError> {
        let base_url = self.base_url.map_err(ConnectError::BaseUrl)?;
        let mut headers = HeaderMap::new();
        match self.keys.as_slice() {
            [] => {}
            [(header, key)] => {
                let mut value = header_value(key.expose()).ok_or(ConnectError::UnusableKey)?;
                value.set_sensitive(true);
                headers.insert(header, value);
            }
            [_, _, ..] => return Err(ConnectError::SeveralKeys),
        }
        if let Some(profile_id) = &self.profile_id {
            headers.insert(
                PROFILE_HEADER,
                header_value(profile_id).ok_or(ConnectError::UnusableProfile)?,
            );
        }
        if let Some(merchant_id) = &self.connected_merchant_id {
            headers.insert(
                CONNECTED_HEADER,
                header_value(merchant_id).ok_or(ConnectError::UnusableMerchant)?,
            );
        }
        let mut http = reqwest::Client::builder()
            .user_agent(concat!("multirail-client/", env!("CARGO_PKG_VERSION")))
            .default_headers(headers)
            .connect_timeout(CONNECT_TIMEOUT.min(self.timeout))
            .timeout(self.timeout)
            // The API redirects nobody, and a followed redirect would carry the key to another host.
            .redirect(Policy::none());
        if is_local(&base_url) {
            // The proxy of this machine's environment doesn't reach this machine.
            http = http.no_proxy();
        }
        let http = http
            .build()
            .map_err(|error| ConnectError::Http(error.without_url()))?;
        Ok(Client::new_with_client(&base_url, http, self.retries))
    }

    fn key(mut self, header: HeaderName, key: Secret) -> Self {
        self.keys.push((header, key));
        self
    }
}

fn checked(text: &str) -> Result<String, &'static str> {
    let url =
        Url::parse(text).map_err(|_| "it isn't a URL such as https://payments.example.com")?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("it must begin with http:// or https://");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("it holds a user name or a password; keys go into the connection");
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err("it must end with its path, without ? or #");
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

fn header_value(text: &str) -> Option<HeaderValue> {
    HeaderValue::from_str(text)
        .ok()
        .filter(|value| !value.is_empty())
}

fn is_local(base_url: &str) -> bool {
    let Ok(url) = Url::parse(base_url) else {
        return false;
    };
    let Some(host) = url.host_str() else {
        return false;
    };
    let address = host
        .trim_start_matches('[')
        .trim_end_matches(']')
        .parse::<std::net::IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}
