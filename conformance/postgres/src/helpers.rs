//! The helper processes of a server, which outlive it for a moment when it is killed.

use std::time::{Duration, Instant};

/// How long they may take to notice; those that wait for an event notice at once.
const PATIENCE: Duration = Duration::from_secs(10);

/// Returns the children of a process; none if the system doesn't tell.
pub(crate) fn children(parent: u32) -> Vec<u32> {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|pid| stat(*pid).is_some_and(|(_, its_parent)| its_parent == parent))
        .collect()
}

/// Waits until all of these have ended.
pub(crate) fn wait_for_the_end(helpers: &[u32]) {
    let limit = Instant::now() + PATIENCE;
    while helpers.iter().any(|pid| is_at_work(*pid)) && Instant::now() < limit {
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Returns whether the process still runs. An ended one may stay a zombie for a while.
fn is_at_work(pid: u32) -> bool {
    stat(pid).is_some_and(|(state, _)| !matches!(state, 'Z' | 'X'))
}

/// Returns the state and the parent of a process.
fn stat(pid: u32) -> Option<(char, u32)> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name before it may contain blanks and brackets.
    let (_, rest) = text.rsplit_once(')')?;
    let mut words = rest.split_whitespace();
    Some((words.next()?.chars().next()?, words.next()?.parse().ok()?))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_child_is_found_until_it_has_ended() {
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        assert!(children(std::process::id()).contains(&child.id()));
        assert!(is_at_work(child.id()));
        child.kill().unwrap();
        // It has ended, but its parent hasn't waited for it.
        wait_for_the_end(&[child.id()]);
        assert!(!is_at_work(child.id()));
        child.wait().unwrap();
    }
}
