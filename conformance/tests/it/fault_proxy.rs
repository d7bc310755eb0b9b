//! The way to the processor: forwards requests and answers, and lets something happen to the next ones when told to.

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

/// What happens to one request.
#[derive(Clone, Debug)]
pub enum NetworkFault {
    /// It never arrives, and nobody says so.
    Swallowed,
    /// It arrives; the answer never does.
    AnswerSwallowed,
    /// The connection is reset; the request never arrives.
    Reset,
    /// It arrives; the connection is reset in place of an answer.
    AnswerReset,
    /// It arrives; the answer ends in the middle.
    AnswerCutShort,
    /// It never arrives; somebody else answers with these bytes.
    Instead(Vec<u8>),
    /// It arrives; these bytes come in place of the answer.
    AnswerReplaced(Vec<u8>),
    /// It arrives after this time, and so does its answer.
    Late(Duration),
    /// The connection is reset; the request waits on the way until it is let go.
    Held,
}

impl NetworkFault {
    /// An HTTP answer with this status and body.
    pub fn answer(status: u16, body: &str) -> Vec<u8> {
        format!(
            "HTTP/1.1 {status} Whatever\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
        .into_bytes()
    }
}

/// The proxy, with a processor at its end.
#[derive(Clone)]
pub struct FaultProxy {
    url: String,
    inner: Arc<Inner>,
}

/// An address of the proxy that one server alone knows.
pub struct Way {
    url: String,
    open: watch::Receiver<usize>,
}

impl Way {
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Waits until every connection is closed: what came this way has arrived, and no more can come from a server that is gone.
    pub async fn lies_deserted(mut self) {
        let deserted = self.open.wait_for(|open| *open == 0);
        let deserted = tokio::time::timeout(PATIENCE, deserted).await;
        deserted
            .expect("a server that is gone closes its connections")
            .expect("the proxy counts");
    }
}

/// A request without its answer yet.
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
    /// By a part of the request line.
    network_faults: Mutex<VecDeque<(String, NetworkFault)>>,
    /// The request lines that came by.
    seen: Mutex<Vec<String>>,
    /// Requests that wait on the way.
    held: Mutex<Vec<Vec<u8>>>,
    /// How many requests have no answer yet.
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

    /// One more address.
    pub async fn way(&self) -> Way {
        let (listener, address) = listen().await;
        let (counts, open) = watch::channel(0);
        let travelled = self.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (proxy, counts) = (travelled.clone(), counts.clone());
                counts.send_modify(|open| *open += 1);
                // A side that goes away in the middle is what this is about.
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

    /// Waits until for so long no request has come and none is under way. A server whose clock jumps takes a call that it
    /// makes itself for one that never arrived.
    pub async fn rests_for(&self, time: Duration) {
        let mut under_way = self.inner.under_way.subscribe();
        loop {
            under_way
                .wait_for(|count| *count == 0)
                .await
                .expect("the proxy counts");
            if tokio::time::timeout(time, under_way.changed())
                .await
                .is_err()
            {
                return;
            }
        }
    }

    /// Moves the processor's clock, which no server moves.
    pub fn time_passes(&self, seconds: i64) {
        let clock = &self.inner.clock;
        clock.raise_offset_seconds(clock.offset_seconds() + seconds);
    }

    /// The next request whose first line has this in it meets this: `POST /fauxpay/captures HTTP/1.1`.
    pub fn next(&self, request: &str, network_fault: NetworkFault) {
        self.inner
            .network_faults
            .lock()
            .expect("not poisoned")
            .push_back((request.to_owned(), network_fault));
    }

    /// The next call of this kind that arrives at the processor meets this fault.
    pub fn next_call_meets(&self, call: ScriptedCall, fault: Fault) {
        self.inner.processor.script().next(call, fault);
    }

    /// Nothing happens any more.
    pub fn is_clear(&self) {
        self.inner
            .network_faults
            .lock()
            .expect("not poisoned")
            .clear();
    }

    /// What was held on the way arrives; nobody waits for its answer any more.
    pub async fn lets_go(&self) {
        let held = std::mem::take(&mut *self.inner.held.lock().expect("not poisoned"));
        assert!(!held.is_empty(), "nothing is held");
        for request in held {
            self.forward(&request).await.expect("it arrives");
        }
    }

    /// How many requests with this in their first line came by.
    pub fn seen(&self, request: &str) -> usize {
        let seen = self.inner.seen.lock().expect("not poisoned");
        seen.iter().filter(|line| line.contains(request)).count()
    }

    /// What the processor's books say, over all payments.
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

    /// The path that the processor sends the payer of this payment back to.
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

    /// The payer approves at the processor's page of this path.
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

/// One whole HTTP message; none at the end of the connection.
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

/// Until the other side has had enough.
async fn gone(stream: &mut TcpStream) {
    let mut rest = [0; 64];
    while stream.read(&mut rest).await.is_ok_and(|read| read > 0) {}
}

fn reset(stream: TcpStream) -> io::Result<()> {
    stream.set_zero_linger()
}
