//! The operator's list of targets that are always allowed.

use std::fmt;
use std::net::IpAddr;

use ipnet::IpNet;
use url::Host;

/// Host names and networks. An IP address is a network of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowedTargets(Vec<AllowedTarget>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum AllowedTarget {
    /// A name in lower case without a final dot. All addresses that it resolves to are allowed.
    Host(String),
    Network(IpNet),
}

/// The error for an entry that is neither a host, an IP address nor a network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "must list hosts (receiver.internal), IP addresses (10.0.0.7) and networks (10.0.0.0/8), not {0:?}"
)]
pub struct UnreadableTarget(pub String);

impl AllowedTargets {
    /// Parses entries such as `receiver.internal`, `10.0.0.7`, `10.0.0.0/8` and `fd00::/8`.
    ///
    /// # Errors
    /// The first invalid entry.
    pub fn read<'a>(
        entries: impl IntoIterator<Item = &'a str>,
    ) -> Result<AllowedTargets, UnreadableTarget> {
        let entries = entries.into_iter();
        let read = entries.map(|entry| {
            AllowedTarget::read(entry).ok_or_else(|| UnreadableTarget(entry.to_owned()))
        });
        read.collect::<Result<_, _>>().map(AllowedTargets)
    }

    /// Checks whether the host's name is listed.
    pub fn has_host(&self, name: &str) -> bool {
        let name = without_dot(name);
        self.0.iter().any(|entry| match entry {
            AllowedTarget::Host(listed) => listed.eq_ignore_ascii_case(name),
            AllowedTarget::Network(_) => false,
        })
    }

    /// Checks whether the address lies in a listed network. An IPv4 address embedded in an IPv6 address doesn't count.
    pub fn has_address(&self, address: IpAddr) -> bool {
        self.0.iter().any(|entry| match entry {
            AllowedTarget::Host(_) => false,
            AllowedTarget::Network(network) => network.contains(&address),
        })
    }
}

impl AllowedTarget {
    fn read(entry: &str) -> Option<Self> {
        if let Ok(network) = entry.parse() {
            return Some(AllowedTarget::Network(network));
        }
        let bare = entry
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'));
        if let Ok(address) = bare.unwrap_or(entry).parse::<IpAddr>() {
            return Some(AllowedTarget::Network(address.into()));
        }
        match Host::parse(entry) {
            // A text such as `127.1` would be a name here and an address elsewhere.
            Ok(Host::Domain(name)) if !name.contains('*') => {
                Some(AllowedTarget::Host(without_dot(&name).to_owned()))
            }
            Ok(Host::Domain(_) | Host::Ipv4(_) | Host::Ipv6(_)) | Err(_) => None,
        }
    }
}

fn without_dot(name: &str) -> &str {
    name.strip_suffix('.').unwrap_or(name)
}

/// Writes the entries separated by commas, or `none`.
impl fmt::Display for AllowedTargets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("none");
        }
        for (index, entry) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            match entry {
                AllowedTarget::Host(name) => f.write_str(name)?,
                AllowedTarget::Network(network)
                    if network.prefix_len() == network.max_prefix_len() =>
                {
                    write!(f, "{}", network.addr())?;
                }
                AllowedTarget::Network(network) => write!(f, "{network}")?,
            }
        }
        Ok(())
    }
}
