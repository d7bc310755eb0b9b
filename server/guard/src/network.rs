//! The addresses that count as one client. Nothing else tells clients apart.

use std::net::{IpAddr, Ipv6Addr};

/// Providers commonly give one customer 2^72 addresses to choose from: a /56 network.
const NETWORK: u128 = u128::MAX << 72;

/// Returns the address itself, or the /56 network of an IPv6 address. An IPv4 address in IPv6 form counts as IPv4.
pub fn client_network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & NETWORK)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_can_not_choose_its_way_out_of_its_network() {
        let network = |text: &str| client_network(text.parse().unwrap()).to_string();
        assert_eq!(network("203.0.113.7"), "203.0.113.7");
        assert_eq!(network("::ffff:203.0.113.7"), "203.0.113.7");
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1::");
        assert_eq!(network("2001:db8:1:ff::"), network("2001:db8:1:2::"));
        assert_ne!(network("2001:db8:1:100::"), network("2001:db8:1:2::"));
    }
}
