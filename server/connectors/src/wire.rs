//! HTTP requests and answers, independent of the processor.

use std::fmt;

use bytes::Bytes;
use http::{HeaderMap, Method};
use multirail_kernel::secret::SecretText;
use multirail_outbound::{Upload, multipart};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::form;

/// A request. Its secrets don't print.
pub struct WireRequest {
    pub method: Method,
    /// The encoded path from the first `/` on ([`path`]), with its query.
    pub path: String,
    /// Headers in addition to the client's `content-type`, `accept` and `user-agent`.
    pub headers: Vec<(&'static str, SecretText)>,
    pub body: Body,
    /// Members of request and answer whose values may be logged, see [`crate::mask`].
    pub shown: &'static [&'static str],
}

/// The body of a request.
pub enum Body {
    Empty,
    /// `application/x-www-form-urlencoded`
    Form(SecretText),
    Json(SecretText),
    /// `multipart/form-data`; the content type contains the boundary.
    Multipart {
        content_type: String,
        bytes: Bytes,
    },
}

impl Body {
    /// Encodes a form, see [`form::encode`].
    pub fn form(members: &impl Serialize) -> Self {
        Body::Form(form::encode(members))
    }

    pub fn json(members: &impl Serialize) -> Self {
        Body::Json(SecretText::of_json(members))
    }

    /// Encodes a multipart body, see [`multipart`].
    pub async fn multipart(texts: &[(&'static str, &'static str)], file: Upload) -> Self {
        let (content_type, bytes) = multipart(texts, file).await;
        Body::Multipart {
            content_type,
            bytes,
        }
    }

    pub(crate) fn content_type(&self) -> Option<&str> {
        match self {
            Body::Empty => None,
            Body::Form(_) => Some("application/x-www-form-urlencoded"),
            Body::Json(_) => Some("application/json"),
            Body::Multipart { content_type, .. } => Some(content_type),
        }
    }

    /// Returns the bytes without copying them. They are overwritten when the request is dropped.
    pub(crate) fn into_bytes(self) -> Bytes {
        struct Owned(SecretText);

        impl AsRef<[u8]> for Owned {
            fn as_ref(&self) -> &[u8] {
                self.0.expose().as_bytes()
            }
        }

        match self {
            Body::Empty => Bytes::new(),
            Body::Form(text) | Body::Json(text) => Bytes::from_owner(Owned(text)),
            Body::Multipart { bytes, .. } => bytes,
        }
    }
}

impl WireRequest {
    pub fn get(path: String) -> Self {
        WireRequest {
            method: Method::GET,
            path,
            headers: Vec::new(),
            body: Body::Empty,
            shown: &[],
        }
    }

    /// Creates a GET request with these members as its query.
    pub fn get_by(mut path: String, query: &impl Serialize) -> Self {
        let query = form::encode(query);
        if !query.is_empty() {
            path.push('?');
            path.push_str(query.expose());
        }
        WireRequest::get(path)
    }

    pub fn post(path: String, body: Body) -> Self {
        WireRequest {
            method: Method::POST,
            body,
            ..WireRequest::get(path)
        }
    }

    pub fn put(path: String, body: Body) -> Self {
        WireRequest {
            method: Method::PUT,
            ..WireRequest::post(path, body)
        }
    }

    /// Creates a DELETE request with these members as its query.
    pub fn delete_by(path: String, query: &impl Serialize) -> Self {
        WireRequest {
            method: Method::DELETE,
            ..WireRequest::get_by(path, query)
        }
    }

    pub fn delete(path: String) -> Self {
        WireRequest {
            method: Method::DELETE,
            ..WireRequest::get(path)
        }
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &'static str, value: SecretText) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Adds the account's key as a bearer token.
    #[must_use]
    pub fn bearer(self, key: &SecretText) -> Self {
        let token = SecretText::composed(|writer| {
            writer.write_all(b"Bearer ")?;
            writer.write_all(key.expose().as_bytes())
        });
        self.header("authorization", token.expect("texts make a text"))
    }

    /// Sets [`WireRequest::shown`].
    #[must_use]
    pub fn showing(self, shown: &'static [&'static str]) -> Self {
        WireRequest { shown, ..self }
    }
}

impl fmt::Debug for WireRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WireRequest")
            .field("method", &self.method)
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

/// An answer with any status.
pub struct WireAnswer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl WireAnswer {
    /// Reads the body as JSON of this type. Unknown members are ignored.
    pub fn json<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_slice(&self.body).ok()
    }

    /// Returns the header of this name, if it is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

/// Prints only the status, because answers contain personal data and cards.
impl fmt::Debug for WireAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WireAnswer")
            .field("status", &self.status)
            .finish_non_exhaustive()
    }
}

/// Joins the segments to a path, each preceded by `/` and encoded, so that a `/` inside a reference
/// stays in its segment. For segments that no path can hold (empty, `.` and `..`) the client
/// refuses to send the path.
pub fn path(segments: &[&str]) -> String {
    let mut path = String::new();
    for segment in segments {
        path.push('/');
        for byte in segment.bytes() {
            if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
                path.push(byte.into());
            } else {
                path.push_str(&format!("%{byte:02X}"));
            }
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_of_a_path_stays_one() {
        assert_eq!(path(&["v1", "charges", "ch_1"]), "/v1/charges/ch_1");
        assert_eq!(
            path(&["v1", "a/b?c=d e#é"]),
            "/v1/a%2Fb%3Fc%3Dd%20e%23%C3%A9"
        );
    }

    #[test]
    fn a_query_stands_behind_the_path_where_there_is_one() {
        let asked = |query: &[(&str, &str)]| {
            let query: std::collections::BTreeMap<_, _> = query.iter().copied().collect();
            WireRequest::get_by("/payments".to_owned(), &query).path
        };
        assert_eq!(
            asked(&[("limit", "1"), ("reference", "a&b")]),
            "/payments?limit=1&reference=a%26b"
        );
        assert_eq!(asked(&[]), "/payments");
    }

    #[test]
    fn neither_body_nor_headers_are_printed() {
        let request = WireRequest::post(path(&["pay"]), Body::Json(SecretText::new("4111")))
            .bearer(&SecretText::new("sesame"));
        let (name, token) = &request.headers[0];
        assert_eq!((*name, token.expose()), ("authorization", "Bearer sesame"));
        assert_eq!(
            format!("{request:?}"),
            r#"WireRequest { method: POST, path: "/pay", .. }"#
        );
    }
}
