use super::*;
use crate::tests::{duty, patient};

fn places(connections: usize, connections_per_client: usize) -> Places {
    let behind = SocketAddr::from(([127, 0, 0, 1], 1));
    Places::new(&Duty {
        connections,
        connections_per_client,
        ..duty(behind, patient())
    })
}

fn take(places: &Places, address: &str) -> Newcomer {
    places.take(SocketAddr::new(address.parse().unwrap(), 40_000))
}

/// Takes a place, and what had to happen for it.
fn taken(places: &Places, address: &str) -> (Place, Option<Why>) {
    match take(places, address) {
        Newcomer::Taken(place) => (place, None),
        Newcomer::TakenFor(place, why) => (place, Some(why)),
        Newcomer::Refused(why) => panic!("refused: {why:?}"),
    }
}

fn holds(places: &Places, place: &Place) -> bool {
    let client = network::of(place.visit.client().ip());
    places.taken(|taken| {
        let own = taken.clients.get(&client);
        own.is_some_and(|own| own.iter().any(|one| Arc::ptr_eq(one, &place.visit)))
    })
}

/// The clock of a visit counts milliseconds.
fn time_passes() {
    let now = std::time::Instant::now();
    while now.elapsed().as_millis() < 2 {
        std::thread::yield_now();
    }
}

#[test]
fn a_client_at_its_bound_loses_its_own_slowest() {
    let places = places(10, 2);
    let (elder, _) = taken(&places, "192.0.2.1");
    time_passes();
    let (first, _) = taken(&places, "192.0.2.2");
    time_passes();
    let (second, _) = taken(&places, "192.0.2.2");
    time_passes();
    // Having asked and got an answer is a step.
    drop(first.visit.asks());
    let (third, why) = taken(&places, "192.0.2.2");
    assert_eq!(why, Some(Why::Client));
    assert_eq!(
        [&elder, &first, &second, &third].map(|place| holds(&places, place)),
        [true, true, false, true]
    );
    // A whole IPv6 network is one client.
    let network = ["2001:db8::1", "2001:db8::2", "2001:db8::ffff:3"];
    let why = network
        .map(|address| taken(&places, address))
        .map(|(_, why)| why);
    assert_eq!(why, [None, None, Some(Why::Client)]);
}

#[test]
fn in_all_the_client_with_the_most_makes_room() {
    let places = places(3, 3);
    let (lonely, _) = taken(&places, "192.0.2.1");
    time_passes();
    let (one, _) = taken(&places, "192.0.2.2");
    time_passes();
    let (two, _) = taken(&places, "192.0.2.2");
    let (newcomer, why) = taken(&places, "192.0.2.3");
    assert_eq!(why, Some(Why::Total));
    assert_eq!(
        [&lonely, &one, &two, &newcomer].map(|place| holds(&places, place)),
        [true, false, true, true]
    );
    // Where all have as many, the slowest of all.
    let (last, _) = taken(&places, "192.0.2.4");
    assert_eq!(
        [&lonely, &two, &newcomer, &last].map(|place| holds(&places, place)),
        [false, true, true, true]
    );
}

#[test]
fn who_is_being_worked_for_stays_and_half_a_request_is_nothing() {
    let places = places(2, 2);
    let (served, _) = taken(&places, "192.0.2.1");
    let working = served.visit.asks();
    working.arrived();
    time_passes();
    let (slow, _) = taken(&places, "192.0.2.1");
    let _head_only = slow.visit.asks();
    let (next, why) = taken(&places, "192.0.2.1");
    assert_eq!(why, Some(Why::Client));
    assert!(holds(&places, &served) && !holds(&places, &slow));

    let also_working = next.visit.asks();
    also_working.arrived();
    let refused = take(&places, "192.0.2.1");
    assert!(matches!(refused, Newcomer::Refused(Why::Client)));
    let refused = take(&places, "192.0.2.9");
    assert!(matches!(refused, Newcomer::Refused(Why::Total)));
    drop(working);
    assert_eq!(taken(&places, "192.0.2.9").1, Some(Why::Total));
}

#[test]
fn places_are_free_again_and_nothing_is_kept_of_who_has_gone() {
    let places = places(2, 1);
    for n in 0..100 {
        let (place, why) = taken(&places, &format!("192.0.2.{n}"));
        assert_eq!(why, None);
        drop(place);
    }
    // Sent away and then dropped is gone once.
    let (first, _) = taken(&places, "192.0.2.1");
    let (second, _) = taken(&places, "192.0.2.1");
    drop((first, second));
    places.taken(|taken| {
        assert_eq!(taken.count, 0);
        assert!(taken.clients.is_empty());
    });
}
