//! The console: its place at this server, its files as browsers get them, its cookies, and the requests that it may make.
//!
//! A cookie is sent by itself, so a request with it must come from a page of the console. Browsers say so in
//! `sec-fetch-site`, which no script can set. Changes must also be JSON, which no form of another page can send.

use dropshot::Body;
use http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header};
use multirail_api::{ApiError, INVALID_REQUEST, Op, OpInfo, is_console_call};
use multirail_kernel::secret::SecretText;

use super::begun_oidc::BegunOidc;
use super::console_origins::Origins;
use super::served_file;

/// The header in which browsers say whose page made a request.
const SEC_FETCH_SITE: &str = "sec-fetch-site";

/// The place of the console at this server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConsoleSite {
    /// There is no console.
    Closed,
    /// The console shares the server's own origin, as in a sandbox.
    Shared,
    /// The console has an origin of its own.
    Own(Origins),
}

/// A request as far as the rules for browsers need it.
pub(crate) struct BrowserRequest<'a> {
    pub(crate) method: &'a Method,
    /// The host that the request names.
    pub(crate) host: Option<&'a str>,
    pub(crate) path: &'a str,
    pub(crate) headers: &'a HeaderMap,
    pub(crate) operation: Option<&'a OpInfo>,
}

/// The values that a browser keeps for the console, each in a cookie of its own.
#[derive(Clone, Copy)]
enum Kept {
    /// The token of a session.
    Session,
    /// A sign-in by the identity provider that this browser has begun.
    BegunOidc,
}

/// The name of a cookie, and the path that it is sent to.
struct Cookie {
    name: &'static str,
    path: &'static str,
}

impl Cookie {
    /// Returns the header's text for this value.
    fn set_to(&self, value: &str, seconds: i64) -> Option<HeaderValue> {
        let Cookie { name, path } = self;
        let attributes =
            format!("Path={path}; Max-Age={seconds}; HttpOnly; Secure; SameSite=Strict");
        HeaderValue::try_from(format!("{name}={value}; {attributes}")).ok()
    }
}

impl ConsoleSite {
    /// Returns the address of the console, if there is one and the program was built with its files. `public_url` is the
    /// server's own.
    pub fn address(&self, public_url: &str) -> Option<String> {
        let address = match self {
            ConsoleSite::Closed => None,
            ConsoleSite::Shared => Some(format!("{public_url}/console/")),
            ConsoleSite::Own(origins) => Some(origins.console_address()),
        };
        address.filter(|_| multirail_console::is_built())
    }

    /// Returns the address of the page to which the identity provider sends browsers back, if there is a console.
    pub fn return_address(&self, public_url: &str) -> Option<String> {
        let address = self.address(public_url)?;
        Some(format!("{address}signed_in"))
    }

    /// Returns the cookie that keeps a session's token in the browser; `None` where there is no console.
    pub fn session_cookie(&self, token: &SecretText, seconds: i64) -> Option<HeaderValue> {
        self.sensitive_cookie(Kept::Session, token, seconds)
    }

    /// Returns the cookie that makes the browser forget a session's token; `None` where there is no console.
    pub fn ended_cookie(&self) -> Option<HeaderValue> {
        self.cookie(Kept::Session)?.set_to("", 0)
    }

    /// Returns the token of a request's cookie.
    pub fn token<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        self.kept(Kept::Session, headers)
    }

    /// Returns the cookie that binds a sign-in by the identity provider to the browser that begins it; `None` where
    /// there is no console.
    pub fn oidc_cookie(&self, begun: &BegunOidc, seconds: i64) -> Option<HeaderValue> {
        self.sensitive_cookie(Kept::BegunOidc, &begun.to_text(), seconds)
    }

    /// Returns the sign-in by the identity provider that a request's browser has begun.
    pub fn begun_oidc(&self, headers: &HeaderMap) -> Option<BegunOidc> {
        let text = self.kept(Kept::BegunOidc, headers)?;
        BegunOidc::from_text(text)
    }

    fn sensitive_cookie(
        &self,
        kept: Kept,
        value: &SecretText,
        seconds: i64,
    ) -> Option<HeaderValue> {
        let mut cookie = self.cookie(kept)?.set_to(value.expose(), seconds)?;
        cookie.set_sensitive(true);
        Some(cookie)
    }

    /// Returns the value of a request's cookie. Two cookies with its name are ignored, because one may be another page's.
    fn kept<'a>(&self, kept: Kept, headers: &'a HeaderMap) -> Option<&'a str> {
        let Cookie { name, .. } = self.cookie(kept)?;
        let cookies = headers.get_all(header::COOKIE).iter();
        // Another cookie may be no text. It hides neither this one nor its double.
        let pairs = cookies.flat_map(|value| value.as_bytes().split(|byte| *byte == b';'));
        let mut values = pairs.filter_map(|pair| {
            let rest = pair.trim_ascii().strip_prefix(name.as_bytes())?;
            rest.strip_prefix(b"=")
        });
        match (values.next(), values.next()) {
            (Some(value), None) => std::str::from_utf8(value).ok(),
            (None, _) | (Some(_), Some(_)) => None,
        }
    }

    /// Admits a request of a browser.
    ///
    /// # Errors
    /// 404 `IR_02` without a console, and at an origin that doesn't have the path; 403 `IR_22` for a request that another
    /// page could have made.
    pub(crate) fn admit(&self, request: &BrowserRequest<'_>) -> Result<(), ApiError> {
        let is_call = is_console_call(request.path);
        let begins = request.operation.is_some_and(sets_cookie);
        if let ConsoleSite::Own(origins) = self {
            origins.admit(request.host, request.path, begins)?;
        }
        if !is_call && !begins {
            return Ok(());
        }
        match self {
            ConsoleSite::Closed => return Err(ApiError::unknown_route()),
            ConsoleSite::Shared | ConsoleSite::Own(_) => {}
        }
        if is_call || is_of_page(request.headers) {
            check_origin(request.headers)?;
        }
        if is_call {
            check_media_type(request)?;
        }
        Ok(())
    }

    /// Returns the file for the segments below `/console/`.
    pub(crate) fn file(&self, rest: &[&str]) -> Option<Response<Body>> {
        match self {
            ConsoleSite::Closed => None,
            ConsoleSite::Shared | ConsoleSite::Own(_) => file(rest),
        }
    }

    /// Where payers' pages are at the same origin, a cookie is bound to the console's path. The prefix `__Host-`, with
    /// which no other host can set it, demands the path `/`, so it has the prefix where the origin is the console's own.
    fn cookie(&self, kept: Kept) -> Option<Cookie> {
        let (below_path, of_host) = match kept {
            Kept::Session => ("multirail_console", "__Host-multirail_console"),
            Kept::BegunOidc => ("multirail_console_oidc", "__Host-multirail_console_oidc"),
        };
        match self {
            ConsoleSite::Closed => None,
            ConsoleSite::Shared => Some(Cookie {
                name: below_path,
                path: "/console/",
            }),
            ConsoleSite::Own(_) => Some(Cookie {
                name: of_host,
                path: "/",
            }),
        }
    }
}

/// 401 `IR_17`: the console's cookie is missing, or its session has ended.
pub(crate) fn nobody_signed_in() -> ApiError {
    let message = "Nobody is signed in at the console, or the session has ended.";
    ApiError::new(StatusCode::UNAUTHORIZED, INVALID_REQUEST, "IR_17", message)
}

/// Returns whether the operation's answer sets a cookie of the console.
fn sets_cookie(operation: &OpInfo) -> bool {
    matches!(
        operation.op,
        Op::ConsoleSessionsBegin | Op::ConsoleSessionsBeginOidc | Op::ConsoleSessionsSwitchMerchant
    )
}

/// Returns whether a page makes the request. Programs have no cookies that a page could misuse, and send no such headers;
/// old browsers send the origin only.
fn is_of_page(headers: &HeaderMap) -> bool {
    headers.contains_key(SEC_FETCH_SITE) || headers.contains_key(header::ORIGIN)
}

fn check_origin(headers: &HeaderMap) -> Result<(), ApiError> {
    let site = headers.get(SEC_FETCH_SITE);
    if site.is_some_and(|site| site.as_bytes() == b"same-origin") {
        return Ok(());
    }
    let message =
        "Only a page of the console may make this call: `sec-fetch-site` has to be `same-origin`.";
    Err(ApiError::not_allowed(message))
}

fn check_media_type(request: &BrowserRequest<'_>) -> Result<(), ApiError> {
    if matches!(*request.method, Method::GET | Method::HEAD) {
        return Ok(());
    }
    let takes_bytes = request
        .operation
        .is_some_and(|operation| operation.raw_body_bytes.is_some());
    let wanted = match takes_bytes {
        true => "application/octet-stream",
        false => "application/json",
    };
    let given = request.headers.get(header::CONTENT_TYPE);
    let given = given.and_then(|value| value.to_str().ok());
    let given = given.and_then(|value| value.split(';').next());
    if given.is_some_and(|given| given.trim().eq_ignore_ascii_case(wanted)) {
        return Ok(());
    }
    let message = format!("Changes from the console need the header `content-type: {wanted}`.");
    Err(ApiError::not_allowed(message))
}

fn file(rest: &[&str]) -> Option<Response<Body>> {
    let file = multirail_console::find(rest)?;
    Some(served_file::built(file, &multirail_console::HEADERS))
}

#[cfg(test)]
mod tests;
