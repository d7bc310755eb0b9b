//! The addresses that webhooks may be sent to. A merchant chooses the address, and the operator's network makes the
//! call. Without these rules a merchant could reach internal targets: this machine, its network, the cloud's metadata.
//!
//! The rules are applied twice: to the configured address, as far as possible, and at sending to every address that its
//! name resolves to.

mod allowed;
mod special;

use std::net::IpAddr;

use url::{Host, Url};

use crate::refusal::Refusal;
use crate::web_address::check_web_address;

pub use allowed::{AllowedTargets, UnreadableTarget};

/// The targets that an operator allows.
#[derive(Clone, Debug, Default)]
pub struct TargetRules {
    /// True if plain http is allowed everywhere, as in a sandbox.
    pub allows_http: bool,
    /// True if this machine is allowed, as in a sandbox that only this machine reaches.
    pub allows_loopback: bool,
    /// The targets that are always allowed, even with plain http.
    pub allowed: AllowedTargets,
}

/// The reason why a target is forbidden. The text follows its subject: "webhook_url has to ...". It doesn't reveal the
/// addresses of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ForbiddenTarget {
    #[error("has to be an http or https address such as https://shop.example/webhooks")]
    NoWebAddress,
    #[error("has to begin with https://")]
    PlainHttp,
    #[error(
        "has to lead to a public address of the internet, not to one of a private network or for special use"
    )]
    NotPublic,
    #[error("has to lead to a host that the operator of this server allows")]
    NotListed,
}

impl TargetRules {
    /// Checks a configured address. The refusal names `member`.
    ///
    /// # Errors
    /// [`Refusal::InvalidFormat`] if it isn't a web address, [`Refusal::InvalidValue`] if it is forbidden.
    pub fn check_setting(&self, member: &str, text: &str) -> Result<(), Refusal> {
        check_web_address(member, text)?;
        match self.check_url(text) {
            Ok(_) => Ok(()),
            Err(forbidden) => Err(Refusal::invalid_value(format!("{member} {forbidden}"))),
        }
    }

    /// Parses and checks an address the way browsers read it: `http://0x7f.1` is 127.0.0.1. An IP address is checked
    /// here; a name still needs [`TargetRules::check_address`].
    ///
    /// # Errors
    /// [`ForbiddenTarget`]
    pub fn check_url(&self, text: &str) -> Result<Url, ForbiddenTarget> {
        let url = check_web_address("", text).ok().and(Url::parse(text).ok());
        let url = url.ok_or(ForbiddenTarget::NoWebAddress)?;
        let is_allowed = match url.host() {
            Some(Host::Domain(name)) => {
                let is_allowed = self.allowed.has_host(name);
                // A resolver may know the name, or look it up in the network's own domain.
                if is_local_name(name) && !is_allowed && !self.allows_loopback {
                    return Err(ForbiddenTarget::NotPublic);
                }
                is_allowed
            }
            Some(Host::Ipv4(address)) => self.check_literal(address.into())?,
            Some(Host::Ipv6(address)) => self.check_literal(address.into())?,
            None => return Err(ForbiddenTarget::NoWebAddress),
        };
        if url.scheme() == "https" || self.allows_http || is_allowed {
            Ok(url)
        } else {
            Err(ForbiddenTarget::PlainHttp)
        }
    }

    /// Checks the same as [`TargetRules::check_url`] for targets that the operator must list by name or address. A
    /// public address is not enough.
    ///
    /// # Errors
    /// [`ForbiddenTarget`]
    pub fn check_listed(&self, text: &str) -> Result<Url, ForbiddenTarget> {
        let url = self.check_url(text)?;
        let is_listed = match url.host() {
            Some(Host::Domain(name)) => {
                self.allowed.has_host(name) || (self.allows_loopback && is_local_name(name))
            }
            Some(Host::Ipv4(address)) => self.lists(address.into()),
            Some(Host::Ipv6(address)) => self.lists(address.into()),
            None => false,
        };
        if is_listed {
            Ok(url)
        } else {
            Err(ForbiddenTarget::NotListed)
        }
    }

    fn lists(&self, address: IpAddr) -> bool {
        self.allowed.has_address(address) || (self.allows_loopback && address.is_loopback())
    }

    /// Checks an address that `host` resolved to.
    ///
    /// # Errors
    /// [`ForbiddenTarget::NotPublic`]
    pub fn check_address(&self, host: &str, address: IpAddr) -> Result<(), ForbiddenTarget> {
        if self.allowed.has_host(host)
            || self.allowed.has_address(address)
            || (self.allows_loopback && address.is_loopback())
            || special::is_public(address)
        {
            Ok(())
        } else {
            Err(ForbiddenTarget::NotPublic)
        }
    }

    /// Checks an IP address in a URL. Returns whether it is on the list of allowed targets.
    fn check_literal(&self, address: IpAddr) -> Result<bool, ForbiddenTarget> {
        self.check_address("", address)?;
        Ok(self.allowed.has_address(address))
    }
}

/// Checks for `localhost` and its subdomains. (RFC 6761)
fn is_local_name(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    name == "localhost" || name.ends_with(".localhost")
}

#[cfg(test)]
mod tests;
