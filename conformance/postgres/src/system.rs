//! The calls to the operating system for which Rust's library has no safe form.
#![expect(
    unsafe_code,
    reason = "a child that must not outlive us needs pre_exec, prctl and kill"
)]

use std::ffi::CString;
use std::io::Write;
use std::mem::MaybeUninit;
use std::os::fd::FromRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// The ways to end a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    /// Finish what is running, write everything to disk, end ("fast shutdown").
    Interrupt,
    /// End at once, without writing anything more ("immediate shutdown").
    Quit,
    /// End at once, without cleaning up.
    Kill,
}

/// Returns whether this process is root's.
pub(crate) fn is_root() -> bool {
    // SAFETY: has no arguments, no memory, and can't fail.
    unsafe { libc::geteuid() == 0 }
}

/// Returns the free bytes of a folder's file system; 0 if unknown.
pub(crate) fn free_bytes(folder: &Path) -> u64 {
    let Ok(path) = CString::new(folder.as_os_str().as_bytes()) else {
        return 0;
    };
    let mut answer = MaybeUninit::<libc::statvfs>::uninit();
    // SAFETY: the path ends in a zero byte, and the answer is read only if the call says that it wrote it.
    let answer = unsafe {
        if libc::statvfs(path.as_ptr(), answer.as_mut_ptr()) != 0 {
            return 0;
        }
        answer.assume_init()
    };
    answer.f_bavail.saturating_mul(answer.f_frsize)
}

/// Returns whether there is a process with that number.
pub(crate) fn is_running(pid: i32) -> bool {
    // SAFETY: signal 0 is only a question.
    let answer = unsafe { libc::kill(pid, 0) };
    answer == 0 || std::io::Error::last_os_error().raw_os_error() != Some(libc::ESRCH)
}

/// Sends a signal. The number must be that of a child that wasn't waited for yet, so that it can't belong to another
/// process.
pub(crate) fn send(signal: Signal, pid: i32) {
    let signal = match signal {
        Signal::Interrupt => libc::SIGINT,
        Signal::Quit => libc::SIGQUIT,
        Signal::Kill => libc::SIGKILL,
    };
    // SAFETY: touches no memory of ours; an unknown number is only an error, which may be ignored
    // because the caller waits for the child to end.
    unsafe {
        libc::kill(pid, signal);
    }
}

/// Has the system tell the child to quit when the *thread* that starts it ends, and therefore when our process ends in any
/// way. Only Linux can do that.
pub(crate) fn end_with_thread(command: &mut Command) {
    #[cfg(target_os = "linux")]
    {
        let parent = std::process::id();
        // SAFETY: between fork and exec only calls that are safe there: prctl and getppid.
        unsafe {
            command.pre_exec(move || {
                if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGQUIT) != 0 {
                    return Err(std::io::Error::last_os_error());
                }
                // The parent may have died in between.
                if libc::getppid() as u32 != parent {
                    return Err(std::io::Error::from_raw_os_error(libc::ESRCH));
                }
                Ok(())
            });
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = command;
}

/// Has `last` called when the process ends in order.
pub(crate) fn at_exit(last: extern "C" fn()) {
    // SAFETY: `last` is a function without arguments that lives as long as the program. If there is no room for it, files
    // are left behind.
    unsafe {
        libc::atexit(last);
    }
}

/// Writes to the real standard error, which the test harness doesn't capture.
pub(crate) fn say(line: &str) {
    // SAFETY: file descriptor 2 is open as long as the process; ManuallyDrop keeps it so.
    let mut stderr =
        std::mem::ManuallyDrop::new(unsafe { std::fs::File::from_raw_fd(libc::STDERR_FILENO) });
    let _ = stderr.write_all(line.as_bytes());
}
