//! Ports for servers that are stopped and started again at the same address.

use std::hash::{BuildHasher, RandomState};
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::ops::RangeInclusive;

/// Lower ports belong to well-known services.
const LOWEST: u16 = 10_000;

/// The range that the system is assumed to give away if it doesn't tell.
const USUALLY_GIVEN_AWAY: RangeInclusive<u16> = 49_152..=65_535;

/// Returns a free port of 127.0.0.1 that the system doesn't give away by itself, to a listener on any port or to a
/// connection. While its owner is stopped, no other process gets it by chance.
///
/// # Errors
/// Fails when there is none.
pub fn free_port() -> io::Result<u16> {
    let ports = lasting(&given_away());
    if ports.is_empty() {
        // The system gives away all ports, so one of them is used.
        return bind(0);
    }
    // Other test processes look for ports too: each begins at another one.
    let start = RandomState::new().hash_one(std::process::id()) as usize % ports.len();
    let (before, after) = ports.split_at(start);
    let mut tried = after.iter().chain(before).map(|port| bind(*port));
    tried
        .find_map(Result::ok)
        .ok_or_else(|| io::Error::other("no free port"))
}

fn bind(port: u16) -> io::Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    Ok(listener.local_addr()?.port())
}

fn lasting(given_away: &RangeInclusive<u16>) -> Vec<u16> {
    (LOWEST..=u16::MAX)
        .filter(|port| !given_away.contains(port))
        .collect()
}

fn given_away() -> RangeInclusive<u16> {
    std::fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range")
        .ok()
        .and_then(|text| range(&text))
        .unwrap_or(USUALLY_GIVEN_AWAY)
}

fn range(text: &str) -> Option<RangeInclusive<u16>> {
    let mut numbers = text.split_whitespace().map(str::parse);
    match (numbers.next()?, numbers.next()?) {
        (Ok(first), Ok(last)) => Some(first..=last),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_none_that_the_system_gives_away() {
        let given_away = given_away();
        for _ in 0..100 {
            let port = free_port().unwrap();
            assert!(port >= LOWEST && !given_away.contains(&port), "{port}");
        }
    }

    #[test]
    fn one_that_is_taken_is_passed_over() {
        let taken: Vec<_> = (0..20)
            .map(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, free_port().unwrap())).unwrap())
            .collect();
        let port = free_port().unwrap();
        let ports = taken.iter().map(|one| one.local_addr().unwrap().port());
        assert!(!ports.collect::<Vec<_>>().contains(&port));
    }

    #[test]
    fn the_systems_range_is_read() {
        assert_eq!(range("32768\t60999\n"), Some(32_768..=60_999));
        assert_eq!(range("32768"), None);
        assert_eq!(lasting(&(10_001..=65_534)), [10_000, 65_535]);
        assert!(lasting(&(1024..=65_535)).is_empty());
    }
}
