//! The two origins of a server whose console has one of its own. Browsers keep the pages of two origins apart, and a
//! server that checks them keeps its own paths apart too.

use multirail_api::ApiError;
use url::Url;

use super::host;

/// The probes of load balancers, which call by address.
const PROBES: [&str; 2] = ["/health", "/health/ready"];

/// The origins of the console and of the payers' pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origins {
    console: Url,
    public: Url,
}

/// The origin that a request is for.
enum Asked {
    Console,
    Public,
    Unknown,
}

impl Origins {
    /// Creates the origins. They have different hosts, because a cookie of a host is sent to all of its ports.
    pub fn new(console: Url, public: Url) -> Self {
        Self { console, public }
    }

    /// Returns the address of the console.
    pub(crate) fn console_address(&self) -> String {
        format!("{}/console/", self.console.origin().ascii_serialization())
    }

    /// Admits a request by the host that it names. `begins` tells whether its operation begins a session of the console.
    ///
    /// # Errors
    /// 404 `IR_02`: the path belongs to the other origin, or the host to no origin of this server.
    pub(crate) fn admit(
        &self,
        host: Option<&str>,
        path: &str,
        begins: bool,
    ) -> Result<(), ApiError> {
        let is_of_console = path == "/console" || path.starts_with("/console/");
        let is_there = match self.asked(host) {
            Asked::Console => is_of_console || path == "/",
            Asked::Public => !is_of_console && !begins,
            Asked::Unknown => PROBES.contains(&path),
        };
        match is_there {
            true => Ok(()),
            false => Err(ApiError::unknown_route()),
        }
    }

    fn asked(&self, host: Option<&str>) -> Asked {
        let Some(host) = host else {
            return Asked::Unknown;
        };
        if is_host(&self.console, host) {
            Asked::Console
        } else if is_host(&self.public, host) || is_this_machine(host) {
            Asked::Public
        } else {
            Asked::Unknown
        }
    }
}

/// Returns whether a request's host is the one of an address, with or without the default port.
fn is_host(address: &Url, given: &str) -> bool {
    let named = host::read(address.scheme(), given);
    named.is_some_and(|named| named.host() == address.host() && named.port() == address.port())
}

/// Returns whether a request's host is this machine.
fn is_this_machine(given: &str) -> bool {
    host::read("http", given).is_some_and(|named| host::is_loopback(&named))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origins() -> Origins {
        let url = |text| Url::parse(text).expect("an address");
        Origins::new(
            url("https://console.example"),
            url("https://pay.example:8443/rail"),
        )
    }

    fn is_let_in(host: &str, path: &str, begins: bool) -> bool {
        origins().admit(Some(host), path, begins).is_ok()
    }

    #[test]
    fn the_console_has_its_own_paths_only() {
        for host in ["console.example", "console.example:443", "CONSOLE.example"] {
            for path in ["/", "/console", "/console/", "/console/api/user"] {
                assert!(is_let_in(host, path, false), "{host} {path}");
            }
            for path in [
                "/payments",
                "/payment_link/a/b/c",
                "/checkout/v1/frame",
                "/docs",
                "/consoles",
            ] {
                assert!(!is_let_in(host, path, false), "{host} {path}");
            }
        }
    }

    #[test]
    fn payers_pages_are_apart_from_the_console() {
        for host in [
            "pay.example:8443",
            "127.0.0.1:8080",
            "[::1]:8080",
            "localhost",
        ] {
            for path in [
                "/",
                "/payments",
                "/payment_link/a/b/c",
                "/checkout/v1/frame",
            ] {
                assert!(is_let_in(host, path, false), "{host} {path}");
            }
            assert!(!is_let_in(host, "/console/", false), "{host}");
            assert!(!is_let_in(host, "/user/console/session", true), "{host}");
        }
    }

    #[test]
    fn other_hosts_are_asked_for_health_only() {
        let hosts = [
            "evil.example",
            "pay.example",
            "console.example:8443",
            "10.0.0.7",
            "console.example/x",
            "x@console.example",
            "",
        ];
        for host in hosts {
            assert!(!is_let_in(host, "/payments", false), "{host}");
            assert!(!is_let_in(host, "/console/", false), "{host}");
            assert!(is_let_in(host, "/health", false), "{host}");
        }
        assert!(origins().admit(None, "/payments", false).is_err());
    }
}
