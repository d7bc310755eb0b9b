//! The guard in front of a server that behaves like dropshot, with deadlines of a tenth of a second.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Instant;

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::*;

const SHORT: Duration = Duration::from_millis(100);
const LONG: Duration = Duration::from_secs(20);

/// Returns deadlines far out of reach, so that a test can shorten one.
pub(crate) fn patient() -> Deadlines {
    Deadlines {
        first_bytes: LONG,
        handshake: LONG,
        first_request: LONG,
        idle: LONG,
        farewell: SHORT,
    }
}

/// Returns the settings for one connection, without TLS.
pub(crate) fn duty(behind: SocketAddr, deadlines: Deadlines) -> Duty {
    Duty {
        behind,
        connections: 1,
        connections_per_client: 1,
        is_tls: false,
        deadlines,
        metrics: MetricNames {
            connections: "connections",
            open: "open",
            ended: "ended",
        },
    }
}

struct Scene {
    address: SocketAddr,
    guard: Guard,
}

/// Starts a server that answers every line `x` with the client's address, after a pause for the line `slow`. `bye`
/// makes it close; `begin` makes a request that lasts until the end.
async fn scene(deadlines: Deadlines, is_tls: bool, connections: usize) -> Scene {
    let behind = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let duty = Duty {
        connections,
        connections_per_client: connections,
        is_tls,
        ..duty(behind.local_addr().unwrap(), deadlines)
    };
    let visitors = Visitors::default();
    let known = visitors.clone();
    tokio::spawn(async move {
        while let Ok((stream, peer)) = behind.accept().await {
            tokio::spawn(serve(stream, peer, known.clone()));
        }
    });
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    Scene {
        address,
        guard: Guard::stand(listener, duty, visitors),
    }
}

async fn serve(mut stream: TcpStream, peer: SocketAddr, known: Visitors) {
    let mut line = Vec::new();
    let mut begun = Vec::new();
    while let Ok(byte) = stream.read_u8().await {
        if byte != b'\n' {
            line.push(byte);
            continue;
        }
        let visit = known.find(peer).expect("it came through the guard");
        let asking = visit.asks();
        asking.arrived();
        match &std::mem::take(&mut line)[..] {
            b"bye" => return,
            b"begin" => {
                begun.push(asking);
                stream.write_all(b"begun\n").await.unwrap();
                continue;
            }
            b"slow" => tokio::time::sleep(5 * SHORT).await,
            _ => {}
        }
        let answer = format!("{}\n", visit.client());
        stream.write_all(answer.as_bytes()).await.unwrap();
        drop(asking);
    }
}

impl Scene {
    async fn client(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }
}

async fn ask(client: &mut TcpStream, line: &str) -> String {
    client.write_all(line.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    loop {
        match client.read_u8().await {
            Ok(b'\n') | Err(_) => return String::from_utf8(answer).unwrap(),
            Ok(byte) => answer.push(byte),
        }
    }
}

/// Returns the time until the guard closed.
async fn closed_after(client: &mut TcpStream) -> Duration {
    let started = Instant::now();
    let mut rest = Vec::new();
    // Closing with unread bytes causes a reset.
    let _ = client.read_to_end(&mut rest).await;
    assert!(rest.is_empty(), "{rest:?}");
    started.elapsed()
}

#[tokio::test]
async fn bytes_pass_and_the_clients_address_is_known() {
    let scene = scene(patient(), false, 10).await;
    let mut client = scene.client().await;
    let own = client.local_addr().unwrap().to_string();
    for _ in 0..3 {
        assert_eq!(ask(&mut client, "hello\n").await, own);
    }
    let mut other = scene.client().await;
    assert_ne!(ask(&mut other, "hello\n").await, own);
    assert_eq!(ask(&mut client, "bye\n").await, "");
    let elsewhere = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(203, 0, 113, 7)), 1);
    assert!(Visitors::default().find(elsewhere).is_none());
}

#[tokio::test]
async fn silence_is_ended() {
    let deadlines = Deadlines {
        first_bytes: SHORT,
        ..patient()
    };
    let scene = scene(deadlines, false, 10).await;
    let mut silent = scene.client().await;
    let mut mumbling = scene.client().await;
    mumbling.write_all(b"PRI * ").await.unwrap();
    for client in [&mut silent, &mut mumbling] {
        let took = closed_after(client).await;
        assert!(took < 10 * SHORT, "{took:?}");
    }
}

#[tokio::test]
async fn a_handshake_without_end_is_ended() {
    let deadlines = Deadlines {
        handshake: SHORT,
        ..patient()
    };
    let scene = scene(deadlines, true, 10).await;
    let mut stuck = scene.client().await;
    stuck.write_all(&[22, 3, 1, 0, 200, 1]).await.unwrap();
    let took = closed_after(&mut stuck).await;
    assert!(took >= SHORT / 2 && took < 10 * SHORT, "{took:?}");

    let mut done = scene.client().await;
    done.write_all(&[23, 3, 3, 0, 1, b'\n']).await.unwrap();
    tokio::time::sleep(3 * SHORT).await;
    assert!(!ask(&mut done, "hello\n").await.is_empty());
}

#[tokio::test]
async fn a_request_that_never_gets_complete_is_ended() {
    let deadlines = Deadlines {
        first_request: SHORT,
        ..patient()
    };
    let scene = scene(deadlines, false, 10).await;
    let mut dripping = scene.client().await;
    dripping.write_all(b"hel").await.unwrap();
    assert!(closed_after(&mut dripping).await < 10 * SHORT);
}

#[tokio::test]
async fn idle_connections_end_and_waiting_ones_stay() {
    let deadlines = Deadlines {
        idle: SHORT,
        ..patient()
    };
    let scene = scene(deadlines, false, 10).await;
    let mut client = scene.client().await;
    // Five times the deadline, without a byte in between.
    assert!(!ask(&mut client, "slow\n").await.is_empty());
    let took = closed_after(&mut client).await;
    assert!(took >= SHORT / 2 && took < 10 * SHORT, "{took:?}");
}

#[tokio::test]
async fn one_too_many_takes_the_slot_of_the_slowest() {
    let scene = scene(patient(), false, 2).await;
    let mut first = scene.client().await;
    assert!(!ask(&mut first, "hello\n").await.is_empty());
    let mut second = scene.client().await;
    assert!(!ask(&mut second, "hello\n").await.is_empty());
    let mut third = scene.client().await;
    assert!(!ask(&mut third, "hello\n").await.is_empty());
    assert!(closed_after(&mut first).await < LONG);
    assert!(!ask(&mut second, "hello\n").await.is_empty());
}

#[tokio::test]
async fn where_all_are_being_worked_for_one_too_many_is_refused() {
    let scene = scene(patient(), false, 1).await;
    let mut busy = scene.client().await;
    assert_eq!(ask(&mut busy, "begin\n").await, "begun");
    let mut second = scene.client().await;
    assert!(closed_after(&mut second).await < LONG);
    assert!(!ask(&mut busy, "hello\n").await.is_empty());
}

#[tokio::test]
async fn leaving_finishes_what_is_in_flight() {
    let scene = scene(patient(), false, 10).await;
    let silent = scene.client().await;
    let mut busy = scene.client().await;
    let asked = tokio::spawn(async move {
        let answer = ask(&mut busy, "slow\n").await;
        // dropshot stops like this: the answer, then the end.
        busy.write_all(b"bye\n").await.unwrap();
        (answer, closed_after(&mut busy).await)
    });
    tokio::time::sleep(SHORT).await;
    let address = scene.address;
    tokio::time::timeout(LONG / 2, scene.guard.leave())
        .await
        .unwrap();
    let (answer, _) = asked.await.unwrap();
    assert!(!answer.is_empty());
    drop(silent);
    assert!(
        TcpStream::connect(address).await.is_err(),
        "the door is closed"
    );
}
