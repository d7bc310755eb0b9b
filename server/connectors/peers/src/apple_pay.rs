//! A stand-in of Apple Pay's merchant validation. It requires TLS 1.2 or newer and the merchant's
//! client certificate, and records its requests.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use http::{Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use rcgen::{CertifiedKey, KeyPair, generate_simple_self_signed};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

/// The registered merchant.
pub const MERCHANT: &str = "merchant.example.bookshop";
/// An unregistered domain.
pub const UNREGISTERED: &str = "unregistered.example";
/// A domain with an unreadable answer.
pub const UNREADABLE: &str = "unreadable.example";
/// A domain without an answer.
pub const SILENT: &str = "silent.example";

/// The path that opens sessions.
const PATH: &str = "/paymentservices/paymentSession";
/// The members of a request.
const MEMBERS: [&str; 4] = [
    "displayName",
    "initiative",
    "initiativeContext",
    "merchantIdentifier",
];
/// The validity of a session, in milliseconds.
const SESSION_MS: i64 = 300_000;
/// The creation time of every session, in milliseconds since 1970.
const NOW_MS: i64 = 1_767_607_872_000;

/// A running gateway. It stops when it is dropped.
pub struct ApplePayGateway {
    address: SocketAddr,
    certificate: String,
    merchant: CertifiedKey<KeyPair>,
    asked: Arc<Mutex<Vec<Value>>>,
    task: JoinHandle<()>,
}

impl ApplePayGateway {
    /// Starts the gateway on a free port.
    ///
    /// # Panics
    /// If it can't listen.
    pub async fn start() -> Self {
        let merchant = certified("merchant identity");
        let own = certified("127.0.0.1");
        let acceptor = acceptor(&own, &merchant);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("bound");
        let asked = Arc::<Mutex<Vec<Value>>>::default();
        let task = tokio::spawn(serve(listener, acceptor, Arc::clone(&asked)));
        ApplePayGateway {
            address,
            certificate: own.cert.pem(),
            merchant,
            asked,
            task,
        }
    }

    /// Returns the URL that opens sessions.
    pub fn url(&self) -> String {
        format!("https://{}{PATH}", self.address)
    }

    /// Returns the gateway's certificate, in PEM.
    pub fn certificate_pem(&self) -> &str {
        &self.certificate
    }

    /// Returns the merchant's certificate, in PEM.
    pub fn merchant_certificate_pem(&self) -> String {
        self.merchant.cert.pem()
    }

    /// Returns the key of the merchant's certificate, in PEM.
    pub fn merchant_key_pem(&self) -> String {
        self.merchant.signing_key.serialize_pem()
    }

    /// Returns the bodies of all requests, in their order.
    pub fn asked(&self) -> Vec<Value> {
        lock(&self.asked).clone()
    }
}

impl Drop for ApplePayGateway {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Creates a self-signed certificate for a name.
pub fn certified(name: &str) -> CertifiedKey<KeyPair> {
    generate_simple_self_signed(vec![name.to_owned()]).expect("a certificate")
}

fn lock(asked: &Mutex<Vec<Value>>) -> std::sync::MutexGuard<'_, Vec<Value>> {
    asked.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Accepts only the merchant's client certificate.
fn acceptor(own: &CertifiedKey<KeyPair>, merchant: &CertifiedKey<KeyPair>) -> TlsAcceptor {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let mut known = RootCertStore::empty();
    let trusted: CertificateDer<'static> = merchant.cert.der().clone();
    known.add(trusted).expect("a certificate");
    let clients = WebPkiClientVerifier::builder_with_provider(known.into(), Arc::clone(&provider));
    let key = PrivateKeyDer::try_from(own.signing_key.serialize_der()).expect("a key");
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_client_cert_verifier(clients.build().expect("a verifier"))
        .with_single_cert(vec![own.cert.der().clone()], key)
        .expect("a configuration");
    TlsAcceptor::from(Arc::new(config))
}

async fn serve(listener: TcpListener, acceptor: TlsAcceptor, asked: Arc<Mutex<Vec<Value>>>) {
    while let Ok((stream, _)) = listener.accept().await {
        let (acceptor, asked) = (acceptor.clone(), Arc::clone(&asked));
        tokio::spawn(async move {
            let Ok(stream) = acceptor.accept(stream).await else {
                return;
            };
            let service = service_fn(move |request| answer(Arc::clone(&asked), request));
            let builder = auto::Builder::new(TokioExecutor::new());
            let _ = builder
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

async fn answer(
    asked: Arc<Mutex<Vec<Value>>>,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let is_known = request.method() == Method::POST && request.uri().path() == PATH;
    let is_json = request
        .headers()
        .get("content-type")
        .is_some_and(|kind| kind == "application/json");
    let Ok(body) = request.into_body().collect().await else {
        return Ok(said(StatusCode::BAD_REQUEST, "the body broke off"));
    };
    let body: Value = serde_json::from_slice(&body.to_bytes()).unwrap_or_default();
    lock(&asked).push(body.clone());
    let members = body.as_object();
    let is_whole = members.is_some_and(|members| {
        members.len() == MEMBERS.len() && MEMBERS.iter().all(|name| members.contains_key(*name))
    });
    if !is_known || !is_json || !is_whole || body["initiative"] != "web" {
        return Ok(said(StatusCode::BAD_REQUEST, "not a request for a session"));
    }
    Ok(
        match body["initiativeContext"].as_str().unwrap_or_default() {
            UNREGISTERED | "" => said(
                StatusCode::EXPECTATION_FAILED,
                "the domain is not registered",
            ),
            UNREADABLE => said(StatusCode::OK, "<html><title>Maintenance</title>"),
            SILENT => std::future::pending().await,
            _ if body["merchantIdentifier"] != MERCHANT => said(
                StatusCode::EXPECTATION_FAILED,
                "another merchant's certificate",
            ),
            domain => said(StatusCode::OK, &session(domain, &body).to_string()),
        },
    )
}

fn session(domain: &str, body: &Value) -> Value {
    json!({
        "epochTimestamp": NOW_MS,
        "expiresAt": NOW_MS + SESSION_MS,
        "merchantSessionIdentifier": "SSH_of_the_stand_in",
        "nonce": "0f1e2d3c",
        "merchantIdentifier": "hash_of_the_merchant",
        "domainName": domain,
        "displayName": body["displayName"],
        "signature": "308006092a864886",
        "operationalAnalyticsIdentifier": "The bookshop:hash",
        "retries": 0,
        "pspId": "hash_of_the_merchant",
    })
}

fn said(status: StatusCode, text: &str) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::from(text.to_owned()));
    *response.status_mut() = status;
    response
}
