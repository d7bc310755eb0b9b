//! The header in which a proxy sends the address of its client.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use http::HeaderMap;
use multirail_app::platform::ports::metric;

/// The header. Proxies append an address to it, or set it to one.
pub const FORWARDED_FOR: &str = "x-forwarded-for";

/// The headers by which proxies show that they forward a request.
const OF_PROXIES: [&str; 6] = [
    FORWARDED_FOR,
    "forwarded",
    "via",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-real-ip",
];

/// The shortest time between two log lines about unreadable headers.
const BETWEEN_WARNINGS: Duration = Duration::from_secs(60);

/// The client's address from a proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forwarded {
    From(IpAddr),
    /// The proxy has not written the header.
    Nothing,
    /// The proxy has written something that is no address.
    Unreadable,
}

/// Returns whether a proxy shows that it forwards the request.
pub fn is_forwarded(headers: &HeaderMap) -> bool {
    OF_PROXIES.iter().any(|name| headers.contains_key(*name))
}

/// Reads the last address of the header, with or without a port.
pub fn last(headers: &HeaderMap) -> Forwarded {
    let Some(value) = headers.get_all(FORWARDED_FOR).iter().next_back() else {
        return Forwarded::Nothing;
    };
    let last = value.to_str().ok().and_then(|text| text.rsplit(',').next());
    match last.and_then(|text| address(text.trim())) {
        Some(address) => Forwarded::From(address),
        None => Forwarded::Unreadable,
    }
}

/// `192.0.2.1`, `192.0.2.1:5000`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:5000`.
fn address(text: &str) -> Option<IpAddr> {
    if let Ok(address) = text.parse() {
        return Some(address);
    }
    if let Ok(with_port) = text.parse::<SocketAddr>() {
        return Some(with_port.ip());
    }
    let bare = text.strip_prefix('[')?.strip_suffix(']')?;
    bare.parse::<Ipv6Addr>().ok().map(IpAddr::V6)
}

/// Warns the operator of unreadable headers. All their clients then count as one: the proxy.
#[derive(Default)]
pub struct UnreadableHeader {
    told_at: Mutex<Option<Instant>>,
}

impl UnreadableHeader {
    /// Counts one more, and logs it now and then.
    pub fn tell(&self) {
        metrics::counter!(metric::UNREADABLE_FORWARDED).increment(1);
        let mut told_at = self.told_at.lock().unwrap_or_else(PoisonError::into_inner);
        if told_at.is_none_or(|at| at.elapsed() >= BETWEEN_WARNINGS) {
            *told_at = Some(Instant::now());
            tracing::warn!(
                header = FORWARDED_FOR,
                "the proxy's header has no address that can be read at its end: limits count all such clients as the proxy"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn read(values: &[&'static str]) -> Forwarded {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(FORWARDED_FOR, HeaderValue::from_static(value));
        }
        last(&headers)
    }

    fn from(text: &str) -> Forwarded {
        Forwarded::From(text.parse().expect("an address"))
    }

    #[test]
    fn addresses_are_read_with_and_without_a_port() {
        assert_eq!(read(&["192.0.2.1"]), from("192.0.2.1"));
        assert_eq!(read(&["192.0.2.1:5000"]), from("192.0.2.1"));
        assert_eq!(read(&["2001:db8::1"]), from("2001:db8::1"));
        assert_eq!(read(&["[2001:db8::1]"]), from("2001:db8::1"));
        assert_eq!(read(&["[2001:db8::1]:5000"]), from("2001:db8::1"));
        assert_eq!(
            read(&["192.0.2.1, [2001:db8::1]:5000 "]),
            from("2001:db8::1")
        );
        assert_eq!(read(&["192.0.2.1", "192.0.2.2:1"]), from("192.0.2.2"));
    }

    #[test]
    fn what_is_no_address_is_not_taken_for_none() {
        assert_eq!(read(&[]), Forwarded::Nothing);
        for text in [
            "",
            "unknown",
            "_hidden",
            "192.0.2.1, ",
            "192.0.2.1:",
            "[192.0.2.1]",
            "[2001:db8::1",
            "2001:db8::1%eth0",
            "192.0.2.1:99999",
        ] {
            assert_eq!(read(&["192.0.2.9", text]), Forwarded::Unreadable, "{text}");
        }
    }
}
