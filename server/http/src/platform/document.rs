//! The document as it is served: the published one, with this server's own address. The reference as Markdown and the
//! Postman collection are made of it.

use std::io::{Read as _, Write as _};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use dropshot::Body;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use serde_json::{Value, json};

/// The line before the document's addresses.
const SERVERS: &str = "servers:\n";

/// The document in all its forms.
pub struct Document {
    pub json: Text,
    pub yaml: Text,
    pub reference: Text,
    pub postman: Text,
}

/// One form of the document.
pub struct Text {
    url: Arc<str>,
    write: fn(&str) -> String,
    /// Made at the first request: most servers are never asked, and compression takes longer than the rest of a start.
    served: OnceLock<Served>,
}

/// A compressed text. The document has megabytes, so nothing else is kept of it.
struct Served {
    packed: Bytes,
    /// A weak tag, because compressed and plain text share it.
    etag: HeaderValue,
}

impl Document {
    /// Returns the document of a server that is reached at `url`.
    pub fn at(url: &str) -> Self {
        let text = |write| Text {
            url: url.into(),
            write,
            served: OnceLock::new(),
        };
        Self {
            json: text(json),
            yaml: text(yaml),
            reference: text(reference),
            postman: text(postman),
        }
    }
}

impl Text {
    fn served(&self) -> &Served {
        self.served.get_or_init(|| {
            let whole = (self.write)(&self.url);
            let tag = format!("W/\"{}\"", &blake3::hash(whole.as_bytes()).to_hex()[..32]);
            Served {
                packed: pack(whole.as_bytes()),
                etag: HeaderValue::from_str(&tag).expect("hexadecimal digits"),
            }
        })
    }

    /// Returns the answer to a request with these headers: without a body where the client has it already, and
    /// compressed where the client accepts that.
    pub fn answer(&self, content_type: &'static str, asked: &HeaderMap) -> Response<Body> {
        let Served { packed, etag } = self.served();
        let mut response = Response::new(Body::empty());
        if is_known(asked, etag) {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        } else if takes_gzip(asked) {
            *response.body_mut() = Body::from(packed.clone());
            let gzip = HeaderValue::from_static("gzip");
            response
                .headers_mut()
                .insert(header::CONTENT_ENCODING, gzip);
        } else {
            *response.body_mut() = Body::from(unpack(packed));
        }
        let headers = response.headers_mut();
        restrict(headers, multirail_docs::READS);
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        headers.insert(header::ETAG, etag.clone());
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        // Clients may store it but have to revalidate: the address stays when the server changes.
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        response
    }
}

/// Sets the headers that keep browsers from running or framing a document. Every file of the documentation has them;
/// `nosniff` is on all answers of the server.
pub(crate) fn restrict(headers: &mut HeaderMap, policy: &'static str) {
    let mut set = |name, value| headers.insert(name, HeaderValue::from_static(value));
    set(header::CONTENT_SECURITY_POLICY, policy);
    set(header::REFERRER_POLICY, "no-referrer");
}

fn pack(whole: &[u8]) -> Bytes {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    let written = packed.write_all(whole).and_then(|()| packed.finish());
    written.expect("memory takes what is written").into()
}

fn unpack(packed: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    let read = GzDecoder::new(packed).read_to_end(&mut whole);
    read.expect("this server has packed it");
    whole
}

/// Returns whether `if-none-match` names the tag, or any.
fn is_known(asked: &HeaderMap, etag: &HeaderValue) -> bool {
    let named = asked.get_all(header::IF_NONE_MATCH).iter();
    let mut named = named
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(',').map(str::trim));
    let opaque = |tag: &str| tag.trim_start_matches("W/").to_owned();
    let ours = opaque(etag.to_str().unwrap_or_default());
    named.any(|tag| tag == "*" || opaque(tag) == ours)
}

/// Returns whether `accept-encoding` accepts gzip or anything, with a weight above 0.
fn takes_gzip(asked: &HeaderMap) -> bool {
    let named = asked.get_all(header::ACCEPT_ENCODING).iter();
    let mut weight = None;
    for coding in named
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
    {
        let (name, parameters) = coding.split_once(';').unwrap_or((coding, ""));
        let q = parameters.trim().strip_prefix("q=").unwrap_or("1");
        let q: f32 = q.trim().parse().unwrap_or(0.0);
        match name.trim().to_ascii_lowercase().as_str() {
            "gzip" | "x-gzip" => return q > 0.0,
            "*" => weight = Some(q),
            _ => {}
        }
    }
    weight.is_some_and(|q| q > 0.0)
}

/// Returns the JSON with this address. The text is edited, because parsing and writing it would take as long as the
/// rest of a start. The name occurs once outside of texts, and no address contains a bracket.
fn json(url: &str) -> String {
    const NAME: &str = "\"servers\":[";
    let written = multirail_api::document_json();
    let parts = written
        .split_once(NAME)
        .and_then(|(before, after)| Some((before, after.split_once(']')?.1)));
    match parts {
        Some((before, after)) => {
            let server = json!({ "url": url }).to_string();
            [before, NAME, &server, "]", after].concat()
        }
        None => written,
    }
}

/// Returns the YAML with its comments and order; only the addresses are replaced.
fn yaml(url: &str) -> String {
    let written = multirail_api::document_yaml();
    let Some((before, after)) = written.split_once(&format!("\n{SERVERS}")) else {
        return written;
    };
    let is_inside = |line: &&str| line.starts_with([' ', '#']) || line.trim().is_empty();
    let inside: usize = after
        .split_inclusive('\n')
        .take_while(is_inside)
        .map(str::len)
        .sum();
    let rest = &after[inside..];
    // JSON texts are valid YAML.
    let url = Value::from(url).to_string();
    [before, "\n", SERVERS, "  - url: ", &url, "\n", rest].concat()
}

/// Returns the reference as Markdown.
fn reference(url: &str) -> String {
    multirail_docs::reference_text(&published(), url)
}

/// Returns the Postman collection.
fn postman(url: &str) -> String {
    multirail_docs::collection(&published(), url).to_string()
}

fn published() -> Value {
    serde_json::from_str(&multirail_api::document_json()).expect("the program contains JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_address_differs() {
        let url = "https://pay.example/\"odd\"";
        let served = Document::at(url);
        let whole = |text: &Text| unpack(&text.served().packed);
        let json: Value = serde_json::from_slice(&whole(&served.json)).unwrap();
        let mut expected: Value = serde_json::from_str(&multirail_api::document_json()).unwrap();
        assert!(expected["servers"].is_array());
        expected["servers"] = json!([{ "url": url }]);
        assert_eq!(json, expected);
        let yaml = String::from_utf8(whole(&served.yaml)).unwrap();
        let published = multirail_api::document_yaml();
        let (before, _) = published.split_once("\nservers:").unwrap();
        let (_, after) = published.split_once("\ntags:").unwrap();
        assert_eq!(
            yaml,
            format!("{before}\nservers:\n  - url: {}\ntags:{after}", json!(url))
        );
    }

    #[test]
    fn gzip_is_sent_to_those_who_take_it() {
        for (asked, takes) in [
            ("gzip", true),
            ("br, GZIP;q=0.5", true),
            ("*", true),
            ("identity", false),
            ("gzip;q=0, *", false),
            ("*;q=0", false),
            ("", false),
        ] {
            let value = HeaderValue::from_static(asked);
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, value)]);
            assert_eq!(takes_gzip(&headers), takes, "{asked}");
        }
        assert!(!takes_gzip(&HeaderMap::new()));
    }

    #[test]
    fn a_client_that_has_it_gets_304() {
        let document = Document::at("https://pay.example");
        let asks = |tag: Option<HeaderValue>| {
            let asked = tag.map(|tag| (header::IF_NONE_MATCH, tag));
            document
                .json
                .answer("application/json", &asked.into_iter().collect())
        };
        let first = asks(None);
        let tag = first.headers()[header::ETAG].clone();
        assert_eq!(first.status(), StatusCode::OK);
        let strong = tag.to_str().unwrap().trim_start_matches("W/").to_owned();
        for known in [tag.to_str().unwrap(), &strong, "\"other\", *"] {
            let known = HeaderValue::from_str(known).unwrap();
            assert_eq!(asks(Some(known)).status(), StatusCode::NOT_MODIFIED);
        }
        let other = HeaderValue::from_static("W/\"other\"");
        assert_eq!(asks(Some(other)).status(), StatusCode::OK);
    }
}
