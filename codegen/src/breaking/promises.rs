//! What an operation promises beyond what OpenAPI has words for: who of the users may call it, how long a body of bytes may be,
//! and the refusals of its table. oasdiff doesn't know of these, so that their rules are our own.

use std::collections::BTreeSet;

use serde_json::Value;

use super::operations::Operation;
use super::{Compared, Found};
use crate::refusals::{Refusal, refusals};

pub(super) fn compare(compared: &mut Compared, old: &Operation, new: &Operation) {
    let (before, after) = (
        compared.old.at(&old.pointer).clone(),
        compared.new.at(&new.pointer).clone(),
    );
    let mut differ = |of: fn(&Value) -> BTreeSet<Promise>, subject, removed, added| {
        let (before, after) = (of(&before), of(&after));
        for promise in before.difference(&after) {
            let what = format!("{} is gone", promise.text);
            find(compared, new, removed, subject, what, &promise.name);
        }
        for promise in after.difference(&before) {
            let what = format!("{} is new", promise.text);
            find(compared, new, added, subject, what, &promise.name);
        }
    };
    differ(roles_of, "roles", ROLE_REMOVED, ROLE_ADDED);
    differ(refusals_of, "refusals", REFUSAL_REMOVED, REFUSAL_ADDED);
    let most = |operation: &Value| operation[BODY_BYTES].as_u64();
    let id = match (most(&before), most(&after)) {
        (Some(was), Some(is)) if was > is => BODY_BYTES_DECREASED,
        (Some(was), Some(is)) if was < is => BODY_BYTES_INCREASED,
        _ => return,
    };
    let what = format!("was {}, is {}", before[BODY_BYTES], after[BODY_BYTES]);
    find(compared, new, id, "bytes of the body", what, &new.id);
}

const BODY_BYTES: &str = "x-multirail-body-bytes";

pub(super) const ROLE_REMOVED: &str = "x-role-removed";
pub(super) const ROLE_ADDED: &str = "x-role-added";
pub(super) const REFUSAL_REMOVED: &str = "x-refusal-removed";
pub(super) const REFUSAL_ADDED: &str = "x-refusal-added";
pub(super) const BODY_BYTES_DECREASED: &str = "x-body-bytes-decreased";
pub(super) const BODY_BYTES_INCREASED: &str = "x-body-bytes-increased";

/// One that is kept or broken.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Promise {
    text: String,
    /// The word that a line of the change log has to have.
    name: String,
}

fn roles_of(operation: &Value) -> BTreeSet<Promise> {
    let roles = operation["x-multirail-roles"].as_array();
    let roles = roles.into_iter().flatten().filter_map(Value::as_str);
    let promise = |role: &str| Promise {
        text: role.to_owned(),
        name: role.to_owned(),
    };
    roles.map(promise).collect()
}

/// Status and code: why something is refused is told in words that may be put better.
fn refusals_of(operation: &Value) -> BTreeSet<Promise> {
    let promise = |one: Refusal| Promise {
        text: format!("{} {}", one.status, one.code),
        name: one.code,
    };
    refusals(operation).into_iter().map(promise).collect()
}

fn find(
    compared: &mut Compared,
    one: &Operation,
    id: &str,
    subject: &str,
    what: String,
    name: &str,
) {
    let found = Found {
        subject: format!("{} {subject}", one.label),
        what,
        pointer: &one.pointer,
        is_gone: false,
        names: vec![name.to_owned()],
    };
    compared.find(id, found);
}
