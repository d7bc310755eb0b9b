//! Refuses repeated and ambiguous headers: where two readers could read different values, the request is refused.

use http::header::{AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, HOST, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderName, HeaderValue, Version, header};

use crate::{ApiError, IDEMPOTENCY_KEY};

/// Headers of which only one may occur, among those that this service reads.
static SINGLE: [HeaderName; 13] = [
    HeaderName::from_static("api-key"),
    AUTHORIZATION,
    CONTENT_LENGTH,
    CONTENT_TYPE,
    HOST,
    HeaderName::from_static(IDEMPOTENCY_KEY),
    header::ORIGIN,
    HeaderName::from_static("x-client-source"),
    HeaderName::from_static("x-client-version"),
    HeaderName::from_static("x-connected-merchant-id"),
    HeaderName::from_static("x-profile-id"),
    HeaderName::from_static("sec-fetch-site"),
    header::EXPECT,
];

/// Checks the headers that identify the caller and delimit the body. The HTTP library handles `Content-Length` together
/// with `Transfer-Encoding`. It follows the latter, as it must, and closes the connection after the answer, so that no
/// rest is read as a request.
///
/// # Errors
/// 400 `IR_06` with the header's name.
pub(crate) fn check(version: Version, headers: &HeaderMap) -> Result<(), ApiError> {
    for name in &SINGLE {
        if headers.get_all(name).iter().nth(1).is_some() {
            return Err(ApiError::unreadable(format!(
                "The header `{name}` stands more than once."
            )));
        }
    }
    if version == Version::HTTP_11 && !headers.contains_key(HOST) {
        return Err(ApiError::unreadable("The header `host` is missing."));
    }
    let mut encodings = headers.get_all(TRANSFER_ENCODING).iter();
    let is_chunked = |value: &HeaderValue| value.as_bytes().eq_ignore_ascii_case(b"chunked");
    let is_plain = match (encodings.next(), encodings.next()) {
        (None, _) => true,
        (Some(only), None) => is_chunked(only),
        (Some(_), Some(_)) => false,
    };
    if is_plain {
        return Ok(());
    }
    // The sender may understand the following bytes differently than we do.
    let close = HeaderValue::from_static("close");
    let what = "The header `transfer-encoding` must be `chunked` and nothing else.";
    Err(ApiError::unreadable(what).with_header(header::CONNECTION, close))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(version: Version, lines: &[(&'static str, &'static str)]) -> Result<(), String> {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(*name, HeaderValue::from_static(value));
        }
        check(version, &headers).map_err(|error| error.to_string())
    }

    #[test]
    fn what_names_the_caller_or_the_bodys_end_stands_once() {
        let host = ("host", "pay.example");
        let one = Version::HTTP_11;
        assert_eq!(checked(one, &[host, ("api-key", "a")]), Ok(()));
        for name in &SINGLE {
            let name = &*name.to_string().leak();
            let others = if name == "host" { vec![] } else { vec![host] };
            let lines = [&others[..], &[(name, "a"), (name, "a")]].concat();
            let told = format!("400 IR_06: The header `{name}` stands more than once.");
            assert_eq!(checked(one, &lines), Err(told));
        }
        assert_eq!(
            checked(one, &[]),
            Err("400 IR_06: The header `host` is missing.".to_owned())
        );
        for version in [Version::HTTP_10, Version::HTTP_2] {
            assert_eq!(checked(version, &[]), Ok(()));
        }
    }

    #[test]
    fn a_body_is_chunked_and_nothing_else() {
        let coded = |values: &[&'static str]| {
            let mut lines = vec![("host", "pay.example")];
            lines.extend(values.iter().map(|value| ("transfer-encoding", *value)));
            checked(Version::HTTP_11, &lines)
        };
        assert_eq!(coded(&["chunked"]), Ok(()));
        assert_eq!(coded(&["Chunked"]), Ok(()));
        for values in [
            &["identity", "chunked"][..],
            &["chunked", "chunked"],
            &["identity, chunked"],
            &["gzip, chunked"],
            &["chunked, chunked"],
            &["identity"],
        ] {
            assert!(coded(values).is_err(), "{values:?}");
        }
    }
}
