//! Resolves names for [`super::GuardedClient`]: all addresses are checked before a connection.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use async_trait::async_trait;
use multirail_kernel::target::TargetRules;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// Resolves names to addresses.
#[async_trait]
pub trait Lookup: Send + Sync {
    /// Returns the addresses of a name.
    ///
    /// # Errors
    ///
    /// The reason why there is no answer.
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

/// A name without an address, or with a forbidden one. The error doesn't tell which, because a merchant could otherwise
/// find names of the operator's network.
#[derive(Debug, thiserror::Error)]
#[error("the name has no address that may be called")]
pub(super) struct Unresolved;

/// A resolver that returns checked addresses. The connector connects to these without another look-up.
pub(super) struct GuardedResolver {
    lookup: Arc<dyn Lookup>,
    /// `None` where the operator chose every name.
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

/// Checks all addresses of a name. One forbidden address makes the name forbidden, because a mixture is an attempt to
/// get there by chance.
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
        // Only for the operator, who may want to allow the address.
        tracing::info!(
            host,
            "a name leads to an address that is not public, and is not called"
        );
        return Err(Unresolved);
    }
    // The connector replaces port 0 by the URL's port.
    let addresses = found.into_iter().map(|address| SocketAddr::new(address, 0));
    Ok(Box::new(addresses))
}
