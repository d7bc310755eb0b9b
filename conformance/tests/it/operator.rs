//! The program's messages to its operator: at the start, in the log, and from subcommands.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Output, Stdio};

use multirail_conformance::{Shop, Wire};
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use serde_json::json;
use tempfile::TempDir;

const ADMIN_KEY: &str = "admin_of_a_server_whose_words_are_read";

fn multirail(folder: &TempDir, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_multirail-under-test"));
    command
        .args(arguments)
        .current_dir(folder.path())
        .env("MULTIRAIL_DATA_DIRECTORY", folder.path())
        .stdin(Stdio::null());
    command
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Runs the command and returns its exit code and output.
fn said(command: &mut Command) -> (Option<i32>, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().expect("the program is there");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (status.code(), text(stdout), text(stderr))
}

#[test]
fn a_migration_says_what_it_did() {
    let folder = folder();
    let (code, out, err) = said(&mut multirail(&folder, &["migrate"]));
    assert_eq!(code, Some(0), "{err}");
    let mut lines = out.lines();
    let first = lines.next().unwrap_or_default();
    let version = lines.clone().count();
    assert_eq!(
        first,
        format!("The database is new; it is at version {version} now:")
    );
    assert_eq!(lines.next(), Some("  0001_initial"));

    let (code, out, err) = said(&mut multirail(&folder, &["migrate"]));
    assert_eq!(code, Some(0), "{err}");
    assert_eq!(
        out,
        format!("The database is up to date, at version {version}.\n")
    );
}

#[test]
fn a_port_that_is_taken_is_named_with_the_reason() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let admin_key = ("MULTIRAIL_ADMIN_API_KEY", ADMIN_KEY);
    // Both dropshot and the connection guard log this.
    for mode in ["--sandbox", "--sandbox-public"] {
        let folder = folder();
        let mut command = multirail(&folder, &["serve", mode, "--listen", &address]);
        let (code, _, err) = said(command.env(admin_key.0, admin_key.1));
        assert_eq!(code, Some(1), "{err}");
        let last = err.lines().last().unwrap_or_default();
        assert!(
            last.starts_with(&format!("multirail: can't listen on {address}: ")),
            "{err}"
        );
        assert!(last.contains("Address already in use"), "{err}");
    }
}

#[test]
fn settings_that_mean_nothing_are_refused() {
    for (name, value, expected) in [
        (
            "MULTIRAIL_LOG_LEVEL",
            "loud",
            "log_level (MULTIRAIL_LOG_LEVEL): must be error, warn, info, debug, trace or off, by module too \
             (info,dropshot=debug); not \"loud\"",
        ),
        (
            "MULTIRAIL_DATABASE_ULR",
            "sqlite:x",
            "MULTIRAIL_DATABASE_ULR is no setting; did you mean MULTIRAIL_DATABASE_URL?",
        ),
        (
            "MULTIRAIL_MASTER_KEY",
            "abababababababababababababababababababababababababababababababab",
            "master_key (MULTIRAIL_MASTER_KEY): is one byte 32 times over, as in a placeholder; make a random key with \
             `multirail keys generate`",
        ),
    ] {
        for arguments in [&["check-config", "--sandbox"], &["serve", "--sandbox"]] {
            let folder = folder();
            let (code, _, err) = said(multirail(&folder, arguments).env(name, value));
            assert_eq!(code, Some(2), "{err}");
            assert_eq!(err, format!("multirail: {expected}\n"));
        }
    }
}

/// A server that is killed when this is dropped.
struct Serving(Child);

impl Serving {
    fn start(command: &mut Command) -> Self {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        Serving(command.spawn().expect("the program is there"))
    }

    /// Returns the first lines of standard output.
    fn first_lines(&mut self, count: usize) -> Vec<String> {
        let out = self.0.stdout.take().expect("a pipe");
        let lines = BufReader::new(out).lines().map_while(Result::ok);
        lines.take(count).collect()
    }

    /// Stops the server in order and returns its log.
    fn log(mut self) -> String {
        let pid = rustix::process::Pid::from_child(&self.0);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("it runs");
        let err = self.0.stderr.take().expect("a pipe");
        let lines = BufReader::new(err).lines().map_while(Result::ok);
        lines.map(|line| format!("{line}\n")).collect()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_start_names_the_socket_the_public_address_and_what_is_behind_the_guard() {
    let folder = folder();
    let arguments = [
        "serve",
        "--sandbox-public",
        "--listen",
        "127.0.0.1:0",
        "--public-url",
        "https://pay.example",
    ];
    let mut command = multirail(&folder, &arguments);
    let mut serving = Serving::start(command.env("MULTIRAIL_ADMIN_API_KEY", ADMIN_KEY));
    let lines = serving.first_lines(3);
    let socket = lines[0].strip_prefix("multirail listens on http://127.0.0.1:");
    let socket = socket.and_then(|port| port.parse::<u16>().ok());
    assert!(socket.is_some_and(|port| port > 0), "{lines:?}");
    assert!(lines[1].ends_with(" https://pay.example"), "{lines:?}");
    assert!(lines[2].contains(" http://127.0.0.1:"), "{lines:?}");
    assert!(lines[2].ends_with("past the connection guard"), "{lines:?}");
}

#[tokio::test]
async fn probes_are_not_in_the_log_and_other_calls_are() {
    let folder = folder();
    let arguments = [
        "serve",
        "--sandbox",
        "--listen",
        "127.0.0.1:0",
        "--log-format",
        "text",
    ];
    let mut serving = Serving::start(&mut multirail(&folder, &arguments));
    let lines = serving.first_lines(1);
    let url = lines[0]
        .strip_prefix("multirail listens on ")
        .expect("an address");
    let wire = Wire::new(url);
    wire.call("health_check").await.ok();
    wire.call("health_ready").await.ok();
    wire.call("payments_list").await.refused(401, "IR_01");

    let log = tokio::task::spawn_blocking(move || serving.log());
    let log = log.await.expect("no panic");
    let answered = |word| log.lines().find(|line| line.contains(word));
    assert_eq!(answered("health"), None, "{log}");
    let line = answered("GET /payments/list 401").expect(&log);
    assert!(line.contains(" INFO  request refused GET"), "{line}");
    let longest = log.lines().map(str::len).max();
    assert!(longest < Some(250), "{log}");
}

#[tokio::test]
async fn a_connector_account_is_checked_by_the_server_that_runs() {
    let shop = Shop::open().await;
    let folder = folder();
    let asked = async |account: &str, key: &str| {
        let arguments = [
            ["connector", "check"].as_slice(),
            &["--merchant", &shop.merchant_id, "--account", account],
            &["--server", &shop.address()],
        ];
        let mut command = multirail(&folder, &arguments.concat());
        command.env("MULTIRAIL_ADMIN_API_KEY", key);
        let told = tokio::task::spawn_blocking(move || said(&mut command));
        let (code, out, err) = told.await.expect("the program ends");
        let told = format!("{code:?} {out}{err}");
        let told = told.replace(&shop.address(), "http://here");
        told.replace(&shop.connector_account_id, "mca_1")
    };
    let own = shop.connector_account_id.as_str();
    let mut told = vec![asked(own, shop.admin_key()).await];
    shop.next_call_meets(ScriptedCall::Account, Fault::FailsBefore(503));
    told.push(asked(own, shop.admin_key()).await);
    let refused = json!({ "auth_type": "HeaderKey", "api_key": "refused_key" });
    let refused = json!({ "connector_account_details": refused });
    shop.reconnects(refused).await.ok();
    told.push(asked(own, shop.admin_key()).await);
    told.push(asked("mca_unborn", shop.admin_key()).await);
    told.push(asked(own, "admin_of_somebody_else").await);
    insta::assert_snapshot!(told.concat(), @r"
    Some(0) fauxpay takes the credentials of mca_1
    Some(1) multirail: fauxpay says nothing about the credentials of mca_1: processor_error
    Some(4) multirail: fauxpay refuses the credentials of mca_1: DC_14: This API key opens no account
    Some(1) multirail: http://here/account/bookshop/connectors/mca_unborn/check: the server answered 404: there is no such connector account
    Some(1) multirail: http://here/account/bookshop/connectors/mca_1/check: the server answered 401: This call needs a valid key in the header `api-key`, of a kind that the operation takes.
    ");
}
