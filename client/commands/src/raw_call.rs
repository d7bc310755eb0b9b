//! Calls of operations that are known only at run time.

use multirail_client::{Client, ClientInfo};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::{Method, Response};
use serde_json::{Map, Value};

use crate::failure::with_causes;

/// The maximum size of an answer.
const LONGEST_ANSWER: usize = 4 * 1024 * 1024;

/// The characters of a path's segment or a query's value that need encoding.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.');

/// Encodes a value as one segment of a path.
///
/// # Errors
/// The reason why the value would lead to another path.
pub(crate) fn path_segment(text: &str) -> Result<String, String> {
    if matches!(text, "" | "." | "..") {
        return Err("it can't be part of a path".to_owned());
    }
    Ok(encoded(text))
}

/// Encodes a value of a path or a query.
pub(crate) fn encoded(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

/// A request of the API.
pub(crate) struct RawCall {
    pub(crate) method: Method,
    /// Begins with a slash. Values in it are encoded.
    pub(crate) path: String,
    pub(crate) query: Vec<(String, String)>,
    pub(crate) body: Option<Value>,
    pub(crate) headers: Vec<(String, String)>,
}

/// The answer to a request.
pub(crate) struct RawAnswer {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

impl RawCall {
    /// Sends the request once, with the key of the client.
    ///
    /// # Errors
    /// The reason why there is no answer. It contains neither key nor address.
    pub(crate) async fn send(self, client: &Client) -> Result<RawAnswer, String> {
        let url = format!("{}{}", client.baseurl(), self.path);
        let mut request = client.client().request(self.method, url).query(&self.query);
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        if let Some(body) = &self.body {
            request = request.json(body);
        }
        let lost = |error: reqwest::Error| with_causes(&error.without_url());
        let response = request.send().await.map_err(lost)?;
        let status = response.status().as_u16();
        let body = read(response).await?;
        let body = match body.is_empty() {
            true => Value::Null,
            false => serde_json::from_slice(&body)
                .map_err(|_| format!("HTTP {status}, and the answer is no JSON"))?,
        };
        Ok(RawAnswer { status, body })
    }
}

impl RawAnswer {
    pub(crate) fn is_refusal(&self) -> bool {
        !(200..300).contains(&self.status)
    }

    /// Returns the code of a refusal, such as `IR_04`.
    pub(crate) fn code(&self) -> Option<&str> {
        self.error()?.get("code")?.as_str()
    }

    /// Returns the type of a refusal, such as `invalid_request`.
    pub(crate) fn error_type(&self) -> Option<&str> {
        let error = self.error().filter(|_| self.is_refusal());
        error?.get("error_type")?.as_str()
    }

    /// Describes a refusal in one line.
    pub(crate) fn refusal(&self) -> String {
        let text = |name: &str| self.error().and_then(|error| error.get(name)?.as_str());
        match (text("code"), text("message")) {
            (Some(code), Some(message)) => format!("{message} ({code}, HTTP {})", self.status),
            (Some(_) | None, _) => format!("HTTP {}", self.status),
        }
    }

    fn error(&self) -> Option<&Map<String, Value>> {
        self.body.as_object()
    }
}

async fn read(mut response: Response) -> Result<Vec<u8>, String> {
    let mut body = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) if body.len() + chunk.len() > LONGEST_ANSWER => {
                return Err(format!("the answer has more than {LONGEST_ANSWER} bytes"));
            }
            Ok(Some(chunk)) => body.extend_from_slice(&chunk),
            Ok(None) => return Ok(body),
            Err(error) => return Err(with_causes(&error.without_url())),
        }
    }
}
