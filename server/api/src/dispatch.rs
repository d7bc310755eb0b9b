//! From dropshot's fallback endpoint to the methods.
//!
//! dropshot's own router can't have a literal and a variable segment in one place, and answers its own errors in its
//! own format. So it gets no routes: its fallback takes every request, and the generated matcher routes it.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use dropshot::{
    ApiDescription, ApiEndpoint, ApiEndpointVersions, Body, HttpError, RawRequest, RequestContext,
    ServerContext,
};
use futures::FutureExt;
use http::{HeaderValue, Method, Request, Response, header};
use hyper::body::Body as _;

use crate::call::Call;
use crate::console_path::in_document;
use crate::generated::arms::{Arms, of_operation};
use crate::generated::routes;
use crate::{ApiError, Authenticated, Finished, Hooks, LoggedCall, Op, OpInfo, Principal, Ticket};
use crate::{input, path, rest, single};

/// Returns the whole API as dropshot serves it. `arms` call the methods of the traits, and `hooks` are the rest.
pub fn register<C: ServerContext, H: Hooks<C>>(
    hooks: Arc<H>,
    arms: Arms<C, H>,
) -> ApiDescription<C> {
    let arms = Arc::new(arms);
    let mut description = ApiDescription::new();
    let handler = move |rqctx: RequestContext<C>, request: RawRequest| {
        let (hooks, arms) = (Arc::clone(&hooks), Arc::clone(&arms));
        async move { Ok::<_, HttpError>(serve(hooks, &arms, rqctx, request.into_inner()).await) }
    };
    // Only the handler of a fallback matters.
    let (media, versions) = ("application/json", ApiEndpointVersions::All);
    let endpoint = ApiEndpoint::new("any".to_owned(), handler, Method::GET, media, "/", versions);
    description.fallback(endpoint);
    description
}

/// The route of a method and a path.
#[derive(Debug, PartialEq, Eq)]
pub enum Route {
    /// An operation, with the values of the path's variables from left to right. `HEAD` finds the `GET`.
    Found(Op, Vec<String>),
    /// The path exists, the method doesn't. This includes `OPTIONS`.
    WrongMethod(&'static [Op]),
    /// No path of the document.
    Unknown,
}

/// Finds the operation of decoded segments.
pub fn route(method: &Method, segments: &[&str]) -> Route {
    let Some((operations, variables)) = routes::resource(segments) else {
        return Route::Unknown;
    };
    let wanted = if method == Method::HEAD {
        &Method::GET
    } else {
        method
    };
    match operations.iter().find(|op| op.info().method == *wanted) {
        Some(op) => Route::Found(*op, variables.into_iter().map(str::to_owned).collect()),
        None => Route::WrongMethod(operations),
    }
}

/// Returns the decoded value of a parameter of the operation's path.
pub fn path_parameter<C: ServerContext>(
    rqctx: &RequestContext<C>,
    info: &OpInfo,
    name: &str,
) -> Option<String> {
    let path = in_document(rqctx.request.uri().path());
    let segments = path::segments(path).ok()??;
    let wanted = format!("{{{name}}}");
    let mut template = info.path.split('/').filter(|part| !part.is_empty());
    let place = template.position(|part| part == wanted)?;
    segments.into_iter().nth(place)
}

/// The name of an unknown path in the log.
const UNKNOWN_PATH: &str = "unknown";

/// Returns the template of an address's path, such as `/payments/{payment_id}`, or `unknown`. Logs may contain only
/// this.
pub fn path_template(path: &str) -> &'static str {
    let Ok(Some(segments)) = path::segments(in_document(path)) else {
        return UNKNOWN_PATH;
    };
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    match routes::resource(&segments) {
        Some((operations, _)) => template(operations),
        None => UNKNOWN_PATH,
    }
}

fn operation_of(found: &Route) -> Option<&'static OpInfo> {
    match found {
        Route::Found(op, _) => Some(op.info()),
        Route::WrongMethod(_) | Route::Unknown => None,
    }
}

/// All operations at one path have one template.
fn template(operations: &[Op]) -> &'static str {
    operations.first().map_or(UNKNOWN_PATH, |op| op.info().path)
}

/// The known facts about a call, even one that fails.
struct Trace {
    operation: Option<&'static OpInfo>,
    path: &'static str,
    merchant_id: Option<String>,
    logged: Option<Arc<LoggedCall>>,
}

async fn serve<C: ServerContext, H: Hooks<C>>(
    hooks: Arc<H>,
    arms: &Arms<C, H>,
    mut rqctx: RequestContext<C>,
    request: Request<Body>,
) -> Response<Body> {
    let started = Instant::now();
    let begun = hooks.begin(&rqctx);
    rqctx.request_id = begun.request_id.clone();
    let method = request.method().clone();
    let origin = request.headers().get(header::ORIGIN).cloned();
    let asked = rest::Asked::from_request(&request);
    let (parts, body) = request.into_parts();
    let (body, rest) = rest::lend(body, begun.ticket.clone());
    let request = Request::from_parts(parts, body);
    let mut trace = Trace {
        operation: None,
        path: UNKNOWN_PATH,
        merchant_id: None,
        logged: None,
    };

    let ticket = begun.ticket.clone();
    let work = Box::pin(answer(&hooks, arms, rqctx, request, ticket, &mut trace));
    let result = AssertUnwindSafe(work).catch_unwind().await;
    let (mut response, error) = match result {
        Ok(Ok(response)) => (response, None),
        Ok(Err(error)) => (error.respond(&hooks.error_body(&error)), Some(error)),
        Err(_) => {
            // The panic hook has logged the place; the caller gets an ordinary failure.
            let error = ApiError::internal("the operation panicked");
            (error.respond(&hooks.error_body(&error)), Some(error))
        }
    };
    if method == Method::HEAD {
        response = without_body(response);
    }
    let finished = Finished {
        request_id: &begun.request_id,
        method: &method,
        path: trace.path,
        origin: origin.as_ref(),
        client: begun.client,
        operation: trace.operation,
        merchant_id: trace.merchant_id.as_deref(),
        status: response.status(),
        duration: started.elapsed(),
        error: error.as_ref(),
        logged: trace.logged.as_ref(),
    };
    hooks.finish(&finished, &mut response);
    rest.drop_behind(response, asked, hooks.limits().body_deadline)
}

async fn answer<C: ServerContext, H: Hooks<C>>(
    hooks: &Arc<H>,
    arms: &Arms<C, H>,
    rqctx: RequestContext<C>,
    request: Request<Body>,
    ticket: Option<Arc<dyn Ticket>>,
    trace: &mut Trace,
) -> Result<Response<Body>, ApiError> {
    let found = match path::segments(in_document(request.uri().path()))? {
        Some(segments) => {
            let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
            route(request.method(), &segments)
        }
        None => Route::Unknown,
    };
    trace.path = match &found {
        Route::Found(op, _) => op.info().path,
        Route::WrongMethod(operations) => template(operations),
        Route::Unknown => UNKNOWN_PATH,
    };
    single::check(request.version(), request.headers())?;
    hooks.admit(&rqctx, operation_of(&found))?;
    let (op, variables) = match found {
        Route::Found(op, variables) => (op, variables),
        Route::WrongMethod(operations) => {
            return wrong_method(hooks, &rqctx, &request, operations).await;
        }
        Route::Unknown => {
            if let Some(ticket) = ticket {
                ticket.reads(None)?;
                if request.body().is_end_stream() {
                    ticket.works(None)?;
                }
            }
            let other = hooks.other(&rqctx, request).await?;
            let other = other.ok_or_else(ApiError::unknown_route)?;
            trace.path = other.path;
            return Ok(other.response);
        }
    };
    let info = op.info();
    trace.operation = Some(info);
    if let Some(ticket) = &ticket {
        ticket.reads(Some(info))?;
    }
    let authenticated = if info.security.is_empty() {
        Authenticated::Principal(Principal::Anonymous)
    } else {
        hooks.authenticate(&rqctx, info).await?
    };
    trace.merchant_id = authenticated.merchant_id().map(str::to_owned);
    if hooks.logs(info, &authenticated) {
        let headers = rqctx.request.headers();
        let logged = LoggedCall::begin(info, &authenticated, &variables, headers);
        trace.logged = logged.map(Arc::new);
    }
    input::known_query(info, rqctx.request.uri().query().unwrap_or_default())?;
    let mut call = Call::new(
        rqctx,
        Arc::clone(hooks),
        info,
        authenticated,
        variables,
        request.into_body(),
        ticket,
    )
    .logged(trace.logged.clone());
    call.without_body().await?;
    of_operation(op, arms)(call).await
}

async fn wrong_method<C: ServerContext, H: Hooks<C>>(
    hooks: &Arc<H>,
    rqctx: &RequestContext<C>,
    request: &Request<Body>,
    operations: &'static [Op],
) -> Result<Response<Body>, ApiError> {
    let infos: Vec<&'static OpInfo> = operations.iter().map(|op| op.info()).collect();
    let mut allow: Vec<&str> = infos.iter().map(|info| info.method.as_str()).collect();
    if allow.contains(&"GET") {
        allow.push("HEAD");
    }
    allow.push("OPTIONS");
    let allow = allow.join(", ");
    if request.method() == Method::OPTIONS {
        Ok(hooks.preflight(rqctx, &infos, &allow).await)
    } else {
        Err(ApiError::wrong_method(&allow))
    }
}

/// Returns the answer to `HEAD`: the headers of the `GET` with its length, without a body.
fn without_body(response: Response<Body>) -> Response<Body> {
    let (mut parts, body) = response.into_parts();
    if let Some(length) = body.size_hint().exact() {
        parts
            .headers
            .entry(header::CONTENT_LENGTH)
            .or_insert(HeaderValue::from(length));
    }
    Response::from_parts(parts, Body::empty())
}
