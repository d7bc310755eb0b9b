//! The names and values of HTTP headers.

/// Headers that the server sets itself or that belong to the connection.
const OUR_HEADERS: [&str; 14] = [
    "accept-encoding",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "expect",
    "host",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
    "via",
];

/// Prefixes of header names that the server's signatures and proxies use.
const OUR_HEADER_FAMILIES: [&str; 4] = ["webhook-", "x-webhook-", "proxy-", "sec-"];

/// Checks whether the server sets the header itself, so that no profile may set it.
pub fn is_ours(name: &str) -> bool {
    OUR_HEADERS.contains(&name)
        || OUR_HEADER_FAMILIES
            .iter()
            .any(|family| name.starts_with(family))
}

/// Checks for a token of RFC 9110.
pub fn is_header_name(name: &str) -> bool {
    const SIGNS: &[u8] = b"!#$%&'*+-.^_`|~";
    let token = |byte: u8| byte.is_ascii_alphanumeric() || SIGNS.contains(&byte);
    !name.is_empty() && name.len() <= 64 && name.bytes().all(token)
}

/// Checks for visible ASCII with inner blanks only. A line end could hide a second header.
pub fn is_header_value(value: &str) -> bool {
    value.len() <= 1024
        && value.trim() == value
        && value
            .bytes()
            .all(|byte| byte.is_ascii_graphic() || byte == b' ')
}
