//! Promises of an operation that OpenAPI has no words for:
//!
//! - the roles of users that may call it
//! - the members that a payer's client may send
//! - the longest body of bytes
//! - the refusals of its table
//!
//! oasdiff doesn't know them, so their rules are our own.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Compared;
use super::operations::{Operation, about, found};
use crate::refusals::refusals;

pub(super) const ROLE_REMOVED: &str = "x-role-removed";
pub(super) const ROLE_ADDED: &str = "x-role-added";
pub(super) const CLIENT_MEMBER_REMOVED: &str = "x-client-member-removed";
pub(super) const CLIENT_MEMBER_ADDED: &str = "x-client-member-added";
pub(super) const REFUSAL_REMOVED: &str = "x-refusal-removed";
pub(super) const REFUSAL_ADDED: &str = "x-refusal-added";
pub(super) const BODY_BYTES_DECREASED: &str = "x-body-bytes-decreased";
pub(super) const BODY_BYTES_INCREASED: &str = "x-body-bytes-increased";

const BODY_BYTES: &str = "x-multirail-body-bytes";

/// Words that a line of the change log must have, each with its promise.
type Promises = BTreeSet<(String, String)>;

pub(super) fn compare(compared: &mut Compared, old: &Operation, new: &Operation) {
    let of = |promises: fn(&Value) -> Promises| {
        let before = promises(compared.old.at(&old.pointer));
        (before, promises(compared.new.at(&new.pointer)))
    };
    let (roles, members, refusals) = (of(roles), of(client_members), of(refused));
    let most = (
        compared.old.at(&old.pointer)[BODY_BYTES].as_u64(),
        compared.new.at(&new.pointer)[BODY_BYTES].as_u64(),
    );
    differ(compared, new, roles, (ROLE_REMOVED, ROLE_ADDED));
    let ids = (CLIENT_MEMBER_REMOVED, CLIENT_MEMBER_ADDED);
    differ(compared, new, members, ids);
    differ(compared, new, refusals, (REFUSAL_REMOVED, REFUSAL_ADDED));
    if let (Some(was), Some(is)) = most
        && was != is
    {
        let id = match was > is {
            true => BODY_BYTES_DECREASED,
            false => BODY_BYTES_INCREASED,
        };
        let what = format!("takes a body of {is} bytes, took {was}");
        found(compared, id, new, new, &what, false);
    }
}

fn differ(
    compared: &mut Compared,
    one: &Operation,
    (before, after): (Promises, Promises),
    (removed, added): (&str, &str),
) {
    for (name, promise) in before.difference(&after) {
        let what = format!("{promise} is gone");
        about(compared, removed, one, name, &what, (&one.pointer, false));
    }
    for (name, promise) in after.difference(&before) {
        let what = format!("{promise} is new");
        about(compared, added, one, name, &what, (&one.pointer, false));
    }
}

fn roles(operation: &Value) -> Promises {
    words(operation, "x-multirail-roles", |role| {
        format!("the role {role}")
    })
}

fn client_members(operation: &Value) -> Promises {
    words(operation, "x-client-members", |member| {
        format!("that a payer's client may send {member}")
    })
}

/// Returns the words of a list, each with its promise.
fn words(operation: &Value, list: &str, promise: impl Fn(&str) -> String) -> Promises {
    let words = operation[list].as_array();
    let words = words.into_iter().flatten().filter_map(Value::as_str);
    words.map(|word| (word.to_owned(), promise(word))).collect()
}

/// Returns status and code of each refusal, whose explanation may change.
fn refused(operation: &Value) -> Promises {
    let refusals = refusals(operation).into_iter();
    refusals
        .map(|one| {
            let promise = format!("the refusal {} {}", one.status, one.code);
            (one.code, promise)
        })
        .collect()
}
