//! The commands that are clients: they are run as a developer would, against a sandbox.

mod demo;
mod described;
mod fixtures;
mod listen;
mod login;
mod logs;
mod mcp;
mod running;
mod trigger;

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use multirail_conformance::TestServer;
use tempfile::TempDir;

/// A developer with a home of their own and the keys of a sandbox's demo merchant.
struct Developer {
    server: Arc<TestServer>,
    home: TempDir,
}

/// The outcome of a command.
#[derive(Debug)]
struct Said {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Developer {
    async fn at_sandbox() -> Self {
        Developer {
            server: TestServer::start().await,
            home: tempfile::tempdir().expect("a folder"),
        }
    }

    /// Returns the secret key of the demo merchant.
    fn key(&self) -> String {
        self.server.demo().api_key.expose().to_owned()
    }

    /// Returns a command in the developer's home, without variables of this machine.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_multirail-under-test"));
        command
            .args(arguments)
            .env_clear()
            .env("HOME", self.home.path())
            .current_dir(self.home.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Returns a command with the merchant's key in a variable, and without the operator's.
    fn command_with_key(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(arguments);
        command
            .env("MULTIRAIL_URL", self.server.url())
            .env("MULTIRAIL_API_KEY", self.key());
        command
    }

    /// Returns a command with both keys in variables.
    fn command_with_keys(&self, arguments: &[&str]) -> Command {
        let mut command = self.command_with_key(arguments);
        command.env("MULTIRAIL_ADMIN_API_KEY", self.server.admin_key());
        command
    }

    /// Runs a command without keys in variables.
    async fn runs(&self, arguments: &[&str], input: &str) -> Said {
        ended(self.command(arguments), input).await
    }

    /// Checks that a command is refused without the operator's key.
    async fn needs_the_operator(&self, arguments: &[&str]) {
        let said = ended(self.command_with_key(arguments), "").await;
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.err.contains("takes the operator's key"), "{said:?}");
    }

    /// Checks that a command refuses a server in production, where it makes no payment.
    async fn is_refused_in_production(&self, arguments: &[&str]) {
        let production = TestServer::start_in_production(|inputs| inputs).await;
        let shop = production.shop_without_connector("bookshop").await;
        let mut command = self.command(arguments);
        command
            .env("MULTIRAIL_URL", production.url())
            .env("MULTIRAIL_API_KEY", &shop.api_key)
            .env("MULTIRAIL_ADMIN_API_KEY", production.admin_key());
        let said = ended(command, "").await;
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.err.contains("only with a sandbox"), "{said:?}");
        let payments = shop.call("payments_list").await.ok();
        assert_eq!(payments["size"], 0);
    }

    /// Logs in with the merchant's key.
    async fn logs_in(&self) -> Said {
        let arguments = ["login", "--server", self.server.url(), "--api-key-stdin"];
        self.runs(&arguments, &self.key()).await
    }
}

/// Runs a command with this text as standard input, until it ends.
async fn ended(mut command: Command, input: &str) -> Said {
    let input = input.to_owned();
    let output = tokio::task::spawn_blocking(move || -> std::io::Result<Output> {
        let mut child = command.spawn()?;
        let mut stdin = child.stdin.take().expect("a pipe");
        // A command that doesn't read its input may have ended.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        child.wait_with_output()
    });
    let output = output.await.expect("it ends").expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Said {
        code: output.status.code(),
        out: text(&output.stdout),
        err: text(&output.stderr),
    }
}
