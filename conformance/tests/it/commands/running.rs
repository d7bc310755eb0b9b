//! A command that runs until Ctrl-C.

use std::io::{BufRead, BufReader, Read};
use std::process::Child;
use std::sync::mpsc::{Receiver as Lines, channel};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::{Developer, Said};

/// A running command and the lines that it prints.
pub(super) struct Running {
    child: Child,
    out: Lines<String>,
    err: Lines<String>,
}

impl Running {
    /// Starts a command with both keys in variables.
    pub(super) fn start(developer: &Developer, arguments: &[&str]) -> Self {
        let command = developer.command_with_keys(arguments).spawn();
        let mut child = command.expect("it runs");
        let out = lines(child.stdout.take().expect("a pipe"));
        let err = lines(child.stderr.take().expect("a pipe"));
        Running { child, out, err }
    }

    /// Waits for a line with this text, and returns it.
    pub(super) fn says(&self, text: &str) -> String {
        wait(&self.out, text)
    }

    /// Waits for a line with this text on standard error.
    pub(super) fn complains(&self, text: &str) -> String {
        wait(&self.err, text)
    }

    /// Ends it like Ctrl-C; returns the lines that nobody has waited for.
    pub(super) fn ends(mut self) -> Said {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, Signal::INT).expect("it runs");
        let ended = self.child.wait().expect("it ends");
        assert!(ended.success(), "{ended}");
        let rest = |lines: &Lines<String>| lines.iter().collect::<Vec<_>>().join("\n");
        Said {
            code: ended.code(),
            out: rest(&self.out),
            err: rest(&self.err),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
    }
}

/// Returns the lines of a pipe as they come.
fn lines(pipe: impl Read + Send + 'static) -> Lines<String> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            // The test may have ended.
            let _ = sender.send(line);
        }
    });
    lines
}

fn wait(lines: &Lines<String>, text: &str) -> String {
    loop {
        let line = lines.recv_timeout(Duration::from_secs(60));
        let line = line.expect("it says so");
        if line.contains(text) {
            return line;
        }
    }
}
