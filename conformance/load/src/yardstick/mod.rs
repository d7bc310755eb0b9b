//! The speed of the same engine on the same disk with the commits alone. It is measured in the same run, because the speed
//! of disks varies.

pub mod commit;
pub mod disk;
pub mod pgbench;
pub mod postgres;
pub mod sqlite;

use std::time::Duration;

/// Commits that were made one after the other on each of some connections.
#[derive(Debug)]
pub struct BareLoop {
    pub connections: usize,
    pub elapsed: Duration,
    /// Microseconds of each commit.
    pub times: Vec<u32>,
}

impl BareLoop {
    /// Returns commits a second.
    pub fn rate(&self) -> f64 {
        self.times.len() as f64 / self.elapsed.as_secs_f64()
    }
}
