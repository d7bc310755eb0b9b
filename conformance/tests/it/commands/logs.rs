//! `multirail logs tail`: follows the request log, also over a lost connection.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use multirail_conformance::Response;
use multirail_conformance::bodies::{APPROVED, order, paid_with};
use multirail_conformance::patience::until;
use serde_json::{Value, json};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::running::Running;
use super::{Developer, ended};
use multirail_conformance::request_log::logged;

/// Starts `multirail logs tail`.
fn tails(developer: &Developer, arguments: &[&str]) -> Running {
    Running::start(developer, &[&["logs", "tail"][..], arguments].concat())
}

async fn creates(developer: &Developer, body: Value) -> Response {
    let call = developer.server.wire.call("payments_create");
    call.key(&developer.key()).json(&body).await
}

async fn is_logged(developer: &Developer, answer: &Response) {
    let key = developer.key();
    logged(
        |operation| developer.server.wire.call(operation).key(&key),
        answer,
    )
    .await;
}

fn id(answer: &Response) -> &str {
    answer.header("request-id").expect("every answer has one")
}

/// A way to the server that can be closed.
struct Gate {
    url: String,
    is_open: watch::Sender<bool>,
    connections: Arc<AtomicUsize>,
}

impl Gate {
    async fn before(developer: &Developer) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let own = listener.local_addr().expect("an address");
        let address = developer.server.address();
        let address = address
            .strip_prefix("http://")
            .expect("a scheme")
            .to_owned();
        let (is_open, state) = watch::channel(true);
        let connections = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&connections);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(connect(client, address.clone(), state.clone()));
            }
        });
        Gate {
            url: format!("http://{own}"),
            is_open,
            connections,
        }
    }

    fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

/// Forwards a connection until the gate is closed.
async fn connect(mut client: TcpStream, address: String, mut state: watch::Receiver<bool>) {
    let closed = async { state.wait_for(|is_open| !is_open).await.is_ok() };
    let forwarded = async {
        let mut server = TcpStream::connect(address).await?;
        copy_bidirectional(&mut client, &mut server).await
    };
    tokio::select! {
        biased;
        _ = closed => {}
        _ = forwarded => {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_request_is_printed_once_without_the_key() {
    let developer = Developer::at_sandbox().await;
    let earlier = creates(&developer, order()).await;
    let last = creates(&developer, order()).await;
    is_logged(&developer, &earlier).await;
    is_logged(&developer, &last).await;
    let arguments = ["--lines", "1", "--operation", "payments_create"];
    let tail = tails(&developer, &arguments);
    let first = tail.says(" ");
    assert!(first.ends_with(id(&last)), "{first}");

    let refused = creates(&developer, json!({ "amount": 1 })).await;
    let second = tail.says(" ");
    let code = refused.body["code"].as_str().expect("a code");
    let wanted = format!("Z 400 POST   /payments payments_create {code} ");
    assert!(second.contains(&wanted), "{second}");
    assert!(second.ends_with(id(&refused)), "{second}");
    let paid = creates(&developer, paid_with(APPROVED)).await;
    let third = tail.says(" ");
    assert!(third.contains("Z 200 POST   /payments payments_create - "));
    assert!(third.ends_with(id(&paid)), "{third}");
    let rest = tail.ends();
    assert_eq!((rest.out.as_str(), rest.err.as_str()), ("", ""));
    let printed = [first, second, third].concat();
    assert!(!printed.contains(&developer.key()), "{printed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn reads_of_the_log_are_not_in_it() {
    let developer = Developer::at_sandbox().await;
    let made = creates(&developer, order()).await;
    // This reads the log too.
    is_logged(&developer, &made).await;
    let tail = tails(&developer, &["--json", "--lines", "1"]);
    let printed = || -> Value { serde_json::from_str(&tail.says("{")).expect("JSON") };
    let first = printed();
    assert_eq!(first["request_id"], id(&made));
    assert_eq!(first["operation"], "payments_create");
    let refused = creates(&developer, json!({ "amount": 1 })).await;
    assert_eq!(printed()["request_id"], id(&refused));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_connection_is_reported_once_and_nothing_is_missed() {
    let developer = Developer::at_sandbox().await;
    let gate = Gate::before(&developer).await;
    let key = developer.key();
    let asked = ["--server", &gate.url, "--api-key", &key];
    let arguments = [&asked[..], &["--operation", "payments_create"]].concat();
    let tail = tails(&developer, &arguments);
    let before = creates(&developer, order()).await;
    tail.says(id(&before));
    gate.is_open.send_replace(false);
    tail.complains("trying again");
    let meanwhile = creates(&developer, order()).await;
    // A look tries three times, so the fourth connection belongs to the look after the next failed one.
    let wanted = gate.connections() + 4;
    until(
        "a look that fails again",
        async || gate.connections(),
        |connections| *connections >= wanted,
    )
    .await;
    gate.is_open.send_replace(true);
    let line = tail.says(" ");
    assert!(line.ends_with(id(&meanwhile)), "{line}");
    let rest = tail.ends();
    assert_eq!((rest.out.as_str(), rest.err.as_str()), ("", ""));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_key_or_option_ends_it() {
    let developer = Developer::at_sandbox().await;
    for (option, wrong, code, wanted) in [
        ("--api-key", "snd_nobodys", 1, "IR_01"),
        ("--lines", "1001", 2, "--lines"),
        ("--since", "yesterday", 2, "--since"),
        ("--status-class", "redirect", 2, "possible values"),
        ("--operation", "payment_confirm", 2, "payments_confirm"),
        ("--profile-id", "pro_nobodys", 1, "HE_02"),
    ] {
        let arguments = ["logs", "tail", option, wrong];
        let said = ended(developer.command_with_keys(&arguments), "").await;
        assert_eq!(said.code, Some(code), "{said:?}");
        assert!(said.err.contains(wanted), "{said:?}");
        assert!(!said.err.contains("snd_"), "{said:?}");
    }
}
