//! What went over the wire in one try.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One try: what was sent beside the body, and what came back. Members of an answer are `None` where none came.
/// Doesn't print its headers: they may carry credentials of the merchant's endpoint.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    /// Name and value in the order in which they were sent.
    pub request_headers: Vec<(String, String)>,
    pub status_code: Option<u16>,
    pub response_headers: Option<Vec<(String, String)>>,
    /// The beginning of the answer's body, up to the configured limit.
    pub response_body: Option<String>,
    /// Why there is no answer, for the merchant to read.
    pub error_message: Option<String>,
}

impl Exchange {
    /// A try that came to nothing.
    pub fn failed(
        request_headers: Vec<(String, String)>,
        error_message: impl Into<String>,
    ) -> Self {
        Exchange {
            request_headers,
            error_message: Some(error_message.into()),
            ..Exchange::default()
        }
    }

    /// Whether the endpoint took it: with any 2xx.
    pub fn is_delivered(&self) -> bool {
        self.status_code
            .is_some_and(|status| (200..=299).contains(&status))
    }
}

impl fmt::Debug for Exchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exchange")
            .field("status_code", &self.status_code)
            .field("error_message", &self.error_message)
            .finish_non_exhaustive()
    }
}
