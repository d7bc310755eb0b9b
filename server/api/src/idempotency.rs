//! Requests that come with an idempotency key: what a server needs to tell whether it has seen one before.

use std::fmt;
use std::marker::PhantomData;

use dropshot::Body;
use http::Response;
use serde::Serialize;
use serde_json::Value;

use crate::{Keyed, OpInfo};

/// The header that carries the key.
pub const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// A request with an idempotency key, as far as it can differ from another one with the same key.
#[derive(Clone, Debug)]
pub struct IdempotentRequest {
    /// The operation; a key is good for one.
    pub operation: &'static OpInfo,
    /// The same, with the type that it answers.
    pub keyed: Keyed,
    /// The key as it came.
    pub key: String,
    /// The path's parameters with their values, and the query where there is one.
    pub target: Vec<(&'static str, String)>,
    /// The body after validation: unknown members may still be in it, nulls are not.
    pub body: Value,
}

/// What an idempotency key says about a request, before its method runs.
pub enum KeyState<K> {
    /// The same request came before and has this answer. The method doesn't run.
    Answered(Response<Body>),
    /// The method runs, and finds this claim on the key in its [`crate::Caller`].
    Open(K),
}

/// The type that an operation answers: its stored answers are written from no other.
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
