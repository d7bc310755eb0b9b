use super::*;
use crate::tests::{duty, patient};

fn slots(connections: usize, connections_per_client: usize) -> Slots {
    let behind = SocketAddr::from(([127, 0, 0, 1], 1));
    Slots::new(&Duty {
        connections,
        connections_per_client,
        ..duty(behind, patient())
    })
}

fn take(slots: &Slots, address: &str) -> Newcomer {
    slots.take(SocketAddr::new(address.parse().unwrap(), 40_000))
}

/// Takes a slot; returns it with the bound that was reached, if any.
fn taken(slots: &Slots, address: &str) -> (Slot, Option<Why>) {
    match take(slots, address) {
        Newcomer::Taken(slot) => (slot, None),
        Newcomer::TakenFor(slot, why) => (slot, Some(why)),
        Newcomer::Refused(why) => panic!("refused: {why:?}"),
    }
}

fn holds(slots: &Slots, slot: &Slot) -> bool {
    let client = network::client_network(slot.visit.client().ip());
    slots.taken(|taken| {
        let own = taken.clients.get(&client);
        own.is_some_and(|own| own.iter().any(|one| Arc::ptr_eq(one, &slot.visit)))
    })
}

/// Waits a moment: the clock of a visit counts milliseconds.
fn time_passes() {
    let now = std::time::Instant::now();
    while now.elapsed().as_millis() < 2 {
        std::thread::yield_now();
    }
}

#[test]
fn a_client_at_its_bound_loses_its_own_slowest() {
    let slots = slots(10, 2);
    let (elder, _) = taken(&slots, "192.0.2.1");
    time_passes();
    let (first, _) = taken(&slots, "192.0.2.2");
    time_passes();
    let (second, _) = taken(&slots, "192.0.2.2");
    time_passes();
    // A request with its answer is a step.
    drop(first.visit.asks());
    let (third, why) = taken(&slots, "192.0.2.2");
    assert_eq!(why, Some(Why::Client));
    assert_eq!(
        [&elder, &first, &second, &third].map(|slot| holds(&slots, slot)),
        [true, true, false, true]
    );
    // A whole IPv6 network counts as one client.
    let network = ["2001:db8::1", "2001:db8::2", "2001:db8::ffff:3"];
    let why = network
        .map(|address| taken(&slots, address))
        .map(|(_, why)| why);
    assert_eq!(why, [None, None, Some(Why::Client)]);
}

#[test]
fn in_all_the_client_with_the_most_makes_room() {
    let slots = slots(3, 3);
    let (lonely, _) = taken(&slots, "192.0.2.1");
    time_passes();
    let (one, _) = taken(&slots, "192.0.2.2");
    time_passes();
    let (two, _) = taken(&slots, "192.0.2.2");
    let (newcomer, why) = taken(&slots, "192.0.2.3");
    assert_eq!(why, Some(Why::Total));
    assert_eq!(
        [&lonely, &one, &two, &newcomer].map(|slot| holds(&slots, slot)),
        [true, false, true, true]
    );
    // Where all clients have equally many, the slowest connection of all makes room.
    let (last, _) = taken(&slots, "192.0.2.4");
    assert_eq!(
        [&lonely, &two, &newcomer, &last].map(|slot| holds(&slots, slot)),
        [false, true, true, true]
    );
}

#[test]
fn who_is_being_worked_for_stays_and_half_a_request_is_nothing() {
    let slots = slots(2, 2);
    let (served, _) = taken(&slots, "192.0.2.1");
    let working = served.visit.asks();
    working.arrived();
    time_passes();
    let (slow, _) = taken(&slots, "192.0.2.1");
    let _head_only = slow.visit.asks();
    let (next, why) = taken(&slots, "192.0.2.1");
    assert_eq!(why, Some(Why::Client));
    assert!(holds(&slots, &served) && !holds(&slots, &slow));

    let also_working = next.visit.asks();
    also_working.arrived();
    let refused = take(&slots, "192.0.2.1");
    assert!(matches!(refused, Newcomer::Refused(Why::Client)));
    let refused = take(&slots, "192.0.2.9");
    assert!(matches!(refused, Newcomer::Refused(Why::Total)));
    drop(working);
    assert_eq!(taken(&slots, "192.0.2.9").1, Some(Why::Total));
}

#[test]
fn slots_are_free_again_and_ended_connections_are_forgotten() {
    let slots = slots(2, 1);
    for n in 0..100 {
        let (slot, why) = taken(&slots, &format!("192.0.2.{n}"));
        assert_eq!(why, None);
        drop(slot);
    }
    // A connection that was closed and then dropped counts once.
    let (first, _) = taken(&slots, "192.0.2.1");
    let (second, _) = taken(&slots, "192.0.2.1");
    drop((first, second));
    slots.taken(|taken| {
        assert_eq!(taken.count, 0);
        assert!(taken.clients.is_empty());
    });
}
