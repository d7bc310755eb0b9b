//! Merchants' metadata: stored under its wire name and returned unchanged. The server never interprets it.

use serde_json::{Map, Value};

/// A merchant's metadata.
pub type Metadata = Map<String, Value>;

/// Finds one note, or one member of a request. Both are few and looked up often, so comparing names is cheaper than
/// hashing each name.
pub fn find<'n>(notes: &'n Map<String, Value>, name: &str) -> Option<&'n Value> {
    notes
        .iter()
        .find_map(|(noted, value)| (noted == name).then_some(value))
}

/// Returns the notes after an update: given members replace the old ones, absent and null ones stay.
pub fn updated(current: &Map<String, Value>, given: Map<String, Value>) -> Map<String, Value> {
    let mut notes = current.clone();
    for (member, value) in given {
        if !value.is_null() {
            notes.insert(member, value);
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn given_members_replace_and_absent_ones_stay() {
        let object = |value: Value| value.as_object().cloned().expect("an object");
        let current = object(json!({"metadata": {"a": 1}, "locker_id": "m0"}));
        let given = object(
            json!({"metadata": {"b": 2}, "locker_id": null, "product_type": "orchestration"}),
        );
        assert_eq!(
            Value::Object(updated(&current, given)),
            json!({"metadata": {"b": 2}, "locker_id": "m0", "product_type": "orchestration"})
        );
    }
}
