//! A small change of the document, made in place and undone.

use serde_json::Value;

/// The kind of a changed place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// An operation: removed, or moved to another place.
    Operation,
    /// The callers of an operation.
    Caller,
    /// A parameter of an operation.
    Parameter,
    /// The body of a request, or its media type.
    Body,
    /// A status of an operation, or the media type of its answer.
    Status,
    /// A member of an object.
    Member,
    /// The type of a value.
    Type,
    /// Whether a member is required.
    Required,
    /// Whether a value may be null.
    Null,
    /// A word of an enumeration.
    Word,
    /// A bound of a value.
    Limit,
    /// A variant of a value.
    Variant,
}

impl Kind {
    /// Every kind, in the order of the tables.
    pub const ALL: [Self; 12] = [
        Self::Operation,
        Self::Caller,
        Self::Parameter,
        Self::Body,
        Self::Status,
        Self::Member,
        Self::Type,
        Self::Required,
        Self::Null,
        Self::Word,
        Self::Limit,
        Self::Variant,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Operation => "operation",
            Self::Caller => "caller",
            Self::Parameter => "parameter",
            Self::Body => "body",
            Self::Status => "status",
            Self::Member => "member",
            Self::Type => "type",
            Self::Required => "requiredness",
            Self::Null => "null",
            Self::Word => "word",
            Self::Limit => "limit",
            Self::Variant => "variant",
        }
    }

    /// Returns whether no mutant of this kind may survive in the operations of the specification.
    pub fn is_strict(self) -> bool {
        match self {
            Self::Operation | Self::Parameter | Self::Required | Self::Word => true,
            Self::Caller
            | Self::Body
            | Self::Status
            | Self::Member
            | Self::Type
            | Self::Null
            | Self::Limit
            | Self::Variant => false,
        }
    }
}

/// One value that is inserted or removed.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Pointer of an object or a list.
    pub inside: String,
    /// Name of the member, or index of the entry.
    pub key: String,
    /// `None` removes a member.
    pub to: Option<Value>,
}

/// A document that differs in one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Mutant {
    pub kind: Kind,
    /// Pointer of the changed place.
    pub place: String,
    /// The change.
    pub what: String,
    /// Pointer of the stand-alone schema that holds the place; `None` for a change of an operation itself.
    pub root: Option<String>,
    /// Whether a rule of the server checks this bound, after the form.
    pub is_judged_by_rules: bool,
    pub changes: Vec<Change>,
}

impl Change {
    pub fn put(inside: &str, key: &str, to: Value) -> Self {
        Self {
            inside: inside.to_owned(),
            key: key.to_owned(),
            to: Some(to),
        }
    }

    pub fn take(inside: &str, key: &str) -> Self {
        Self {
            inside: inside.to_owned(),
            key: key.to_owned(),
            to: None,
        }
    }

    /// Makes the change and returns the one that undoes it.
    ///
    /// # Panics
    /// If the document has no such place.
    fn make(&self, document: &mut Value) -> Self {
        let inside = document.pointer_mut(&self.inside);
        let inside = inside.unwrap_or_else(|| panic!("nothing is at {}", self.inside));
        let was = match (inside, &self.to) {
            (Value::Object(members), Some(to)) => members.insert(self.key.clone(), to.clone()),
            (Value::Object(members), None) => members.shift_remove(&self.key),
            (Value::Array(items), Some(to)) => {
                let index: usize = self.key.parse().expect("an index");
                Some(std::mem::replace(&mut items[index], to.clone()))
            }
            (other, _) => panic!("nothing can be put into {other} at {}", self.inside),
        };
        Self {
            inside: self.inside.clone(),
            key: self.key.clone(),
            to: was,
        }
    }
}

impl Mutant {
    /// Calls `look` with the changed document, and undoes the change.
    pub fn with<T>(&self, document: &mut Value, look: impl FnOnce(&Value) -> T) -> T {
        let mut back: Vec<Change> = Vec::new();
        for change in &self.changes {
            back.push(change.make(document));
        }
        let found = look(document);
        for change in back.iter().rev() {
            change.make(document);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_change_is_made_and_taken_back() {
        let before =
            json!({ "a": { "required": ["x"], "properties": { "x": 1, "y": 2 } }, "list": [1, 2] });
        let mutant = Mutant {
            kind: Kind::Member,
            place: "/a/properties/x".to_owned(),
            what: "it is gone".to_owned(),
            root: None,
            is_judged_by_rules: false,
            changes: vec![
                Change::take("/a/properties", "x"),
                Change::take("/a", "required"),
                Change::put("/list", "1", json!(3)),
            ],
        };
        let mut document = before.clone();
        let changed = mutant.with(&mut document, Value::clone);
        assert_eq!(
            changed,
            json!({ "a": { "properties": { "y": 2 } }, "list": [1, 3] })
        );
        assert_eq!(document, before);
    }
}
