//! Starts Chromium and its driver as processes of this test.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use fantoccini::wd::{Capabilities, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use reqwest::{Method, Url};
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::{Value, json};

/// The error type that the trait below requires.
type ParseError = <Url as std::str::FromStr>::Err;

/// A headless browser.
pub struct Chromium {
    pub client: Client,
    _driver: Driver,
}

/// The process of the driver, killed with its browsers when the test ends.
struct Driver(Child);

impl Drop for Driver {
    fn drop(&mut self) {
        let group = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw);
        if let Some(group) = group {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.0.wait();
    }
}

impl Chromium {
    /// # Errors
    /// Fails with the reason when the browser can't be started.
    pub async fn start() -> Result<Self, String> {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .map(Driver)
            .map_err(|error| format!("chromedriver does not start: {error}"))?;
        let printed = driver.0.stdout.take().expect("it is piped");
        let port = BufReader::new(printed)
            .lines()
            .map_while(Result::ok)
            .find_map(|line| {
                let (_, port) = line.rsplit_once("started successfully on port ")?;
                port.trim_end_matches('.').parse::<u16>().ok()
            })
            .ok_or("chromedriver ended without naming its port")?;
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities())
            .connect(&format!("http://127.0.0.1:{port}"))
            .await
            .map_err(|error| format!("Chromium does not start: {error}"))?;
        Ok(Self {
            client,
            _driver: driver,
        })
    }

    pub async fn close(self) {
        self.client.close().await.expect("the browser closes");
    }
}

fn capabilities() -> Capabilities {
    let options = json!({
        // Chromium's own sandbox doesn't work for root, and containers often run tests as root.
        "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1024,900"],
    });
    let wanted = json!({
        "browserName": "chrome",
        "goog:chromeOptions": options,
        "goog:loggingPrefs": { "browser": "ALL" },
    });
    match wanted {
        Value::Object(members) => members,
        _ => unreachable!("it is an object"),
    }
}

/// A command of Chromium's driver that isn't part of WebDriver.
#[derive(Debug)]
pub struct Beyond {
    pub path: &'static str,
    pub body: Value,
}

impl Beyond {
    /// Builds a command of the developers' tools.
    pub fn tool(command: &str, parameters: Value) -> Self {
        Self {
            path: "goog/cdp/execute",
            body: json!({ "cmd": command, "params": parameters }),
        }
    }

    /// Reads the console lines written since the last read.
    pub fn console() -> Self {
        Self {
            path: "se/log",
            body: json!({ "type": "browser" }),
        }
    }
}

impl WebDriverCompatibleCommand for Beyond {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!(
            "session/{}/{}",
            session.unwrap_or_default(),
            self.path
        ))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.body.to_string()))
    }
}
