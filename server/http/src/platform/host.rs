//! The host that a request names. Browsers take it from the address that they call.

use http::uri::Authority;
use http::{HeaderMap, Uri, header};
use url::{Host, Url};

/// Returns the host of a request, with its port if it has one.
pub(crate) fn named<'a>(uri: &'a Uri, headers: &'a HeaderMap) -> Option<&'a str> {
    let authority = uri.authority().map(Authority::as_str);
    let host = headers.get(header::HOST);
    authority.or(host.and_then(|value| value.to_str().ok()))
}

/// Reads a host that has nothing but a port behind it.
pub(crate) fn read(scheme: &str, host: &str) -> Option<Url> {
    let is_plain = |character: char| {
        character.is_ascii_alphanumeric() || matches!(character, '.' | '-' | '_' | ':' | '[' | ']')
    };
    let url = Url::parse(&format!("{scheme}://{host}/")).ok();
    url.filter(|_| host.chars().all(is_plain))
}

/// Returns whether an address leads to this machine. A page of a stranger can't have such an address.
pub(crate) fn is_loopback(address: &Url) -> bool {
    match address.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}
