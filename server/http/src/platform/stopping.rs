//! A server that is about to stop.

use dropshot::Body;
use http::{HeaderValue, Response, header};
use tokio::sync::watch;

/// `true` if the server is about to stop. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Stopping(watch::Sender<bool>);

impl Stopping {
    /// Begins: the server reports that it isn't ready, ends its streams, and closes each connection after its next answer.
    pub fn begin(&self) {
        self.0.send_replace(true);
    }

    pub fn has_begun(&self) -> bool {
        *self.0.borrow()
    }

    /// Returns when the server begins to stop.
    pub(crate) fn begun(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut begun = self.0.subscribe();
        async move {
            // An error means that the server is gone.
            begun.wait_for(|begun| *begun).await.map(drop).unwrap_or(());
        }
    }

    /// Makes the client reconnect to another server. hyper removes the header from HTTP/2 answers.
    pub(crate) fn mark(&self, response: &mut Response<Body>) {
        if self.has_begun() {
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(header::CONNECTION, close);
        }
    }
}
