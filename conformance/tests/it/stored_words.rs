//! Words that are stored in rows: object names in the chained audit log, and names of workers in change sets. They
//! must stay when sources move.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::room_dependencies::sources::{module_of, sources};

/// Returns the server's sources without tests and comments.
fn code() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    let server: PathBuf = root.expect("the workspace").join("server");
    let is_test = |file: &Path| {
        let module = module_of(&server, file);
        module
            .iter()
            .any(|part| part == "tests" || part == "fixture" || part == "vendor")
    };
    let files = sources(&server).into_iter().filter(|file| !is_test(file));
    files
        .map(|file| {
            let text = std::fs::read_to_string(file).expect("a source");
            let code = text.split("#[cfg(test)]\nmod tests").next();
            let lines = code.unwrap_or_default().lines().map(str::trim);
            let lines = lines.filter(|line| !line.starts_with("//"));
            lines.collect::<Vec<_>>().join("\n")
        })
        .collect()
}

/// Returns the texts behind each `start`, up to a character of `ends`, sorted and without duplicates.
fn behind(code: &[String], start: &str, ends: &[char]) -> Vec<String> {
    let found: BTreeSet<String> = code
        .iter()
        .flat_map(|code| code.split(start).skip(1))
        .map(|rest| {
            let rest = rest.trim_start();
            let end = rest.find(ends).unwrap_or(rest.len());
            rest[..end].to_owned()
        })
        .collect();
    found.into_iter().collect()
}

/// Audit entries name changed objects by these words. The catalogue's kinds are named elsewhere.
#[test]
fn audit_entries_name_objects_as_ever() {
    let code = code();
    let objects = behind(&code, "Named::new(", &[',', ')']);
    let words = objects.iter().filter(|object| object.starts_with('"'));
    let words: Vec<&str> = words.map(|word| word.trim_matches('"')).collect();
    insta::assert_snapshot!(words.join("\n"), @"
    api_key
    business_profile
    connector_account
    customer
    dispute
    error_mapping
    file
    mandate
    merchant_account
    organization
    payment
    payment_method
    platform
    refund
    routing
    subscription
    user
    ");
    let naming: Vec<String> = code
        .into_iter()
        .filter(|code| code.contains("Named::new("))
        .collect();
    let kinds = behind(&naming, "=> \"subscription_", &['"']);
    insta::assert_snapshot!(kinds.join("\n"), @"
    coupon
    item
    item_price
    product
    ");
}

/// Change sets name the worker that made them.
#[test]
fn change_sets_name_workers_as_ever() {
    let code = code();
    let mut workers = behind(&code, "Actor::Worker(\"", &['"']);
    workers.extend(behind(&code, "const WORKER: &str = \"", &['"']));
    workers.sort();
    insta::assert_snapshot!(workers.join("\n"), @"
    billing
    idempotency
    mails
    notices
    operation_sync
    payments
    processor_deletions
    reaper
    redactions
    ");
}
