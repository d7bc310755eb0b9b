//! The differences between callers.

use std::time::Duration;

use multirail_kernel::proxy_address::ProxyAddress;
use reqwest::{Certificate, ClientBuilder, retry};

/// The interval of pings on a connection in use.
const PING: Duration = Duration::from_secs(10);
/// The longest time for the answer to a ping.
const PING_PATIENCE: Duration = Duration::from_secs(5);

/// The way in which a client connects.
#[derive(Clone, Debug)]
pub struct Manner {
    /// The time for all addresses of a name together, with TLS: a silent first one leaves time for the next.
    pub connect_timeout: Duration,
    /// True if calls use HTTP/2 where the server offers it. Without it headers are sent in their recorded order.
    pub http2: bool,
    /// The number of idle connections to one host that stay open.
    pub idle_connections: usize,
    /// The proxy for all calls. It resolves names itself, so this client can't check their addresses.
    pub proxy: Option<ProxyAddress>,
    /// Additional trusted certificates: those that the operator names, and those of test servers.
    pub trusted: Vec<Certificate>,
}

impl Manner {
    /// Returns the manner for addresses that merchants choose.
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
        // Only this proxy: none of the machine's environment.
        let builder = match &self.proxy {
            Some(proxy) => builder.proxy(
                reqwest::Proxy::all(proxy.expose()).expect("an http or https address with a host"),
            ),
            None => builder.no_proxy(),
        };
        if self.http2 {
            // Without a `retry` of ours the client repeats a request that the server reports over HTTP/2 as
            // unprocessed. Servers do that when they close a connection.
            builder
                .http2_keep_alive_interval(PING)
                .http2_keep_alive_timeout(PING_PATIENCE)
        } else {
            builder.retry(retry::never()).http1_only()
        }
    }
}
