//! Forwards deliveries to the developer's own receiver.

use std::time::Duration;

use bytes::Bytes;
use http::StatusCode;
use http::header::{
    CONNECTION, CONTENT_LENGTH, EXPECT, HOST, HeaderMap, HeaderName, PROXY_AUTHORIZATION, TE,
    TRAILER, TRANSFER_ENCODING, UPGRADE,
};
use reqwest::redirect::Policy;
use url::Url;

use crate::address::read_address;

/// The time limit of the receiver, that of the service's own deliveries.
const PATIENCE: Duration = Duration::from_secs(30);
/// Headers of a connection, which the next connection has anew.
const CONNECTION_HEADERS: [HeaderName; 9] = [
    CONNECTION,
    CONTENT_LENGTH,
    EXPECT,
    HOST,
    PROXY_AUTHORIZATION,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
];

/// Another receiver of the same deliveries.
#[derive(Clone, Debug)]
pub(crate) struct Forwarder {
    http: reqwest::Client,
    to: Url,
}

impl Forwarder {
    /// Reads the receiver's address, such as `3000/hooks`.
    ///
    /// # Errors
    /// The reason why the address can't be used.
    pub(crate) fn new(to: &str) -> Result<Self, String> {
        let to = read_address(to)?;
        // The receiver is the developer's own, mostly on this machine, where no proxy leads.
        let http = reqwest::Client::builder()
            .no_proxy()
            .redirect(Policy::none())
            .timeout(PATIENCE);
        let http = http.build().map_err(|error| error.to_string())?;
        Ok(Self { http, to })
    }

    /// Returns the receiver's address.
    pub(crate) fn to(&self) -> &Url {
        &self.to
    }

    /// Sends a delivery on, with its headers; returns the status of the answer.
    ///
    /// # Errors
    /// The reason why there is no answer.
    pub(crate) async fn forward(
        &self,
        headers: &HeaderMap,
        body: Bytes,
    ) -> Result<StatusCode, String> {
        let mut headers = headers.clone();
        for name in &CONNECTION_HEADERS {
            headers.remove(name);
        }
        let request = self.http.post(self.to.clone()).headers(headers).body(body);
        match request.send().await {
            Ok(answer) => Ok(answer.status()),
            Err(error) if error.is_timeout() => Err("the receiver is too slow".to_owned()),
            Err(error) if error.is_connect() => Err("the receiver can't be reached".to_owned()),
            Err(error) => Err(error.without_url().to_string()),
        }
    }
}
