//! Where webhooks may be sent. A merchant chooses the address and our network would do the calling, so that without
//! these rules a merchant could reach what only we can: this machine, the network around it, the cloud's metadata.
//!
//! The rules are applied twice: to the address when it is configured, as far as it can be judged by itself, and at
//! sending to every address that its name then resolves to.

mod allowed;
mod special;

use std::net::IpAddr;

use url::{Host, Url};

use crate::refusal::Refusal;
use crate::web_address::check_web_address;

pub use allowed::{AllowedTargets, UnreadableTarget};

/// What an operator lets webhooks be sent to.
#[derive(Clone, Debug, Default)]
pub struct TargetRules {
    /// Plain http is allowed everywhere, as in a sandbox.
    pub allows_http: bool,
    /// This machine is allowed, as in a sandbox that only this machine reaches.
    pub allows_loopback: bool,
    /// What is allowed in any case, with plain http too.
    pub allowed: AllowedTargets,
}

/// Why nothing is sent there. Shown behind what it is said of: "webhook_url has to ...". Tells nothing of what a name
/// resolves to.
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
    /// Judges an address that is being configured. `member` is named in the refusal.
    ///
    /// # Errors
    /// [`Refusal::InvalidFormat`] for what is no address of the web, [`Refusal::InvalidValue`] for a forbidden one.
    pub fn check_setting(&self, member: &str, text: &str) -> Result<(), Refusal> {
        check_web_address(member, text)?;
        match self.check_url(text) {
            Ok(_) => Ok(()),
            Err(forbidden) => Err(Refusal::invalid_value(format!("{member} {forbidden}"))),
        }
    }

    /// The address as it is called, read the way browsers read it: `http://0x7f.1` is 127.0.0.1. A host that is an IP
    /// address is judged here; for a name [`TargetRules::check_address`] has to follow.
    ///
    /// # Errors
    /// [`ForbiddenTarget`]
    pub fn check_url(&self, text: &str) -> Result<Url, ForbiddenTarget> {
        let url = check_web_address("", text).ok().and(Url::parse(text).ok());
        let url = url.ok_or(ForbiddenTarget::NoWebAddress)?;
        let is_allowed = match url.host() {
            Some(Host::Domain(name)) => {
                let is_allowed = self.allowed.has_host(name);
                // A resolver may know it, or look for it in the network's own domain.
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

    /// As [`TargetRules::check_url`], for what may only go where the operator says so by name or by address: being public is
    /// not enough.
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

    /// Judges an address that `host` resolved to.
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

    /// Whether it is on the list of what is allowed in any case.
    fn check_literal(&self, address: IpAddr) -> Result<bool, ForbiddenTarget> {
        self.check_address("", address)?;
        Ok(self.allowed.has_address(address))
    }
}

/// `localhost` and below. (RFC 6761)
fn is_local_name(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    name == "localhost" || name.ends_with(".localhost")
}

#[cfg(test)]
mod tests;
