//! The resources that a process has used, from `/proc`; none without that.

use std::fs;
use std::time::Duration;

/// Linux counts CPU time in hundredths of a second on every architecture that we know of.
const TICK: Duration = Duration::from_millis(10);

/// Returns the CPU time that a process has used so far, user and system.
pub fn cpu_time(pid: u32) -> Option<Duration> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let ticks: u32 = fields(&stat)?
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<u32>().ok())
        .sum();
    Some(TICK * ticks)
}

/// Returns the CPU time of a process and its living children: a PostgreSQL server and its backends.
pub fn cpu_time_of_family(parent: u32) -> Option<Duration> {
    let mut sum = cpu_time(parent)?;
    for entry in fs::read_dir("/proc").ok()?.flatten() {
        let Some(pid) = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse().ok())
        else {
            continue;
        };
        if parent_of(pid) == Some(parent) {
            sum += cpu_time(pid).unwrap_or_default();
        }
    }
    Some(sum)
}

/// Returns the most memory that a process had since it began or since [`forget_peak`], in bytes.
pub fn peak_memory(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// Resets [`peak_memory`]. If that isn't allowed, the peak is the one since the start.
pub fn forget_peak(pid: u32) {
    let _ = fs::write(format!("/proc/{pid}/clear_refs"), "5");
}

/// Returns the bytes that a process has caused to be written to disks.
pub fn written_to_disk(pid: u32) -> Option<u64> {
    let io = fs::read_to_string(format!("/proc/{pid}/io")).ok()?;
    io.lines()
        .find_map(|line| line.strip_prefix("write_bytes:"))?
        .trim()
        .parse()
        .ok()
}

/// Returns the load of the machine, in the form of `uptime`.
pub fn load_average() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').take(3).collect::<Vec<_>>().join(" ")
}

fn parent_of(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    fields(&stat)?.nth(1)?.parse().ok()
}

/// Returns the fields from the third on: the second, the program's name, may have any content.
fn fields(stat: &str) -> Option<impl Iterator<Item = &str>> {
    Some(stat.rsplit_once(") ")?.1.split(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_knows_itself() {
        let pid = std::process::id();
        // Time passes between the two readings, so the smaller one is taken first.
        let alone = cpu_time(pid);
        assert!(alone.is_some());
        assert!(cpu_time_of_family(pid) >= alone);
        assert!(peak_memory(pid) > Some(100_000));
        assert!(parent_of(pid).is_some());
    }
}
