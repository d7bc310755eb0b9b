//! Answers that go on: streams of server-sent events.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use dropshot::{Body, HttpError};
use http::{HeaderName, HeaderValue, Response, StatusCode, header};
use hyper::body::{Body as HttpBody, Frame};
use tokio::sync::mpsc;

use crate::Answer;

/// Pieces that wait for a slow reader. The writer waits for more room.
const WAITING: usize = 8;

/// Tells a proxy to pass each event on at once.
const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// A 200 answer of `text/event-stream`. It ends when its writer is dropped, and its writer learns when nobody reads it
/// any more.
pub struct EventStream(mpsc::Receiver<Bytes>);

impl EventStream {
    /// Creates an answer with its writer.
    pub fn new() -> (mpsc::Sender<Bytes>, Self) {
        let (writer, pieces) = mpsc::channel(WAITING);
        (writer, Self(pieces))
    }
}

impl Answer for EventStream {
    fn response(self) -> Result<Response<Body>, HttpError> {
        Ok(Response::builder()
            .status(StatusCode::OK)
            .header(header::CONTENT_TYPE, "text/event-stream")
            .header(BUFFERING, HeaderValue::from_static("no"))
            .body(Body::wrap(self))?)
    }
}

impl HttpBody for EventStream {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let piece = self.0.poll_recv(context);
        piece.map(|piece| piece.map(|piece| Ok(Frame::data(piece))))
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;

    use super::*;

    #[tokio::test]
    async fn a_stream_passes_on_what_is_written_and_ends_with_its_writer() {
        let (writer, stream) = EventStream::new();
        let response = stream.response().expect("a response");
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        let mut body = response.into_body();
        for text in ["retry: 1\n\n", ": \n\n"] {
            writer.send(Bytes::from(text)).await.expect("a reader");
            let frame = body.frame().await.expect("a piece").expect("it is whole");
            assert_eq!(frame.data_ref().map(AsRef::as_ref), Some(text.as_bytes()));
        }
        drop(writer);
        assert!(body.frame().await.is_none());
    }

    #[tokio::test]
    async fn a_writer_learns_that_its_reader_has_gone() {
        let (writer, stream) = EventStream::new();
        drop(stream.response().expect("a response"));
        writer.closed().await;
    }
}
