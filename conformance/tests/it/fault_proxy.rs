//! A proxy between the server and the processor. It forwards requests and answers, and injects faults into the next
//! ones.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use multirail_conformance::patience::PATIENCE;
use multirail_simulator::processor::{Ledger, Processor, Totals};
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use multirail_simulator::serve::serve;
use multirail_system::clock::SystemClock;
use multirail_system::random::OsRandom;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// A fault of one request.
#[derive(Clone, Debug)]
pub enum NetworkFault {
    /// The request never arrives, and no answer comes.
    Swallowed,
    /// The request arrives, but its answer never does.
    AnswerSwallowed,
    /// The connection is reset before the request arrives.
    Reset,
    /// The request arrives, and the connection is reset instead of an answer.
    AnswerReset,
    /// The request arrives, and its answer ends in the middle.
    AnswerCutShort,
    /// The request never arrives, and these bytes come as the answer.
    Instead(Vec<u8>),
    /// The request arrives, and these bytes replace the answer.
    AnswerReplaced(Vec<u8>),
    /// The request arrives after this time, and so does its answer.
    Late(Duration),
    /// The connection is reset, and the request is held until it is released.
    Held,
}

impl NetworkFault {
    /// Builds an HTTP answer with this status and body.
    pub fn answer(status: u16, body: &str) -> Vec<u8> {
        format!(
            "HTTP/1.1 {status} Whatever\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
        .into_bytes()
    }
}

/// The proxy, in front of a processor.
#[derive(Clone)]
pub struct FaultProxy {
    url: String,
    inner: Arc<Inner>,
}

/// An address of the proxy that only one server knows.
pub struct Way {
    url: String,
    open: watch::Receiver<usize>,
}

impl Way {
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Waits until every connection is closed. Then all requests have arrived, and a server that is gone can't send
    /// more.
    pub async fn lies_deserted(mut self) {
        let deserted = self.open.wait_for(|open| *open == 0);
        let deserted = tokio::time::timeout(PATIENCE, deserted).await;
        deserted
            .expect("a server that is gone closes its connections")
            .expect("the proxy counts");
    }
}

/// Counts a request that has no answer yet.
struct UnderWay<'a>(&'a watch::Sender<usize>);

impl<'a> UnderWay<'a> {
    fn begin(count: &'a watch::Sender<usize>) -> Self {
        count.send_modify(|count| *count += 1);
        UnderWay(count)
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}

struct Inner {
    processor: Arc<Processor>,
    clock: Arc<SystemClock>,
    processor_address: String,
    /// Faults, each with a part of the request line that it waits for.
    network_faults: Mutex<VecDeque<(String, NetworkFault)>>,
    /// The request lines that arrived.
    seen: Mutex<Vec<String>>,
    /// Requests that are held.
    held: Mutex<Vec<Vec<u8>>>,
    /// The number of requests without an answer.
    under_way: watch::Sender<usize>,
}

impl FaultProxy {
    pub async fn new() -> Self {
        let (processor_listener, processor_address) = listen().await;
        let ledger = Ledger::in_memory().expect("memory");
        let pages = format!("http://{processor_address}");
        let clock = Arc::new(SystemClock::new());
        let processor = Processor::new(ledger, &pages, clock.clone(), Arc::new(OsRandom));
        let processor = Arc::new(processor);
        tokio::spawn(serve(processor_listener, Arc::clone(&processor)));
        let inner = Inner {
            processor,
            clock,
            processor_address,
            network_faults: Mutex::default(),
            seen: Mutex::default(),
            held: Mutex::default(),
            under_way: watch::Sender::new(0),
        };
        let mut proxy = FaultProxy {
            url: String::new(),
            inner: Arc::new(inner),
        };
        proxy.url = proxy.way().await.url;
        proxy
    }

    /// Opens another address.
    pub async fn way(&self) -> Way {
        let (listener, address) = listen().await;
        let (counts, open) = watch::channel(0);
        let travelled = self.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (proxy, counts) = (travelled.clone(), counts.clone());
                counts.send_modify(|open| *open += 1);
                // Either side may close in the middle; that is a purpose of these tests.
                tokio::spawn(async move {
                    proxy.lead(stream).await.ok();
                    counts.send_modify(|open| *open -= 1);
                });
            }
        });
        let url = format!("http://{address}");
        Way { url, open }
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    /// Waits until no request is in flight and none comes while `pass` runs. A server whose clock jumps can take its
    /// own running call for one that never arrived.
    pub async fn rests_during<F: Future<Output = ()>>(&self, pass: impl Fn() -> F) {
        let mut under_way = self.inner.under_way.subscribe();
        loop {
            under_way
                .wait_for(|count| *count == 0)
                .await
                .expect("the proxy counts");
            tokio::select! {
                biased;
                _ = under_way.changed() => {}
                () = pass() => return,
            }
        }
    }

    /// Advances the processor's clock, which no server can move.
    pub fn time_passes(&self, seconds: i64) {
        let clock = &self.inner.clock;
        clock.raise_offset_seconds(clock.offset_seconds() + seconds);
    }

    /// Sets the fault of the next request whose first line contains this text, such as `POST /fauxpay/captures
    /// HTTP/1.1`.
    pub fn next(&self, request: &str, network_fault: NetworkFault) {
        self.inner
            .network_faults
            .lock()
            .expect("not poisoned")
            .push_back((request.to_owned(), network_fault));
    }

    /// Sets the fault of the next call of this kind that arrives at the processor.
    pub fn next_call_meets(&self, call: ScriptedCall, fault: Fault) {
        self.inner.processor.script().next(call, fault);
    }

    /// Removes all faults.
    pub fn is_clear(&self) {
        self.inner
            .network_faults
            .lock()
            .expect("not poisoned")
            .clear();
    }

    /// Forwards the held requests, whose answers nobody awaits any more.
    pub async fn lets_go(&self) {
        let held = std::mem::take(&mut *self.inner.held.lock().expect("not poisoned"));
        assert!(!held.is_empty(), "nothing is held");
        for request in held {
            self.forward(&request).await.expect("it arrives");
        }
    }

    /// Counts the requests whose first line contains this text.
    pub fn seen(&self, request: &str) -> usize {
        let seen = self.inner.seen.lock().expect("not poisoned");
        seen.iter().filter(|line| line.contains(request)).count()
    }

    /// Returns the totals of the processor's books over all payments.
    pub fn money(&self) -> Totals {
        let all = self
            .inner
            .processor
            .ledger()
            .totals()
            .expect("the books can be read");
        all.into_values()
            .fold(Totals::default(), |sum, one| Totals {
                authorized: sum.authorized + one.authorized,
                captured: sum.captured + one.captured,
                released: sum.released + one.released,
                reversed: sum.reversed + one.reversed,
                refunded: sum.refunded + one.refunded,
            })
    }

    /// Returns the path to which the processor sends this payment's payer back.
    pub fn way_back(&self, payment_id: &str) -> String {
        let records = self.inner.processor.ledger().authorizations();
        let records = records.expect("the books can be read");
        let record = records
            .into_iter()
            .find(|record| record.return_url.contains(payment_id));
        let url = record.expect("an authorization").return_url;
        let url = reqwest::Url::parse(&url).expect("an address");
        url.path().to_owned()
    }

    /// Approves at the processor's page with this path, as the payer.
    pub fn payer_approves(&self, page: &str) {
        let token = page.rsplit('/').next().unwrap_or_default();
        self.inner
            .processor
            .decide(token, true)
            .expect("the books can be written");
    }

    async fn lead(&self, mut stream: TcpStream) -> io::Result<()> {
        while let Some(request) = message(&mut stream).await? {
            let _under_way = UnderWay::begin(&self.inner.under_way);
            let line = String::from_utf8_lossy(&request);
            let line = line.lines().next().unwrap_or_default().to_owned();
            self.inner
                .seen
                .lock()
                .expect("not poisoned")
                .push(line.clone());
            match self.mishap_of(&line) {
                None => stream.write_all(&self.forward(&request).await?).await?,
                Some(NetworkFault::Swallowed) => gone(&mut stream).await,
                Some(NetworkFault::AnswerSwallowed) => {
                    self.forward(&request).await?;
                    gone(&mut stream).await;
                }
                Some(NetworkFault::Reset) => return reset(stream),
                Some(NetworkFault::AnswerReset) => {
                    self.forward(&request).await?;
                    return reset(stream);
                }
                Some(NetworkFault::AnswerCutShort) => {
                    let answer = self.forward(&request).await?;
                    stream.write_all(&answer[..answer.len() - 10]).await?;
                    return stream.shutdown().await;
                }
                Some(NetworkFault::Instead(bytes)) => {
                    stream.write_all(&bytes).await?;
                    return stream.shutdown().await;
                }
                Some(NetworkFault::AnswerReplaced(bytes)) => {
                    self.forward(&request).await?;
                    stream.write_all(&bytes).await?;
                    return stream.shutdown().await;
                }
                Some(NetworkFault::Held) => {
                    self.inner.held.lock().expect("not poisoned").push(request);
                    return reset(stream);
                }
                Some(NetworkFault::Late(delay)) => {
                    tokio::time::sleep(delay).await;
                    let answer = self.forward(&request).await?;
                    stream.write_all(&answer).await?;
                }
            }
        }
        Ok(())
    }

    fn mishap_of(&self, line: &str) -> Option<NetworkFault> {
        let mut network_faults = self.inner.network_faults.lock().expect("not poisoned");
        let index = network_faults
            .iter()
            .position(|(request, _)| line.contains(request.as_str()))?;
        network_faults
            .remove(index)
            .map(|(_, network_fault)| network_fault)
    }

    async fn forward(&self, request: &[u8]) -> io::Result<Vec<u8>> {
        let mut processor = TcpStream::connect(&self.inner.processor_address).await?;
        processor.write_all(request).await?;
        let answer = message(&mut processor).await?;
        answer.ok_or_else(|| io::Error::other("the processor hung up"))
    }
}

async fn listen() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("bound").to_string();
    (listener, address)
}

/// Reads one whole HTTP message; none at the end of the connection.
async fn message(stream: &mut TcpStream) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length:"));
            let length: usize = length
                .and_then(|text| text.trim().parse().ok())
                .unwrap_or(0);
            if bytes.len() >= end + 4 + length {
                return Ok(Some(bytes));
            }
        }
        if stream.read_buf(&mut bytes).await? == 0 {
            return Ok(None);
        }
    }
}

/// Waits until the other side closes.
async fn gone(stream: &mut TcpStream) {
    let mut rest = [0; 64];
    while stream.read(&mut rest).await.is_ok_and(|read| read > 0) {}
}

fn reset(stream: TcpStream) -> io::Result<()> {
    stream.set_zero_linger()
}
