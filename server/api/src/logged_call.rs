//! A call that goes into its merchant's request log, while it is under way.

use std::error::Error;
use std::fmt;
use std::pin::Pin;
use std::sync::OnceLock;
use std::task::{Context, Poll};

use bytes::Bytes;
use dropshot::Body;
use futures::FutureExt;
use http::{HeaderMap, HeaderValue, Response, header};
use http_body_util::BodyExt;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use zeroize::Zeroizing;

use crate::idempotency::IDEMPOTENCY_KEY;
use crate::{Authenticated, OpInfo, Principal};

/// The parts of a call that its answer no longer has. Nothing is copied out of the body: its buffer is handed over when
/// the call doesn't need it any more, and overwritten when this value is dropped. Headers are copied, because each shares the
/// buffer of all others.
pub struct LoggedCall {
    /// The operation.
    pub operation: &'static OpInfo,
    /// The caller; `None` for a payer's client with a publishable key.
    pub principal: Option<Principal>,
    /// The merchant of the key.
    pub merchant_id: String,
    /// The values of the path's parameters, from left to right.
    pub variables: Vec<String>,
    pub user_agent: Option<HeaderValue>,
    pub idempotency_key: Option<HeaderValue>,
    body: OnceLock<Zeroizing<Vec<u8>>>,
}

impl LoggedCall {
    /// Begins with an authenticated call; `None` where no merchant is known.
    pub(crate) fn begin(
        operation: &'static OpInfo,
        authenticated: &Authenticated,
        variables: &[String],
        headers: &HeaderMap,
    ) -> Option<Self> {
        let principal = match authenticated {
            Authenticated::Principal(principal) => Some(principal.clone()),
            Authenticated::Publishable { .. } => None,
        };
        Some(LoggedCall {
            operation,
            principal,
            merchant_id: authenticated.merchant_id()?.to_owned(),
            variables: variables.to_vec(),
            user_agent: headers.get(header::USER_AGENT).and_then(copied),
            idempotency_key: headers.get(IDEMPOTENCY_KEY).and_then(copied),
            body: OnceLock::new(),
        })
    }

    /// Takes the buffer of the body over.
    pub(crate) fn keep_body(&self, bytes: Zeroizing<Vec<u8>>) {
        let _ = self.body.set(bytes);
    }

    /// Returns the bytes that it holds in memory, apart from a few identifiers of its caller, which are short.
    pub fn size(&self) -> usize {
        let body = self.body.get().map_or(0, |bytes| bytes.capacity());
        let variables = self.variables.iter().map(String::capacity);
        let headers = [&self.user_agent, &self.idempotency_key].into_iter();
        let headers = headers.flatten().map(HeaderValue::len);
        size_of::<Self>() + body + variables.chain(headers).sum::<usize>()
    }

    /// Returns the body, which may contain a card; empty where none was read.
    pub fn body(&self) -> &[u8] {
        self.body.get().map_or(&[], |bytes| bytes.as_slice())
    }
}

fn copied(value: &HeaderValue) -> Option<HeaderValue> {
    HeaderValue::from_bytes(value.as_bytes()).ok()
}

/// The body of an answer, for the request log.
pub enum SharedAnswer {
    Whole(Bytes),
    TooLong,
    /// There is none, or it isn't JSON.
    Nothing,
}

impl SharedAnswer {
    /// Returns the body of an answer without copying it. JSON answers are one piece in memory.
    pub fn read(response: &mut Response<Body>, longest: u64) -> Self {
        let content_type = response.headers().get(header::CONTENT_TYPE);
        let is_json = content_type.is_some_and(|it| it.as_bytes().starts_with(b"application/json"));
        match response.body().size_hint().exact() {
            Some(1..) if !is_json => SharedAnswer::Nothing,
            Some(length @ 1..) if length > longest => SharedAnswer::TooLong,
            Some(length @ 1..) => Self::share(response.body_mut(), length),
            Some(0) | None => SharedAnswer::Nothing,
        }
    }

    /// Shares the first frame if it is the whole body. The caller gets every frame in either case.
    fn share(body: &mut Body, length: u64) -> Self {
        let hint = body.size_hint();
        let mut rest = std::mem::replace(body, Body::empty());
        let Some(first) = rest.frame().now_or_never().flatten() else {
            *body = rest;
            return SharedAnswer::Nothing;
        };
        let data = first.as_ref().ok().and_then(|frame| frame.data_ref());
        let is_whole = |bytes: &&Bytes| u64::try_from(bytes.len()).is_ok_and(|it| it == length);
        let shared = match data.filter(is_whole) {
            Some(bytes) => SharedAnswer::Whole(bytes.clone()),
            None => SharedAnswer::Nothing,
        };
        *body = Body::wrap(Resumed {
            first: Some(first),
            rest,
            hint,
        });
        shared
    }
}

type FrameResult = Result<Frame<Bytes>, Box<dyn Error + Send + Sync>>;

/// A body whose first frame was read already.
struct Resumed {
    first: Option<FrameResult>,
    rest: Body,
    /// The size of the whole body.
    hint: SizeHint,
}

impl HttpBody for Resumed {
    type Data = Bytes;
    type Error = Box<dyn Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<FrameResult>> {
        match self.first.take() {
            Some(first) => Poll::Ready(Some(first)),
            None => Pin::new(&mut self.rest).poll_frame(context),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.first.is_none() && self.rest.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        match self.first {
            Some(_) => self.hint,
            None => self.rest.size_hint(),
        }
    }
}

/// Shows neither the body nor the headers.
impl fmt::Debug for LoggedCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoggedCall")
            .field("operation", &self.operation.id)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use futures::stream;
    use http_body_util::StreamBody;

    use super::*;
    use crate::{ActsBy, Merchant, OPERATIONS};

    fn text(body: Body) -> Bytes {
        let read = body.collect().now_or_never().expect("it is in memory");
        read.expect("it is read").to_bytes()
    }

    #[test]
    fn everything_that_a_call_holds_has_a_size() {
        let merchant = Merchant {
            merchant_id: "bookshop".to_owned(),
            profile_id: None,
            by: ActsBy::Key("key_1".to_owned()),
            closed: Vec::new(),
        };
        let authenticated = Authenticated::Principal(Principal::Merchant(merchant));
        let size = |variable: usize, agent: usize, body: usize| {
            let mut headers = HeaderMap::new();
            let agent = HeaderValue::from_str(&"a".repeat(agent)).expect("a header");
            headers.insert(header::USER_AGENT, agent.clone());
            headers.insert(IDEMPOTENCY_KEY, agent);
            let variables = ["v".repeat(variable)];
            let call = LoggedCall::begin(&OPERATIONS[0], &authenticated, &variables, &headers);
            let call = call.expect("a merchant");
            call.keep_body(Zeroizing::new(vec![b' '; body]));
            call.size()
        };
        let least = size(0, 0, 0);
        assert!(least > 0);
        assert_eq!(size(8_000, 0, 0), least + 8_000);
        assert_eq!(size(0, 4_000, 0), least + 8_000);
        assert_eq!(size(0, 0, 60_000), least + 60_000);
    }

    #[test]
    fn a_body_of_one_piece_is_shared() {
        let mut body = Body::from("{}");
        let shared = SharedAnswer::share(&mut body, 2);
        assert!(matches!(shared, SharedAnswer::Whole(bytes) if bytes == "{}"));
        assert_eq!(body.size_hint().exact(), Some(2));
        assert_eq!(text(body), "{}");
    }

    #[test]
    fn a_body_of_several_pieces_is_answered_whole() {
        let pieces =
            ["{\"a\"", ":1}"].map(|piece| Ok::<_, Infallible>(Frame::data(Bytes::from(piece))));
        let mut body = Body::wrap(StreamBody::new(stream::iter(pieces)));
        let shared = SharedAnswer::share(&mut body, 7);
        assert!(matches!(shared, SharedAnswer::Nothing));
        assert_eq!(text(body), "{\"a\":1}");
    }
}
