//! The disk is full: the server reports it, still reads, and recovers by itself.

use std::fs;

use multirail_conformance::Wire;
use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};

use super::process::{Manner, Process, Till};

const MEGABYTE: u64 = 1 << 20;

/// Checks that writes are refused with `reason` and everything else works.
async fn only_reads(wire: &Wire, till: &Till, payment: &serde_json::Value, reason: &str) {
    for _ in 0..3 {
        let answer = till.creates().await;
        assert!(answer.header("retry-after").is_some());
        let message = answer.refused(503, "HE_00");
        assert!(message.contains(reason), "{message}");
        till.reads(payment).await.ok();
    }
    wire.call("health_check").await.ok();
    let message = wire.call("health_ready").await.refused(503, "HE_00");
    assert!(message.contains(reason), "{message}");
}

#[tokio::test]
async fn a_full_disk_refuses_what_writes_until_there_is_room_again() {
    let manner = Manner {
        disk_bytes: Some(12 * MEGABYTE),
        ..Manner::default()
    };
    let Some(mut server) = Process::start(manner).await else {
        return;
    };
    let till = server.till().await;
    let payment = till.creates().await.ok();

    // The server's log is on the same disk.
    server.fills_its_disk();
    only_reads(&server.wire, &till, &payment, "the disk is full").await;
    assert!(!server.ended());

    // The server becomes ready again without any write.
    server.frees_its_disk();
    server.wire.call("health_ready").await.ok();
    till.creates().await.ok();
    till.reads(&payment).await.ok();
    assert!(!server.ended());
}

#[tokio::test]
async fn a_limit_on_the_size_of_files_refuses_what_writes() {
    let Some(mut server) = Process::start(Manner::default()).await else {
        return;
    };
    let till = server.till().await;
    let payment = till.creates().await.ok();

    let log = fs::metadata(server.database("-wal")).expect("a write-ahead log");
    let pid = Pid::from_raw(i32::try_from(server.pid()).expect("a pid"));
    let maximum = getrlimit(Resource::Fsize).maximum;
    let limit = |current| {
        let limits = Rlimit { current, maximum };
        prlimit(pid, Resource::Fsize, limits).expect("our own child may be limited");
    };
    limit(Some(log.len()));
    let reason = "may not grow any further";
    only_reads(&server.wire, &till, &payment, reason).await;
    assert!(!server.ended());

    limit(maximum);
    server.wire.call("health_ready").await.ok();
    till.creates().await.ok();
    assert!(!server.ended());
}

#[tokio::test]
async fn a_server_that_finds_no_room_says_so_and_does_not_wait() {
    let Some(mut server) = Process::start(Manner::default()).await else {
        return;
    };
    server.kill();
    let ended = std::process::Command::new("sh")
        .args(["-c", "ulimit -f 1; exec \"$@\"", "sh"])
        .arg(env!("CARGO_BIN_EXE_multirail-under-test"))
        .args(["serve", "--sandbox", "--listen", "127.0.0.1:0"])
        .env("MULTIRAIL_DATA_DIRECTORY", server.data())
        .output()
        .expect("a shell");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(said.contains("may not grow any further"), "{said}");
    assert!(!said.contains("waiting"), "{said}");
}
