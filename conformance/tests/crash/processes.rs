//! The processes that are started and killed.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use multirail_conformance::patience::until_found;
use multirail_test_postgres::free_port;

pub const MASTER_KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// The timeout of a webhook delivery. Another server takes over a killed server's delivery within ten seconds,
/// whatever the timeout is.
const WEBHOOK_TIMEOUT_MS: &str = "10000";

const NOBODY: &str = "http://127.0.0.1:1";

/// A program that can be killed and restarted at the same address.
pub struct Process {
    name: &'static str,
    arguments: Vec<String>,
    environment: Vec<(&'static str, String)>,
    log: PathBuf,
    pub url: String,
    /// The path that answers 200 once the program is ready.
    ready: &'static str,
    child: Mutex<Option<Child>>,
}

impl Process {
    /// Prepares the simulated processor. Every answer takes `delay_ms`.
    pub fn simulator(folder: &Path, delay_ms: u64) -> Self {
        let port = free_port().expect("a free port");
        let ledger = folder.join("ledger.sqlite");
        Process {
            name: "simulator",
            arguments: words(&[
                "simulator",
                "--listen",
                &address(port),
                "--data",
                &ledger.to_string_lossy(),
            ]),
            environment: vec![("MULTIRAIL_SIMULATOR_DELAY_MS", delay_ms.to_string())],
            log: folder.join("simulator.log"),
            url: format!("http://{}", address(port)),
            ready: "/health",
            child: Mutex::new(None),
        }
    }

    /// Prepares the `number`th sandbox server. `processor` is the setting with the processor's address, and
    /// `deadline_ms` the timeout of calls to it. `database_url` is none for SQLite.
    pub fn server(
        number: usize,
        folder: &Path,
        processor: (&'static str, String),
        admin_key: &str,
        database_url: Option<&str>,
        deadline_ms: u64,
    ) -> Self {
        let port = free_port().expect("a free port");
        let mut environment = vec![
            (
                "MULTIRAIL_DATA_DIRECTORY",
                folder
                    .join(format!("data_{number}"))
                    .to_string_lossy()
                    .into_owned(),
            ),
            // All servers on one database need the same key.
            ("MULTIRAIL_MASTER_KEY", MASTER_KEY.to_owned()),
            processor,
            ("MULTIRAIL_ADMIN_API_KEY", admin_key.to_owned()),
            ("MULTIRAIL_PROCESSOR_DEADLINE_MS", deadline_ms.to_string()),
            (
                "MULTIRAIL_WEBHOOK_TIMEOUT_MS",
                WEBHOOK_TIMEOUT_MS.to_owned(),
            ),
            ("MULTIRAIL_LOG_LEVEL", "warn".to_owned()),
            // Nothing listens at this address. Webhooks and calls to processors must ignore the machine's proxy
            // settings.
            ("HTTP_PROXY", NOBODY.to_owned()),
            ("http_proxy", NOBODY.to_owned()),
            ("ALL_PROXY", NOBODY.to_owned()),
        ];
        environment.extend(database_url.map(|url| ("MULTIRAIL_DATABASE_URL", url.to_owned())));
        Process {
            name: "server",
            arguments: words(&["serve", "--sandbox", "--listen", &address(port)]),
            environment,
            log: folder.join(format!("server_{number}.log")),
            url: format!("http://{}", address(port)),
            ready: "/health/ready",
            child: Mutex::new(None),
        }
    }

    /// Starts the program and waits until it answers.
    ///
    /// # Panics
    /// Panics when it ends or doesn't answer in time.
    pub async fn start(&self) {
        let log = File::options()
            .create(true)
            .append(true)
            .open(&self.log)
            .expect("a log");
        let child = Command::new(env!("CARGO_BIN_EXE_multirail-under-test"))
            .args(&self.arguments)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .expect("the program is there");
        *self.child() = Some(child);
        let http = reqwest::Client::builder()
            .no_proxy()
            .build()
            .expect("a client");
        let ready = format!("{}{}", self.url, self.ready);
        until_found(format!("{} starts", self.name), async || {
            let answer = http
                .get(&ready)
                .timeout(Duration::from_secs(2))
                .send()
                .await;
            if answer.is_ok_and(|answer| answer.status() == 200) {
                return Ok(());
            }
            let ended = self
                .child()
                .as_mut()
                .and_then(|child| child.try_wait().ok().flatten());
            if let Some(code) = ended {
                panic!("{} ended with {code}:\n{}", self.name, self.last_words());
            }
            Err(self.last_words())
        })
        .await;
    }

    /// Sends SIGKILL: nothing is finished, nothing is flushed.
    pub fn kill(&self) {
        if let Some(mut child) = self.child().take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Returns whether the process is running.
    pub fn is_alive(&self) -> bool {
        self.child()
            .as_mut()
            .is_some_and(|child| matches!(child.try_wait(), Ok(None)))
    }

    /// Returns the end of the log.
    pub fn last_words(&self) -> String {
        let log = std::fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<&str> = log.lines().collect();
        lines[lines.len().saturating_sub(25)..].join("\n")
    }

    fn child(&self) -> std::sync::MutexGuard<'_, Option<Child>> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn address(port: u16) -> String {
    format!("127.0.0.1:{port}")
}
