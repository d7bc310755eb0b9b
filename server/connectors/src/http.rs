//! The one way in which connectors speak HTTP: to an address that was checked, without redirects and proxies, with
//! answers of bounded size, and with errors that say whether anything was sent.

use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, StatusCode};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};

/// What an answer may have at most. Processors' answers are a few kilobytes.
const ANSWER_BYTES: usize = 65_536;
/// A connection that wasn't used for so long is not used again: many servers close theirs after a minute or less.
const IDLE: Duration = Duration::from_secs(15);

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HttpError {
    /// There was no connection to send anything on.
    NotSent,
    /// The connection broke after something may have been sent.
    Broken,
    /// The answer is longer than any answer should be.
    TooLong(StatusCode),
}

/// A client of one address.
pub struct HttpClient {
    address: SocketAddr,
    client: Client<HttpConnector, Full<Bytes>>,
}

impl HttpClient {
    /// A client of a server on this machine, which is given `connect_timeout` to take a connection.
    ///
    /// # Panics
    /// If the address is not a loopback address: configuration has checked that.
    pub fn to_loopback(address: SocketAddr, connect_timeout: Duration) -> Self {
        assert!(
            address.ip().is_loopback(),
            "{address} is not on this machine"
        );
        let mut connector = HttpConnector::new();
        connector.set_nodelay(true);
        connector.set_connect_timeout(Some(connect_timeout));
        let client = Client::builder(TokioExecutor::new())
            .pool_idle_timeout(IDLE)
            .pool_timer(TokioTimer::new())
            .build(connector);
        HttpClient { address, client }
    }

    /// Where a path is at this address.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Sends a request to [`HttpClient::url`]; answers status and body, whatever the status. The caller keeps the
    /// deadline: dropping the future closes the connection.
    ///
    /// # Errors
    /// [`HttpError`]
    pub async fn send(
        &self,
        request: Request<Full<Bytes>>,
    ) -> Result<(StatusCode, Bytes), HttpError> {
        let answer = self.client.request(request).await.map_err(|error| {
            // A request that met a connection which the other side had closed meanwhile, and of which nothing had
            // left, was tried again on a fresh one already.
            if error.is_connect() {
                HttpError::NotSent
            } else {
                HttpError::Broken
            }
        })?;
        let (head, body) = answer.into_parts();
        match Limited::new(body, ANSWER_BYTES).collect().await {
            Ok(body) => Ok((head.status, body.to_bytes())),
            Err(error) if error.is::<LengthLimitError>() => Err(HttpError::TooLong(head.status)),
            Err(_) => Err(HttpError::Broken),
        }
    }
}
