//! The end of every generated call: sends its request, and reads the answer.

use progenitor_client::{ByteStream, ClientHooks, OperationInfo};
use reqwest::{Request, Response};
use serde::de::DeserializeOwned;

use crate::generated::client::{Client, Error, ResponseValue, types::ErrorBody};

/// Sends a request and reads its answer as JSON.
pub(crate) async fn answer<T: DeserializeOwned>(
    client: &Client,
    operation_id: &'static str,
    request: Request,
) -> Result<ResponseValue<T>, Error<ErrorBody>> {
    ResponseValue::from_response(exchange(client, operation_id, request).await?).await
}

/// Sends a request and returns its answer as bytes.
pub(crate) async fn stream(
    client: &Client,
    operation_id: &'static str,
    request: Request,
) -> Result<ResponseValue<ByteStream>, Error<ErrorBody>> {
    let response = exchange(client, operation_id, request).await?;
    Ok(ResponseValue::stream(response))
}

/// Sends a request and returns a response of status 200. A refusal is an error.
async fn exchange(
    client: &Client,
    operation_id: &'static str,
    mut request: Request,
) -> Result<Response, Error<ErrorBody>> {
    let info = OperationInfo { operation_id };
    client.pre(&mut request, &info).await?;
    let result = client.exec(request, &info).await;
    client.post(&result, &info).await?;
    let response = result?;
    match response.status().as_u16() {
        200 => Ok(response),
        400..=599 => Err(Error::ErrorResponse(
            ResponseValue::from_response(response).await?,
        )),
        _ => Err(Error::UnexpectedResponse(response)),
    }
}
