//! Answers with a line of text.

use dropshot::{Body, HttpError};
use http::{Response, StatusCode, header};

use crate::Answer;

/// A 200 answer of `text/plain`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainText(pub String);

impl Answer for PlainText {
    fn response(self) -> Result<Response<Body>, HttpError> {
        Ok(Response::builder()
            .status(StatusCode::OK)
            .header(header::CONTENT_TYPE, "text/plain; charset=utf-8")
            .body(self.0.into())?)
    }
}
