//! Pages outside the document's operations: the document itself, and the pages that a payer's browser visits during an
//! authentication. openapi/README.md lists them.

use std::sync::Arc;

use bytes::Bytes;
use dropshot::{Body, RequestContext};
use http::{HeaderValue, Method, Request, Response, StatusCode, header};
use http_body_util::{BodyExt, Limited};
use multirail_api::Other;
use multirail_app::AppError;
use multirail_app::payments::link::{LinkPage, LinkVisit};
use multirail_app::payments::payer::{Destination, ToProcessor};
use multirail_app::payments::payer_address::{PayerPage, PayerVisit, Visited};
use multirail_app::payments::ports::payer_pages::{Page, PageRequest};
use multirail_kernel::refusal::Refusal;
use multirail_page::HEADERS;
use multirail_page::pay::Language;

use super::{Context, HttpState};
use crate::accounts::checkout;
use crate::payments::{link_page, payer_page};
use crate::platform::console::ConsoleSite;
use crate::platform::document::restrict;
use crate::platform::served_file::ServedFile;
use crate::platform::start_page;

/// The names of the pages in the log.
const TO_PROCESSOR: &str = "/payments/redirect/{payment_id}/{merchant_id}/{attempt_id}/{token}";
const BACK_FROM_PROCESSOR: &str =
    "/payments/{payment_id}/{merchant_id}/redirect/response/{connector}/{attempt_id}/{token}";
const PROCESSORS_OWN: &str = "a page of the simulator";
const DOCS: &str = "/docs";
const CONSOLE: &str = "/console";
const CHECKOUT: &str = "/checkout";
const LINK: &str = "/payment_link/{merchant_id}/{payment_id}/{token}";
const LOST: &str = "an address of payers that leads nowhere";
/// Payers' forms are short.
const FORM_BYTES: usize = 16_384;

/// Returns the answer for this path, if there is one. A payer with an invalid address gets a page that says so.
pub(super) async fn answer(
    state: &Arc<HttpState>,
    rqctx: &RequestContext<Context>,
    request: Request<Body>,
) -> Option<Other> {
    let lost =
        is_of_payers(state, request.uri().path()) && start_page::wants_html(request.headers());
    let found = find(state, rqctx, request).await;
    found.or_else(|| {
        lost.then(|| Other {
            path: LOST,
            response: html(StatusCode::NOT_FOUND, payer_page::lost()),
        })
    })
}

/// Returns whether payers are sent to addresses of this form, valid or not.
fn is_of_payers(state: &HttpState, path: &str) -> bool {
    let segments: Vec<&str> = path.split('/').skip(1).collect();
    matches!(
        segments.as_slice(),
        ["payment_link", _, _, _]
            | ["payments", "redirect", _, _, _, _]
            | ["payments", _, _, "redirect", "response", _, _, _]
    ) || state.satellite_pages.name(&segments).is_some()
}

async fn find(
    state: &Arc<HttpState>,
    rqctx: &RequestContext<Context>,
    request: Request<Body>,
) -> Option<Other> {
    let path = request.uri().path().to_owned();
    let segments: Vec<&str> = path.strip_prefix('/')?.split('/').collect();
    let is_get = matches!(*request.method(), Method::GET | Method::HEAD);
    let (path, answer) = match segments.as_slice() {
        [""] if is_get => ("/", Some(start_page::answer(state, request.headers()))),
        ["openapi.json"] if is_get => {
            let document = &state.document.json;
            let answer = document.answer("application/json", request.headers());
            ("/openapi.json", Some(answer))
        }
        ["openapi.yaml"] if is_get => {
            let document = &state.document.yaml;
            let answer = document.answer("application/yaml", request.headers());
            ("/openapi.yaml", Some(answer))
        }
        ["llms.txt"] if is_get => {
            let contents = multirail_docs::contents(&state.public_url);
            ("/llms.txt", Some(file(contents)))
        }
        ["docs", "reference.md"] if is_get => {
            let reference = &state.document.reference;
            let answer = reference.answer(multirail_docs::MARKDOWN, request.headers());
            ("/docs/reference.md", Some(answer))
        }
        ["docs", "postman.json"] if is_get => {
            let postman = &state.document.postman;
            let answer = postman.answer("application/json", request.headers());
            ("/docs/postman.json", Some(answer))
        }
        // Links on the pages are relative to this exact path.
        ["docs", ""] if is_get => (DOCS, Some(redirect("../docs"))),
        ["docs", rest @ ..] if is_get => {
            let found = multirail_docs::find(rest, &state.public_url);
            (DOCS, found.map(file))
        }
        ["console"] if is_get => (CONSOLE, to_console(state)),
        ["console", rest @ ..] if is_get => (CONSOLE, state.console.file(rest)),
        ["checkout", rest @ ..] if is_get => {
            let query = request.uri().query();
            let answer = checkout::answer(state, rqctx, rest, query).await;
            (CHECKOUT, answer)
        }
        [
            "payments",
            "redirect",
            payment_id,
            merchant_id,
            attempt_id,
            token,
        ] if is_get => {
            let page = PayerPage::ToProcessor;
            let visit = state.services.payments.admit_payer(Visited {
                page,
                merchant_id,
                payment_id,
                attempt_id,
                token,
            });
            (TO_PROCESSOR, to_processor(state, &visit?).await)
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
            let visit = state.services.payments.admit_payer(Visited {
                page,
                merchant_id,
                payment_id,
                attempt_id,
                token,
            });
            let query = request.uri().query();
            let answer = back_from_processor(state, &rqctx.request_id, &visit?, query).await;
            (BACK_FROM_PROCESSOR, answer)
        }
        ["payment_link", merchant_id, payment_id, token] if is_get => {
            let visit = state
                .services
                .payments
                .admit_to_link(merchant_id, payment_id, token);
            (LINK, link(state, &visit?, language(&request)).await)
        }
        _ => match state.satellite_pages.name(&segments) {
            Some(name) if is_get => {
                let answer = of_satellite(state, &segments, language(&request)).await;
                (name, answer)
            }
            Some(_) | None => (PROCESSORS_OWN, processors_own(state, request).await),
        },
    };
    answer.map(|response| Other { path, response })
}

/// Returns a file of the documentation.
fn file(file: multirail_docs::File) -> Response<Body> {
    let (body, is_packed) = match file.body {
        multirail_docs::Body::Text(text) => (Body::from(text), false),
        multirail_docs::Body::Static(text) => (Body::from(text), false),
        multirail_docs::Body::Picture(bytes) => (Body::from(Bytes::from_static(bytes)), false),
        multirail_docs::Body::Packed(bytes) => (Body::from(Bytes::from_static(bytes)), true),
    };
    let served = ServedFile {
        content_type: file.content_type,
        body,
        is_packed,
        may_be_kept: file.may_be_kept,
    };
    let mut response = served.answer();
    restrict(response.headers_mut(), file.policy);
    response
}

/// Leads to the console's page. Its links are relative to this exact path.
fn to_console(state: &HttpState) -> Option<Response<Body>> {
    match state.console {
        ConsoleSite::Closed => None,
        ConsoleSite::Shared | ConsoleSite::Own(_) => Some(redirect("console/")),
    }
}

async fn to_processor(state: &HttpState, visit: &PayerVisit) -> Option<Response<Body>> {
    match state.services.payments.to_processor(visit).await {
        Ok(ToProcessor::Go(url)) => Some(redirect(&url)),
        Ok(ToProcessor::Stay(standing)) => {
            Some(html(StatusCode::GONE, payer_page::standing(&standing)))
        }
        Err(error) => trouble(&error),
    }
}

async fn back_from_processor(
    state: &HttpState,
    request_id: &str,
    visit: &PayerVisit,
    query: Option<&str>,
) -> Option<Response<Body>> {
    let destination = state
        .services
        .payments
        .payer_returned(request_id.to_owned(), visit, query);
    match destination.await {
        Ok(destination) => Some(go_on(&destination)),
        Err(error) => trouble(&error),
    }
}

async fn link(state: &HttpState, visit: &LinkVisit, language: Language) -> Option<Response<Body>> {
    match state.services.payments.link_page(visit).await {
        Ok(LinkPage::Skipped(destination)) => Some(go_on(&destination)),
        Ok(LinkPage::Shown(view)) => {
            let offers = match state.services.method_offers.on_page(&view).await {
                Ok(offers) => offers,
                Err(error) => return trouble(&error),
            };
            let written = link_page::write(&view, &offers, language);
            let mut response = html(StatusCode::OK, written.html);
            let policy = HeaderValue::from_str(&written.policy).ok()?;
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_SECURITY_POLICY, policy);
            Some(response)
        }
        Err(error) => trouble(&error),
    }
}

async fn of_satellite(
    state: &HttpState,
    segments: &[&str],
    language: Language,
) -> Option<Response<Body>> {
    match state.satellite_pages.show(segments, language).await {
        Ok(page) => {
            let page = page?;
            let mut response = html(StatusCode::OK, page.html);
            let policy = HeaderValue::from_static(page.policy);
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_SECURITY_POLICY, policy);
            Some(response)
        }
        Err(error) => trouble(&error),
    }
}

/// Returns the language that the browser prefers.
fn language(request: &Request<Body>) -> Language {
    let asked = request.headers().get(header::ACCEPT_LANGUAGE);
    Language::preferred(asked.and_then(|value| value.to_str().ok()))
}

fn go_on(destination: &Destination) -> Response<Body> {
    match destination {
        Destination::Redirect(url) => redirect(url),
        Destination::Post { url, pairs } => {
            html(StatusCode::OK, payer_page::self_posting_form(url, pairs))
        }
        Destination::Stay(standing) => html(StatusCode::OK, payer_page::standing(standing)),
    }
}

/// Returns an error page where the fault is ours. A missing payment gets the page of an invalid address.
fn trouble(error: &AppError) -> Option<Response<Body>> {
    if matches!(error, AppError::Refused(Refusal::NotFound { .. })) {
        return None;
    }
    tracing::error!(%error, "a payer's page could not be shown");
    let mut response = html(StatusCode::SERVICE_UNAVAILABLE, payer_page::trouble());
    let headers = response.headers_mut();
    headers.insert(header::RETRY_AFTER, HeaderValue::from_static("2"));
    Some(response)
}

/// Returns a page of a processor inside this process.
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
    let mut response = html(StatusCode::FOUND, payer_page::redirect(url));
    if let Ok(location) = HeaderValue::from_str(url) {
        response.headers_mut().insert(header::LOCATION, location);
    }
    response
}

fn html(status: StatusCode, html: String) -> Response<Body> {
    let mut response = Response::new(Body::from(html));
    *response.status_mut() = status;
    for (name, value) in HEADERS {
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(name, value);
    }
    response
}
