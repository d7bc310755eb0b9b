//! Bodies of bytes, for operations that need them unchanged.

use async_trait::async_trait;
use bytes::Bytes;
use dropshot::{
    ApiEndpointBodyContentType, Body, ExclusiveExtractor, ExtractorMetadata, HttpError,
    RequestContext, ServerContext, UntypedBody,
};
use http::{HeaderMap, Request};

/// The body of an `application/octet-stream` operation, with its headers.
#[derive(Clone, Debug)]
pub struct RawBody {
    pub headers: HeaderMap,
    pub bytes: Bytes,
}

/// Only dropshot's own router would read a request this way. The dispatcher passes the body within the operation's
/// limit.
#[async_trait]
impl ExclusiveExtractor for RawBody {
    async fn from_request<Context: ServerContext>(
        rqctx: &RequestContext<Context>,
        request: Request<Body>,
    ) -> Result<Self, HttpError> {
        let headers = request.headers().clone();
        let body = UntypedBody::from_request(rqctx, request).await?;
        Ok(RawBody {
            headers,
            bytes: Bytes::copy_from_slice(body.as_bytes()),
        })
    }

    fn metadata(content_type: ApiEndpointBodyContentType) -> ExtractorMetadata {
        <UntypedBody as ExclusiveExtractor>::metadata(content_type)
    }
}
