//! Settings of the connectors' HTTP client.

use std::time::Duration;

use multirail_kernel::proxy_address::ProxyAddress;
use multirail_kernel::target::TargetRules;
use multirail_outbound::Certificate;

/// Settings of the client.
#[derive(Clone, Debug)]
pub struct ClientSettings {
    /// The rules for addresses in an account's `base_url`.
    pub targets: TargetRules,
    /// The time limit from the wait for a slot to the last byte of the answer.
    pub deadline: Duration,
    /// Maximum number of concurrent calls per account.
    pub calls_per_account: usize,
    pub proxy: Option<ProxyAddress>,
    /// Trusted certificates in addition to the machine's, for private gateways and test servers.
    pub trusted: Vec<Certificate>,
}
