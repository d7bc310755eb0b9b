//! Adyen's side behind HTTP: every request is held against `peer.yaml` before the ledger sees it.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};

use bytes::Bytes;
use http::request::Parts;
use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::ledger::{Asked, Ledger, Said};

pub const API_KEY: &str = "AQEyhmfxK4vLaRdDw0m-test";
pub const MERCHANT_ACCOUNT: &str = "BookshopNL";
pub const HMAC_KEY: &str = "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056";
const VERSION: &str = "/v72";

/// What goes wrong with one request.
#[derive(Clone, Copy, Debug)]
pub enum Fault {
    /// It is done, and nobody hears of it.
    LosesAnswer,
    /// It isn't done, because there are too many.
    TooMany,
    /// There is no connection to the acquirer.
    Transient,
}

/// What the two sides share.
struct Shared {
    ledger: Ledger,
    faults: VecDeque<Fault>,
    /// What a request had that the description hasn't.
    wrong: Vec<String>,
}

#[derive(Clone)]
pub struct Peer {
    shared: Arc<Mutex<Shared>>,
    description: Arc<Value>,
    address: SocketAddr,
}

impl Peer {
    pub async fn start() -> Self {
        let text = include_str!("../../src/adyen/peer.yaml");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let peer = Peer {
            shared: Arc::new(Mutex::new(Shared {
                ledger: Ledger::new(API_KEY, MERCHANT_ACCOUNT, HMAC_KEY),
                faults: VecDeque::new(),
                wrong: Vec::new(),
            })),
            description: Arc::new(serde_norway::from_str(text).expect("the description")),
            address: listener.local_addr().expect("bound"),
        };
        tokio::spawn(peer.clone().serve(listener));
        peer
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The next request meets this.
    pub fn fail_next(&self, fault: Fault) {
        self.lock().faults.push_back(fault);
    }

    pub fn with_ledger<T>(&self, look: impl FnOnce(&mut Ledger) -> T) -> T {
        look(&mut self.lock().ledger)
    }

    /// Every request was one that the description has.
    pub fn assert_strict(&self) {
        assert_eq!(self.wrong(), Vec::<String>::new());
    }

    /// What requests had that the description hasn't.
    pub fn wrong(&self) -> Vec<String> {
        self.lock().wrong.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().expect("no test panics within")
    }

    async fn serve(self, listener: TcpListener) -> Infallible {
        loop {
            let (stream, _) = listener.accept().await.expect("a connection");
            let peer = self.clone();
            tokio::spawn(async move {
                let service = service_fn(|request| peer.clone().answer(request));
                let connection =
                    http1::Builder::new().serve_connection(TokioIo::new(stream), service);
                // It ends in an error where an answer is lost.
                let _ = connection.await;
            });
        }
    }

    async fn answer(self, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, LostAnswer> {
        let (head, body) = request.into_parts();
        let body = body.collect().await.map_err(|_| LostAnswer)?.to_bytes();
        let mut shared = self.lock();
        let fault = shared.faults.pop_front();
        match fault {
            Some(Fault::TooMany) => return Ok(said((429, json!({})), &[("retry-after", "7")])),
            Some(Fault::Transient) => {
                let error = json!({ "status": 500, "errorCode": "905", "errorType": "internal" });
                return Ok(said((500, error), &[("transient-error", "true")]));
            }
            Some(Fault::LosesAnswer) | None => {}
        }
        let answer = match self.read(&head, &body) {
            Ok((operation, payment, body)) => shared.ledger.answer(&Asked {
                operation: &operation,
                payment: payment.as_deref(),
                api_key: header(&head, "x-api-key"),
                idempotency_key: header(&head, "idempotency-key"),
                body: &body,
            }),
            Err(wrong) => {
                shared.wrong.push(wrong.clone());
                (
                    400,
                    json!({ "status": 400, "errorCode": "702", "message": wrong, "errorType": "validation" }),
                )
            }
        };
        match fault {
            Some(Fault::LosesAnswer) => Err(LostAnswer),
            Some(Fault::TooMany | Fault::Transient) | None => Ok(said(answer, &[])),
        }
    }

    /// Operation, payment and body of a request, if the description has it.
    fn read(&self, head: &Parts, body: &[u8]) -> Result<(String, Option<String>, Value), String> {
        let path = head.uri.path();
        let own = path.strip_prefix(VERSION).ok_or("another version")?;
        if head.uri.query().is_some() {
            return Err(format!("{path} has a query"));
        }
        let paths = self.description["paths"].as_object().expect("paths");
        let found = paths.iter().find_map(|(template, item)| {
            let payment = fits(template, own)?;
            Some((item.get(head.method.as_str().to_lowercase())?, payment))
        });
        let (operation, payment) = found.ok_or(format!("no {} {path}", head.method))?;
        let id = operation["operationId"].as_str().expect("an id");
        if header(head, "content-type") != Some("application/json") {
            return Err(format!("{id}: another content type"));
        }
        let body: Value = serde_json::from_slice(body).map_err(|error| error.to_string())?;
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        let whole = json!({ "$ref": schema["$ref"], "components": self.description["components"] });
        let validator = jsonschema::validator_for(&whole).expect("a schema");
        let errors: Vec<String> = validator
            .iter_errors(&body)
            .map(|error| format!("{id}{}: {error}", error.instance_path()))
            .collect();
        if errors.is_empty() {
            Ok((id.to_owned(), payment, body))
        } else {
            Err(errors.join("; "))
        }
    }
}

/// The one parameter of the path, where it is of this template.
fn fits(template: &str, path: &str) -> Option<Option<String>> {
    let (mut payment, mut own) = (None, path.split('/'));
    for segment in template.split('/') {
        let given = own.next()?;
        if segment.starts_with('{') {
            payment = Some(given.to_owned());
        } else if segment != given {
            return None;
        }
    }
    own.next().is_none().then_some(payment)
}

fn header<'a>(head: &'a Parts, name: &str) -> Option<&'a str> {
    head.headers.get(name)?.to_str().ok()
}

fn said((status, body): Said, headers: &[(&str, &str)]) -> Response<Full<Bytes>> {
    let mut answer = Response::builder()
        .status(status)
        .header("content-type", "application/json");
    for (name, value) in headers {
        answer = answer.header(*name, *value);
    }
    let body = Full::new(Bytes::from(body.to_string()));
    answer.body(body).expect("an answer")
}

/// The connection is closed instead.
#[derive(Debug)]
struct LostAnswer;

impl std::fmt::Display for LostAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the answer is lost")
    }
}

impl std::error::Error for LostAnswer {}
