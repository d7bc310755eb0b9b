//! The test implementation behind real HTTP, with words as keys.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use dropshot::{Body, ConfigDropshot, HttpServer, RequestContext, ServerBuilder};
use http::{HeaderValue, Request, Response};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::api::ARMS;
use crate::*;

/// The calls of methods and hooks, in order.
pub type Notes = Arc<Mutex<Vec<String>>>;

/// An admin of the bookshop.
fn user() -> User {
    User {
        user_id: "user_1".to_owned(),
        session_id: "ses_1".to_owned(),
        organization_id: "org_1".to_owned(),
        merchant_id: "bookshop".to_owned(),
        profile_id: None,
        narrowed_to: None,
        role: Role::OrgAdmin,
        lacks_second_factor: false,
    }
}

/// Hooks with words as keys: `secret`, `admin`, `user`, `public`.
pub struct TestHooks {
    notes: Notes,
    limits: Limits,
}

#[async_trait]
impl Hooks<Notes> for TestHooks {
    /// The operation of the claimed key.
    type Claim = &'static str;
    /// The recorded operation.
    type Record = &'static str;

    async fn authenticate(
        &self,
        rqctx: &RequestContext<Notes>,
        operation: &'static OpInfo,
    ) -> Result<Authenticated, ApiError> {
        let merchant_id = "bookshop".to_owned();
        let key = rqctx
            .request
            .headers()
            .get("api-key")
            .and_then(|value| value.to_str().ok());
        match key {
            Some("secret") if operation.accepts(Scheme::ApiKey) => {
                let merchant = Merchant {
                    merchant_id,
                    profile_id: None,
                    by: ActsBy::Key("snd_1".to_owned()),
                    closed: Vec::new(),
                };
                Ok(Authenticated::Principal(Principal::Merchant(merchant)))
            }
            Some("admin") if operation.accepts(Scheme::AdminApiKey) => {
                Ok(Authenticated::Principal(Principal::Admin(Admin::default())))
            }
            Some("user") if operation.accepts(Scheme::Bearer) => {
                Ok(Authenticated::Principal(Principal::User(Box::new(user()))))
            }
            Some("public") if operation.is_for_clients() => Ok(Authenticated::Publishable {
                merchant_id,
                session: None,
            }),
            // A server with faulty authentication: the frame must still reject the caller.
            Some("mistaken") => Ok(Authenticated::Principal(Principal::Anonymous)),
            _ => Err(ApiError::unauthorized()),
        }
    }

    async fn identify_client(
        &self,
        _: &RequestContext<Notes>,
        _: &'static OpInfo,
        merchant_id: &str,
        presented: Presented<'_>,
    ) -> Result<Client, ApiError> {
        let payment_id = presented.payment_id.unwrap_or_default().to_owned();
        if presented.client_secret == format!("{payment_id}_secret") {
            Ok(Client {
                merchant_id: merchant_id.to_owned(),
                payment_id,
            })
        } else {
            Err(ApiError::new(
                http::StatusCode::BAD_REQUEST,
                INVALID_REQUEST,
                "IR_09",
                "Another payment's secret.",
            ))
        }
    }

    async fn identify_subscriber(
        &self,
        _: &RequestContext<Notes>,
        merchant_id: &str,
        subscription_id: Option<&str>,
        client_secret: &str,
    ) -> Result<Subscriber, ApiError> {
        Ok(Subscriber {
            merchant_id: merchant_id.to_owned(),
            profile_id: "pro_1".to_owned(),
            subscription_id: subscription_id.unwrap_or(client_secret).to_owned(),
            customer_id: "ada".to_owned(),
        })
    }

    async fn claim(
        &self,
        _: &RequestContext<Notes>,
        _: &Principal,
        request: &IdempotentRequest,
    ) -> Result<KeyState<&'static str>, ApiError> {
        let operation = request.operation.id;
        if request.key == "answered" {
            let answer = Response::new(Body::from(format!("{operation} was answered before")));
            return Ok(KeyState::Answered(answer));
        }
        self.note(format!("claimed {operation}"));
        Ok(KeyState::Open(operation))
    }

    async fn conclude(
        &self,
        claim: &&'static str,
        answer: Result<Response<Body>, ApiError>,
    ) -> Result<Response<Body>, ApiError> {
        let status = match &answer {
            Ok(answer) => answer.status(),
            Err(error) => error.status,
        };
        self.note(format!("concluded {claim} {}", status.as_u16()));
        answer
    }

    async fn record(
        &self,
        rqctx: &RequestContext<Notes>,
        request: RecordedRequest<'_>,
    ) -> Result<Option<&'static str>, ApiError> {
        let wanted = rqctx.request.headers().get("x-record");
        match wanted.and_then(|value| value.to_str().ok()) {
            None => Ok(None),
            Some("refused") => Err(ApiError::internal("nothing can be recorded")),
            Some(_) => {
                let id = request.operation.id;
                self.note(format!("records {id} {:?}", request.variables));
                Ok(Some(id))
            }
        }
    }

    async fn recorded(&self, record: &'static str) -> Result<(), ApiError> {
        self.note(format!("recorded {record}"));
        Ok(())
    }

    async fn other(
        &self,
        rqctx: &RequestContext<Notes>,
        _: Request<Body>,
    ) -> Result<Option<Other>, ApiError> {
        let is_page = rqctx.request.uri().path() == "/page";
        Ok(is_page.then(|| Other {
            path: "/page",
            response: Response::new(Body::from("a page")),
        }))
    }

    fn finish(&self, finished: &Finished<'_>, response: &mut Response<Body>) {
        response
            .headers_mut()
            .insert("x-finished", HeaderValue::from_static("yes"));
        let operation = finished.operation.map_or("-", |operation| operation.id);
        let merchant = finished.merchant_id.unwrap_or("-");
        let error = finished.error.map_or("-", |error| error.code);
        self.note(format!(
            "finished {} {} {operation} {merchant} {} {error}",
            finished.method,
            finished.path,
            finished.status.as_u16()
        ));
    }

    fn limits(&self) -> Limits {
        self.limits
    }
}

impl TestHooks {
    fn note(&self, line: String) {
        self.notes.lock().unwrap().push(line);
    }
}

/// The running server.
pub struct TestServer {
    server: HttpServer<Notes>,
    pub notes: Notes,
}

/// An answer as it arrived.
#[derive(Debug)]
pub struct Received {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Received {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// Returns `400 IR_04 message`, and checks that the body has exactly the three members.
    pub fn error(&self) -> String {
        let body = self.json();
        let members: Vec<_> = body
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        assert_eq!(members, ["error_type", "message", "code"], "{self:?}");
        assert_eq!(self.header("content-type"), Some("application/json"));
        assert!(self.header("x-request-id").is_some());
        format!(
            "{} {} {}",
            self.status,
            body["code"].as_str().unwrap(),
            body["message"].as_str().unwrap()
        )
    }
}

impl TestServer {
    pub async fn start() -> Self {
        Self::with_limits(Limits {
            body_deadline: Duration::from_millis(300),
            ..Limits::default()
        })
        .await
    }

    async fn with_limits(limits: Limits) -> Self {
        let notes = Notes::default();
        let hooks = TestHooks {
            notes: Arc::clone(&notes),
            limits,
        };
        let description = register(Arc::new(hooks), ARMS);
        let config = ConfigDropshot {
            bind_address: "127.0.0.1:0".parse().unwrap(),
            ..ConfigDropshot::default()
        };
        let log = slog::Logger::root(slog::Discard, slog::o!());
        let server = ServerBuilder::new(description, Arc::clone(&notes), log)
            .config(config)
            .start()
            .unwrap();
        Self { server, notes }
    }

    /// Sends bytes and reads the answer until the server closes.
    pub async fn raw(&self, request: &[u8]) -> Received {
        let mut stream = TcpStream::connect(self.server.local_addr()).await.unwrap();
        stream.write_all(request).await.unwrap();
        let mut text = Vec::new();
        stream.read_to_end(&mut text).await.unwrap();
        parse(&String::from_utf8(text).unwrap())
    }

    /// Sends a call such as `call("POST /payments", "secret", "{..}")`, with JSON as the media type.
    pub async fn call(&self, line: &str, key: &str, body: &str) -> Received {
        self.call_with(line, key, "", body).await
    }

    /// As [`Self::call`], with additional header lines.
    pub async fn call_with(&self, line: &str, key: &str, headers: &str, body: &str) -> Received {
        let length = body.len();
        let media = if body.is_empty() {
            ""
        } else {
            "content-type: application/json\r\n"
        };
        let request = format!(
            "{line} HTTP/1.1\r\nhost: test\r\nconnection: close\r\napi-key: {key}\r\n{headers}{media}content-length: {length}\r\n\r\n{body}"
        );
        self.raw(request.as_bytes()).await
    }

    /// Returns the notes so far, and clears them.
    pub fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut *self.notes.lock().unwrap())
    }
}

fn parse(text: &str) -> Received {
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
    let mut lines = head.split("\r\n");
    let status = lines
        .next()
        .unwrap()
        .split(' ')
        .nth(1)
        .unwrap()
        .parse()
        .unwrap();
    let headers = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    Received {
        status,
        headers,
        body: body.to_owned(),
    }
}
