//! The JSON pointers into a value, and what is missing between two of them.

use std::collections::BTreeSet;

use serde_json::Value;

/// The JSON pointer of every value that is as `is_wanted` says; that of the value itself is empty.
pub(super) fn pointers(value: &Value, is_wanted: fn(&Value) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    collect(value, String::new(), is_wanted, &mut found);
    found
}

fn collect(value: &Value, pointer: String, is_wanted: fn(&Value) -> bool, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let name = name.replace('~', "~0").replace('/', "~1");
                collect(member, format!("{pointer}/{name}"), is_wanted, found);
            }
        }
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                collect(item, format!("{pointer}/{i}"), is_wanted, found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    if is_wanted(value) {
        found.push(pointer);
    }
}

/// Places of `before` that are gone from `after` or hold something else. More members are no loss.
pub(super) fn losses(before: &Value, after: &Value) -> Vec<String> {
    let is_held = |pointer: &String| {
        let (was, is) = (before.pointer(pointer), after.pointer(pointer));
        match (was, is) {
            (Some(Value::Object(_)), Some(Value::Object(_))) => true,
            (Some(Value::Array(was)), Some(Value::Array(is))) => was.len() == is.len(),
            // What says nothing may be left out.
            (Some(Value::Null), None) => true,
            (was, is) => was == is,
        }
    };
    let all = pointers(before, |_| true).into_iter();
    all.filter(|pointer| !is_held(pointer)).collect()
}

/// Members that no example shows with a value: null, or an empty list, wherever they stand. Items of a list count as one.
pub(super) fn never_shown(examples: &[Value]) -> BTreeSet<String> {
    let is_empty = |value: &Value| match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => false,
    };
    let mut empty = BTreeSet::new();
    let mut shown = BTreeSet::new();
    for example in examples {
        for pointer in pointers(example, |_| true) {
            let value = example.pointer(&pointer).expect("a value of its own");
            let numbers = |part: &str| part.parse::<usize>().is_ok();
            let parts = pointer.split('/');
            let parts: Vec<&str> = parts.map(|p| if numbers(p) { "*" } else { p }).collect();
            let set = if is_empty(value) {
                &mut empty
            } else {
                &mut shown
            };
            set.insert(parts.join("/"));
        }
    }
    empty.difference(&shown).cloned().collect()
}
