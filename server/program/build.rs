//! Makes the program smaller when it is linked for release: functions with the same machine code become one, and the
//! addresses that the loader adjusts are packed.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    // Only this target is linked by rust-lld without being asked; other linkers may not know the options.
    if is("PROFILE", "release") && is("TARGET", "x86_64-unknown-linux-gnu") {
        println!("cargo::rustc-link-arg-bins=-Wl,--icf=all");
        if is("HOST", "x86_64-unknown-linux-gnu") && loader_unpacks_addresses() {
            println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
        }
    }
}

/// Returns whether this machine's C library can start a program with packed addresses: glibc from 2.36 on.
fn loader_unpacks_addresses() -> bool {
    let Ok(named) = Command::new("getconf").arg("GNU_LIBC_VERSION").output() else {
        return false;
    };
    let named = String::from_utf8_lossy(&named.stdout);
    let version = named.trim().strip_prefix("glibc ");
    let numbers = version.and_then(|version| version.split_once('.'));
    numbers
        .and_then(|(major, minor)| Some((major.parse::<u32>().ok()?, minor.parse::<u32>().ok()?)))
        .is_some_and(|version| version >= (2, 36))
}
