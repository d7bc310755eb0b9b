//! Answers with a line of text.

use dropshot::{Body, HttpError};
use http::{HeaderValue, Response, StatusCode, header};

use crate::Answer;
use crate::json_answer::set_cookie;

/// A 200 answer of `text/plain`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainText {
    text: String,
    /// Boxed, because few answers set a cookie.
    cookie: Option<Box<HeaderValue>>,
}

impl PlainText {
    /// Creates an answer with this text.
    pub fn new(text: String) -> Self {
        Self { text, cookie: None }
    }

    /// Adds a cookie.
    pub fn with_cookie(self, cookie: HeaderValue) -> Self {
        Self {
            cookie: Some(Box::new(cookie)),
            ..self
        }
    }
}

impl Answer for PlainText {
    fn response(self) -> Result<Response<Body>, HttpError> {
        let mut response = Response::builder()
            .status(StatusCode::OK)
            .header(header::CONTENT_TYPE, "text/plain; charset=utf-8")
            .body(self.text.into())?;
        set_cookie(&mut response, self.cookie);
        Ok(response)
    }
}
