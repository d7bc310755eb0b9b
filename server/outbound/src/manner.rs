//! What differs between those who call.

use std::fmt;
use std::time::Duration;

use multirail_domain::web_address::check_web_address;
use reqwest::{Certificate, ClientBuilder, retry};

/// How often the other side of a connection that is in use is asked whether it is still there.
const PING: Duration = Duration::from_secs(10);
/// How long it may take to answer that.
const PING_PATIENCE: Duration = Duration::from_secs(5);

/// How a client connects.
#[derive(Clone, Debug)]
pub struct Manner {
    /// For all addresses of a name together, TLS included: a silent first one leaves time for the next.
    pub connect_timeout: Duration,
    /// HTTP/2 where the other side offers it. Without it headers go out in the order in which they are recorded.
    pub http2: bool,
    /// How many unused connections to one host are kept.
    pub idle_connections: usize,
    /// All calls go through it. It resolves names by itself, so that what they resolve to isn't judged here.
    pub proxy: Option<Proxy>,
    /// Certificates that are trusted beside those of the machine: those of test servers.
    pub trusted: Vec<Certificate>,
}

impl Manner {
    /// For addresses that merchants choose.
    pub fn webhooks() -> Self {
        Manner {
            connect_timeout: Duration::from_secs(10),
            http2: false,
            idle_connections: 16,
            proxy: None,
            trusted: Vec::new(),
        }
    }

    pub(super) fn apply(&self, builder: ClientBuilder) -> ClientBuilder {
        let builder = builder
            .connect_timeout(self.connect_timeout)
            .pool_max_idle_per_host(self.idle_connections);
        if self.http2 {
            // Without a `retry` of ours a request is sent again where the server says by HTTP/2 that it did nothing of it,
            // as servers do that are about to close a connection.
            builder
                .http2_keep_alive_interval(PING)
                .http2_keep_alive_timeout(PING_PATIENCE)
        } else {
            builder.retry(retry::never()).http1_only()
        }
    }
}

/// An HTTP proxy of the operator's network, such as `http://proxy.internal:3128`. It doesn't print its password.
#[derive(Clone, PartialEq, Eq)]
pub struct Proxy {
    url: reqwest::Url,
}

/// A text that is no proxy's address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be an address such as http://proxy.internal:3128")]
pub struct UnreadableProxy;

impl Proxy {
    /// Reads an http or https address without a path; a user name and a password may stand before its host.
    ///
    /// # Errors
    /// [`UnreadableProxy`]
    pub fn parse(text: &str) -> Result<Self, UnreadableProxy> {
        let url = reqwest::Url::parse(text).map_err(|_| UnreadableProxy)?;
        let mut bare = url.clone();
        let is_bare = bare.set_username("").is_ok() && bare.set_password(None).is_ok();
        let is_web = is_bare && check_web_address("", bare.as_str()).is_ok();
        if is_web && url.path() == "/" && url.query().is_none() && url.fragment().is_none() {
            Ok(Proxy { url })
        } else {
            Err(UnreadableProxy)
        }
    }

    pub(super) fn to_reqwest(&self) -> reqwest::Proxy {
        reqwest::Proxy::all(self.url.clone()).expect("an http or https address with a host")
    }
}

/// Without user name and password.
impl fmt::Display for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.url.origin().ascii_serialization())
    }
}

impl fmt::Debug for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Proxy({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_is_an_address_without_a_path() {
        let proxy = Proxy::parse("http://shop:sesame@proxy.internal:3128").expect("a proxy");
        assert_eq!(
            format!("{proxy:?}"),
            "Proxy(http://proxy.internal:3128)",
            "neither name nor password is shown"
        );
        for good in ["http://10.0.0.7:3128/", "https://[fd00::1]"] {
            assert!(Proxy::parse(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "proxy.internal:3128",
            "socks5://proxy.internal",
            "http://proxy.internal/path",
            "http://proxy.internal/?a=1",
        ] {
            assert_eq!(Proxy::parse(bad), Err(UnreadableProxy), "{bad}");
        }
    }
}
