//! The listener for clients: dropshot itself, or the connection guard in front of it.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use multirail_app::platform::ports::metric;
use multirail_guard::{Deadlines, Duty, Guard, MetricNames, Visitors};
use multirail_http::platform::answer_quota::AnswerQuota;
use multirail_http::platform::forwarded::UnreadableHeader;
use multirail_http::platform::places::{Limits, Places};
use multirail_http::platform::rate_limit::RateLimit;
use multirail_http::platform::traffic::Traffic;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::net::TcpListener;

use super::StartupError;
use crate::config::Config;

/// For files, logs, outgoing calls.
const OTHER_FILES: u64 = 256;

/// The most requests of one connection at once. HTTP/2 servers commonly allow so many streams.
const STREAMS: usize = 100;

/// How many requests may wait for their bodies, for each that may be worked on. A waiting request holds little but its
/// body.
const READ_FOR_EACH_WORKED_ON: usize = 8;

/// The guard's listener, if there is a guard: bound and not yet served.
pub(super) struct PublicListener {
    listener: Option<(TcpListener, SocketAddr)>,
    visitors: Visitors,
}

impl PublicListener {
    /// Binds the address, if the guard listens on it.
    pub async fn open(config: &Config) -> Result<Self, StartupError> {
        let refused = |error: std::io::Error| StartupError::Listen {
            address: config.listen,
            reason: error.to_string(),
        };
        let listener = if config.has_connection_guard() {
            let listener = TcpListener::bind(config.listen).await.map_err(refused)?;
            let address = listener.local_addr().map_err(refused)?;
            Some((listener, address))
        } else {
            None
        };
        Ok(Self {
            listener,
            visitors: Visitors::default(),
        })
    }

    /// Returns the bound address.
    pub fn address(&self) -> Option<SocketAddr> {
        self.listener.as_ref().map(|(_, address)| *address)
    }

    /// Returns the address for dropshot: any loopback port behind the guard.
    pub fn behind(&self, address: SocketAddr) -> SocketAddr {
        match &self.listener {
            Some(_) => SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            None => address,
        }
    }

    /// Returns the counts and limits of requests.
    pub fn traffic(&self, config: &Config) -> Traffic {
        let rate_limit = (config.rate_limit_per_second > 0).then(|| {
            let (rate, burst) = (config.rate_limit_per_second, config.rate_limit_burst);
            RateLimit::new(rate, burst, Instant::now())
        });
        Traffic {
            visitors: self.visitors.clone(),
            is_behind_proxy: config.behind_proxy,
            places: Places::new(Limits {
                working: config.max_requests,
                working_per_client: config.max_requests_per_client,
                reading: READ_FOR_EACH_WORKED_ON * config.max_requests,
                // A proxy may send many clients' requests through one connection.
                per_connection: match config.behind_proxy {
                    true => usize::MAX,
                    false => STREAMS,
                },
            }),
            rate_limit,
            answers: AnswerQuota::new(
                config.idempotency_answers_per_merchant,
                Duration::from_secs(config.idempotency_retention_hours.unsigned_abs() * 3_600),
                Instant::now(),
            ),
            unreadable: UnreadableHeader::default(),
        }
    }

    /// Starts the guard in front of the server at `behind`.
    pub fn guard(self, config: &Config, behind: SocketAddr) -> Option<Guard> {
        let (listener, _) = self.listener?;
        let duty = Duty {
            behind,
            connections: config.max_connections,
            connections_per_client: config.max_connections_per_client,
            is_tls: config.tls.is_some(),
            deadlines: Deadlines::default(),
            metrics: MetricNames {
                connections: metric::CONNECTIONS,
                open: metric::CONNECTIONS_OPEN,
                ended: metric::CONNECTIONS_ENDED,
            },
        };
        Some(Guard::stand(listener, duty, self.visitors))
    }
}

/// Chooses the cryptography of TLS. Two are linked in, dropshot's and the database driver's, and TLS refuses to choose
/// between them.
pub(super) fn choose_cryptography() {
    // An error means that another server in this process has chosen before.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
}

/// Raises the limit of open files for all allowed connections: many systems start programs with 1024 files, and allow more
/// on request.
pub(super) fn allow_files(config: &Config) {
    let connections = if config.has_connection_guard() {
        // The client's, and both ends of the one to dropshot.
        3 * config.max_connections
    } else {
        config.max_requests
    };
    let wanted = connections as u64 + 2 * u64::from(config.database_pool_size) + OTHER_FILES;
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current.is_none_or(|current| current >= wanted) {
        return;
    }
    let allowed = maximum.map_or(wanted, |maximum| maximum.min(wanted));
    let limits = Rlimit {
        current: Some(allowed),
        maximum,
    };
    let raised = setrlimit(Resource::Nofile, limits);
    if raised.is_err() || allowed < wanted {
        tracing::warn!(
            allowed = if raised.is_ok() {
                Some(allowed)
            } else {
                current
            },
            wanted,
            "this process may not open as many files as its connections could need (ulimit -n)"
        );
    }
}
