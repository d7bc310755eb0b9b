//! An answer that the judge has accepted, and its request.

use std::time::Duration;

use reqwest::Method;
use reqwest::header::HeaderMap;
use serde_json::Value;

/// Parses a time as the contract writes it.
pub fn moment(value: &Value) -> chrono::DateTime<chrono::FixedOffset> {
    let text = value.as_str().expect("a moment is a text");
    chrono::DateTime::parse_from_rfc3339(text).expect("a moment")
}

/// A request as it was sent.
#[derive(Clone, Debug)]
pub struct Asked {
    pub method: Method,
    /// Path and query.
    pub target: String,
    pub headers: Vec<(String, String)>,
    pub body: Option<Vec<u8>>,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Response {
    /// The operation's id, or method and path of a request outside of the document.
    pub asked: String,
    pub request: Asked,
    pub status: u16,
    pub headers: HeaderMap,
    /// The body as JSON; any other text is a string.
    pub body: Value,
    /// The body as text.
    pub text: String,
    pub took: Duration,
}

impl Response {
    /// Returns the body of a success.
    ///
    /// # Panics
    /// Panics when the answer isn't a success.
    #[track_caller]
    pub fn ok(self) -> Value {
        assert_eq!(
            self.status, 200,
            "{} should have worked: {}",
            self.asked, self.body
        );
        self.body
    }

    /// Returns the message of a refusal with this status and code.
    ///
    /// # Panics
    /// Panics when the answer is different.
    #[track_caller]
    pub fn refused(self, status: u16, code: &str) -> String {
        let is = (self.status, self.body["code"].as_str().unwrap_or("-"));
        assert_eq!(
            is,
            (status, code),
            "{} should have been refused otherwise: {}",
            self.asked,
            self.body
        );
        self.message()
    }

    /// Returns the message of an error.
    pub fn message(&self) -> String {
        self.body["message"].as_str().unwrap_or_default().to_owned()
    }

    /// Returns whether the answer is a refusal with this status and code.
    pub fn is_refusal(&self, status: u16, code: &str) -> bool {
        self.status == status && self.body["code"] == code
    }

    /// Describes how the answer differs from the refusal with this status and code.
    pub fn instead_of(&self, status: u16, code: &str) -> String {
        let is = self.body["code"].as_str().unwrap_or_default();
        let (came, wanted) = (format!("{} {is}", self.status), format!("{status} {code}"));
        format!("answered {} instead of {}", came.trim(), wanted.trim())
    }

    /// Returns a header's text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn both_the_actual_and_the_wanted_code_are_shown() {
        let answered = |status, body| Response {
            asked: "refunds_retrieve".to_owned(),
            request: Asked {
                method: Method::GET,
                target: "/refunds/unborn".to_owned(),
                headers: Vec::new(),
                body: None,
            },
            status,
            headers: HeaderMap::new(),
            body,
            text: String::new(),
            took: Duration::ZERO,
        };
        assert_eq!(
            answered(404, json!({ "code": "HE_99" })).instead_of(404, "HE_02"),
            "answered 404 HE_99 instead of 404 HE_02"
        );
        assert_eq!(
            answered(200, json!({})).instead_of(404, ""),
            "answered 200 instead of 404"
        );
    }
}
