//! Answers with a line of text.

use dropshot::{ApiEndpointResponse, Body, FreeformBody, HttpError, HttpResponse, HttpResponseOk};
use http::{Response, StatusCode, header};

/// A 200 answer of `text/plain`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainText(pub String);

impl HttpResponse for PlainText {
    fn to_result(self) -> Result<Response<Body>, HttpError> {
        Ok(Response::builder()
            .status(StatusCode::OK)
            .header(header::CONTENT_TYPE, "text/plain; charset=utf-8")
            .body(self.0.into())?)
    }

    fn response_metadata() -> ApiEndpointResponse {
        <HttpResponseOk<FreeformBody> as HttpResponse>::response_metadata()
    }

    fn status_code(&self) -> StatusCode {
        StatusCode::OK
    }
}
