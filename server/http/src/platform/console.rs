//! The console: its place at this server, and its files as browsers get them.

use bytes::Bytes;
use dropshot::Body;
use http::{HeaderValue, Response, header};

/// The place of the console at this server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConsoleSite {
    /// There is no console.
    Closed,
    /// The console shares the server's own origin, as in a sandbox.
    Shared,
}

impl ConsoleSite {
    /// Returns the site at the server's own origin. A program that was built without the console's files has none.
    pub fn shared() -> Self {
        if multirail_console::is_built() {
            ConsoleSite::Shared
        } else {
            ConsoleSite::Closed
        }
    }

    /// Returns the address of the console, if there is one. `public_url` is the server's own.
    pub fn address(&self, public_url: &str) -> Option<String> {
        match self {
            ConsoleSite::Closed => None,
            ConsoleSite::Shared => Some(format!("{public_url}/console/")),
        }
    }

    /// Returns the file for the segments below `/console/`.
    pub(crate) fn file(&self, rest: &[&str]) -> Option<Response<Body>> {
        match self {
            ConsoleSite::Closed => None,
            ConsoleSite::Shared => file(rest),
        }
    }
}

fn file(rest: &[&str]) -> Option<Response<Body>> {
    let file = multirail_console::find(rest)?;
    let mut response = Response::new(Body::from(Bytes::from_static(file.packed)));
    let headers = response.headers_mut();
    for (name, value) in multirail_console::HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let mut set = |name, value| headers.insert(name, HeaderValue::from_static(value));
    set(header::CONTENT_TYPE, file.content_type);
    set(header::CONTENT_ENCODING, "gzip");
    set(
        header::CACHE_CONTROL,
        if file.may_be_kept {
            "public, max-age=31536000, immutable"
        } else {
            "no-cache"
        },
    );
    Some(response)
}
