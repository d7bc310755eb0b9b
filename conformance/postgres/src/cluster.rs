//! A server and its data directory.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError, mpsc};
use std::time::{Duration, Instant};

use crate::directory::{self, User};
use crate::port::free_port;
use crate::system::Signal;
use crate::unavailable::Unavailable;
use crate::{binaries, helpers, protocol, system};

/// The one role. It may do everything, without a password.
const ROLE: &str = "multirail";

/// How long a start may take; it takes a tenth of a second on an idle machine.
const START_LIMIT: Duration = Duration::from_secs(60);

/// A PostgreSQL server on 127.0.0.1, with a port that stays its own over stops and starts.
#[derive(Debug)]
pub struct Cluster {
    binaries: PathBuf,
    directory: PathBuf,
    user: Option<User>,
    port: u16,
    keeping: Keeping,
    server: Mutex<Option<Child>>,
    databases: AtomicU32,
}

/// The durability of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keeping {
    /// The installed settings: commits survive a power cut.
    Full,
    /// Commits survive the server's death only. Much faster, and enough for tests.
    OnDisk,
    /// As [`Keeping::OnDisk`], with the files in memory.
    InMemory,
}

/// Settings of a server for tests: it doesn't wait for the disk, and doesn't vacuum databases that are gone in a second.
const QUICK: &[&str] = &[
    "fsync=off",
    "full_page_writes=off",
    "autovacuum=off",
    "shared_buffers=64MB",
    "max_wal_size=128MB",
    "deadlock_timeout=100ms",
];

/// The longest path of a Unix socket that every system takes.
const LONGEST_SOCKET: usize = 103;

/// Servers to end and remove when the process ends while, for instance, a static still holds the cluster. Each has the
/// server's process id, 0 for none, and its directory.
static LEFTOVERS: Mutex<Vec<(i32, PathBuf)>> = Mutex::new(Vec::new());

impl Cluster {
    /// Creates a cluster in a new folder under `parent` and starts it.
    pub(crate) fn start_new(parent: &Path, keeping: Keeping) -> Result<Self, Unavailable> {
        let binaries = binaries::find()?;
        let user = User::to_run_as()?;
        let directory = directory::make(parent, user)?;
        static AT_EXIT: Once = Once::new();
        AT_EXIT.call_once(|| system::at_exit(remove_leftovers));

        let cluster = Self {
            binaries,
            directory,
            user,
            port: free_port().map_err(Unavailable::new)?,
            keeping,
            server: Mutex::new(None),
            databases: AtomicU32::new(0),
        };
        cluster.remember(0);
        cluster.initialize()?;
        cluster.try_start()?;
        Ok(cluster)
    }

    fn initialize(&self) -> Result<(), Unavailable> {
        let output = directory::command(&self.binaries.join("initdb"), self.user)
            .args([
                "-A",
                "trust",
                "--no-sync",
                "--no-locale",
                "-E",
                "UTF8",
                "-U",
                ROLE,
                "-D",
            ])
            .arg(self.data())
            .output()
            .map_err(|error| Unavailable::new(format!("initdb: {error}")))?;
        if output.status.success() {
            return Ok(());
        }
        Err(Unavailable::new(format!(
            "initdb: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        )))
    }

    /// Creates an empty database and returns its address. Blocks for about 30 ms.
    ///
    /// # Panics
    /// If the server fails: a test can't go on.
    pub fn create_database(&self) -> String {
        self.url(&self.create())
    }

    /// Creates an empty database and returns its address over the Unix socket, if there is one.
    ///
    /// # Panics
    /// As [`Cluster::create_database`].
    pub fn create_local_database(&self) -> String {
        let name = self.create();
        self.socket_url(&name).unwrap_or_else(|| self.url(&name))
    }

    /// Copies a database of this server, which must have no connections, and returns the copy's address. Blocks.
    ///
    /// # Panics
    /// As [`Cluster::create_database`].
    pub fn copy_database(&self, url: &str) -> String {
        self.url(&self.create_from(name_in(url)))
    }

    /// Removes a database, and cuts its connections. On a disk it stays until the server ends: there, removing its files
    /// one by one slows down the creation of the next database.
    ///
    /// # Panics
    /// As [`Cluster::create_database`].
    pub fn drop_database(&self, url: &str) {
        match self.keeping {
            Keeping::Full | Keeping::OnDisk => return,
            Keeping::InMemory => {}
        }
        let sql = format!("drop database {} with (force)", name_in(url));
        self.execute("postgres", &sql);
    }

    fn create(&self) -> String {
        self.create_from("template0")
    }

    fn create_from(&self, template: &str) -> String {
        let number = self.databases.fetch_add(1, Ordering::Relaxed) + 1;
        let name = format!("test_{number}");
        let sql = format!("create database {name} template {template}");
        self.execute("postgres", &sql);
        name
    }

    /// Runs one statement as superuser in the named database.
    ///
    /// # Panics
    /// If the server refuses it.
    pub fn execute(&self, database: &str, sql: &str) {
        if let Err(error) = self.try_execute(database, sql) {
            panic!("{sql}: {error}\n{}", self.log());
        }
    }

    /// Runs a statement that may be refused or cut off.
    ///
    /// # Errors
    /// The error of the server or the connection.
    pub fn try_execute(&self, database: &str, sql: &str) -> std::io::Result<()> {
        protocol::run(self.port, ROLE, database, sql)
    }

    /// Returns the address of a database.
    pub fn url(&self, database: &str) -> String {
        format!("postgres://{ROLE}@127.0.0.1:{}/{database}", self.port)
    }

    /// Returns the address of a database over the server's Unix socket, as programs on the server's own machine usually
    /// reach it. The socket lies in the cluster's folder; none if its path is too long or needs quoting.
    fn socket_url(&self, database: &str) -> Option<String> {
        let directory = self.socket_directory()?.to_str()?;
        Some(format!("{}?host={directory}", self.url(database)))
    }

    fn socket_directory(&self) -> Option<&Path> {
        let socket = self.directory.join(format!(".s.PGSQL.{}", self.port));
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-".contains(byte);
        let name = socket.as_os_str().as_encoded_bytes();
        (name.len() <= LONGEST_SOCKET && name.iter().all(is_plain)).then_some(&self.directory)
    }

    /// Creates a folder beside the data that the server may write to.
    ///
    /// # Errors
    /// The system's error message.
    pub fn make_folder(&self, name: &str) -> std::io::Result<PathBuf> {
        let path = self.directory.join(name);
        std::fs::create_dir(&path)?;
        directory::give(&path, self.user)?;
        Ok(path)
    }

    /// Starts another server, with the same programs, on a copy of a data folder, and waits until it takes writes.
    ///
    /// # Errors
    /// [`Unavailable`] with the end of its log.
    pub fn start_restored(&self, data: &Path) -> Result<Self, Unavailable> {
        let parent = self.directory.parent().unwrap_or(Path::new("/tmp"));
        let directory = directory::make(parent, self.user)?;
        let restored = Self {
            binaries: self.binaries.clone(),
            directory,
            user: self.user,
            port: free_port().map_err(Unavailable::new)?,
            keeping: self.keeping,
            server: Mutex::new(None),
            databases: AtomicU32::new(0),
        };
        restored.remember(0);
        directory::copy(data, &restored.data(), self.user).map_err(Unavailable::new)?;
        restored.try_start()?;
        Ok(restored)
    }

    /// Returns the folder of the programs, which may include `pgbench`.
    pub fn binaries(&self) -> &Path {
        &self.binaries
    }

    /// Returns the main process, the parent of all others; none while the server is stopped or killed.
    pub fn pid(&self) -> Option<u32> {
        self.server().as_ref().map(Child::id)
    }

    /// Returns whether the server was started and not stopped or killed.
    pub fn is_started(&self) -> bool {
        self.server().is_some()
    }

    /// Stops the server in order, cutting connections. Does nothing if it isn't running.
    pub fn stop(&self) {
        self.end(Signal::Interrupt);
    }

    /// Kills the server's main process without warning, and waits until its helpers have noticed and ended: until then they
    /// answer over open connections. [`Cluster::start`] brings back what was committed. Does nothing if the server isn't
    /// running.
    pub fn kill(&self) {
        let helpers = self.pid().map(helpers::children).unwrap_or_default();
        self.end(Signal::Kill);
        helpers::wait_for_the_end(&helpers);
    }

    /// Starts the server again, at the same address. Does nothing if it is running.
    ///
    /// # Panics
    /// If it doesn't start.
    pub fn start(&self) {
        if let Err(why) = self.try_start() {
            panic!("{why}");
        }
    }

    /// Returns the folder of the server's data and its log.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Returns the server's log.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.directory.join("log")).unwrap_or_default()
    }

    fn try_start(&self) -> Result<(), Unavailable> {
        let mut server = self.server();
        if server.is_some() {
            return Ok(());
        }
        let limit = Instant::now() + START_LIMIT;
        loop {
            let mut child = self.spawn()?;
            match self.wait_until_ready(&mut child, limit) {
                Ok(()) => {
                    self.remember(child.id() as i32);
                    *server = Some(child);
                    return Ok(());
                }
                // After a kill the helpers hold on to the shared memory for a moment.
                Err(_) if Instant::now() < limit && self.helpers_remain() => {
                    std::thread::sleep(Duration::from_millis(100));
                }
                Err(why) => return Err(why),
            }
        }
    }

    fn helpers_remain(&self) -> bool {
        let log = self.log();
        let last = log.lines().rev().take(4).collect::<Vec<_>>().join("\n");
        last.contains("shared memory block")
    }

    fn spawn(&self) -> Result<Child, Unavailable> {
        let log = File::options()
            .create(true)
            .append(true)
            .open(self.directory.join("log"))
            .map_err(Unavailable::new)?;
        let mut command = directory::command(&self.binaries.join("postgres"), self.user);
        command
            .arg("-D")
            .arg(self.data())
            .args(["-p", &self.port.to_string(), "-k"])
            .arg(self.socket_directory().unwrap_or(Path::new("")))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log);
        let quick: &[&str] = match self.keeping {
            Keeping::Full => &[],
            Keeping::OnDisk | Keeping::InMemory => QUICK,
        };
        let always = [
            "listen_addresses=127.0.0.1",
            "max_connections=300",
            "log_min_messages=warning",
        ];
        for setting in always.iter().chain(quick) {
            command.args(["-c", setting]);
        }
        system::end_with_thread(&mut command);
        keeper_spawn(command).map_err(|error| Unavailable::new(format!("postgres: {error}")))
    }

    /// Waits until the server writes `ready` into line 8 of `postmaster.pid`, once it takes connections. Line 1 is its
    /// process id: a killed server leaves the file behind.
    fn wait_until_ready(&self, child: &mut Child, limit: Instant) -> Result<(), Unavailable> {
        let file = self.data().join("postmaster.pid");
        loop {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            let mut lines = text.lines();
            let ours = lines.next() == Some(child.id().to_string().as_str());
            if ours && lines.nth(6).is_some_and(|line| line.trim() == "ready") {
                return Ok(());
            }
            let ended = child.try_wait().map_err(Unavailable::new)?;
            if ended.is_some() || Instant::now() > limit {
                let _ = child.kill();
                let _ = child.wait();
                let log = self.log();
                let tail: Vec<_> = log.lines().rev().take(5).collect();
                return Err(Unavailable::new(format!(
                    "postgres did not start: {}",
                    tail.into_iter().rev().collect::<Vec<_>>().join(" | ")
                )));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn end(&self, signal: Signal) {
        if let Some(mut child) = self.server().take() {
            system::send(signal, child.id() as i32);
            let _ = child.wait();
            self.remember(0);
        }
    }

    fn data(&self) -> PathBuf {
        self.directory.join("data")
    }

    fn server(&self) -> MutexGuard<'_, Option<Child>> {
        self.server.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remember(&self, pid: i32) {
        let mut leftovers = leftovers();
        leftovers.retain(|(_, directory)| *directory != self.directory);
        leftovers.push((pid, self.directory.clone()));
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.end(Signal::Quit);
        leftovers().retain(|(_, directory)| *directory != self.directory);
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

/// Returns the database that an address of [`Cluster::url`] names.
fn name_in(url: &str) -> &str {
    url.rsplit_once('/').map_or(url, |(_, name)| name)
}

fn leftovers() -> MutexGuard<'static, Vec<(i32, PathBuf)>> {
    LEFTOVERS.lock().unwrap_or_else(PoisonError::into_inner)
}

extern "C" fn remove_leftovers() {
    for (pid, directory) in leftovers().drain(..) {
        if pid != 0 {
            system::send(Signal::Quit, pid);
            // The server is no `Child` here, so it can only be watched. Quitting takes milliseconds.
            let limit = Instant::now() + Duration::from_secs(2);
            while directory.join("data/postmaster.pid").exists() && Instant::now() < limit {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        let _ = std::fs::remove_dir_all(directory);
    }
}

/// Starts a child from a thread that lives as long as the process. The signal that ends the child with its parent is tied
/// to the thread that started it, and the threads of tests come and go.
fn keeper_spawn(command: std::process::Command) -> std::io::Result<Child> {
    type Order = (std::process::Command, mpsc::Sender<std::io::Result<Child>>);
    static KEEPER: Mutex<Option<mpsc::Sender<Order>>> = Mutex::new(None);

    let mut keeper = KEEPER.lock().unwrap_or_else(PoisonError::into_inner);
    let orders = match &*keeper {
        Some(orders) => orders,
        None => {
            let (orders, taken) = mpsc::channel::<Order>();
            std::thread::Builder::new()
                .name("postgres-keeper".to_owned())
                .spawn(move || {
                    for (mut command, answer) in taken {
                        let _ = answer.send(command.spawn());
                    }
                })?;
            keeper.insert(orders)
        }
    };
    let (answer, answered) = mpsc::channel();
    orders
        .send((command, answer))
        .map_err(std::io::Error::other)?;
    answered.recv().map_err(std::io::Error::other)?
}
