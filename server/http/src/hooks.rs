//! The hooks of multirail for every request: pages, audit entries and the access log. `caller` authenticates.

use std::sync::Arc;

use async_trait::async_trait;
use dropshot::{Body, RequestContext};
use http::{HeaderValue, Method, Request, Response, StatusCode, header};
use multirail_api::{
    ApiError, Authenticated, Begun, Client, Finished, Hooks, IdempotentRequest, KeyState, Limits,
    Op, OpInfo, Other, Presented, Principal, RecordedRequest, Subscriber,
};
use multirail_app::platform::audit::Recording;
use multirail_app::platform::idempotency::Claim;
use multirail_kernel::ids::{MerchantId, ProfileId};
use multirail_kernel::refusal::{Object, Refusal};
use serde_json::{Value, json};

use super::caller::PROFILE_HEADER;
use super::{Context, HttpState, pages, replays};
use crate::accounts::acting;
use crate::platform::console::BrowserRequest;
use crate::platform::errors::{api_error, refused};
use crate::platform::scope::merchant_id as merchant_of;
use crate::platform::{
    audit, card_numbers, disclosure, host, idempotency, not_built, request_id, request_log, traffic,
};

/// The hooks, with the same state as the operations.
pub struct HttpHooks(pub Arc<HttpState>);

const REQUEST_ID_HEADER: &str = "request-id";

#[async_trait]
impl Hooks<Context> for HttpHooks {
    type Claim = Claim;
    type Record = Recording;

    fn begin(&self, rqctx: &RequestContext<Context>) -> Begun {
        let request = &rqctx.request;
        let traffic = &self.0.traffic;
        let (client, ticket) = traffic.begin(request.remote_addr(), request.headers());
        Begun {
            client,
            request_id: request_id::from_dropshots(
                &rqctx.request_id,
                self.0.services.base.clock.wall(),
            ),
            ticket: Some(ticket),
        }
    }

    fn admit(
        &self,
        rqctx: &RequestContext<Context>,
        operation: Option<&'static OpInfo>,
    ) -> Result<(), ApiError> {
        let request = &rqctx.request;
        self.0.console.admit(&BrowserRequest {
            method: request.method(),
            host: host::named(request.uri(), request.headers()),
            path: request.uri().path(),
            headers: request.headers(),
            operation,
        })
    }

    async fn authenticate(
        &self,
        rqctx: &RequestContext<Context>,
        operation: &'static OpInfo,
    ) -> Result<Authenticated, ApiError> {
        // Outside the sandbox its operations don't exist, with or without a key.
        if operation.op == Op::SandboxClockAdvance && !self.0.is_sandbox {
            return Err(ApiError::unknown_route());
        }
        let found = self.caller(rqctx, operation).await?;
        acting::check_heeded(operation, rqctx.request.headers(), &found)?;
        Ok(found)
    }

    fn logs(&self, operation: &'static OpInfo, authenticated: &Authenticated) -> bool {
        request_log::is_logged(operation)
            && authenticated.merchant_id().is_some()
            && self.0.services.request_log.has_room()
    }

    async fn identify_client(
        &self,
        rqctx: &RequestContext<Context>,
        operation: &'static OpInfo,
        merchant_id: &str,
        presented: Presented<'_>,
    ) -> Result<Client, ApiError> {
        let payment = || refused(Refusal::not_found(Object::Payment));
        let merchant_id = MerchantId::parse(merchant_id).map_err(|_| payment())?;
        let client_secret = presented.client_secret;
        let services = &self.0.services;
        let found = match presented.payment_id {
            Some(named) => {
                let checked = if operation.op == Op::PaymentsSessionTokens {
                    services
                        .wallet_sessions
                        .check_secret(&merchant_id, named, client_secret)
                        .await
                } else {
                    services
                        .payments
                        .check_client_secret(&merchant_id, named, client_secret)
                        .await
                };
                checked.map_err(api_error)?
            }
            None => {
                let found = services
                    .payments
                    .payment_of_client_secret(&merchant_id, client_secret);
                found.await.map_err(api_error)?
            }
        };
        if presented
            .profile_id
            .is_some_and(|named| named != found.profile_id.as_str())
        {
            return Err(ApiError::unauthorized());
        }
        if let Some(named) = rqctx.request.headers().get(PROFILE_HEADER)
            && self.profile(&merchant_id, named).await? != found.profile_id.as_str()
        {
            return Err(payment());
        }
        let customer_id = found.terms.customer_id.as_ref().map(|own| own.as_str());
        if presented.customer_id.is_some() && presented.customer_id != customer_id {
            return Err(ApiError::unauthorized());
        }
        let payment_id = &found.payment_id;
        Ok(Client {
            merchant_id: merchant_id.to_string(),
            payment_id: payment_id.to_string(),
        })
    }

    async fn identify_subscriber(
        &self,
        rqctx: &RequestContext<Context>,
        merchant_id: &str,
        subscription_id: Option<&str>,
        client_secret: &str,
    ) -> Result<Subscriber, ApiError> {
        let merchant_id = merchant_of(merchant_id)?;
        let named = rqctx.request.headers().get(PROFILE_HEADER);
        let named = named.ok_or_else(|| refused(Refusal::missing("X-Profile-Id")))?;
        let profile_id = self.profile(&merchant_id, named).await?;
        let profile_id = ProfileId::parse(&profile_id)
            .map_err(|_| ApiError::internal("a profile has no id of one"))?;
        let found =
            self.0
                .subscribers
                .read(&merchant_id, &profile_id, subscription_id, client_secret);
        found.await.map_err(api_error)
    }

    async fn claim(
        &self,
        rqctx: &RequestContext<Context>,
        principal: &Principal,
        request: &IdempotentRequest,
    ) -> Result<KeyState<Claim>, ApiError> {
        let public_url = self.0.given_public_url.as_deref();
        let replay = replays::replay(request.keyed, principal, &self.0.replays, public_url);
        idempotency::claim(&self.0, rqctx, principal, request, replay).await
    }

    async fn conclude(
        &self,
        claim: &Claim,
        answer: Result<Response<Body>, ApiError>,
    ) -> Result<Response<Body>, ApiError> {
        idempotency::conclude(&self.0, claim, answer).await
    }

    async fn shown(
        &self,
        operation: &'static OpInfo,
        principal: &Principal,
        answer: Response<Body>,
    ) -> Result<Response<Body>, ApiError> {
        disclosure::redacted(disclosure::for_answer(operation, principal), answer).await
    }

    async fn record(
        &self,
        rqctx: &RequestContext<Context>,
        request: RecordedRequest<'_>,
    ) -> Result<Option<Recording>, ApiError> {
        audit::record(&self.0, rqctx, request).await
    }

    fn judge_texts(&self, body: &Value) -> Result<(), ApiError> {
        card_numbers::check(body)
    }

    async fn recorded(&self, record: Recording) -> Result<(), ApiError> {
        audit::done(&self.0, &record).await
    }

    async fn other(
        &self,
        rqctx: &RequestContext<Context>,
        request: Request<Body>,
    ) -> Result<Option<Other>, ApiError> {
        if let Some(refusal) = not_built::refusal(request.uri().path()) {
            return Err(refused(refusal));
        }
        Ok(Box::pin(pages::answer(&self.0, rqctx, request)).await)
    }

    async fn preflight(
        &self,
        rqctx: &RequestContext<Context>,
        operations: &[&'static OpInfo],
        allow: &str,
    ) -> Response<Body> {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NO_CONTENT;
        if let Ok(allow) = HeaderValue::from_str(allow) {
            response.headers_mut().insert(header::ALLOW, allow);
        }
        if let Some(origin) = rqctx.request.headers().get(header::ORIGIN) {
            self.0
                .cors
                .preflight(operations, origin, response.headers_mut());
        }
        response
    }

    fn error_body(&self, error: &ApiError) -> Value {
        let mut body = error.body();
        if self.0.nested_error_body {
            body["error"] = json!({
                "type": error.error_type,
                "message": error.message,
                "code": error.code,
            });
        }
        body
    }

    fn finish(&self, finished: &Finished<'_>, response: &mut Response<Body>) {
        let headers = response.headers_mut();
        if let Ok(request_id) = HeaderValue::from_str(finished.request_id) {
            headers.insert(REQUEST_ID_HEADER, request_id);
        }
        headers.insert(
            header::X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static("nosniff"),
        );
        headers
            .entry(header::CACHE_CONTROL)
            .or_insert(HeaderValue::from_static("no-store"));
        if let (Some(operation), Some(origin)) = (finished.operation, finished.origin)
            && *finished.method != Method::OPTIONS
        {
            self.0.cors.allow(operation, origin, headers);
        }
        self.0.stopping.mark(response);
        if let Some(call) = finished.logged {
            request_log::add(&self.0, finished, call, response);
        }
        traffic::measure(finished);
        access_line(finished);
    }

    fn limits(&self) -> Limits {
        self.0.limits
    }
}

/// The health operations.
const PROBES: [&str; 2] = ["health_check", "health_ready"];

/// Returns the method for the log, since callers may invent any method.
fn known_method(method: &Method) -> &str {
    match *method {
        Method::GET
        | Method::HEAD
        | Method::POST
        | Method::PUT
        | Method::PATCH
        | Method::DELETE
        | Method::OPTIONS
        | Method::TRACE
        | Method::CONNECT => method.as_str(),
        _ => "unknown",
    }
}

/// Writes one access line a request, with the path's template only: the rest may contain client secrets or card
/// numbers.
fn access_line(finished: &Finished<'_>) {
    let operation = finished.operation.map_or("-", |operation| operation.id);
    let merchant_id = finished.merchant_id.unwrap_or("-");
    let duration_ms = finished.duration.as_secs_f64() * 1000.0;
    let status = finished.status.as_u16();
    let client = finished.client;
    match finished.error {
        Some(error) if status >= 500 => tracing::error!(
            request_id = finished.request_id,
            operation,
            method = known_method(finished.method),
            path = finished.path,
            merchant_id,
            %client,
            status,
            duration_ms,
            error_code = error.code,
            context = error.context().unwrap_or("-"),
            "request failed"
        ),
        Some(error) => tracing::info!(
            request_id = finished.request_id,
            operation,
            method = known_method(finished.method),
            path = finished.path,
            merchant_id,
            %client,
            status,
            duration_ms,
            error_code = error.code,
            "request refused"
        ),
        // Load balancers probe every few seconds.
        None if PROBES.contains(&operation) => tracing::debug!(
            request_id = finished.request_id,
            operation,
            %client,
            status,
            duration_ms,
            "request answered"
        ),
        None => tracing::info!(
            request_id = finished.request_id,
            operation,
            method = known_method(finished.method),
            path = finished.path,
            merchant_id,
            %client,
            status,
            duration_ms,
            "request answered"
        ),
    }
}
