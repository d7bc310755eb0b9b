//! To a simulated processor in a process of its own (`multirail simulator`), over HTTP.

use std::net::SocketAddr;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http::{HeaderValue, Request, header};
use http_body_util::Full;
use multirail_domain::secret::SecretText;
use multirail_simulator_wire::{API_KEY_HEADER, KEY_HEADER, Method, WireRequest, WireResponse};
use multirail_simulator_wire::{Transport, TransportError};

use crate::http::{HttpClient, HttpError};

/// Carries wire requests to a loopback address.
pub struct Remote {
    client: HttpClient,
}

impl Remote {
    /// To the simulator at this loopback address. `deadline` is the whole call's: who hasn't taken a connection in
    /// half of it never saw the request.
    pub fn new(address: SocketAddr, deadline: Duration) -> Self {
        Remote {
            client: HttpClient::to_loopback(address, deadline / 2),
        }
    }
}

#[async_trait]
impl Transport for Remote {
    async fn send(&self, request: WireRequest) -> Result<WireResponse, TransportError> {
        // What can't be written as a request is never sent.
        let request = self.request(request).ok_or(TransportError::NotSent)?;
        match self.client.send(request).await {
            Ok((status, body)) => Ok(WireResponse {
                status: status.as_u16(),
                body: String::from_utf8_lossy(&body).into_owned(),
            }),
            Err(HttpError::NotSent) => Err(TransportError::NotSent),
            Err(HttpError::Broken) => Err(TransportError::Broken),
            // An answer that can't be read, like any other.
            Err(HttpError::TooLong(status)) => Ok(WireResponse {
                status: status.as_u16(),
                body: String::new(),
            }),
        }
    }
}

impl Remote {
    fn request(&self, request: WireRequest) -> Option<Request<Full<Bytes>>> {
        let mut api_key = HeaderValue::from_str(request.api_key.expose()).ok()?;
        api_key.set_sensitive(true);
        let mut written = Request::builder()
            .method(match request.method {
                Method::Get => http::Method::GET,
                Method::Post => http::Method::POST,
            })
            .uri(self.client.url(&request.path))
            .header(API_KEY_HEADER, api_key)
            .header(header::CONTENT_TYPE, "application/json");
        if let Some(key) = &request.key {
            written = written.header(KEY_HEADER, key);
        }
        // Not copied: it is overwritten when the request is gone.
        let body = Bytes::from_owner(Body(request.body));
        written.body(Full::new(body)).ok()
    }
}

struct Body(SecretText);

impl AsRef<[u8]> for Body {
    fn as_ref(&self) -> &[u8] {
        self.0.expose().as_bytes()
    }
}
