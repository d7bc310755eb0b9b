//! Answers that are JSON.

use std::marker::PhantomData;

use dropshot::{Body, HttpError};
use http::{HeaderValue, Response, StatusCode, header};
use serde::Serialize;

/// The initial buffer, enough for most answers, including a payment's.
const ROOM: usize = 4_096;

/// A 200 answer of `application/json` with a `T`, as text. A payment's answer has some kilobytes, which every future in
/// between would copy, and its text may exist already.
#[derive(Clone, PartialEq, Eq)]
pub struct JsonAnswer<T> {
    text: String,
    /// Boxed, because few answers set a cookie.
    cookie: Option<Box<HeaderValue>>,
    says: PhantomData<fn() -> T>,
}

impl<T> JsonAnswer<T> {
    /// Returns an answer from its text.
    pub fn written(text: String) -> Self {
        Self {
            text,
            cookie: None,
            says: PhantomData,
        }
    }

    /// Adds a cookie.
    pub fn with_cookie(self, cookie: HeaderValue) -> Self {
        Self {
            cookie: Some(Box::new(cookie)),
            ..self
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

/// The answer of a method.
pub trait Answer {
    /// Returns the response.
    ///
    /// # Errors
    /// When no response can be made of it.
    fn response(self) -> Result<Response<Body>, HttpError>;
}

impl<T> Answer for JsonAnswer<T> {
    fn response(self) -> Result<Response<Body>, HttpError> {
        let mut response = Response::builder()
            .status(StatusCode::OK)
            .header(header::CONTENT_TYPE, "application/json")
            .body(self.text.into())?;
        set_cookie(&mut response, self.cookie);
        Ok(response)
    }
}

/// Adds a cookie to a response, if there is one.
pub(crate) fn set_cookie(response: &mut Response<Body>, cookie: Option<Box<HeaderValue>>) {
    if let Some(cookie) = cookie {
        response.headers_mut().insert(header::SET_COOKIE, *cookie);
    }
}
