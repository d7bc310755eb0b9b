//! What happens between the generated client and the wire.

use bytes::{Bytes, BytesMut};
use multirail_types::ErrorBody;
use reqwest::header::{CONTENT_ENCODING, CONTENT_LENGTH, HeaderMap, TRANSFER_ENCODING};
use reqwest::{Request, Response, StatusCode};

use crate::ResponseValue;

/// Errors of the service are a few hundred bytes.
const LONGEST_ERROR_BODY: usize = 64 * 1024;

/// The id under which the service's log knows the call that got this answer.
pub fn request_id<T>(answer: &ResponseValue<T>) -> Option<&str> {
    request_id_in(answer.headers())
}

pub(crate) fn request_id_in(headers: &HeaderMap) -> Option<&str> {
    headers.get("x-request-id")?.to_str().ok()
}

/// Whether this answer was given before, to an earlier request with the same idempotency key: what was asked for was
/// done then, not now.
pub fn is_replayed<T>(answer: &ResponseValue<T>) -> bool {
    answer
        .headers()
        .get("idempotent-replayed")
        .is_some_and(|value| value == "true")
}

/// A response that has arrived as a whole.
pub(crate) struct WholeResponse {
    head: Response,
    body: Bytes,
    /// The code of an error, empty where there is none.
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

/// Calls once, and makes an error answer legible.
///
/// The generated client forgets status and headers of an answer whose body it can't read, and a page of some proxy in
/// between is exactly that. So such a body is exchanged for an empty one, and [`crate::Error`] still knows that it was
/// a 502. The body is waited for here, because an answer that breaks off is a call that failed on the way.
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

/// The place-holder for an error body that isn't ours. The service always gives a code.
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

/// The body and the code in it.
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
    /// The same answer around the body as it was read.
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
