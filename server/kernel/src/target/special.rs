//! Determines which addresses are public.
//!
//! IPv4 excludes the IANA registry of special-purpose addresses. IPv6 allows only global unicast without its special
//! ranges. An address that embeds an IPv4 address is never public, because a relay would unwrap it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};

const SPECIAL_V4: [Ipv4Net; 16] = [
    // Unspecified ("this network").
    v4(0, 0, 0, 0, 8),
    // Private. (RFC 1918)
    v4(10, 0, 0, 0, 8),
    v4(172, 16, 0, 0, 12),
    v4(192, 168, 0, 0, 16),
    // A provider's address translation; also a cloud's metadata. (RFC 6598)
    v4(100, 64, 0, 0, 10),
    // This machine.
    v4(127, 0, 0, 0, 8),
    // Link-local; the metadata of most clouds.
    v4(169, 254, 0, 0, 16),
    // A cloud's host agent. It looks public and answers every machine of that cloud.
    v4(168, 63, 129, 16, 32),
    // Protocol assignments; also a cloud's metadata.
    v4(192, 0, 0, 0, 24),
    // Documentation.
    v4(192, 0, 2, 0, 24),
    v4(198, 51, 100, 0, 24),
    v4(203, 0, 113, 0, 24),
    // Relays to 6to4.
    v4(192, 88, 99, 0, 24),
    // Benchmarks.
    v4(198, 18, 0, 0, 15),
    // Multicast.
    v4(224, 0, 0, 0, 4),
    // Reserved, and broadcast.
    v4(240, 0, 0, 0, 4),
];

/// The assigned global range. Mapped, compatible, NAT64, unique local, link-local and multicast addresses lie outside.
const GLOBAL_UNICAST_V6: Ipv6Net = v6(0x2000, 0, 3);

const SPECIAL_V6: [Ipv6Net; 4] = [
    // Protocol assignments, among them Teredo, benchmarks, ORCHID.
    v6(0x2001, 0, 23),
    // Documentation.
    v6(0x2001, 0x0db8, 32),
    v6(0x3fff, 0, 20),
    // 6to4.
    v6(0x2002, 0, 16),
];

const fn v4(a: u8, b: u8, c: u8, d: u8, prefix: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix)
}

const fn v6(first: u16, second: u16, prefix: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(first, second, 0, 0, 0, 0, 0, 0), prefix)
}

/// Checks whether the address is public.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !SPECIAL_V4.iter().any(|network| network.contains(&address)),
        IpAddr::V6(address) => {
            GLOBAL_UNICAST_V6.contains(&address)
                && !SPECIAL_V6.iter().any(|network| network.contains(&address))
                && !is_isatap(address)
        }
    }
}

/// Checks for an ISATAP address `…:0:5efe:a.b.c.d`, which a tunnel would unwrap. (RFC 5214)
fn is_isatap(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    matches!(segments[4], 0 | 0x0200) && segments[5] == 0x5efe
}
