//! What is served beside the document's operations: the document itself, and the pages that a payer's browser visits on
//! its way through an authentication. openapi/README.md lists them.

use std::sync::Arc;

use dropshot::{Body, RequestContext};
use http::{HeaderValue, Method, Request, Response, StatusCode, header};
use http_body_util::{BodyExt, Limited};
use multirail_api::{ApiError, Other};
use multirail_domain::refusal::Refusal;

use super::errors::api_error;
use super::{Context, HttpState};
use crate::app::AppError;
use crate::app::payments::payer::Onward;
use crate::app::payments::payer_address::{PayerPage, PayerVisit, Visited};
use crate::ports::payer_pages::{Page, PageRequest};

/// The document as it is written by hand.
pub const OPENAPI_YAML: &str = include_str!("../../../openapi/openapi.yaml");
/// What the log calls the pages.
const TO_PROCESSOR: &str = "/payments/redirect/{payment_id}/{merchant_id}/{attempt_id}/{token}";
const BACK_FROM_PROCESSOR: &str =
    "/payments/{payment_id}/{merchant_id}/redirect/response/{connector}/{attempt_id}/{token}";
const PROCESSORS_OWN: &str = "a page of the simulator";
/// Payers' forms are short.
const FORM_BYTES: usize = 16_384;
/// Pages run no scripts, load nothing, and can't be framed. Forms are left alone: browsers would apply a limit on their
/// targets to the redirects behind them, which lead to merchants.
const PAGE_POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

/// The answer, if there is anything at this path.
///
/// # Errors
/// What keeps a page from being shown to somebody who was given its address.
pub(super) async fn answer(
    state: &Arc<HttpState>,
    rqctx: &RequestContext<Context>,
    request: Request<Body>,
) -> Result<Option<Other>, ApiError> {
    let path = request.uri().path().to_owned();
    let segments: Vec<&str> = path.split('/').filter(|s| !s.is_empty()).collect();
    let is_get = matches!(*request.method(), Method::GET | Method::HEAD);
    let (path, answer) = match segments.as_slice() {
        ["openapi.json"] if is_get => (
            "/openapi.json",
            Some(text(
                "application/json",
                multirail_api::document_json().to_owned(),
            )),
        ),
        ["openapi.yaml"] if is_get => (
            "/openapi.yaml",
            Some(text("application/yaml", OPENAPI_YAML.to_owned())),
        ),
        [
            "payments",
            "redirect",
            payment_id,
            merchant_id,
            attempt_id,
            token,
        ] if is_get => {
            let page = PayerPage::ToProcessor;
            let visit = state.app.admit_payer(Visited {
                page,
                merchant_id,
                payment_id,
                attempt_id,
                token,
            });
            let answer = match visit {
                Some(visit) => to_processor(state, &visit).await?,
                None => None,
            };
            (TO_PROCESSOR, answer)
        }
        [
            "payments",
            payment_id,
            merchant_id,
            "redirect",
            "response",
            connector,
            attempt_id,
            token,
        ] if is_get || *request.method() == Method::POST => {
            let page = PayerPage::BackFrom { connector };
            let visit = state.app.admit_payer(Visited {
                page,
                merchant_id,
                payment_id,
                attempt_id,
                token,
            });
            let answer = match visit {
                Some(visit) => back_from_processor(state, &rqctx.request_id, &visit).await?,
                None => None,
            };
            (BACK_FROM_PROCESSOR, answer)
        }
        _ => (PROCESSORS_OWN, processors_own(state, request).await),
    };
    Ok(answer.map(|response| Other { path, response }))
}

async fn to_processor(
    state: &HttpState,
    visit: &PayerVisit,
) -> Result<Option<Response<Body>>, ApiError> {
    match state.app.processor_page(visit).await {
        Ok(Some(url)) => Ok(Some(redirect(&url))),
        Ok(None) => Ok(Some(html(
            StatusCode::GONE,
            "Nothing to do here",
            "<p>This payment does not wait for you any more.</p>",
        ))),
        Err(error) => unless_gone(error),
    }
}

async fn back_from_processor(
    state: &HttpState,
    request_id: &str,
    visit: &PayerVisit,
) -> Result<Option<Response<Body>>, ApiError> {
    let onward = state
        .app
        .payer_returned(Some(request_id.to_owned()), visit)
        .await;
    match onward {
        Ok(Onward::Redirect(url)) => Ok(Some(redirect(&url))),
        Ok(Onward::Post { url, pairs }) => Ok(Some(self_posting_form(&url, &pairs))),
        Ok(Onward::Stay { status }) => Ok(Some(html(
            StatusCode::OK,
            "Thank you",
            &format!(
                "<p>The status of your payment is <strong>{}</strong>. You can close this page.</p>",
                escape(&status)
            ),
        ))),
        Ok(Onward::Superseded) => Ok(Some(html(
            StatusCode::OK,
            "This try is over",
            "<p>Paying was tried once more after this. Please go on there. You can close this page.</p>",
        ))),
        Err(error) => unless_gone(error),
    }
}

/// A payment that was deleted since its addresses were made is like one that never was.
fn unless_gone(error: AppError) -> Result<Option<Response<Body>>, ApiError> {
    match error {
        AppError::Refused(Refusal::NotFound { .. }) => Ok(None),
        AppError::Refused(_)
        | AppError::Unavailable(_)
        | AppError::Standstill(..)
        | AppError::Broken(_) => Err(api_error(error)),
    }
}

/// The pages of a processor that lives in this process.
async fn processors_own(state: &HttpState, request: Request<Body>) -> Option<Response<Body>> {
    let pages = state.processor_pages.as_ref()?;
    let (parts, body) = request.into_parts();
    let form = if parts.method == Method::POST {
        let bytes = Limited::new(body, FORM_BYTES).collect().await.ok()?;
        String::from_utf8(bytes.to_bytes().to_vec()).ok()?
    } else {
        String::new()
    };
    let page = pages
        .answer(&PageRequest {
            method: parts.method.as_str(),
            path: parts.uri.path(),
            query: parts.uri.query().unwrap_or_default(),
            form: &form,
        })
        .await?;
    let Page {
        status,
        headers,
        html,
    } = page;
    let mut response = Response::new(Body::from(html));
    *response.status_mut() =
        StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    for (name, value) in headers {
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().insert(name, value);
        }
    }
    Some(response)
}

fn redirect(url: &str) -> Response<Body> {
    let link = escape(url);
    let mut response = html(
        StatusCode::FOUND,
        "One moment",
        &format!("<p><a href=\"{link}\">Continue</a></p>"),
    );
    if let Ok(location) = HeaderValue::from_str(url) {
        response.headers_mut().insert(header::LOCATION, location);
    }
    response
}

/// Without scripts a form can't send itself: the payer presses the button.
fn self_posting_form(url: &str, pairs: &[(String, String)]) -> Response<Body> {
    let inputs: String = pairs
        .iter()
        .map(|(name, value)| {
            format!(
                "<input type=\"hidden\" name=\"{}\" value=\"{}\">",
                escape(name),
                escape(value)
            )
        })
        .collect();
    let form = format!(
        "<form method=\"post\" action=\"{}\">{inputs}<button>Back to the shop</button></form>",
        escape(url)
    );
    html(StatusCode::OK, "Almost done", &form)
}

fn html(status: StatusCode, title: &str, content: &str) -> Response<Body> {
    page_response(
        status,
        format!(
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title>\
             <style>body{{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:4rem auto;padding:0 1rem}}</style>\
             <h1>{title}</h1>{content}</html>"
        ),
    )
}

fn page_response(status: StatusCode, html: String) -> Response<Body> {
    let mut response = text("text/html; charset=utf-8", html);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(PAGE_POLICY),
    );
    headers.insert(
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    );
    response
}

fn text(content_type: &'static str, body: String) -> Response<Body> {
    let mut response = Response::new(Body::from(body));
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}
