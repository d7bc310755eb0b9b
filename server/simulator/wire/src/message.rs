//! Requests and answers on the wire.

use std::fmt;

use multirail_kernel::secret::SecretText;
use serde::Serialize;

/// The two methods in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Get,
    Post,
}

/// A request on the wire. Its secrets don't print.
pub struct WireRequest {
    pub method: Method,
    pub path: String,
    /// [`crate::API_KEY_HEADER`]
    pub api_key: SecretText,
    /// [`crate::KEY_HEADER`]
    pub key: Option<String>,
    /// JSON; empty with a GET. It is secret because authorizations contain card numbers.
    pub body: SecretText,
}

impl fmt::Debug for WireRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WireRequest")
            .field("method", &self.method)
            .field("path", &self.path)
            .field("key", &self.key)
            .finish_non_exhaustive()
    }
}

impl WireRequest {
    /// Creates a POST that is filed under `key`.
    pub fn post(path: String, api_key: SecretText, key: &str, body: &impl Serialize) -> Self {
        WireRequest {
            method: Method::Post,
            path,
            api_key,
            key: Some(key.to_owned()),
            body: SecretText::of_json(body),
        }
    }

    /// Creates a POST that files nothing.
    pub fn question(path: String, api_key: SecretText, body: &impl Serialize) -> Self {
        WireRequest {
            key: None,
            ..WireRequest::post(path, api_key, "", body)
        }
    }

    /// Creates a GET.
    pub fn get(path: String, api_key: SecretText) -> Self {
        WireRequest {
            method: Method::Get,
            path,
            api_key,
            key: None,
            body: SecretText::default(),
        }
    }
}

/// An answer on the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireResponse {
    pub status: u16,
    pub body: String,
}

impl WireResponse {
    /// Creates an answer with a JSON body.
    pub fn json(status: u16, body: &impl Serialize) -> Self {
        let body = serde_json::to_string(body).expect("our own bodies are plain JSON");
        WireResponse { status, body }
    }
}
