//! The address of an HTTP proxy.

use std::fmt;

use url::Url;

use crate::secret::SecretText;
use crate::web_address::check_web_address;

/// An HTTP proxy of the operator's network, such as `http://proxy.internal:3128`. It prints without user name and
/// password.
#[derive(Clone, PartialEq, Eq)]
pub struct ProxyAddress {
    text: SecretText,
    /// Scheme, host and port.
    origin: String,
}

/// The error for a text that is no proxy address. The text may contain a password, so the error doesn't repeat it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be an address such as http://proxy.internal:3128")]
pub struct UnreadableProxy;

impl ProxyAddress {
    /// Parses an http or https address without a path. It may contain a user name and a password.
    ///
    /// # Errors
    /// [`UnreadableProxy`]
    pub fn parse(text: &str) -> Result<Self, UnreadableProxy> {
        let url = Url::parse(text).map_err(|_| UnreadableProxy)?;
        let origin = url.origin().ascii_serialization();
        let is_web = check_web_address("", &origin).is_ok();
        if is_web && url.path() == "/" && url.query().is_none() && url.fragment().is_none() {
            let text = SecretText::new(String::from(url));
            Ok(ProxyAddress { text, origin })
        } else {
            Err(UnreadableProxy)
        }
    }

    /// Returns the whole address, to connect to it.
    pub fn expose(&self) -> &str {
        self.text.expose()
    }
}

impl fmt::Display for ProxyAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.origin)
    }
}

impl fmt::Debug for ProxyAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ProxyAddress({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_is_an_address_without_a_path() {
        let proxy = ProxyAddress::parse("http://shop:sesame@proxy.internal:3128");
        let proxy = proxy.expect("a proxy");
        assert_eq!(
            format!("{proxy:?}"),
            "ProxyAddress(http://proxy.internal:3128)",
            "neither name nor password is shown"
        );
        assert_eq!(proxy.expose(), "http://shop:sesame@proxy.internal:3128/");
        for good in ["http://10.0.0.7:3128/", "https://[fd00::1]"] {
            assert!(ProxyAddress::parse(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "proxy.internal:3128",
            "socks5://proxy.internal",
            "http://proxy.internal/path",
            "http://proxy.internal/?a=1",
        ] {
            assert_eq!(ProxyAddress::parse(bad), Err(UnreadableProxy), "{bad}");
        }
    }
}
