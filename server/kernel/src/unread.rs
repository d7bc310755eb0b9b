//! Preserves stored members of later versions that this version doesn't read.
//!
//! During an update, servers of two versions work on the same rows. The older one reads a record, changes the members
//! that it knows, and writes the whole record back. Therefore every stored object keeps its unknown members and writes
//! them back. `migrations/README.md` has the rule.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

/// The unknown members of one stored object: `#[serde(flatten)] pub unread: UnreadMembers`.
///
/// They are copied and moved with the object, and disappear when it is replaced or removed. They don't print, because
/// they may be secret. Usually there are none, which costs one word of memory.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct UnreadMembers(Option<Box<Map<String, Value>>>);

impl UnreadMembers {
    /// No unknown members.
    pub const NONE: UnreadMembers = UnreadMembers(None);

    /// Checks whether this version knows all members of the object.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Adds the unknown members of another part of the object, which take precedence.
    pub fn append(&mut self, others: UnreadMembers) {
        if let Some(mut others) = others.0 {
            self.0.get_or_insert_default().append(&mut others);
        }
    }
}

impl fmt::Debug for UnreadMembers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let members = self.0.as_ref().map_or(0, |members| members.len());
        write!(f, "UnreadMembers({members})")
    }
}

impl Serialize for UnreadMembers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let members = self.0.iter().flat_map(|members| members.iter());
        let mut object = serializer.serialize_map(None)?;
        for (name, value) in members {
            object.serialize_entry(name, value)?;
        }
        object.end()
    }
}

impl<'de> Deserialize<'de> for UnreadMembers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Members)
    }
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = UnreadMembers;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the members of an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<UnreadMembers, A::Error> {
        let mut members: Option<Box<Map<String, Value>>> = None;
        while let Some((name, value)) = object.next_entry()? {
            members.get_or_insert_default().insert(name, value);
        }
        Ok(UnreadMembers(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Parcel {
        weight: u32,
        #[serde(flatten)]
        unread: UnreadMembers,
    }

    fn parcel(stored: &Value) -> Parcel {
        serde_json::from_str(&stored.to_string()).expect("a parcel")
    }

    #[test]
    fn members_without_a_name_here_are_written_back_as_they_were() {
        let stored = json!({
            "weight": 3,
            "fragile": true,
            "customs": {"value": 18_446_744_073_709_551_615_u64, "items": [{"name": "Tee"}, null, 0.1]},
        });
        let mut parcel = parcel(&stored);
        parcel.weight = 4;
        let mut expected = stored;
        expected["weight"] = json!(4);
        assert_eq!(serde_json::to_value(&parcel).ok(), Some(expected));
    }

    #[test]
    fn an_object_of_which_all_is_known_holds_nothing() {
        let parcel = parcel(&json!({"weight": 3}));
        assert!(parcel.unread.is_empty());
        assert_eq!(
            serde_json::to_string(&parcel).ok().as_deref(),
            Some(r#"{"weight":3}"#)
        );
        assert_eq!(size_of::<UnreadMembers>(), size_of::<usize>());
    }

    #[test]
    fn nothing_of_them_prints() {
        let parcel = parcel(&json!({"weight": 3, "pin": "0815"}));
        assert_eq!(
            format!("{parcel:?}"),
            "Parcel { weight: 3, unread: UnreadMembers(1) }"
        );
    }
}
