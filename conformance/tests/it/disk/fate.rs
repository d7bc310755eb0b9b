//! A commit whose fate is unknown: the disk wrote it and then reported a failure.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::process::{Manner, Process};

/// A shim for the C library's calls that wait for the disk. It makes them fail while a file exists.
const SHIM: &str = r#"
    #define _GNU_SOURCE
    #include <errno.h>
    #include <stdlib.h>
    #include <sys/syscall.h>
    #include <unistd.h>

    static int sync_by(long call, int file) {
        const char *sign = getenv("DISK_FAILS_WHILE_THERE_IS");
        if (sign && access(sign, F_OK) == 0) {
            errno = EIO;
            return -1;
        }
        return (int)syscall(call, file);
    }

    int fsync(int file) { return sync_by(SYS_fsync, file); }
    int fdatasync(int file) { return sync_by(SYS_fdatasync, file); }
"#;

/// Compiles the shim. Rust needs a C compiler for linking, so there is one.
fn shim(folder: &Path) -> PathBuf {
    let (source, library) = (folder.join("shim.c"), folder.join("shim.so"));
    fs::write(&source, SHIM).expect("a source");
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .args([&library, &source])
        .status();
    assert!(compiled.is_ok_and(|status| status.success()));
    library
}

#[tokio::test]
async fn a_commit_with_an_unknown_fate_stops_the_server_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let sign = folder.path().join("disk_fails");
    let manner = Manner {
        environment: vec![
            (
                "LD_PRELOAD",
                shim(folder.path()).to_string_lossy().into_owned(),
            ),
            (
                "DISK_FAILS_WHILE_THERE_IS",
                sign.to_string_lossy().into_owned(),
            ),
        ],
        ..Manner::default()
    };
    let Some(mut server) = Process::start(manner).await else {
        return;
    };
    let till = server.till().await;
    let payment = till.creates().await.ok();

    fs::write(&sign, "").expect("a file");
    let message = till.creates().await.refused(503, "HE_00");
    assert!(message.contains("whether this was stored"), "{message}");
    let ended = server.ends().await;
    assert_eq!((ended.code(), ended.signal()), (Some(3), None));
    assert!(server.log().contains("disk I/O error"), "{}", server.log());

    fs::remove_file(&sign).expect("it is there");
    server.start_again().await;
    till.reads(&payment).await.ok();
    till.creates().await.ok();
}
