//! What differs between those who call.

use std::time::Duration;

use multirail_kernel::proxy_address::ProxyAddress;
use reqwest::{Certificate, ClientBuilder, retry};

/// How often the other side of a connection that is in use is asked whether it is still there.
const PING: Duration = Duration::from_secs(10);
/// How long it may take to answer that.
const PING_PATIENCE: Duration = Duration::from_secs(5);

/// How a client connects.
#[derive(Clone, Debug)]
pub struct Manner {
    /// For all addresses of a name together, TLS included: a silent first one leaves time for the next.
    pub connect_timeout: Duration,
    /// HTTP/2 where the other side offers it. Without it headers go out in the order in which they are recorded.
    pub http2: bool,
    /// How many unused connections to one host are kept.
    pub idle_connections: usize,
    /// All calls go through it. It resolves names by itself, so that what they resolve to isn't judged here.
    pub proxy: Option<ProxyAddress>,
    /// Certificates that are trusted beside those of the machine: those that the operator names, and of test servers.
    pub trusted: Vec<Certificate>,
}

impl Manner {
    /// For addresses that merchants choose.
    pub fn webhooks() -> Self {
        Manner {
            connect_timeout: Duration::from_secs(10),
            http2: false,
            idle_connections: 16,
            proxy: None,
            trusted: Vec::new(),
        }
    }

    pub(super) fn apply(&self, builder: ClientBuilder) -> ClientBuilder {
        let builder = builder
            .connect_timeout(self.connect_timeout)
            .pool_max_idle_per_host(self.idle_connections);
        // Nobody else's: not those of the machine's environment.
        let builder = match &self.proxy {
            Some(proxy) => builder.proxy(
                reqwest::Proxy::all(proxy.expose()).expect("an http or https address with a host"),
            ),
            None => builder.no_proxy(),
        };
        if self.http2 {
            // Without a `retry` of ours a request is sent again where the server says by HTTP/2 that it did nothing of it,
            // as servers do that are about to close a connection.
            builder
                .http2_keep_alive_interval(PING)
                .http2_keep_alive_timeout(PING_PATIENCE)
        } else {
            builder.retry(retry::never()).http1_only()
        }
    }
}
