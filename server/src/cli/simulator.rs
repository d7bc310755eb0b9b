//! `multirail simulator`: reads its options.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use crate::config::{Config, Problem, Problems};

/// The default address. It differs from the server's, so that both can run on one machine.
const LISTEN: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 8090);

/// The options of simulated processors in a process of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simulator {
    /// A loopback address; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The SQLite file with the ledger.
    pub data: PathBuf,
    /// How long every answer takes.
    pub delay: Duration,
}

impl Simulator {
    /// Reads the options. `listen` is the option; the server's setting of that name is the server's address.
    pub(super) fn read(
        listen: Option<&str>,
        data: PathBuf,
        config: &Config,
    ) -> Result<Self, Problems> {
        let listen = match listen {
            None => LISTEN,
            Some(_) => config.listen,
        };
        if !listen.ip().is_loopback() {
            return Err(Problems(vec![Problem(format!(
                "listen: the simulator listens on loopback only, because whoever reaches it reads everybody's ledger, \
                 and {} is not: choose 127.0.0.1",
                listen.ip()
            ))]));
        }
        Ok(Simulator {
            listen,
            data,
            delay: config.simulator_delay,
        })
    }
}
