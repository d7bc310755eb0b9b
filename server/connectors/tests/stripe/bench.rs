//! A connector and the peer behind it, with HTTP between the two.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use multirail_app::ports::connector::Connector;
use multirail_connectors::client::{Client, ClientSettings};
use multirail_connectors::stripe::Stripe;
use multirail_domain::card::{Card, CardNumber, Expiry, GivenCardDetails};
use multirail_domain::connector::{
    Access, AuthorizeRequest, CaptureRequest, Descriptor, Details, Finding, LookUpRequest,
    OperationKind, Outcome, RefundRequest, VoidRequest,
};
use multirail_domain::currency::Currency;
use multirail_domain::ids::ProcessorKey;
use multirail_domain::money::Money;
use multirail_domain::payment::PaymentMethodData;
use multirail_domain::secret::SecretText;
use multirail_domain::timestamp::Timestamp;
use multirail_domain::webhook::target::{AllowedTargets, TargetRules};
use serde_json::{Map, Value};
use tokio::net::TcpListener;

use crate::peer;

/// When everything happens, in seconds since 1970.
pub const NOW: i64 = 1_767_268_800;

/// What the peer shares with those who serve it.
#[derive(Default)]
struct Shared {
    peer: peer::Stripe,
    /// One line for each request: method, path and what of the headers isn't the same in all of them.
    seen: Vec<String>,
    /// The next answer is lost on its way.
    loses_next: bool,
}

pub struct Bench {
    shared: Arc<Mutex<Shared>>,
    pub connector: Stripe,
    pub access: Access,
}

impl Bench {
    pub async fn new() -> Self {
        let shared = Arc::new(Mutex::new(Shared::default()));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("bound");
        tokio::spawn(serve(listener, Arc::clone(&shared)));
        let client = Client::new(ClientSettings {
            targets: TargetRules {
                allowed: AllowedTargets::read(["127.0.0.1"]).expect("a target"),
                ..TargetRules::default()
            },
            deadline: Duration::from_secs(20),
            calls_per_account: 8,
            proxy: None,
            trusted: Vec::new(),
        });
        let mut access = access_with(peer::KEY);
        let base_url = format!("http://{address}").into();
        access.metadata.insert("base_url".to_owned(), base_url);
        Bench {
            shared,
            connector: Stripe::new(Arc::new(client)),
            access,
        }
    }

    /// Whatever is asked of the peer itself.
    pub fn peer<T>(&self, ask: impl FnOnce(&mut peer::Stripe) -> T) -> T {
        ask(&mut self.shared.lock().expect("not poisoned").peer)
    }

    /// The requests since this was asked last.
    pub fn seen(&self) -> String {
        let mut shared = self.shared.lock().expect("not poisoned");
        std::mem::take(&mut shared.seen).join("\n")
    }

    pub fn lose_the_next_answer(&self) {
        self.shared.lock().expect("not poisoned").loses_next = true;
    }

    /// A sale of 65.40 USD.
    pub async fn sale(&self, key: &str, number: &str) -> Outcome {
        self.authorize(key, number, 6540, true).await
    }

    /// An authorization of 65.40 USD that waits for captures.
    pub async fn reserve(&self, key: &str, number: &str) -> Outcome {
        self.authorize(key, number, 6540, false).await
    }

    pub async fn authorize(&self, key: &str, number: &str, amount: i64, capture: bool) -> Outcome {
        let expiry = Expiry::parse("10", "2035", "card", Timestamp::EPOCH).expect("an expiry");
        let number = CardNumber::parse(number).expect("a number");
        let card = Card::new(number, None, expiry, GivenCardDetails::default());
        let request = AuthorizeRequest {
            key: processor_key(key),
            access: self.access.clone(),
            money: Money::new(amount, Currency::USD),
            capture,
            data: PaymentMethodData::Card(card),
            return_url: "https://shop.example/back".to_owned(),
            details: Details::default(),
        };
        self.connector.authorize(request).await
    }

    pub async fn capture(&self, key: &str, payment: &str, amount: i64) -> Outcome {
        let request = CaptureRequest {
            key: processor_key(key),
            access: self.access.clone(),
            authorization_key: processor_key("a"),
            authorization_reference: Some(payment.to_owned()),
            money: Money::new(amount, Currency::USD),
            is_final: true,
            descriptor: Descriptor::default(),
        };
        self.connector.capture(request).await
    }

    /// Of the authorization `a`.
    pub async fn void(&self, key: &str, payment: Option<&str>, captured_at_once: bool) -> Outcome {
        let request = VoidRequest {
            key: processor_key(key),
            access: self.access.clone(),
            authorization_key: processor_key("a"),
            authorization_reference: payment.map(str::to_owned),
            captured_at_once,
            reason: Some("abandoned".to_owned()),
        };
        self.connector.void(request).await
    }

    pub async fn refund(&self, key: &str, payment: &str, amount: i64) -> Outcome {
        let request = RefundRequest {
            key: processor_key(key),
            access: self.access.clone(),
            authorization_key: processor_key("a"),
            authorization_reference: Some(payment.to_owned()),
            money: Money::new(amount, Currency::USD),
            reason: None,
        };
        self.connector.refund(request).await
    }

    /// Of the authorization `a`, or of what was done to it.
    pub fn question(&self, kind: OperationKind, key: &str, payment: Option<&str>) -> LookUpRequest {
        LookUpRequest {
            kind,
            key: processor_key(key),
            access: self.access.clone(),
            authorization_key: processor_key("a"),
            authorization_reference: payment.map(str::to_owned),
            reference: None,
            money: Money::new(6540, Currency::USD),
            started_at: Timestamp::EPOCH.plus_seconds(NOW).expect("in range"),
            returned_with: None,
        }
    }

    pub async fn look_up(&self, kind: OperationKind, key: &str, payment: Option<&str>) -> Finding {
        let question = self.question(kind, key, payment);
        self.connector.look_up(question).await
    }
}

pub fn access_with(api_key: &str) -> Access {
    let credentials = format!(r#"{{"auth_type":"HeaderKey","api_key":"{api_key}"}}"#);
    Access {
        credentials: SecretText::new(credentials),
        ..Access::default()
    }
}

pub fn processor_key(text: &str) -> ProcessorKey {
    ProcessorKey::parse(text).expect("a key")
}

/// The processor's reference of what was done or is waited for.
pub fn reference(outcome: &Outcome) -> String {
    let reference = match outcome {
        Outcome::Done(done) => done.reference.clone(),
        Outcome::CustomerMustAct { reference, .. } | Outcome::Pending { reference } => {
            reference.clone()
        }
        other => panic!("{other:?}"),
    };
    reference.expect("Stripe's reference")
}

async fn serve(listener: TcpListener, shared: Arc<Mutex<Shared>>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            return;
        };
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            let service = service_fn(|request| answer(Arc::clone(&shared), request));
            // A connection that breaks is the client's to notice.
            let _ = http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

async fn answer(
    shared: Arc<Mutex<Shared>>,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, Box<dyn std::error::Error + Send + Sync>> {
    let (head, body) = request.into_parts();
    let body = body.collect().await?.to_bytes();
    let query = head.uri.query().unwrap_or_default().as_bytes().to_vec();
    let form = if body.is_empty() {
        query
    } else {
        body.to_vec()
    };
    let params = nested(url::form_urlencoded::parse(&form).into_owned());
    let headers: HashMap<String, String> = head
        .headers
        .iter()
        .map(|(name, value)| (name.to_string(), value.to_str().unwrap_or("?").to_owned()))
        .collect();
    let path = head.uri.path().trim_start_matches("/v1/");
    let path: Vec<&str> = path.split('/').collect();
    let mut shared = shared.lock().expect("not poisoned");
    let mut line = format!("{} {}", head.method, path.join("/"));
    for name in ["idempotency-key", "stripe-account"] {
        if let Some(value) = headers.get(name) {
            line += &format!(" {value}");
        }
    }
    shared.seen.push(line);
    assert_eq!(
        headers.get("stripe-version").map(String::as_str),
        Some("2026-06-24.dahlia")
    );
    let (status, answer) = shared.peer.answer(&peer::Request {
        method: head.method.as_str(),
        path: &path,
        headers: &headers,
        params: &params,
        now: NOW,
    });
    if std::mem::take(&mut shared.loses_next) {
        return Err("the answer is lost".into());
    }
    let answer = Response::builder()
        .status(status)
        .body(Full::new(Bytes::from(answer.to_string())));
    Ok(answer?)
}

/// The members of a form as their names nest them.
fn nested(pairs: impl Iterator<Item = (String, String)>) -> Value {
    let mut root = Value::Object(Map::new());
    for (key, value) in pairs {
        let mut at = &mut root;
        for part in key.replace(']', "").split('[') {
            if !at.is_object() {
                *at = Value::Object(Map::new());
            }
            at = &mut at[part];
        }
        *at = value.into();
    }
    with_lists(root)
}

/// Objects whose members are numbers in their order are lists.
fn with_lists(value: Value) -> Value {
    let Value::Object(members) = value else {
        return value;
    };
    let mut numbered = members.keys().enumerate();
    let is_list = !members.is_empty() && numbered.all(|(index, name)| *name == index.to_string());
    if is_list {
        let items = members.into_iter().map(|(_, value)| with_lists(value));
        return Value::Array(items.collect());
    }
    let members = members.into_iter();
    let members = members.map(|(name, value)| (name, with_lists(value)));
    Value::Object(members.collect())
}
