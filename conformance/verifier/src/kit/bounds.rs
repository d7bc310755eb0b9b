//! For every bound of an operation's body and parameters, a request that breaks only that bound, and one at the
//! bound.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::breach;
use super::reach;
use super::sample::least;
use crate::document::{document, resolved};

/// The greatest depth inside a body that is checked.
const DEEPEST: usize = 8;

/// A body or a parameter with one changed value.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    /// The full name of the changed member, such as `billing.address.city`.
    pub name: String,
    /// The change, in words.
    pub what: String,
    /// The bound's pointer in the document.
    pub pointer: String,
    /// The changed body, or the parameter's value.
    pub value: Value,
    /// Whether a rule of the server checks the bound. Other checks may come first.
    pub by_rules: bool,
    /// Whether the value names an object in a header. Then an invalid one is answered like a missing object.
    pub names_object: bool,
}

/// Collects the faults of bodies. Members inside a component are checked for one operation only, unless the walk is
/// thorough.
pub(super) struct Walk<'w> {
    pub thorough: bool,
    /// Components that were already checked, by pointer.
    pub tried: &'w mut BTreeSet<String>,
    pub faults: Vec<Fault>,
    /// Valid changes: values at a bound, or words of an enumeration.
    pub reached: Vec<Fault>,
}

/// A step into a body.
#[derive(Clone, Debug)]
enum Step {
    Member(String),
    Item,
}

impl Walk<'_> {
    /// Collects all faults of a body with the schema at this pointer. `body` is valid.
    pub fn body(&mut self, pointer: &str, body: &Value) {
        let (pointer, _) = resolved(pointer);
        self.object(&pointer, &[], body);
    }

    fn object(&mut self, pointer: &str, path: &[Step], body: &Value) {
        let (_, schema) = resolved(pointer);
        if schema["additionalProperties"] == false {
            let path = [path, &[Step::Member("no_such_member".to_owned())]].concat();
            self.add(
                &path,
                "a member that the document doesn't name",
                pointer,
                || put(body, &path, json!("x")),
            );
        }
        let required = schema["required"].as_array().into_iter().flatten();
        for name in required.filter_map(Value::as_str) {
            let path = [path, &[Step::Member(name.to_owned())]].concat();
            let at = format!("{pointer}/required");
            self.add(&path, "missing", &at, || without(body, &path));
        }
        let members = schema["properties"].as_object();
        for (name, _) in members.into_iter().flatten() {
            let at = format!("{pointer}/properties/{name}");
            let path = [path, &[Step::Member(name.clone())]].concat();
            self.value(&at, &path, body);
        }
    }

    fn value(&mut self, at: &str, path: &[Step], body: &Value) {
        let written = document().pointer(at);
        let has = |word: &str| written.is_some_and(|schema| !schema[word].is_null());
        // Such a member is refused with any value.
        if has("x-multirail-not-built") {
            return;
        }
        let (pointer, schema) = resolved(at);
        for one in breach::breaches_of(schema) {
            let place = match schema[one.word].is_null() {
                true => pointer.clone(),
                false => format!("{pointer}/{}", one.word),
            };
            let value = one.value;
            let fault = Fault {
                name: name_of(path),
                what: one.what,
                pointer: place,
                value: put(body, path, value),
                by_rules: one.by_rules,
                names_object: false,
            };
            self.faults.push(fault);
        }
        for one in reach::values_of(schema) {
            let place = format!("{pointer}/{}", one.word);
            self.reach(path, one.what, place, put(body, path, one.value));
        }
        if schema["type"] == "array" && schema["uniqueItems"].is_null() {
            self.items(&pointer, schema, path, body);
        }
        if path.len() >= DEEPEST {
            return;
        }
        match schema["type"].as_str() {
            Some("object") if schema["properties"].is_object() => {
                if !self.thorough && !self.tried.insert(pointer.clone()) {
                    return;
                }
                let body = match present(body, path) {
                    Some(value) if value.is_object() => body.clone(),
                    _ => put(body, path, least(&pointer)),
                };
                self.object(&pointer, path, &body);
            }
            Some("array") => {
                let path = [path, &[Step::Item]].concat();
                let items = format!("{pointer}/items");
                let body = match present(body, &path) {
                    Some(_) => body.clone(),
                    None => put(body, &path, least(&items)),
                };
                self.value(&items, &path, &body);
            }
            _ => {}
        }
    }

    /// Adds lists with the most entries and with one more.
    fn items(&mut self, pointer: &str, schema: &Value, path: &[Step], body: &Value) {
        let Some(most) = schema["maxItems"].as_u64() else {
            return;
        };
        let at = format!("{pointer}/maxItems");
        let item = least(&format!("{pointer}/items"));
        let some = |count: u64| put(body, path, (0..count).map(|_| item.clone()).collect());
        self.reach(path, format!("of {most} entries"), at.clone(), some(most));
        let judged = schema["x-multirail-judged-by-rules"].as_array();
        self.faults.push(Fault {
            name: name_of(path),
            what: format!("more than {most} entries"),
            pointer: at,
            value: some(most + 1),
            by_rules: judged.is_some_and(|words| words.contains(&json!("maxItems"))),
            names_object: false,
        });
    }

    fn reach(&mut self, path: &[Step], what: String, pointer: String, value: Value) {
        self.reached.push(Fault {
            name: name_of(path),
            what,
            pointer,
            value,
            by_rules: false,
            names_object: false,
        });
    }

    fn add(&mut self, path: &[Step], what: &str, pointer: &str, value: impl FnOnce() -> Value) {
        self.faults.push(Fault {
            name: name_of(path),
            what: what.to_owned(),
            pointer: pointer.to_owned(),
            value: value(),
            by_rules: false,
            names_object: false,
        });
    }
}

/// Returns a name such as `billing.address.city` or `order_details[0].amount`.
fn name_of(path: &[Step]) -> String {
    path.iter().fold(String::new(), |name, step| match step {
        Step::Item => format!("{name}[0]"),
        Step::Member(member) if name.is_empty() => member.clone(),
        Step::Member(member) => format!("{name}.{member}"),
    })
}

fn present<'v>(body: &'v Value, path: &[Step]) -> Option<&'v Value> {
    path.iter().try_fold(body, |value, step| match step {
        Step::Member(name) => value.get(name),
        Step::Item => value.get(0),
    })
}

/// Puts a value into the body, and creates the objects and lists on the way.
fn put(body: &Value, path: &[Step], value: Value) -> Value {
    let mut made = body.clone();
    let mut place = &mut made;
    for step in path {
        place = match step {
            Step::Member(name) => {
                if !place.is_object() {
                    *place = json!({});
                }
                &mut place[name.as_str()]
            }
            Step::Item => {
                if place.as_array().is_none_or(Vec::is_empty) {
                    *place = json!([null]);
                }
                &mut place[0]
            }
        };
    }
    *place = value;
    made
}

fn without(body: &Value, path: &[Step]) -> Value {
    let mut made = body.clone();
    let Some((Step::Member(last), before)) = path.split_last() else {
        return made;
    };
    let place = before.iter().try_fold(&mut made, |value, step| match step {
        Step::Member(name) => value.get_mut(name),
        Step::Item => value.get_mut(0),
    });
    if let Some(members) = place.and_then(Value::as_object_mut) {
        members.shift_remove(last);
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_of_a_body_is_its_own() {
        let mut tried = BTreeSet::new();
        let mut walk = Walk {
            thorough: false,
            tried: &mut tried,
            faults: Vec::new(),
            reached: Vec::new(),
        };
        let body = json!({ "payment_id": "pay_1" });
        walk.body("/components/schemas/RefundCreateRequest", &body);
        let of = |name: &str, what: &str| {
            let mut faults = walk.faults.iter();
            let found = faults.find(|fault| fault.name == name && fault.what == what);
            found.unwrap_or_else(|| panic!("no {name} {what}: {:#?}", walk.faults))
        };
        assert_eq!(of("payment_id", "missing").value, json!({}));
        let long = of("refund_id", "longer than 64");
        assert_eq!(long.value["refund_id"].as_str().map(str::len), Some(65));
        assert_eq!(long.value["payment_id"], "pay_1");
        assert!(long.pointer.ends_with("/maxLength"), "{long:?}");
        let odd = of("no_such_member", "a member that the document doesn't name");
        assert_eq!(odd.value["no_such_member"], "x");
        let mut reached = walk.reached.iter();
        let just = reached.find(|one| one.name == "refund_id" && one.what == "as long as 64");
        let just = just.expect("it is reached");
        assert_eq!(just.value["refund_id"].as_str().map(str::len), Some(64));
    }
}
