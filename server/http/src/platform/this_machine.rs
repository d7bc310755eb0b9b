//! Requests of clients on the server's own machine.

use std::net::IpAddr;

use dropshot::RequestContext;
use http::{HeaderMap, Uri, header};
use url::Url;

use super::{forwarded, host};
use crate::Context;

/// Returns whether a request's client is on this machine. A proxy on this machine, of which the server may not know,
/// forwards clients of elsewhere: its headers show it, or the host and the origin that the browser names.
pub fn is_client(rqctx: &RequestContext<Context>) -> bool {
    let request = &rqctx.request;
    let (uri, headers) = (request.uri(), request.headers());
    let traffic = &rqctx.context().traffic;
    is_here(traffic.client(request.remote_addr(), headers), uri, headers)
}

fn is_here(client: IpAddr, uri: &Uri, headers: &HeaderMap) -> bool {
    let named = host::named(uri, headers).and_then(|named| host::read("http", named));
    let origin = headers.get(header::ORIGIN);
    let is_own_page = origin.is_none_or(|origin| {
        let page = origin.to_str().ok().and_then(|text| Url::parse(text).ok());
        page.is_some_and(|page| host::is_loopback(&page))
    });
    client.is_loopback()
        && !forwarded::is_forwarded(headers)
        && named.is_some_and(|named| host::is_loopback(&named))
        && is_own_page
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    const HOST: (&str, &str) = ("host", "127.0.0.1:8080");

    fn is_local(client: &str, given: &[(&'static str, &'static str)]) -> bool {
        let mut headers = HeaderMap::new();
        for &(name, value) in given {
            headers.append(name, HeaderValue::from_static(value));
        }
        let client = client.parse().expect("an address");
        is_here(client, &Uri::from_static("/user"), &headers)
    }

    #[test]
    fn a_client_of_this_machine_calls_it_by_its_own_address() {
        for client in ["127.0.0.1", "::1"] {
            assert!(is_local(client, &[HOST]), "{client}");
        }
        for host in ["localhost:8080", "[::1]:8080"] {
            assert!(is_local("127.0.0.1", &[("host", host)]), "{host}");
        }
        for origin in ["http://127.0.0.1:8080", "http://localhost:5173"] {
            assert!(is_local("127.0.0.1", &[HOST, ("origin", origin)]));
        }
    }

    #[test]
    fn clients_of_elsewhere_are_told_apart() {
        for client in ["203.0.113.7", "10.0.0.7", "::"] {
            assert!(!is_local(client, &[HOST]), "{client}");
        }
        for host in ["demo.example", "10.0.0.7:8080", "x@127.0.0.1", ""] {
            assert!(!is_local("127.0.0.1", &[("host", host)]), "{host}");
        }
        assert!(!is_local("127.0.0.1", &[]));
        for (name, value) in [
            ("forwarded", "for=127.0.0.1"),
            ("via", "1.1 proxy"),
            ("x-forwarded-for", "127.0.0.1"),
            ("x-forwarded-host", "127.0.0.1"),
            ("x-forwarded-proto", "http"),
            ("x-real-ip", "127.0.0.1"),
            ("origin", "https://demo.example"),
            ("origin", "null"),
        ] {
            assert!(!is_local("127.0.0.1", &[HOST, (name, value)]), "{name}");
        }
    }
}
