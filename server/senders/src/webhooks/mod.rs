//! Sends webhooks by HTTP.

use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use multirail_app::webhooks::ports::{WebhookRequest, WebhookSender};
use multirail_domain::webhooks::webhook::Exchange;
use reqwest::Method;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, USER_AGENT};

use multirail_outbound::{BodyEnd, Bounds, GuardedClient, OutboundError, Outgoing, Response};

/// Headers of every delivery, where the request doesn't set them.
const ALWAYS: [(HeaderName, &str); 3] = [
    (CONTENT_TYPE, "application/json"),
    (USER_AGENT, concat!("multirail/", env!("CARGO_PKG_VERSION"))),
    (ACCEPT, "*/*"),
];
/// The largest size of an answer's headers, names and values together; the rest is not recorded.
const HEADER_BYTES: usize = 16_384;

/// Sends webhooks.
pub struct HttpWebhookSender {
    client: GuardedClient,
    bounds: Bounds,
}

impl HttpWebhookSender {
    /// Makes a sender. `bounds` apply to every attempt.
    pub fn new(client: GuardedClient, bounds: Bounds) -> Self {
        HttpWebhookSender { client, bounds }
    }
}

#[async_trait]
impl WebhookSender for HttpWebhookSender {
    async fn send(&self, request: WebhookRequest) -> Exchange {
        let mut headers = HeaderMap::new();
        let mut sent = Vec::new();
        for (name, value) in ALWAYS {
            let is_given = |(given, _): &(String, _)| name.as_str().eq_ignore_ascii_case(given);
            if !request.headers.iter().any(is_given) {
                sent.push((name.to_string(), value.to_owned()));
                headers.append(name, HeaderValue::from_static(value));
            }
        }
        for (name, value) in request.headers {
            let value = value.expose();
            let Some((name, mut line)) = header(&name, value) else {
                return Exchange::failed(
                    sent,
                    format!("not sent: the header {name} has no legal form"),
                );
            };
            sent.push((name.to_string(), value.to_owned()));
            line.set_sensitive(true);
            headers.append(name, line);
        }
        let outgoing = Outgoing {
            method: Method::POST,
            url: &request.url,
            headers,
            body: Bytes::from(request.body),
        };
        match self.client.send(outgoing, self.bounds).await {
            Ok(answer) => answered(sent, answer, self.bounds.time),
            Err(error) => Exchange::failed(sent, words(error, self.bounds.time)),
        }
    }
}

fn header(name: &str, value: &str) -> Option<(HeaderName, HeaderValue)> {
    Some((name.parse().ok()?, value.parse().ok()?))
}

fn answered(request_headers: Vec<(String, String)>, answer: Response, time: Duration) -> Exchange {
    let mut room = HEADER_BYTES;
    let kept = answer.headers.iter().map_while(|(name, value)| {
        let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
        room = room.checked_sub(name.as_str().len() + value.len())?;
        Some((name.to_string(), value))
    });
    // The status decides whether the endpoint accepted the delivery, even if the body breaks off.
    let error_message = match answer.body_end {
        BodyEnd::Complete | BodyEnd::Cut => None,
        BodyEnd::TimedOut => Some(format!(
            "the answer was not complete within {}",
            seconds(time)
        )),
        BodyEnd::Broken => Some("the connection broke before the answer was complete".to_owned()),
    };
    Exchange {
        request_headers,
        status_code: Some(answer.status),
        response_headers: Some(kept.collect()),
        response_body: Some(text(&answer.body)),
        error_message,
    }
}

/// Returns the body as text. A character that the limit cut in two is left out, and invalid UTF-8 is replaced.
fn text(body: &[u8]) -> String {
    match std::str::from_utf8(body) {
        Err(error) if error.error_len().is_none() => {
            String::from_utf8_lossy(&body[..error.valid_up_to()]).into_owned()
        }
        Ok(_) | Err(_) => String::from_utf8_lossy(body).into_owned(),
    }
}

/// Returns the error for the merchant: hints for the merchant's side, and nothing about our network.
fn words(error: OutboundError, time: Duration) -> String {
    match error {
        OutboundError::Forbidden(forbidden) => format!("not sent: the webhook URL {forbidden}"),
        OutboundError::NameNotFound => {
            "not sent: the name of the webhook URL's host leads to no address that may be called"
                .to_owned()
        }
        OutboundError::NoConnection => {
            "not sent: there was no connection to the endpoint".to_owned()
        }
        OutboundError::NotSecure(problem) => format!("not sent: {problem}"),
        OutboundError::TimedOut => format!("there was no answer within {}", seconds(time)),
        OutboundError::Broken => "the connection broke before an answer came".to_owned(),
    }
}

fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests;
