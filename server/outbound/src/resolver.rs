//! Resolving names for [`super::GuardedClient`]: all addresses are judged before any is connected to.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use async_trait::async_trait;
use multirail_kernel::target::TargetRules;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// Knows the addresses of names.
#[async_trait]
pub trait Lookup: Send + Sync {
    /// # Errors
    /// Whatever keeps it from answering.
    async fn addresses(&self, host: &str) -> io::Result<Vec<IpAddr>>;
}

/// The machine's own resolver, hosts file included.
pub struct SystemLookup;

#[async_trait]
impl Lookup for SystemLookup {
    async fn addresses(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        let found = tokio::net::lookup_host((host, 0)).await?;
        Ok(found.map(|address| address.ip()).collect())
    }
}

/// There is nothing to connect to: the name has no address, or one that the rules forbid. Nobody is told which, since whoever
/// chose the name would learn the names of the operator's network.
#[derive(Debug, thiserror::Error)]
#[error("the name has no address that may be called")]
pub(super) struct Unresolved;

/// Hands out addresses that were judged. The connector connects to these and asks nobody again.
pub(super) struct GuardedResolver {
    lookup: Arc<dyn Lookup>,
    /// `None` where the operator chose every name there is.
    rules: Option<Arc<TargetRules>>,
}

impl GuardedResolver {
    pub(super) fn new(lookup: Arc<dyn Lookup>, rules: Arc<TargetRules>) -> Self {
        GuardedResolver {
            lookup,
            rules: Some(rules),
        }
    }

    pub(super) fn unjudged(lookup: Arc<dyn Lookup>) -> Self {
        GuardedResolver {
            lookup,
            rules: None,
        }
    }
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let (lookup, rules) = (Arc::clone(&self.lookup), self.rules.clone());
        Box::pin(async move { Ok(judged(name.as_str(), &*lookup, rules.as_deref()).await?) })
    }
}

/// One forbidden address condemns the name: who mixes them in wants us to get there by chance.
async fn judged(
    host: &str,
    lookup: &dyn Lookup,
    rules: Option<&TargetRules>,
) -> Result<Addrs, Unresolved> {
    let found = lookup.addresses(host).await.unwrap_or_default();
    if found.is_empty() {
        return Err(Unresolved);
    }
    let is_forbidden = |rules: &TargetRules| {
        found
            .iter()
            .any(|it| rules.check_address(host, *it).is_err())
    };
    if rules.is_some_and(is_forbidden) {
        // For the operator alone, who may want to allow it.
        tracing::info!(
            host,
            "a name leads to an address that is not public, and is not called"
        );
        return Err(Unresolved);
    }
    // Port 0 becomes the one of the URL.
    let addresses = found.into_iter().map(|address| SocketAddr::new(address, 0));
    Ok(Box::new(addresses))
}
