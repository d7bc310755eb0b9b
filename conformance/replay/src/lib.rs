//! Runs the inputs of a fuzz target, and mutations of them, on the stable toolchain. `conformance/fuzz` searches with
//! libFuzzer and without a time limit; ordinary tests search for a second, with the same seed every time.
//!
//! `MULTIRAIL_TEST_MUTATIONS` sets the number of mutations, `MULTIRAIL_TEST_SEED` the seed.

mod mutation;
mod random;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};

use mutation::mutate;
use random::Random;

/// Returns inputs that are hard for any parser. Every target gets them, whatever its folder holds.
fn ugly() -> Vec<Vec<u8>> {
    let nested = |open: &str, close: &str, depth: usize| {
        format!("{}1{}", open.repeat(depth), close.repeat(depth)).into_bytes()
    };
    let mut all: Vec<Vec<u8>> = [
        &b""[..],
        b" ",
        b"\n",
        b"\n\n",
        b"null",
        b"{}",
        b"[]",
        b"\"",
        b"\0",
        b"\xff\xfe",
        b"{\"a\":\"\xc3\x28\"}",
        b"{\"a\":\"\\ud800\"}",
        b"\xef\xbb\xbf{}",
        b"1e999999",
        b"-0",
        b"{\"a\":1,\"a\":2}",
    ]
    .map(<[u8]>::to_vec)
    .into();
    all.push(nested("[", "]", 10_000));
    all.push(nested("{\"a\":", "}", 10_000));
    all.push("[".repeat(30_000).into_bytes());
    all.push("9".repeat(30_000).into_bytes());
    all.push(format!("\"{}\"", "é".repeat(15_000)).into_bytes());
    all
}

/// Calls `look` with every input in the target's folder, and with so many mutations of them. Prints the input at which it
/// panics.
///
/// # Panics
/// If `look` does, or the target has no inputs.
pub fn replay(target: &str, mutations: u64, look: impl Fn(&[u8])) {
    let own = corpus(target);
    assert!(!own.is_empty(), "{target} has no inputs");
    let ugly = ugly();
    for input in own.iter().chain(&ugly) {
        play(target, input, &look);
    }
    let set = |name: &str, otherwise: u64| match std::env::var(name) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{name} has to be a number")),
        Err(_) => otherwise,
    };
    let mut random = Random::new(set("MULTIRAIL_TEST_SEED", 1));
    for _ in 0..set("MULTIRAIL_TEST_MUTATIONS", mutations) {
        let mut input = random.pick(&own).clone();
        for _ in 0..=random.below(3) {
            mutate(&mut input, &own, &mut random);
        }
        play(target, &input, &look);
    }
}

fn play(target: &str, input: &[u8], look: &impl Fn(&[u8])) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| look(input))) {
        let shown = &input[..input.len().min(4_000)];
        eprintln!("{target} fails at b\"{}\"", shown.escape_ascii());
        resume_unwind(panic);
    }
}

/// Returns the inputs of a target, in the order of their names.
///
/// # Panics
/// If it has no folder.
pub fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus");
    let folder = folder.join(target);
    let entries =
        fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    let read = |file: &PathBuf| {
        fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    };
    files.iter().map(read).collect()
}
