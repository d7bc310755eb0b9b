//! Requests with an idempotency key: the data by which a server recognizes repeats.

use std::fmt;
use std::marker::PhantomData;

use dropshot::Body;
use http::Response;
use serde::Serialize;
use serde_json::Value;

use crate::{Keyed, OpInfo};

/// The header that carries the key.
pub const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// A request with an idempotency key, with everything in which it can differ from another one.
#[derive(Clone, Debug)]
pub struct IdempotentRequest {
    /// The operation. A key is valid for one operation.
    pub operation: &'static OpInfo,
    /// The same operation, with the type of its answer.
    pub keyed: Keyed,
    /// The key as it came.
    pub key: String,
    /// The path's parameters with their values, and the query where there is one.
    pub target: Vec<(&'static str, String)>,
    /// The body after validation. It may contain unknown members, but no nulls.
    pub body: Value,
}

/// The state of an idempotency key before the request's method runs.
pub enum KeyState<K> {
    /// The same request came before and has this answer. The method doesn't run.
    Answered(Response<Body>),
    /// The method runs, and finds this claim in its [`crate::Caller`].
    Open(K),
}

/// The type of an operation's answers. Its stored answers are written from no other.
pub struct Answers<T>(PhantomData<fn(&T)>);

impl<T: Serialize> Answers<T> {
    /// Returns an answer as JSON text.
    ///
    /// # Errors
    /// The answer can't be written as JSON.
    pub fn write(self, answer: &T) -> Result<String, serde_json::Error> {
        serde_json::to_string(answer)
    }
}

impl<T> Answers<T> {
    pub(crate) const fn new() -> Self {
        Answers(PhantomData)
    }
}

impl<T> Clone for Answers<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Answers<T> {}

impl<T> fmt::Debug for Answers<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Answers")
    }
}
