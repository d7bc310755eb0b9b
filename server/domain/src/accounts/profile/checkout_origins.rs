//! Web origins whose pages may embed a profile's checkout.

use std::net::Ipv4Addr;

use multirail_kernel::environment::Environment;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::web_address::is_web_address;
use url::{Host, Url};

use super::{Profile, ProfileInput};

const MEMBER: &str = "checkout_origins";

/// The largest number of origins of a profile.
const ORIGINS_AT_MOST: usize = 20;

/// The pages that may embed a checkout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Embedders<'a> {
    /// The pages of any origin, as in a sandbox whose profile lists none.
    Anyone,
    /// The pages of these origins: of none, if the list is empty.
    Listed(&'a [String]),
}

impl Profile {
    /// Returns the pages that may embed this profile's checkout.
    pub fn embedders(&self, environment: Environment) -> Embedders<'_> {
        let listed = &self.checkout_origins;
        match environment {
            Environment::Development | Environment::Sandbox if listed.is_empty() => {
                Embedders::Anyone
            }
            Environment::Development | Environment::Sandbox | Environment::Production => {
                Embedders::Listed(listed)
            }
        }
    }
}

impl ProfileInput {
    /// Checks the origins that only a sandbox takes: pages of the developer's own machine have no certificate.
    ///
    /// # Errors
    /// [`Refusal::InvalidFormat`] that names the setting.
    pub fn check_environment(&self, environment: Environment) -> Result<(), Refusal> {
        match environment {
            Environment::Development | Environment::Sandbox => return Ok(()),
            Environment::Production => {}
        }
        let origins = read_all(self.checkout_origins.as_deref().unwrap_or_default())?;
        match origins.iter().all(|origin| origin.starts_with("https://")) {
            true => Ok(()),
            false => Err(Refusal::invalid_format(
                MEMBER,
                "origins with https such as https://shop.example; only a sandbox takes http",
            )),
        }
    }
}

/// Reads a list of origins. Returns each once, as browsers write it.
///
/// # Errors
/// [`Refusal::InvalidFormat`] that names the setting.
pub(super) fn read_all(given: &[String]) -> Result<Vec<String>, Refusal> {
    let refusal = || {
        Refusal::invalid_format(
            MEMBER,
            "at most 20 origins such as https://shop.example, without a path and without *; in a sandbox also \
             http://localhost and http://127.0.0.1 with any port",
        )
    };
    if given.len() > ORIGINS_AT_MOST {
        return Err(refusal());
    }
    let mut origins: Vec<String> = Vec::new();
    for text in given {
        let origin = read(text).ok_or_else(refusal)?;
        if !origins.contains(&origin) {
            origins.push(origin);
        }
    }
    Ok(origins)
}

/// Reads an origin. Policies of browsers name neither hosts that end in a dot nor addresses of IPv6.
fn read(text: &str) -> Option<String> {
    let (_, authority) = text.split_once("://")?;
    if !is_web_address(text) || authority.contains(['/', '?', '#']) {
        return None;
    }
    let url = Url::parse(text).ok()?;
    let is_taken = match (url.scheme(), url.host()?) {
        (_, Host::Ipv6(_)) => false,
        (_, Host::Domain(name)) if name.ends_with('.') => false,
        ("https", Host::Domain(_) | Host::Ipv4(_)) => true,
        ("http", Host::Domain(name)) => name == "localhost",
        ("http", Host::Ipv4(address)) => address == Ipv4Addr::LOCALHOST,
        (_, Host::Domain(_) | Host::Ipv4(_)) => false,
    };
    is_taken.then(|| url.origin().ascii_serialization())
}

#[cfg(test)]
mod tests;
