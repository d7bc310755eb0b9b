use super::*;

const ALL: [Leased; 3] = [Leased::Sync, Leased::IdempotencyKey, Leased::Delivery];

fn at(second: i64) -> Timestamp {
    Timestamp::EPOCH.plus_seconds(second).expect("in range")
}

fn leases(alone_since: Option<Timestamp>) -> Leases {
    Leases {
        processor_deadline: Duration::from_secs(30),
        webhook_timeout: Duration::from_secs(30),
        alone_since,
    }
}

fn table(leases: Leases) -> Vec<String> {
    let line = |work| {
        let until = leases.until(work, at(1_000)).seconds_since(at(1_000));
        let renewed = leases.renew_every(work);
        format!("{work:?}: {until} seconds, renewed {renewed:?}")
    };
    ALL.map(line).into()
}

#[test]
fn servers_that_share_a_database_renew_short_leases_of_webhooks() {
    insta::assert_debug_snapshot!(table(leases(None)), @r#"
    [
        "Sync: 40 seconds, renewed None",
        "IdempotencyKey: 40 seconds, renewed None",
        "Delivery: 10 seconds, renewed Some(3s)",
    ]
    "#);
}

#[test]
fn a_server_alone_renews_nothing() {
    insta::assert_debug_snapshot!(table(leases(Some(at(500)))), @r#"
    [
        "Sync: 40 seconds, renewed None",
        "IdempotencyKey: 40 seconds, renewed None",
        "Delivery: 45 seconds, renewed None",
    ]
    "#);
}

#[test]
fn a_lease_outlasts_what_it_covers() {
    for seconds in [1, 2, 3, 10, 30, 600] {
        let exchange = Duration::from_secs(seconds);
        for alone_since in [None, Some(at(0))] {
            let leases = Leases {
                processor_deadline: exchange,
                webhook_timeout: exchange,
                alone_since,
            };
            for work in ALL {
                let lease = leases.seconds(work);
                // One renewal may fail: the next one still comes in time.
                let covered = leases.renew_every(work).map_or(exchange, |every| every * 2);
                assert!(
                    lease > covered.as_secs() as i64,
                    "{work:?}: {lease} for {covered:?}"
                );
            }
        }
    }
}

/// Deadlines of a second or less have a margin too.
#[test]
fn the_shortest_deadline_is_counted_as_a_second() {
    let seconds = [100, 999, 1_000, 2_999].map(|ms| in_flight_seconds(Duration::from_millis(ms)));
    assert_eq!(seconds, [2, 2, 2, 3]);
}

#[test]
fn a_lease_ends_at_its_moment() {
    let until = leases(None).until(Leased::Sync, at(100));
    assert!(is_held(until, at(139)));
    assert!(!is_held(until, at(140)));
}

/// An ended request in memory frees its repeats from the lease, so it has to stay there as long as a lease.
#[test]
fn ended_requests_outlive_any_lease_of_theirs() {
    let longest_deadline = Duration::from_secs(600);
    let lease = in_flight_seconds(longest_deadline).unsigned_abs();
    let kept_for = super::super::ended_requests::KEPT_FOR;
    assert!(Duration::from_secs(lease) < kept_for, "{lease} seconds");
}

#[test]
fn calls_of_an_earlier_run_are_over_where_no_other_server_makes_any() {
    assert_eq!(leases(None).calls_over_until(at(1_000)), at(960));
    let alone = leases(Some(at(990)));
    assert_eq!(alone.calls_over_until(at(1_000)), at(990), "just started");
    assert_eq!(
        alone.calls_over_until(at(1_100)),
        at(1_060),
        "its own calls"
    );
}
