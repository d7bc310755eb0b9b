//! The parts of the traits that only dropshot's description needs.

use dropshot::{
    ApiEndpointResponse, Body, ErrorStatusCode, FreeformBody, HttpError, HttpResponse,
    HttpResponseError, HttpResponseOk,
};
use http::{Response, StatusCode};
use multirail_types::ErrorBody;
use schemars::JsonSchema;
use serde::Serialize;

use crate::{Answer, ApiError, EventStream, JsonAnswer, PlainText};

impl<T: JsonSchema + Serialize + Send + Sync + 'static> HttpResponse for JsonAnswer<T> {
    fn to_result(self) -> Result<Response<Body>, HttpError> {
        self.response()
    }

    fn response_metadata() -> ApiEndpointResponse {
        <HttpResponseOk<T> as HttpResponse>::response_metadata()
    }

    fn status_code(&self) -> StatusCode {
        StatusCode::OK
    }
}

impl HttpResponse for PlainText {
    fn to_result(self) -> Result<Response<Body>, HttpError> {
        self.response()
    }

    fn response_metadata() -> ApiEndpointResponse {
        <HttpResponseOk<FreeformBody> as HttpResponse>::response_metadata()
    }

    fn status_code(&self) -> StatusCode {
        StatusCode::OK
    }
}

impl HttpResponse for EventStream {
    fn to_result(self) -> Result<Response<Body>, HttpError> {
        self.response()
    }

    fn response_metadata() -> ApiEndpointResponse {
        <HttpResponseOk<FreeformBody> as HttpResponse>::response_metadata()
    }

    fn status_code(&self) -> StatusCode {
        StatusCode::OK
    }
}

/// Shows an error as the document's `ErrorBody`.
impl JsonSchema for ApiError {
    fn schema_name() -> String {
        <ErrorBody as JsonSchema>::schema_name()
    }

    fn json_schema(generator: &mut schemars::r#gen::SchemaGenerator) -> schemars::schema::Schema {
        <ErrorBody as JsonSchema>::json_schema(generator)
    }
}

impl HttpResponseError for ApiError {
    fn status_code(&self) -> ErrorStatusCode {
        ErrorStatusCode::from_status(self.status).unwrap_or(ErrorStatusCode::INTERNAL_SERVER_ERROR)
    }
}
