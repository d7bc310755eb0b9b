//! Runs a processor's stand-in in a process of its own, so that its use of resources counts neither for the server nor for
//! the load generator.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clap::ValueEnum;
use multirail_peers::stripe::Stripe;
use multirail_peers::{CardThat, Peer, StandIn, TestCard, system_time};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::process;

/// The processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Connector {
    /// The simulated processor, inside the server.
    Simulator,
    /// Stripe's stand-in, over TLS.
    Stripe,
}

impl Connector {
    /// Returns the name shown in the tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Connector::Simulator => "simulator",
            Connector::Stripe => "stripe",
        }
    }

    fn stand_in(self) -> Option<Arc<dyn StandIn>> {
        match self {
            Connector::Simulator => None,
            Connector::Stripe => Some(Arc::new(Stripe::new(system_time))),
        }
    }
}

/// The counts of a stand-in since it began.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    pub requests: u64,
    pub connections: u64,
    pub cpu: Option<Duration>,
}

impl Seen {
    /// Returns the counts since an earlier reading.
    pub fn since(self, before: Seen) -> Seen {
        Seen {
            requests: self.requests - before.requests,
            connections: self.connections - before.connections,
            cpu: self
                .cpu
                .zip(before.cpu)
                .and_then(|(after, before)| after.checked_sub(before)),
        }
    }
}

/// A running stand-in. It ends when this value is dropped.
pub struct Process {
    pub connector: Connector,
    /// In PEM.
    pub certificate: PathBuf,
    origin: String,
    stand_in: Arc<dyn StandIn>,
    child: Child,
    pipes: Mutex<(ChildStdin, BufReader<ChildStdout>)>,
    _folder: TempDir,
}

impl Process {
    /// Starts a stand-in; returns none for the simulator, which needs none.
    ///
    /// # Errors
    /// Fails when the process doesn't start.
    pub fn start(connector: Connector) -> io::Result<Option<Self>> {
        let Some(stand_in) = connector.stand_in() else {
            return Ok(None);
        };
        let mut child = Command::new(std::env::current_exe()?)
            .args(["--stand-in", connector.as_str()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let gone = || io::Error::other("the stand-in has no pipe");
        let input = child.stdin.take().ok_or_else(gone)?;
        let mut output = BufReader::new(child.stdout.take().ok_or_else(gone)?);
        let told = read(&mut output)?;
        let folder = tempfile::tempdir()?;
        let certificate = folder.path().join("stand-in.pem");
        File::create(&certificate)?.write_all(text(&told, "certificate").as_bytes())?;
        Ok(Some(Process {
            connector,
            certificate,
            origin: text(&told, "origin").to_owned(),
            stand_in,
            child,
            pipes: Mutex::new((input, output)),
            _folder: folder,
        }))
    }

    /// Returns the connector account of a merchant that uses it.
    pub fn account(&self) -> Value {
        json!({
            "connector_type": "payment_processor",
            "connector_name": self.connector.as_str(),
            "connector_account_details": self.stand_in.credentials(),
            "metadata": self.stand_in.metadata(&self.origin),
            "test_mode": true,
        })
    }

    pub fn card(&self) -> TestCard {
        self.stand_in.card(CardThat::IsApproved)
    }

    /// Returns the stand-in's counts.
    ///
    /// # Errors
    /// Fails when the process has ended, or got a request that its processor doesn't know.
    pub fn seen(&self) -> io::Result<Seen> {
        let mut pipes = self.pipes.lock().unwrap_or_else(PoisonError::into_inner);
        let (input, output) = &mut *pipes;
        input.write_all(b"\n")?;
        let told = read(output)?;
        if let Some([first, ..]) = told["violations"].as_array().map(Vec::as_slice) {
            return Err(io::Error::other(format!(
                "the processor knows nothing of {first}"
            )));
        }
        let count = |name: &str| told[name].as_u64().unwrap_or_default();
        Ok(Seen {
            requests: count("requests"),
            connections: count("connections"),
            cpu: process::cpu_time(self.child.id()),
        })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs the stand-in: prints its address first, and its counts for each line that it reads.
///
/// # Errors
/// Fails for a connector without a stand-in, or when the pipe breaks.
pub async fn serve(connector: Connector) -> io::Result<()> {
    let stand_in = connector
        .stand_in()
        .ok_or_else(|| io::Error::other("the simulator is part of the server"))?;
    let peer = Peer::start(stand_in).await;
    say(&json!({ "origin": peer.origin(), "certificate": peer.certificate_pem() }))?;
    let asked = tokio::task::spawn_blocking(move || {
        for line in io::stdin().lines() {
            line?;
            say(&json!({
                "requests": peer.requests(),
                "connections": peer.connections(),
                "violations": peer.take_violations(),
            }))?;
        }
        Ok(())
    });
    asked.await.map_err(io::Error::other)?
}

fn say(value: &Value) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{value}")?;
    out.flush()
}

fn read(output: &mut BufReader<ChildStdout>) -> io::Result<Value> {
    let mut line = String::new();
    output.read_line(&mut line)?;
    serde_json::from_str(&line).map_err(|_| io::Error::other("the stand-in has ended"))
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}
