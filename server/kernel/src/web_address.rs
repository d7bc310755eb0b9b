//! Checks the format of http and https addresses that merchants configure. The caller of an address decides whether it
//! may be called.

use url::Url;

use crate::refusal::Refusal;

/// The maximum length of a stored address in characters.
const MAX_LENGTH: usize = 2048;

/// Checks that `text` is an http or https address with a host and without user name, password and blanks. The refusal
/// names `member`.
pub fn check_web_address(member: &str, text: &str) -> Result<(), Refusal> {
    if is_web_address(text) {
        Ok(())
    } else {
        Err(Refusal::invalid_format(
            member,
            "an http or https address such as https://shop.example/return",
        ))
    }
}

/// Checks whether [`check_web_address`] accepts the text.
pub fn is_web_address(text: &str) -> bool {
    text.len() <= MAX_LENGTH && is_web_page(text)
}

/// Checks the same without a limit on the length, because processors put data into a page's address.
pub fn is_web_page(text: &str) -> bool {
    if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return false;
    }
    let Some((scheme, rest)) = text.split_once("://") else {
        return false;
    };
    if !scheme.eq_ignore_ascii_case("https") && !scheme.eq_ignore_ascii_case("http") {
        return false;
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    // A host may have the right format and still be invalid: browsers read a name that ends in a number as an IP
    // address.
    !rest.contains('\\') && is_authority(authority) && Url::parse(text).is_ok()
}

/// Schemes that have a meaning for browsers and systems, or that run their content.
const NO_APPS: [&str; 26] = [
    "about",
    "blob",
    "chrome",
    "content",
    "data",
    "facetime",
    "file",
    "filesystem",
    "ftp",
    "ftps",
    "geo",
    "http",
    "https",
    "intent",
    "jar",
    "javascript",
    "mailto",
    "market",
    "sftp",
    "sms",
    "tel",
    "urn",
    "vbscript",
    "view-source",
    "ws",
    "wss",
];

/// Checks whether a scheme can belong to an app: `com.example.shop`, in lower case.
pub fn is_app_scheme(scheme: &str) -> bool {
    let mut letters = scheme.bytes();
    letters
        .next()
        .is_some_and(|first| first.is_ascii_lowercase())
        && letters.all(|byte| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.')
        })
        && (2..=64).contains(&scheme.len())
        && !NO_APPS.contains(&scheme)
}

/// Returns the scheme of an address that leads into an app, such as `com.example.shop://paid`, in lower case.
pub fn app_scheme(address: &str) -> Option<String> {
    let (scheme, _) = address.split_once("://")?;
    let scheme = scheme.to_ascii_lowercase();
    let is_written = address.len() <= MAX_LENGTH
        && address.bytes().all(|byte| byte.is_ascii_graphic())
        && Url::parse(address).is_ok();
    (is_written && is_app_scheme(&scheme)).then_some(scheme)
}

/// Checks for `host`, `host:port` or `[v6]:port`. A user name before the host would only hide where the address leads.
fn is_authority(authority: &str) -> bool {
    let (host, port) = match authority.strip_prefix('[') {
        Some(inside) => match inside.split_once(']') {
            Some((host, after)) => {
                let is_v6 = host.parse::<std::net::Ipv6Addr>().is_ok();
                let port = after.strip_prefix(':');
                return is_v6 && (after.is_empty() || port.is_some_and(is_port));
            }
            None => return false,
        },
        None => match authority.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (authority, None),
        },
    };
    let label = |label: &str| {
        !label.is_empty()
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    };
    let host = host.strip_suffix('.').unwrap_or(host);
    host.split('.').all(label) && port.is_none_or(is_port)
}

fn is_port(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<u16>().is_ok_and(|port| port > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_of_apps() {
        let table = [
            ("com.example.shop://paid", Some("com.example.shop")),
            ("MyShop://paid?order=1", Some("myshop")),
            ("my-shop+1://", Some("my-shop+1")),
            ("https://shop.example", None),
            ("javascript://%0aalert(1)", None),
            ("data://text/html,x", None),
            ("intent://x#Intent;end", None),
            ("file:///etc/passwd", None),
            ("shop:paid", None),
            ("1shop://paid", None),
            ("shop://pa id", None),
            ("://paid", None),
        ];
        for (address, scheme) in table {
            assert_eq!(app_scheme(address).as_deref(), scheme, "{address}");
        }
    }

    #[test]
    fn addresses_of_the_web() {
        for good in [
            "https://shop.example",
            "http://localhost:8080/hooks?kind=payment#top",
            "HTTPS://Shop.Example./",
            "https://127.0.0.1:9000/",
            "http://[::1]:8080/hooks",
            "https://xn--bcher-kva.example/a@b",
        ] {
            assert_eq!(check_web_address("return_url", good), Ok(()), "{good}");
        }
    }

    #[test]
    fn hosts_beyond_ascii_are_named_as_the_network_knows_them() {
        let table = [
            ("https://B\u{fc}cher.example", Some("xn--bcher-kva.example")),
            (
                "https://bu\u{308}cher.example",
                Some("xn--bcher-kva.example"),
            ),
            (
                "https://\u{43f}\u{440}\u{438}\u{43c}\u{435}\u{440}.example",
                Some("xn--e1afmkfd.example"),
            ),
            ("https://\u{ff41}\u{3002}example", Some("a.example")),
            ("https://a\u{202e}b.example", None),
            ("https://\u{5d0}a.example", None),
        ];
        for (address, host) in table {
            let url = url::Url::parse(address).ok();
            let found = url.as_ref().and_then(url::Url::host_str);
            assert_eq!(found, host, "{address}");
        }
    }

    #[test]
    fn everything_else() {
        for bad in [
            "",
            "shop.example",
            "ftp://shop.example",
            "javascript:alert(1)",
            "https://",
            "https:///path",
            "https://user@shop.example/",
            "https://shop.example@evil.example/",
            "https://shop.example:0/",
            "https://shop.example:99999/",
            "https://shop.example:/",
            "https://shop..example/",
            "https://[::1/",
            "https://[zz]/",
            "https://shop.example\\@evil.example/",
            "https://shop example/",
            "https://shop.example/\n",
            "https://büro.example/",
            "http://950.0.0.1:8080/sim/1",
            "https://192.0.2.1.7/",
        ] {
            assert!(check_web_address("return_url", bad).is_err(), "{bad}");
        }
        let long = format!("https://shop.example/{}", "a".repeat(MAX_LENGTH));
        assert!(check_web_address("return_url", &long).is_err());
        assert!(is_web_page(&long));
        assert!(!is_web_page("javascript:alert(1)"));
    }
}
