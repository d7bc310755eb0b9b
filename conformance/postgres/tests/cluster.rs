//! The harness itself: the properties that tests rely on.

use std::net::TcpStream;
use std::time::{Duration, Instant};

use multirail_test_postgres::TestPostgres;

#[test]
fn every_database_is_new_and_the_server_is_shared() {
    let Ok(cluster) = TestPostgres::start_or_explain() else {
        return;
    };
    let again = TestPostgres::start_or_explain().unwrap();
    let (one, two) = (cluster.create_database(), again.create_database());
    assert_ne!(one, two);
    let server = |url: &str| url.rsplit_once('/').unwrap().0.to_owned();
    assert_eq!(server(&one), server(&two));
}

#[test]
fn a_copy_holds_what_its_original_held_and_can_be_removed() {
    let Ok(cluster) = TestPostgres::start_or_explain() else {
        return;
    };
    let name = |url: &str| url.rsplit_once('/').unwrap().1.to_owned();
    let original = cluster.create_database();
    cluster.execute(&name(&original), "create table t (a bigint)");

    let copy = cluster.copy_database(&original);
    cluster.execute(&name(&copy), "drop table t");
    cluster.execute(&name(&original), "insert into t values (1)");
    cluster.drop_database(&copy);
    cluster.execute(&name(&original), "insert into t values (2)");
}

#[test]
fn what_was_committed_outlives_a_stop_and_a_kill() {
    let Ok(cluster) = TestPostgres::start_own_or_explain() else {
        return;
    };
    let url = cluster.create_database();
    let name = url.rsplit_once('/').unwrap().1;
    cluster.execute(name, "create table t (a bigint primary key)");
    cluster.execute(name, "insert into t values (1)");

    cluster.stop();
    assert!(!cluster.is_started());
    cluster.start();
    cluster.execute(name, "insert into t select a + 1 from t");

    cluster.kill();
    cluster.start();
    // Divides by zero unless both rows are there.
    cluster.execute(
        name,
        "select 1 / (count(*) / 2) from t having count(*) <= 2",
    );
}

#[test]
fn a_private_server_ends_with_its_last_handle() {
    let Ok(cluster) = TestPostgres::start_own_or_explain() else {
        return;
    };
    let url = cluster.url("postgres");
    let address = url.split(['@', '/']).nth(3).unwrap().to_owned();
    TcpStream::connect(&address).unwrap();
    drop(cluster);

    let limit = Instant::now() + Duration::from_secs(10);
    while TcpStream::connect(&address).is_ok() {
        assert!(Instant::now() < limit, "{address} still answers");
        std::thread::sleep(Duration::from_millis(10));
    }
}
