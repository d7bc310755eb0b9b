//! Files that the program contains or makes, as browsers get them.

use bytes::Bytes;
use dropshot::Body;
use http::{HeaderValue, Response, header};
use multirail_embed::File;

/// The `cache-control` of files whose address changes with their content.
pub(crate) const KEPT_FOR_GOOD: &str = "public, max-age=31536000, immutable";

/// A file to send. The caller adds the headers that limit what a browser may do with it.
pub(crate) struct ServedFile {
    pub(crate) content_type: &'static str,
    pub(crate) body: Body,
    /// True if the body is compressed by gzip.
    pub(crate) is_packed: bool,
    /// True if browsers may cache it for good, because its address changes with its content.
    pub(crate) may_be_kept: bool,
}

impl ServedFile {
    /// Returns the answer with the file.
    pub(crate) fn answer(self) -> Response<Body> {
        let mut response = Response::new(self.body);
        let headers = response.headers_mut();
        let mut set = |name, value| headers.insert(name, HeaderValue::from_static(value));
        set(header::CONTENT_TYPE, self.content_type);
        set(
            header::CACHE_CONTROL,
            match self.may_be_kept {
                true => KEPT_FOR_GOOD,
                false => "no-cache",
            },
        );
        if self.is_packed {
            set(header::CONTENT_ENCODING, "gzip");
        }
        response
    }
}

/// Returns the answer with a file that the program was built with. The names of `headers` are in lower case.
pub(crate) fn built(
    file: &'static File,
    headers: &[(&'static str, &'static str)],
) -> Response<Body> {
    let served = ServedFile {
        content_type: file.content_type,
        body: Body::from(Bytes::from_static(file.packed)),
        is_packed: true,
        may_be_kept: file.may_be_kept,
    };
    let mut response = served.answer();
    for &(name, value) in headers {
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(name, value);
    }
    response
}
