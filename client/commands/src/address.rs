//! Addresses as people type them.

use url::{Host, Url};

/// Reads an address. Without a scheme, it means `http`; a port alone, also with a path, means this machine.
///
/// # Errors
/// The reason why the text is no address.
pub(crate) fn read_address(text: &str) -> Result<Url, String> {
    let whole = match has_scheme(text) {
        true => Some(text.to_owned()),
        false => with_scheme(text),
    };
    let url = whole.and_then(|whole| Url::parse(&whole).ok());
    let url = url.filter(|url| matches!(url.scheme(), "http" | "https") && has_host(url, text));
    url.ok_or_else(|| {
        format!("`{text}` is no address such as 3000, localhost:3000/hooks or https://shop.example")
    })
}

/// Reads the address of a server. Only one on this machine may lack its scheme, because it is sent a key.
///
/// # Errors
/// The reason why the address can't be used.
pub(crate) fn read_server(text: &str) -> Result<String, String> {
    let url = read_address(text)?;
    if has_scheme(text) {
        Ok(text.to_owned())
    } else if is_loopback(&url) {
        Ok(url.as_str().trim_end_matches('/').to_owned())
    } else {
        Err(format!(
            "`{text}` has no scheme: give https://{text}, so that nobody on the way can read the key"
        ))
    }
}

/// Checks whether an address leads to this machine itself.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

fn has_scheme(text: &str) -> bool {
    let is_word = |text: &str| text.chars().all(|sign| sign.is_ascii_alphanumeric());
    text.split_once("://")
        .is_some_and(|(scheme, _)| !scheme.is_empty() && is_word(scheme))
}

/// Completes an address without a scheme, if it has a port or its host is no single word. `hooks` may be meant as a path.
fn with_scheme(text: &str) -> Option<String> {
    let after_colon = text.strip_prefix(':').unwrap_or(text);
    let port = authority(after_colon);
    if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(format!("http://localhost:{after_colon}"));
    }
    let authority = authority(text);
    let is_plain = authority == "localhost" || authority.contains(['.', ':']);
    (is_plain && !authority.ends_with(':') && !authority.contains('@'))
        .then(|| format!("http://{text}"))
}

/// Returns the part before the path.
fn authority(text: &str) -> &str {
    text.split(['/', '?', '#']).next().unwrap_or_default()
}

/// Checks the host and the port. A URL may have an IPv4 address as one number, so that 3000 is 0.0.11.184. Nobody means
/// that.
fn has_host(url: &Url, text: &str) -> bool {
    let is_meant = match url.host() {
        Some(Host::Ipv4(address)) => text.contains(&address.to_string()),
        Some(Host::Domain(_) | Host::Ipv6(_)) => true,
        None => false,
    };
    is_meant && url.port() != Some(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_lack_its_scheme_and_host() {
        for (text, whole) in [
            ("3000", "http://localhost:3000/"),
            (":3000", "http://localhost:3000/"),
            ("3000/hooks", "http://localhost:3000/hooks"),
            (":3000/hooks?a=b", "http://localhost:3000/hooks?a=b"),
            ("localhost", "http://localhost/"),
            (
                "localhost:3000/hooks?a=b",
                "http://localhost:3000/hooks?a=b",
            ),
            (
                "localhost:3000/?to=http://b",
                "http://localhost:3000/?to=http://b",
            ),
            ("127.0.0.1:3000", "http://127.0.0.1:3000/"),
            ("[::1]:3000", "http://[::1]:3000/"),
            ("app:3000", "http://app:3000/"),
            ("shop.example/hooks", "http://shop.example/hooks"),
            ("http://app", "http://app/"),
            ("https://shop.example", "https://shop.example/"),
        ] {
            let read = read_address(text).map(|url| url.to_string());
            assert_eq!(read, Ok(whole.to_owned()), "{text}");
        }
    }

    #[test]
    fn only_a_server_on_this_machine_may_lack_its_scheme() {
        for (text, whole) in [
            ("8080", "http://localhost:8080"),
            ("localhost:8080", "http://localhost:8080"),
            ("127.0.0.1:8080/", "http://127.0.0.1:8080"),
            ("[::1]:8080/api", "http://[::1]:8080/api"),
            ("http://pay.example", "http://pay.example"),
            ("https://pay.example/", "https://pay.example/"),
        ] {
            assert_eq!(read_server(text), Ok(whole.to_owned()), "{text}");
        }
        let refused = read_server("pay.example:8443/api").expect_err("refused");
        assert!(
            refused.contains("give https://pay.example:8443/api,"),
            "{refused}"
        );
        assert!(read_server("ftp://pay.example").is_err());
    }

    #[test]
    fn a_text_that_is_no_address_is_refused() {
        for wrong in [
            "",
            ":",
            "0",
            "70000",
            ":70000/hooks",
            "hooks",
            "/hooks",
            "http://",
            "http:/localhost",
            "http://3000",
            "3000.1",
            "localhost:http",
            "local host:3000",
            "ftp://shop.example",
            "mailto:ada@shop.example",
        ] {
            let refused = read_address(wrong).expect_err(wrong);
            assert!(
                refused.starts_with(&format!("`{wrong}` is no address")),
                "{refused}"
            );
        }
    }
}
