//! Plain HTTP with every answer checked against the document.

use std::fmt;
use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::time::{Duration, Instant};

use reqwest::Method;
use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::document::{Operation, operation};
use crate::endurance::Endurance;
use crate::exchange;
use crate::judge::judge;
use crate::lost;
use crate::patience::PATIENCE;
use crate::place::Reason;
use crate::response::{Asked, Response};

/// Headers that identify the caller.
const OF_CALLER: [&str; 2] = ["api-key", "authorization"];

/// A connection to one server.
#[derive(Clone, Debug)]
pub struct Wire {
    base_url: String,
    http: reqwest::Client,
    is_recorded: bool,
    /// `None` if calls only have the client's own timeout.
    endurance: Option<Endurance>,
}

impl Wire {
    /// Creates a wire to the server at this address. It doesn't follow redirects.
    ///
    /// # Panics
    /// Panics when the HTTP client can't be created.
    pub fn new(base_url: &str) -> Self {
        let builder = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy();
        // Loading the machine's certificate authorities takes longer than most requests of a test.
        let builder = match base_url.starts_with("http://") {
            true => builder.tls_certs_only([]),
            false => builder,
        };
        let http = builder.build().expect("an HTTP client can be made");
        Self {
            base_url: base_url.trim_end_matches('/').to_owned(),
            http,
            is_recorded: true,
            endurance: None,
        }
    }

    /// Limits all calls by these bounds.
    pub fn within(self, endurance: Endurance) -> Self {
        Self {
            endurance: Some(endurance),
            ..self
        }
    }

    /// Returns why the run has ended; `None` while it goes on.
    pub fn ended(&self) -> Option<&str> {
        self.endurance.as_ref()?.ended()
    }

    /// Returns how long the next call may wait.
    ///
    /// # Errors
    /// Fails with the reason when the run has ended.
    pub(crate) fn patience(&self) -> Result<Duration, String> {
        let endurance = self.endurance.as_ref();
        endurance.map_or(Ok(PATIENCE), Endurance::patience)
    }

    /// Records that a call was answered.
    pub(crate) fn answered(&self) {
        if let Some(endurance) = &self.endurance {
            endurance.answered();
        }
    }

    /// Records that a call got no answer.
    ///
    /// # Errors
    /// Fails with the reason when the run's end cut the call off.
    pub(crate) fn unanswered(&self) -> Result<(), String> {
        let endurance = self.endurance.as_ref();
        endurance.map_or(Ok(()), Endurance::unanswered)
    }

    /// Turns recording off, for servers with wrong answers.
    pub fn unrecorded(self) -> Self {
        Self {
            is_recorded: false,
            ..self
        }
    }

    /// Returns the server's address without a trailing slash.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// Builds a call of an operation.
    ///
    /// # Panics
    /// Panics when the document has no such operation.
    pub fn call(&self, id: &str) -> Call {
        let operation = operation(id);
        Call {
            operation: Some(operation),
            ..self.request(operation.method.clone(), &operation.path)
        }
    }

    /// Builds a request outside of the document. `path` is sent unchanged.
    pub fn request(&self, method: Method, path: &str) -> Call {
        Call {
            wire: self.clone(),
            operation: None,
            method,
            path: path.to_owned(),
            parameters: Vec::new(),
            query: Vec::new(),
            headers: Vec::new(),
            body: None,
            is_judged: true,
        }
    }
}

/// A call under construction. Awaiting it sends it, and panics if the answer breaks the document.
#[derive(Clone, Debug)]
#[must_use]
pub struct Call {
    wire: Wire,
    operation: Option<&'static Operation>,
    method: Method,
    /// The path with its parameters in braces.
    path: String,
    parameters: Vec<(String, String)>,
    query: Vec<(String, String)>,
    headers: Vec<(String, String)>,
    body: Option<Vec<u8>>,
    is_judged: bool,
}

impl Call {
    /// Fills a path parameter unless it is already filled.
    pub fn at(mut self, parameter: &str, value: &str) -> Self {
        let is_free = self.parameter(parameter).is_none();
        if is_free && self.path.contains(&format!("{{{parameter}}}")) {
            let filled = (parameter.to_owned(), value.to_owned());
            self.parameters.push(filled);
        }
        self
    }

    /// Replaces a path parameter.
    pub fn moved(mut self, parameter: &str, value: &str) -> Self {
        self.parameters.retain(|(name, _)| name != parameter);
        self.at(parameter, value)
    }

    /// Returns the value of a path parameter.
    pub fn parameter(&self, parameter: &str) -> Option<&str> {
        let mut filled = self.parameters.iter();
        let (_, value) = filled.find(|(name, _)| name == parameter)?;
        Some(value)
    }

    /// Returns whether a path parameter has this value.
    pub fn fills_with(&self, value: &str) -> bool {
        self.parameters.iter().any(|(_, filled)| filled == value)
    }

    /// Returns the operation that is called, if it is one of the document.
    pub fn operation(&self) -> Option<&'static Operation> {
        self.operation
    }

    /// Returns the body if it is JSON.
    pub fn body(&self) -> Option<Value> {
        serde_json::from_slice(self.body.as_deref()?).ok()
    }

    /// Returns a header as it will be sent.
    pub fn sends(&self, header: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let (_, value) = headers.find(|(name, _)| name.eq_ignore_ascii_case(header))?;
        Some(value)
    }

    /// Adds a query parameter.
    pub fn query(mut self, name: &str, value: impl fmt::Display) -> Self {
        self.query.push((name.to_owned(), value.to_string()));
        self
    }

    /// Replaces a query parameter.
    pub fn query_instead(self, name: &str, value: impl fmt::Display) -> Self {
        self.without_query(name).query(name, value)
    }

    /// Removes a query parameter.
    pub fn without_query(mut self, name: &str) -> Self {
        self.query.retain(|(known, _)| known != name);
        self
    }

    /// Adds a header.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Replaces a header.
    pub fn header_instead(self, name: &str, value: &str) -> Self {
        self.without_header(name).header(name, value)
    }

    /// Removes a header.
    pub fn without_header(mut self, name: &str) -> Self {
        self.headers
            .retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self
    }

    /// Replaces any key with this one.
    pub fn key(mut self, key: &str) -> Self {
        self = self.without_key();
        self.header("api-key", key)
    }

    /// Replaces any key with a user's token.
    pub fn token(mut self, token: &str) -> Self {
        self = self.without_key();
        self.header("authorization", &format!("Bearer {token}"))
    }

    /// Removes the key.
    pub fn without_key(mut self) -> Self {
        self.headers
            .retain(|(name, _)| !OF_CALLER.contains(&name.as_str()));
        self
    }

    /// Returns whether the call sends a key or a token.
    pub fn shows_a_key(&self) -> bool {
        OF_CALLER.iter().any(|header| self.sends(header).is_some())
    }

    /// Sets a JSON body.
    pub fn json(self, body: &Value) -> Self {
        self.text("application/json", body.to_string())
    }

    /// Sets a text body with this media type.
    pub fn text(mut self, media_type: &str, text: impl Into<String>) -> Self {
        self.headers.retain(|(name, _)| name != "content-type");
        self = self.header("content-type", media_type);
        self.undeclared(text)
    }

    /// Sets a text body without a media type.
    pub fn undeclared(mut self, text: impl Into<String>) -> Self {
        self.body = Some(text.into().into_bytes());
        self
    }

    /// Sets a body of bytes with this media type.
    pub fn bytes(mut self, media_type: &str, bytes: Vec<u8>) -> Self {
        self = self.text(media_type, "");
        self.body = Some(bytes);
        self
    }

    /// Turns the checks of the answer off, such as for pages.
    pub fn unjudged(mut self) -> Self {
        self.is_judged = false;
        self
    }

    /// Returns the id of the operation, or method and path of a request outside of the document.
    pub fn name(&self) -> String {
        match self.operation {
            Some(operation) => operation.id.clone(),
            None => format!("{} {}", self.method, self.path),
        }
    }

    /// Sends the call.
    ///
    /// # Errors
    /// Fails when no answer comes, or one that breaks the document.
    pub async fn send(self) -> Result<Response, Wrong> {
        let asked = self.name();
        let mut target = self
            .parameters
            .iter()
            .fold(self.path.clone(), |path, (name, value)| {
                path.replace(&format!("{{{name}}}"), value)
            });
        if !self.query.is_empty() {
            target = format!("{target}?{}", encode(&self.query));
        }
        let request = Asked {
            method: self.method.clone(),
            target,
            headers: self.headers,
            body: self.body,
        };
        let lost = |why: String, is_sent: bool| Wrong {
            asked: asked.clone(),
            reasons: vec![Reason::bare(why)],
            request: request.clone(),
            is_sent,
            answer: None,
        };
        let patience = self.wire.patience().map_err(|why| lost(why, false))?;
        let started = Instant::now();
        let url = format!("{}{}", self.wire.base_url, request.target);
        let mut sent = self
            .wire
            .http
            .request(self.method.clone(), &url)
            .timeout(patience);
        for (name, value) in &request.headers {
            sent = sent.header(name, value);
        }
        if let Some(body) = &request.body {
            sent = sent.body(body.clone());
        }
        let unanswered = |error: reqwest::Error| match self.wire.unanswered() {
            Ok(()) => lost(lost::in_words(&error, patience), true),
            Err(ended) => lost(ended, false),
        };
        let response = sent.send().await.map_err(unanswered)?;
        let status = response.status().as_u16();
        let headers: HeaderMap = response.headers().clone();
        let media = headers.get("content-type").map(|value| value.as_bytes());
        let is_stream = media.is_some_and(|media| media.starts_with(b"text/event-stream"));
        let text = match is_stream {
            true => first_frame(response).await,
            false => response.text().await,
        };
        let text = text.map_err(unanswered)?;
        self.wire.answered();
        // A plain text may happen to be JSON, but stays a text.
        let is_text = is_stream || media.is_some_and(|media| media.starts_with(b"text/plain"));
        let parsed = serde_json::from_str(&text).ok().filter(|_| !is_text);
        let answer = Response {
            asked: asked.clone(),
            request: request.clone(),
            status,
            headers,
            body: parsed.unwrap_or_else(|| Value::String(text.clone())),
            text,
            took: started.elapsed(),
        };
        if !self.is_judged {
            return Ok(answer);
        }
        let is_head = self.method == Method::HEAD;
        if let Some(operation) = self.operation.filter(|_| !is_head && self.wire.is_recorded) {
            exchange::record(operation, &answer);
        }
        let reasons = judge(self.operation, &answer, is_head);
        if reasons.is_empty() {
            return Ok(answer);
        }
        Err(Wrong {
            asked,
            reasons,
            request,
            is_sent: true,
            answer: Some(Box::new(answer)),
        })
    }
}

impl IntoFuture for Call {
    type Output = Response;
    type IntoFuture = Pin<Box<dyn Future<Output = Response> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { self.send().await.unwrap_or_else(|wrong| panic!("{wrong}")) })
    }
}

/// An answer that breaks the document, or none.
#[derive(Clone, Debug)]
pub struct Wrong {
    pub asked: String,
    pub reasons: Vec<Reason>,
    pub request: Asked,
    /// False if the run ended before the call or before its answer.
    pub is_sent: bool,
    /// `None` if no answer came.
    pub answer: Option<Box<Response>>,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons: Vec<String> = self.reasons.iter().map(Reason::to_string).collect();
        write!(f, "{}: {}", self.asked, reasons.join("; "))
    }
}

impl std::error::Error for Wrong {}

/// Reads the first part of a stream, which goes on without an end.
async fn first_frame(mut response: reqwest::Response) -> Result<String, reqwest::Error> {
    let mut read = Vec::new();
    while !read.windows(2).any(|pair| pair == b"\n\n") {
        match response.chunk().await? {
            Some(piece) => read.extend_from_slice(&piece),
            None => break,
        }
    }
    Ok(String::from_utf8_lossy(&read).into_owned())
}

/// Encodes names and values as a query.
fn encode(pairs: &[(String, String)]) -> String {
    let mut url = reqwest::Url::parse("http://localhost/").expect("an address");
    url.query_pairs_mut().extend_pairs(pairs);
    url.query().unwrap_or_default().to_owned()
}
