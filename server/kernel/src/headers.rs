//! Names and values of headers.

/// Headers that we set ourselves or that belong to the connection.
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

/// Beginnings of header names that our signatures and proxies use.
const OUR_HEADER_FAMILIES: [&str; 4] = ["webhook-", "x-webhook-", "proxy-", "sec-"];

/// Returns whether we set the header of this name ourselves, so that no profile does.
pub fn is_ours(name: &str) -> bool {
    OUR_HEADERS.contains(&name)
        || OUR_HEADER_FAMILIES
            .iter()
            .any(|family| name.starts_with(family))
}

/// A token of RFC 9110.
pub fn is_header_name(name: &str) -> bool {
    const SIGNS: &[u8] = b"!#$%&'*+-.^_`|~";
    let token = |byte: u8| byte.is_ascii_alphanumeric() || SIGNS.contains(&byte);
    !name.is_empty() && name.len() <= 64 && name.bytes().all(token)
}

/// Visible ASCII with blanks inside; no line end, so that no second header can hide in it.
pub fn is_header_value(value: &str) -> bool {
    value.len() <= 1024
        && value.trim() == value
        && value
            .bytes()
            .all(|byte| byte.is_ascii_graphic() || byte == b' ')
}
