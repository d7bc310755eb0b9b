//! A small change of the document, made in place and taken back.

use serde_json::Value;

/// What is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// An operation: gone, or at another place.
    Operation,
    /// Who may call an operation.
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
    /// Whether something has to be there.
    Required,
    /// Whether something may be null.
    Null,
    /// A word of an enumeration.
    Word,
    /// A bound of a value.
    Limit,
    /// A form that a value may have instead of others.
    Variant,
}

impl Kind {
    /// In the order in which they are told.
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

    /// Whether none of these may survive in the operations of the specification.
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

/// One value put in or taken out.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Pointer of an object or a list.
    pub inside: String,
    /// Name of the member, or index of the entry.
    pub key: String,
    /// `None` takes a member out.
    pub to: Option<Value>,
}

/// A document that differs in one thing.
#[derive(Clone, Debug, PartialEq)]
pub struct Mutant {
    pub kind: Kind,
    /// Pointer of what is changed.
    pub place: String,
    /// What is changed about it.
    pub what: String,
    /// Pointer of the schema that stands alone and holds the place; `None` where it is about an operation itself.
    pub root: Option<String>,
    /// A bound that a rule of the server judges, behind the form.
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

    /// Makes the change and answers the one that takes it back.
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
    /// Shows the changed document, and takes the change back.
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
