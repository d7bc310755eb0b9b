//! Answers that are JSON.

use std::marker::PhantomData;

use dropshot::{ApiEndpointResponse, Body, HttpError, HttpResponse, HttpResponseOk};
use http::{Response, StatusCode, header};
use schemars::JsonSchema;
use serde::Serialize;

/// Room for most answers, a payment's too, from the start.
const ROOM: usize = 4_096;

/// A 200 of `application/json` that says a `T`, written where it was made: an answer of a payment has some kilobytes, which
/// every future that handed it on would copy, and its text may be there already.
#[derive(Clone, PartialEq, Eq)]
pub struct JsonAnswer<T> {
    text: String,
    says: PhantomData<fn() -> T>,
}

impl<T> JsonAnswer<T> {
    /// An answer that was written before.
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
    /// Where it isn't JSON, which answers of generated types are.
    pub fn of(answer: T) -> Self {
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
