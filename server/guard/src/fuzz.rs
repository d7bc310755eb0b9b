//! The targets of fuzzing in this crate. Compiled for tests, which replay `conformance/fuzz/corpus`, and for
//! cargo-fuzz.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use crate::first_bytes::{HTTP_2, is_decided};
use crate::slots::{Newcomer, Slot, Slots, Why};
use crate::tls_records::Records;
use crate::visit::Asking;
use crate::{Deadlines, Duty, MetricNames, network};

/// More steps show nothing new, and each checks all connections.
const MOST_STEPS: usize = 200;

/// A connection with its requests.
type Connection = (Slot, Vec<Asking>);

/// Checks the bytes of a client, behind a byte with the length of the pieces. The result must not depend on the pieces.
///
/// # Panics
/// When it does.
pub fn bytes(input: &[u8]) {
    let Some((size, said)) = input.split_first() else {
        return;
    };
    let over = handshake_over(said);
    let mut records = Records::default();
    let mut seen = 0;
    for piece in said.chunks(usize::from(*size).max(1)) {
        seen += piece.len();
        let is_over = over.is_some_and(|over| seen >= over);
        assert_eq!(records.see(piece), is_over, "after {seen} bytes");
    }
    let mut was_decided = false;
    for length in 0..=said.len().min(HTTP_2.len() + 1) {
        let decided = is_decided(&said[..length]);
        assert!(decided || !was_decided, "what is decided stays so");
        was_decided = decided;
    }
    let differs = said.iter().zip(HTTP_2).any(|(said, wanted)| said != wanted);
    assert_eq!(was_decided, differs || said.len() >= HTTP_2.len());
}

/// Returns the number of bytes up to the head of the first record of application data.
fn handshake_over(said: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        let head = said.get(at..at + 5)?;
        if head[0] == 23 {
            return Some(at + 5);
        }
        at += 5 + usize::from(head[3]) * 256 + usize::from(head[4]);
    }
}

/// Checks connections that come, ask, are served and go, with two bytes for each step, behind two bytes with the
/// bounds. The bounds must hold, no connection with work under way may be closed, and ended connections must be
/// forgotten.
///
/// # Panics
/// When one of these rules is broken.
pub fn slots(input: &[u8]) {
    let Some(([total, per_client], steps)) = input.split_first_chunk() else {
        return;
    };
    let (total, per_client) = (
        usize::from(*total % 8) + 1,
        usize::from(*per_client % 4) + 1,
    );
    let slots = Slots::new(&duty(total, per_client));
    let mut open: Vec<Connection> = Vec::new();
    for step in steps.chunks_exact(2).take(MOST_STEPS) {
        let who = usize::from(step[1]);
        match step[0] % 5 {
            0 => comes(&slots, &mut open, address(step[1]), (total, per_client)),
            1 if !open.is_empty() => drop(open.swap_remove(who % open.len())),
            2 if !open.is_empty() => {
                let index = who % open.len();
                let (slot, asked) = &mut open[index];
                asked.push(slot.visit.asks());
            }
            3 if !open.is_empty() => {
                let index = who % open.len();
                open[index].1.iter().for_each(Asking::arrived);
            }
            4 if !open.is_empty() => {
                let index = who % open.len();
                open[index].1.pop();
            }
            _ => {}
        }
        let mut by_client: HashMap<IpAddr, usize> = HashMap::new();
        for (slot, _) in &open {
            if slots.holds(slot) {
                let client = network::client_network(slot.visit.client().ip());
                *by_client.entry(client).or_default() += 1;
            }
        }
        assert_eq!(by_client.values().sum::<usize>(), slots.count());
        assert!(slots.count() <= total);
        assert!(by_client.values().all(|count| *count <= per_client));
    }
    drop(open);
    assert_eq!(slots.count(), 0);
    assert_eq!(slots.clients(), 0, "nothing is kept of who has gone");
}

/// Adds one more client, and checks who gets the slot and who loses one.
fn comes(
    slots: &Slots,
    open: &mut Vec<Connection>,
    address: SocketAddr,
    (total, per_client): (usize, usize),
) {
    let own = network::client_network(address.ip());
    let mine = |slot: &Slot| network::client_network(slot.visit.client().ip()) == own;
    let is_full = slots.count() >= total;
    let held: Vec<&Slot> = open.iter().map(|(slot, _)| slot).collect();
    let held: Vec<&Slot> = held.into_iter().filter(|slot| slots.holds(slot)).collect();
    let own_held = held.iter().filter(|slot| mine(slot)).count();
    let newcomer = slots.take(address);
    let (stay, gone): (Vec<&Slot>, Vec<&Slot>) = held.iter().partition(|slot| slots.holds(slot));
    assert!(
        gone.iter().all(|slot| !slot.visit.is_served()),
        "nobody loses what is worked for"
    );
    let is_served = |slot: &&Slot| slot.visit.is_served();
    match &newcomer {
        Newcomer::Taken(_) => assert!(!is_full && own_held < per_client && gone.is_empty()),
        Newcomer::TakenFor(_, why) => {
            assert_eq!(gone.len(), 1, "one for one");
            match why {
                Why::Client => assert!(own_held == per_client && mine(gone[0])),
                Why::Total => assert!(is_full),
            }
        }
        Newcomer::Refused(why) => {
            assert!(gone.is_empty());
            match why {
                Why::Client => {
                    let own = stay.iter().filter(|slot| mine(slot));
                    assert_eq!(
                        own.copied().filter(|slot| is_served(slot)).count(),
                        per_client
                    );
                }
                Why::Total => assert!(is_full && stay.iter().all(is_served)),
            }
        }
    }
    match newcomer {
        Newcomer::Taken(slot) | Newcomer::TakenFor(slot, _) => open.push((slot, Vec::new())),
        Newcomer::Refused(_) => {}
    }
}

/// Returns one of a few addresses of both kinds, some of which share a network.
fn address(byte: u8) -> SocketAddr {
    let number = u16::from(byte % 16);
    let ip = match byte % 3 {
        0 => IpAddr::from(Ipv4Addr::new(192, 0, 2, byte % 16)),
        1 => IpAddr::from(Ipv4Addr::new(192, 0, 2, byte % 16).to_ipv6_mapped()),
        _ => IpAddr::from(Ipv6Addr::new(0x2001, 0xdb8, 0, number % 4, 0, 0, 0, number)),
    };
    SocketAddr::new(ip, 40_000)
}

fn duty(connections: usize, connections_per_client: usize) -> Duty {
    Duty {
        behind: SocketAddr::from(([127, 0, 0, 1], 1)),
        connections,
        connections_per_client,
        is_tls: false,
        deadlines: Deadlines::default(),
        metrics: MetricNames {
            connections: "connections",
            open: "open",
            ended: "ended",
        },
    }
}

impl Slots {
    fn count(&self) -> usize {
        self.taken(|taken| taken.count)
    }

    fn clients(&self) -> usize {
        self.taken(|taken| taken.clients.len())
    }

    fn holds(&self, slot: &Slot) -> bool {
        let client = network::client_network(slot.visit.client().ip());
        self.taken(|taken| {
            let own = taken.clients.get(&client).into_iter().flatten();
            own.into_iter().any(|one| Arc::ptr_eq(one, &slot.visit))
        })
    }
}

#[cfg(test)]
mod tests {
    use multirail_test_replay::replay;

    #[test]
    fn what_clients_send() {
        replay("guard_bytes", 6_000, super::bytes);
    }

    #[test]
    fn who_comes_and_goes() {
        replay("guard_slots", 3_000, super::slots);
    }
}
