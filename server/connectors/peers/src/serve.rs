//! The server of a peer.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt, Full, combinators::BoxBody};
use hyper::body::{Body, Frame, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

use super::{Fault, Faults, Processor, Raw, Reply};

/// More bytes than any of our clients reads.
const HUGE: usize = 1_048_576;

pub struct State {
    pub processor: Arc<dyn Processor>,
    pub faults: Faults,
    violations: Mutex<Vec<String>>,
    requests: AtomicUsize,
    connections: AtomicUsize,
    /// The body of the last request that had one.
    last_body: Mutex<Value>,
    /// Half of the delay of an answer, in microseconds.
    half_delay: AtomicU64,
}

impl State {
    pub fn new(processor: Arc<dyn Processor>) -> Self {
        State {
            processor,
            faults: Faults::default(),
            violations: Mutex::default(),
            requests: AtomicUsize::new(0),
            connections: AtomicUsize::new(0),
            last_body: Mutex::default(),
            half_delay: AtomicU64::new(0),
        }
    }

    pub fn set_delay(&self, delay: Duration) {
        let half = u64::try_from(delay.as_micros() / 2).expect("a delay");
        self.half_delay.store(half, Ordering::SeqCst);
    }

    async fn wait_half(&self) {
        match self.half_delay.load(Ordering::SeqCst) {
            0 => {}
            micros => tokio::time::sleep(Duration::from_micros(micros)).await,
        }
    }

    pub fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }

    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    pub fn last_body(&self) -> Value {
        let told = self
            .last_body
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        told.clone()
    }

    pub fn take_violations(&self) -> Vec<String> {
        let mut violations = self
            .violations
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *violations)
    }

    fn complain(&self, message: String) {
        let mut violations = self
            .violations
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        violations.push(message);
    }

    /// Returns the processor's answer, if the document describes the request.
    async fn reply(&self, raw: Raw) -> Reply {
        self.wait_half().await;
        let reply = self.checked(raw).await;
        self.wait_half().await;
        reply
    }

    async fn checked(&self, raw: Raw) -> Reply {
        let document = self.processor.document();
        match document.check(raw) {
            Ok(call) => {
                let operation = call.operation.clone();
                if !call.body.is_null() {
                    let mut told = self
                        .last_body
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner);
                    told.clone_from(&call.body);
                }
                let reply = self.processor.answer(call).await;
                if let Err(message) = document.check_answer(&operation, &reply) {
                    self.complain(format!("an answer of its own: {message}"));
                }
                reply
            }
            Err(unknown) => {
                self.complain(unknown.message.clone());
                let mut reply = self.processor.refuse(&unknown.message);
                if unknown.is_path {
                    reply.status = 404;
                }
                reply
            }
        }
    }
}

/// A self-signed certificate for this machine.
pub struct Tls {
    /// The certificate in PEM.
    pub certificate: String,
    acceptor: TlsAcceptor,
}

impl Tls {
    pub fn new() -> Self {
        let names = vec!["127.0.0.1".to_owned(), "localhost".to_owned()];
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(names).expect("a certificate");
        let key = PrivateKeyDer::try_from(signing_key.serialize_der()).expect("a key");
        let provider = rustls::crypto::aws_lc_rs::default_provider();
        let mut config = ServerConfig::builder_with_provider(provider.into())
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(vec![cert.der().clone()], key)
            .expect("a configuration");
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Tls {
            certificate: cert.pem(),
            acceptor: TlsAcceptor::from(Arc::new(config)),
        }
    }
}

/// Serves on a free port until the task is aborted.
pub async fn listen(state: Arc<State>, tls: Option<Tls>) -> (SocketAddr, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("bound");
    let acceptor = tls.map(|tls| tls.acceptor);
    let task = tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            state.connections.fetch_add(1, Ordering::SeqCst);
            let (state, acceptor) = (Arc::clone(&state), acceptor.clone());
            tokio::spawn(async move {
                let _ = stream.set_nodelay(true);
                match acceptor {
                    Some(acceptor) => {
                        if let Ok(stream) = acceptor.accept(stream).await {
                            converse(stream, state).await;
                        }
                    }
                    None => converse(stream, state).await,
                }
            });
        }
    });
    (address, task)
}

/// The ways in which a connection ends.
#[derive(Default)]
struct End {
    /// Ends immediately.
    breaks: Notify,
    /// Ends after the requests in progress.
    leaves: Notify,
}

async fn converse(stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static, state: Arc<State>) {
    let end = Arc::new(End::default());
    let service = {
        let end = Arc::clone(&end);
        service_fn(move |request| answer(Arc::clone(&state), Arc::clone(&end), request))
    };
    let builder = auto::Builder::new(TokioExecutor::new());
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
    loop {
        tokio::select! {
            _ = connection.as_mut() => return,
            () = end.breaks.notified() => return,
            () = end.leaves.notified() => connection.as_mut().graceful_shutdown(),
        }
    }
}

type Answer = Response<BoxBody<Bytes, Infallible>>;

async fn answer(
    state: Arc<State>,
    end: Arc<End>,
    request: Request<Incoming>,
) -> Result<Answer, hyper::Error> {
    state.requests.fetch_add(1, Ordering::SeqCst);
    let (head, body) = request.into_parts();
    let raw = Raw {
        method: head.method,
        path: head.uri.path().to_owned(),
        query: head.uri.query().map(str::to_owned),
        headers: head.headers,
        body: body.collect().await?.to_bytes().to_vec(),
    };
    let Some(fault) = state.faults.take() else {
        return Ok(said(state.reply(raw).await));
    };
    let reply = if fault.is_done() {
        Some(state.reply(raw).await)
    } else {
        None
    };
    Ok(match fault {
        Fault::LosesRequest | Fault::LosesAnswer => {
            end.breaks.notify_one();
            std::future::pending().await
        }
        Fault::AnswersAndLeaves => {
            end.leaves.notify_one();
            said(reply.expect("it is done"))
        }
        Fault::StaysSilent | Fault::AnswersNever => std::future::pending().await,
        Fault::AnswersHalf => {
            let whole = reply.expect("it is done").body.to_string();
            let half = Bytes::from(whole[..whole.len() / 2].to_owned());
            Response::new(Half(Some(half)).boxed())
        }
        Fault::AnswersNonsense => Response::new(text("<html><title>Maintenance</title>")),
        Fault::AnswersHuge => {
            let body = Value::from("a".repeat(HUGE)).to_string();
            Response::new(text(&body))
        }
        Fault::Gateway(status) | Fault::GatewayAfter(status) => {
            let mut response = Response::new(text("<html><title>Gateway</title>"));
            *response.status_mut() = status.try_into().expect("a status");
            response
        }
        Fault::AsksForRepeat => {
            let mut response = Response::new(text(
                r#"{"status":500,"errorCode":"905","message":"No connection available","errorType":"configuration"}"#,
            ));
            *response.status_mut() = http::StatusCode::INTERNAL_SERVER_ERROR;
            for name in ["transient-error", "stripe-should-retry"] {
                let headers = response.headers_mut();
                headers.insert(name, http::HeaderValue::from_static("true"));
            }
            response
        }
        Fault::Throttles | Fault::ThrottlesForLong => {
            let pause = match fault == Fault::Throttles {
                true => "1",
                false => "3600",
            };
            let mut response = Response::new(text("too many requests"));
            *response.status_mut() = http::StatusCode::TOO_MANY_REQUESTS;
            let headers = response.headers_mut();
            headers.insert("retry-after", http::HeaderValue::from_static(pause));
            response
        }
    })
}

fn said(reply: Reply) -> Answer {
    let body = if reply.body.is_null() {
        String::new()
    } else {
        reply.body.to_string()
    };
    let mut response = Response::builder()
        .status(reply.status)
        .header("content-type", "application/json");
    for (name, value) in reply.headers {
        response = response.header(name, value);
    }
    response.body(text(&body)).expect("an answer")
}

fn text(body: &str) -> BoxBody<Bytes, Infallible> {
    Full::from(body.to_owned()).boxed()
}

/// A body that starts and never ends.
struct Half(Option<Bytes>);

impl Body for Half {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match self.0.take() {
            Some(bytes) => Poll::Ready(Some(Ok(Frame::data(bytes)))),
            None => Poll::Pending,
        }
    }
}
