//! The rest of a request's body after its answer.
//!
//! Many clients write the whole body before they read. If the server closes the connection meanwhile, they see a broken
//! pipe and not the answer. So the rest of a body is read and dropped after the answer, for a while.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use dropshot::Body;
use http::{HeaderValue, Request, Response, Version, header};
use http_body_util::BodyExt;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use tokio::sync::oneshot;

use crate::Ticket;

/// The largest rest that is read and dropped: as much as the largest configurable body.
const DROPPED_BYTES: u64 = 16_777_216;

type Cause = Box<dyn std::error::Error + Send + Sync>;
type Slot = Arc<Mutex<Option<Left>>>;

/// A body whose rest returns to its slot when its reader drops it.
struct Lent {
    left: Option<Left>,
    slot: Slot,
    ticket: Option<Arc<dyn Ticket>>,
}

/// A body that isn't read to its end.
struct Left {
    body: Body,
    /// True once reading has begun, which tells a waiting client to continue.
    is_begun: bool,
}

/// The statements of a request's head about its body.
#[derive(Clone, Copy)]
pub(crate) struct Asked {
    version: Version,
    /// True if the client may wait for permission before it sends the body.
    expects: bool,
}

impl Asked {
    pub(crate) fn from_request<B>(request: &Request<B>) -> Self {
        Self {
            version: request.version(),
            expects: request.headers().contains_key(header::EXPECT),
        }
    }
}

/// The other end of a [`Lent`] body.
pub(crate) struct Rest(Option<Slot>);

/// Lends a body. The ticket is notified when it is read completely.
pub(crate) fn lend(body: Body, ticket: Option<Arc<dyn Ticket>>) -> (Body, Rest) {
    if body.is_end_stream() {
        if let Some(ticket) = ticket {
            ticket.arrived();
        }
        return (body, Rest(None));
    }
    let slot = Slot::default();
    let lent = Lent {
        left: Some(Left {
            body,
            is_begun: false,
        }),
        slot: Arc::clone(&slot),
        ticket,
    };
    (Body::wrap(lent), Rest(Some(slot)))
}

impl HttpBody for Lent {
    type Data = Bytes;
    type Error = Cause;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Cause>>> {
        let Some(left) = &mut self.left else {
            return Poll::Ready(None);
        };
        left.is_begun = true;
        let frame = ready!(Pin::new(&mut left.body).poll_frame(context));
        match &frame {
            Some(Ok(_)) => {}
            // The body broke off: nothing will follow.
            Some(Err(_)) => self.left = None,
            None => {
                self.left = None;
                if let Some(ticket) = &self.ticket {
                    ticket.arrived();
                }
            }
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.left
            .as_ref()
            .is_none_or(|left| left.body.is_end_stream())
    }

    fn size_hint(&self) -> SizeHint {
        match &self.left {
            Some(left) => left.body.size_hint(),
            None => SizeHint::with_exact(0),
        }
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(left) = self.left.take().filter(|left| !left.body.is_end_stream()) {
            *self.slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(left);
        }
    }
}

impl Rest {
    /// Reads and drops the rest of the body after the answer is written, for at most `patience`.
    pub(crate) fn drop_behind(
        self,
        mut response: Response<Body>,
        asked: Asked,
        patience: Duration,
    ) -> Response<Body> {
        let left = self
            .0
            .and_then(|slot| slot.lock().unwrap_or_else(PoisonError::into_inner).take());
        let Some(left) = left else {
            return response;
        };
        // A waiting client is told to stop, and so is one with more data than the limit.
        let is_waiting = !left.is_begun && asked.expects;
        let is_too_much = left.body.size_hint().lower() > DROPPED_BYTES;
        if (is_waiting || is_too_much) && asked.version < Version::HTTP_2 {
            response
                .headers_mut()
                .insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        let (written, is_written) = oneshot::channel();
        tokio::spawn(tokio::time::timeout(patience, async move {
            // Reading before the answer is written would tell a waiting client to continue.
            let _ = is_written.await;
            drop_rest(left.body).await;
        }));
        response.map(|body| {
            Body::wrap(WatchedBody {
                body,
                _written: written,
            })
        })
    }
}

async fn drop_rest(mut body: Body) {
    let mut dropped = 0;
    while let Some(Ok(frame)) = body.frame().await {
        dropped += frame.data_ref().map_or(0, |data| data.len() as u64);
        if dropped > DROPPED_BYTES {
            return;
        }
    }
}

/// The body of an answer. Dropping it reports that the answer is written.
struct WatchedBody {
    body: Body,
    _written: oneshot::Sender<()>,
}

impl HttpBody for WatchedBody {
    type Data = Bytes;
    type Error = Cause;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Cause>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
