//! Reads responses before the generated client does.

use bytes::{Bytes, BytesMut};
use multirail_types::ErrorBody;
use reqwest::header::{CONTENT_ENCODING, CONTENT_LENGTH, HeaderMap, TRANSFER_ENCODING};
use reqwest::{Request, Response, StatusCode};

use crate::ResponseValue;

/// The maximum size of an error body. The service's errors have a few hundred bytes.
const LONGEST_ERROR_BODY: usize = 64 * 1024;

/// Returns the id of the call in the service's log.
pub fn request_id<T>(answer: &ResponseValue<T>) -> Option<&str> {
    request_id_in(answer.headers())
}

pub(crate) fn request_id_in(headers: &HeaderMap) -> Option<&str> {
    headers.get("x-request-id")?.to_str().ok()
}

/// Checks whether this is the stored answer of an earlier request with the same idempotency key. The request took
/// effect then, not now.
pub fn is_replayed<T>(answer: &ResponseValue<T>) -> bool {
    answer
        .headers()
        .get("idempotent-replayed")
        .is_some_and(|value| value == "true")
}

/// A response that has been received completely.
pub(crate) struct WholeResponse {
    head: Response,
    body: Bytes,
    /// The code of an error, or an empty text.
    pub(crate) code: String,
}

impl WholeResponse {
    pub(crate) fn status(&self) -> StatusCode {
        self.head.status()
    }

    pub(crate) fn headers(&self) -> &HeaderMap {
        self.head.headers()
    }
}

/// Sends a request once, and makes an error response readable.
///
/// The generated client loses the status and headers of a response with an unreadable body, such as a proxy's error
/// page. So such a body is replaced by an empty one, and [`crate::Error`] still contains the status. The body is
/// received here, because a response that breaks off is a transport failure.
pub(crate) async fn ask(
    http: &reqwest::Client,
    request: Request,
) -> reqwest::Result<WholeResponse> {
    let mut head = http.execute(request).await?;
    if !head.status().is_client_error() && !head.status().is_server_error() {
        let body = whole_body(&mut head).await?;
        return Ok(WholeResponse {
            head,
            body,
            code: String::new(),
        });
    }
    let (body, code) = error_body(&mut head).await?;
    Ok(WholeResponse { head, body, code })
}

async fn whole_body(response: &mut Response) -> reqwest::Result<Bytes> {
    let mut body = BytesMut::new();
    while let Some(chunk) = response.chunk().await? {
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

/// Returns the replacement for a foreign error body. Every error of the service has a code.
fn illegible() -> ErrorBody {
    ErrorBody {
        error_type: String::new(),
        message: String::new(),
        code: String::new(),
    }
}

pub(crate) fn is_illegible(body: &ErrorBody) -> bool {
    body.code.is_empty()
}

/// Returns the body and the code in it.
async fn error_body(response: &mut Response) -> reqwest::Result<(Bytes, String)> {
    let mut body = BytesMut::new();
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > LONGEST_ERROR_BODY {
            body.clear();
            break;
        }
        body.extend_from_slice(&chunk);
    }
    if let Ok(error) = serde_json::from_slice::<ErrorBody>(&body) {
        return Ok((body.freeze(), error.code));
    }
    let text = serde_json::to_vec(&illegible()).expect("three texts are JSON");
    Ok((text.into(), String::new()))
}

impl From<WholeResponse> for Response {
    /// Builds the same response around the body that was received.
    fn from(answer: WholeResponse) -> Self {
        let WholeResponse { head, body, .. } = answer;
        let mut response = http::Response::new(body);
        *response.status_mut() = head.status();
        *response.headers_mut() = head.headers().clone();
        for about_the_old_body in [CONTENT_LENGTH, CONTENT_ENCODING, TRANSFER_ENCODING] {
            response.headers_mut().remove(about_the_old_body);
        }
        response.into()
    }
}
