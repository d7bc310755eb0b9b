//! A server that is about to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dropshot::Body;
use http::{HeaderValue, Response, header};

/// `true` if the server is about to stop. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Stopping(Arc<AtomicBool>);

impl Stopping {
    /// Begins: the server reports that it isn't ready, and closes each connection after its next answer.
    pub fn begin(&self) {
        self.0.store(true, Ordering::Release);
    }

    pub fn has_begun(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    /// Makes the client reconnect to another server. hyper removes the header from HTTP/2 answers.
    pub(crate) fn mark(&self, response: &mut Response<Body>) {
        if self.has_begun() {
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(header::CONNECTION, close);
        }
    }
}
