//! Answers that are JSON.

use std::marker::PhantomData;

use dropshot::{ApiEndpointResponse, Body, HttpError, HttpResponse, HttpResponseOk};
use http::{Response, StatusCode, header};
use schemars::JsonSchema;
use serde::Serialize;

/// The initial buffer, enough for most answers, including a payment's.
const ROOM: usize = 4_096;

/// A 200 answer of `application/json` with a `T`, as text. A payment's answer has some kilobytes, which every future in
/// between would copy, and its text may exist already.
#[derive(Clone, PartialEq, Eq)]
pub struct JsonAnswer<T> {
    text: String,
    says: PhantomData<fn() -> T>,
}

impl<T> JsonAnswer<T> {
    /// Returns an answer from its text.
    pub fn written(text: String) -> Self {
        Self {
            text,
            says: PhantomData,
        }
    }
}

impl<T: Serialize> JsonAnswer<T> {
    /// Writes an answer.
    ///
    /// # Panics
    /// When the answer can't be written as JSON, which generated types always can.
    pub fn new(answer: T) -> Self {
        let mut text = Vec::with_capacity(ROOM);
        serde_json::to_writer(&mut text, &answer).expect("answers are plain JSON");
        Self::written(String::from_utf8(text).expect("JSON is UTF-8"))
    }
}

impl<T: JsonSchema + Serialize + Send + Sync + 'static> HttpResponse for JsonAnswer<T> {
    fn to_result(self) -> Result<Response<Body>, HttpError> {
        Ok(Response::builder()
            .status(StatusCode::OK)
            .header(header::CONTENT_TYPE, "application/json")
            .body(self.text.into())?)
    }

    fn response_metadata() -> ApiEndpointResponse {
        <HttpResponseOk<T> as HttpResponse>::response_metadata()
    }

    fn status_code(&self) -> StatusCode {
        StatusCode::OK
    }
}
