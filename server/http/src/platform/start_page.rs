//! The start page at the server's own address: HTML for people, JSON for programs.

use dropshot::Body;
use http::{HeaderMap, HeaderValue, Response, header};
use multirail_page::{HEADERS, document, escape};
use serde_json::json;

use crate::HttpState;

/// Returns the page as HTML where the client asks for HTML, else as JSON.
pub(crate) fn answer(state: &HttpState, asked: &HeaderMap) -> Response<Body> {
    let url = &state.public_url;
    let is_sandbox = state.is_sandbox;
    let console = state.console.address(url);
    let mut response = if wants_html(asked) {
        let page = page(url, is_sandbox, console.as_deref());
        let mut response = Response::new(Body::from(page));
        for (name, value) in HEADERS {
            response
                .headers_mut()
                .insert(name, HeaderValue::from_static(value));
        }
        response
    } else {
        let body = json!({
            "name": "multirail",
            "sandbox": is_sandbox,
            "documentation": format!("{url}/docs"),
            "document": format!("{url}/openapi.json"),
            "health": format!("{url}/health"),
            "console": console,
        });
        let mut response = Response::new(Body::from(body.to_string()));
        let json = HeaderValue::from_static("application/json");
        response.headers_mut().insert(header::CONTENT_TYPE, json);
        response
    };
    let vary = HeaderValue::from_static("accept");
    response.headers_mut().insert(header::VARY, vary);
    response
}

/// Returns whether the client asks for HTML first. Browsers do; programs ask for JSON, anything, or nothing.
pub(crate) fn wants_html(asked: &HeaderMap) -> bool {
    let named = asked.get_all(header::ACCEPT).iter();
    let mut named = named
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|kind| kind.split(';').next())
        .map(str::trim);
    let wanted = named.find(|kind| {
        matches!(
            *kind,
            "text/html" | "application/xhtml+xml" | "application/json"
        )
    });
    wanted.is_some_and(|kind| kind != "application/json")
}

fn page(url: &str, is_sandbox: bool, console: Option<&str>) -> String {
    let url = escape(url);
    let console = console.map(|address| {
        let address = escape(address);
        format!("<p><a class=\"button yes\" href=\"{address}\">Console</a></p>\n")
    });
    let console = console.unwrap_or_default();
    let kind = if is_sandbox {
        "This is a sandbox: no real money moves."
    } else {
        "This server takes payments."
    };
    let main = format!(
        "<h1>multirail</h1>\n<p>{kind} Its address is {url}.</p>\n{console}\
         <p><a class=\"button\" href=\"{url}/docs\">Reference and guides</a></p>\n\
         <p><a class=\"button\" href=\"{url}/health/ready\">Status</a></p>\n\
         <small><a href=\"{url}/openapi.json\">The document for programs</a></small>"
    );
    document("multirail", &main)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_and_programs_are_distinguished() {
        for (asked, html) in [
            (
                "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
                true,
            ),
            ("text/html", true),
            ("*/*", false),
            ("application/json", false),
            ("application/json, text/html", false),
            ("", false),
        ] {
            let value = HeaderValue::from_static(asked);
            let headers = HeaderMap::from_iter([(header::ACCEPT, value)]);
            assert_eq!(wants_html(&headers), html, "{asked}");
        }
        assert!(!wants_html(&HeaderMap::new()));
    }
}
