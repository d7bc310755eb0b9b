//! Builds a client from an address and a key.

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
/// Long enough for a confirm, which waits for a processor.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The service's address and the caller's key. [`build`](Connection::build) makes the [`Client`].
///
/// A connection has one key. A program that acts both as operator and as merchant needs two connections.
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
    /// The checked address without a final slash, or the reason of its refusal. A refused address isn't stored, because
    /// it may contain a password.
    base_url: Result<String, &'static str>,
    keys: Vec<(HeaderName, Secret)>,
    profile_id: Option<String>,
    connected_merchant_id: Option<String>,
    timeout: Duration,
    retries: Retries,
}

/// A connection that can't be built. The error never contains a key.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// The client can't call this address.
    #[error("the base URL can't be used: {0}")]
    BaseUrl(&'static str),
    /// More than one key was given, but every call sends exactly one.
    #[error("a connection takes one key: make another connection for the other key")]
    SeveralKeys,
    /// The key is empty, or contains characters that a header can't carry, such as a line break at the end of a file.
    #[error("the key is empty or holds characters that a header can't carry, such as a line break")]
    UnusableKey,
    /// The profile id is empty or contains characters that a header can't carry.
    #[error("the profile id is empty or holds characters that a header can't carry")]
    UnusableProfile,
    /// The id of the connected merchant account is empty or contains characters that a header can't carry.
    #[error("the merchant account's id is empty or holds characters that a header can't carry")]
    UnusableMerchant,
    /// The HTTP client could not be set up, for instance because the machine has no TLS certificates.
    #[error("the HTTP client could not be set up")]
    Http(#[source] reqwest::Error),
}

impl Connection {
    /// Creates a connection to the service at `base_url`, such as `http://127.0.0.1:8080`. The address may contain a
    /// path before the API's own paths. Without a key only the health operations answer.
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

    /// Calls as a payer's program. Operations on a payment then also need its `client_secret`.
    pub fn publishable_key(self, key: impl Into<Secret>) -> Self {
        self.key(KEY_HEADER, key.into())
    }

    /// Calls as a payer's program for one payment, with its `sdk_authorization`. No operation then needs the
    /// `client_secret`.
    pub fn sdk_authorization(self, authorization: impl Into<Secret>) -> Self {
        self.key(AUTHORIZATION, authorization.into())
    }

    /// Calls as a user who has signed in, with the `token` from signing in. The user's role determines the allowed
    /// calls.
    pub fn user_token(self, token: impl Into<Secret>) -> Self {
        let token: Secret = token.into();
        // An empty token stays empty, so that it is refused as such.
        let value = if token.expose().is_empty() {
            token
        } else {
            Secret::new(format!("Bearer {}", token.expose()))
        };
        self.key(AUTHORIZATION, value)
    }

    /// Limits a secret key to one business profile. The id is sent as `X-Profile-Id` with every call.
    pub fn profile(mut self, profile_id: impl Into<String>) -> Self {
        self.profile_id = Some(profile_id.into());
        self
    }

    /// Calls with a platform's secret key for a connected merchant account. The id is sent as `X-Connected-Merchant-Id`
    /// with every call. Operations that don't allow this are refused with 400 `IR_43`.
    pub fn connected_merchant(mut self, merchant_id: impl Into<String>) -> Self {
        self.connected_merchant_id = Some(merchant_id.into());
        self
    }

    /// Sets the time limit of each try of a call, including the answer. The default is 60 seconds.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets the maximum number of tries of a call, including the first. The default is 3; 1 means no retries.
    ///
    /// The client retries calls that got lost (no connection, a timeout, an answer that broke off) or were postponed
    /// (408, 429, 502, 503, 504, 409 `MR_02`, 422 `HE_00`). It only does so if a repetition is harmless: for reads, and
    /// for operations that accept an idempotency key. Such calls carry a key from the first try on, a random one unless
    /// the builder sets one. All other calls are tried once.
    pub fn tries(mut self, tries: u32) -> Self {
        self.retries.tries = tries;
        self
    }

    /// Sets how long a call is repeated, beyond [`Connection::tries`], while the service answers 409 `MR_02`. This
    /// answer means that the first try is still being processed, or that its server died and another one will finish
    /// it. The default is a minute; a client with one try doesn't wait.
    pub fn claim_patience(mut self, patience: Duration) -> Self {
        self.retries.claim_patience = patience;
        self
    }

    /// Sets the maximum wait before the second try. The default is 200 milliseconds. The maximum doubles with each
    /// further try, up to ten seconds, and each wait is random below it. A `Retry-After` of the service is added; if it
    /// is longer than ten seconds, the call is not repeated.
    pub fn base_wait(mut self, base_wait: Duration) -> Self {
        self.retries.base_wait = base_wait;
        self
    }

    /// Builds the client. Nothing is sent yet. Clones of the client share their open connections.
    ///
    /// # Errors
    /// An invalid address, key, profile id or merchant account id, or several keys.
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
            // The API never redirects, and a followed redirect would send the key to another host.
            .redirect(Policy::none());
        if is_local(&base_url) {
            // A proxy from the environment doesn't reach this machine.
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
