//! A sandbox server as a process, on a folder of its own.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use multirail_conformance::patience::PATIENCE;
use multirail_conformance::{Call, Wire, bodies};
use multirail_test_postgres::free_port;
use serde_json::{Value, json};
use tempfile::TempDir;

const ADMIN_KEY: &str = "admin_of_a_server_that_runs_out_of_disk";

/// Options for the start.
#[derive(Default)]
pub struct Manner {
    /// Puts the folder on a file system of this size in memory. The log lies there too.
    pub disk_bytes: Option<u64>,
    pub environment: Vec<(&'static str, String)>,
}

pub struct Process {
    folder: TempDir,
    manner: Manner,
    pub wire: Wire,
    listen: String,
    child: Option<Child>,
}

impl Process {
    /// Starts a server and waits until it answers. Returns none and prints why if this machine makes no file systems
    /// for its users.
    pub async fn start(manner: Manner) -> Option<Self> {
        if manner.disk_bytes.is_some() && !makes_file_systems() {
            eprintln!("left out: `unshare -rm` may not mount a tmpfs on this machine");
            return None;
        }
        let port = free_port().expect("a free port");
        let listen = format!("127.0.0.1:{port}");
        let mut process = Process {
            folder: tempfile::tempdir().expect("a folder"),
            manner,
            wire: Wire::new(&format!("http://{listen}")),
            listen,
            child: None,
        };
        process.start_again().await;
        Some(process)
    }

    /// Starts the server again on the same folder.
    pub async fn start_again(&mut self) {
        let folder = self.folder.path();
        let program = env!("CARGO_BIN_EXE_multirail-under-test");
        let mut command = match self.manner.disk_bytes {
            None => Command::new(program),
            Some(bytes) => {
                let folder = folder.display();
                let mut command = Command::new("unshare");
                command.args(["-rm", "sh", "-c"]);
                command.arg(format!(
                    "mount -t tmpfs -o size={bytes} none {folder} && exec \"$@\" 2>>{folder}/log"
                ));
                command.args(["sh", program]);
                command
            }
        };
        let log = File::options()
            .create(true)
            .append(true)
            .open(folder.join("log"))
            .expect("a log");
        let child = command
            .args(["serve", "--sandbox", "--listen", &self.listen])
            .env("MULTIRAIL_DATA_DIRECTORY", self.data())
            .env("MULTIRAIL_ADMIN_API_KEY", ADMIN_KEY)
            .envs(self.manner.environment.iter().cloned())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .expect("the program is there");
        self.child = Some(child);
        let http = reqwest::Client::builder().no_proxy().build();
        let http = http.expect("a client");
        let ready = format!("http://{}/health/ready", self.listen);
        let limit = Instant::now() + PATIENCE;
        loop {
            let answer = http.get(&ready).send().await;
            if answer.is_ok_and(|answer| answer.status() == 200) {
                return;
            }
            // A process that has ended never starts.
            let is_over = self.ended() || Instant::now() > limit;
            assert!(!is_over, "it did not start:\n{}", self.log());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// The folder with the data and the log.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Returns the database, or a file that SQLite puts next to it.
    pub fn database(&self, suffix: &str) -> PathBuf {
        self.data().join(format!("multirail.sqlite{suffix}"))
    }

    pub fn pid(&self) -> u32 {
        self.child.as_ref().expect("it was started").id()
    }

    /// Returns a path of the process as other processes see it. Only the process itself sees its mounts.
    fn seen_from_here(&self, path: &Path) -> PathBuf {
        let root = PathBuf::from(format!("/proc/{}/root", self.pid()));
        root.join(path.strip_prefix("/").expect("an absolute path"))
    }

    fn ballast(&self) -> PathBuf {
        self.seen_from_here(&self.folder.path().join("ballast"))
    }

    /// Leaves no byte free on the server's disk.
    pub fn fills_its_disk(&self) {
        let mut file = File::create(self.ballast()).expect("a file on its disk");
        for portion in [1 << 16, 1 << 10, 1] {
            let bytes = vec![b'x'; portion];
            loop {
                match file.write(&bytes) {
                    Ok(_) => {}
                    Err(error) if error.kind() == ErrorKind::StorageFull => break,
                    Err(error) => panic!("the disk should be full: {error}"),
                }
            }
        }
    }

    pub fn frees_its_disk(&self) {
        fs::remove_file(self.ballast()).expect("the ballast is there");
    }

    pub fn log(&self) -> String {
        let path = self.folder.path().join("log");
        let path = match self.manner.disk_bytes {
            None => path,
            Some(_) => self.seen_from_here(&path),
        };
        fs::read_to_string(path).unwrap_or_default()
    }

    /// Returns whether the process has ended.
    pub fn ended(&mut self) -> bool {
        let child = self.child.as_mut().expect("it was started");
        child.try_wait().expect("a child can be asked").is_some()
    }

    /// Waits until the process ends by itself.
    pub async fn ends(&mut self) -> ExitStatus {
        let mut child = self.child.take().expect("it was started");
        let ended = tokio::task::spawn_blocking(move || child.wait());
        let ended = tokio::time::timeout(PATIENCE, ended).await;
        ended
            .expect("in time")
            .expect("no panic")
            .expect("a child can be waited for")
    }

    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Builds a call with the operator's key.
    pub fn operator(&self, operation: &str) -> Call {
        self.wire.call(operation).key(ADMIN_KEY)
    }

    /// Creates a merchant account with a key.
    pub async fn till(&self) -> Till {
        let operator = |operation| self.operator(operation);
        let account = json!({ "merchant_id": "bookshop" });
        let account = operator("merchant_accounts_create").json(&account);
        let account = account.await.ok();
        let key = operator("api_keys_create")
            .at("merchant_id", "bookshop")
            .json(&json!({ "name": "till", "expiration": "never" }))
            .await
            .ok();
        Till {
            wire: self.wire.clone(),
            key: key["api_key"].as_str().expect("a key").to_owned(),
            profile_id: account["default_profile"]
                .as_str()
                .expect("a profile")
                .to_owned(),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A merchant who creates payments and reads them.
pub struct Till {
    pub wire: Wire,
    pub profile_id: String,
    key: String,
}

impl Till {
    /// Builds a call with the merchant's key.
    pub fn call(&self, operation: &str) -> Call {
        let call = self.wire.call(operation).key(&self.key);
        call.at("account_id", "bookshop")
            .at("merchant_id", "bookshop")
    }

    /// Connects the simulated processor; `more` overrides members of the account.
    pub async fn connects(&self, more: Value) -> Value {
        let account = json!({
            "connector_type": "payment_processor",
            "connector_name": "fauxpay",
            "connector_account_details": { "auth_type": "HeaderKey", "api_key": "simulator-key" },
        });
        let call = self.call("connector_accounts_create");
        call.json(&bodies::with(account, more)).await.ok()
    }

    /// Creates a payment of this body.
    pub fn pays(&self, body: Value) -> Call {
        self.call("payments_create").json(&body)
    }

    pub fn creates(&self) -> Call {
        self.pays(bodies::order())
    }

    pub fn reads(&self, payment: &Value) -> Call {
        let id = payment["payment_id"].as_str().expect("a payment");
        let call = self.wire.call("payments_retrieve").key(&self.key);
        call.at("payment_id", id)
    }
}

fn makes_file_systems() -> bool {
    let folder = tempfile::tempdir().expect("a folder");
    let tried = Command::new("unshare")
        .args(["-rm", "mount", "-t", "tmpfs", "none"])
        .arg(folder.path())
        .stderr(Stdio::null())
        .status();
    tried.is_ok_and(|status| status.success())
}
