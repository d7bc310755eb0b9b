//! The notices that a document describes.

use std::collections::BTreeMap;

use jsonschema::Validator;
use serde_json::Value;

use super::{place, validator};

/// The notices of the processor (`x-notices`).
pub struct Notices {
    /// The body of every notice.
    body: Validator,
    /// The place of the event in the body.
    word: String,
    /// The place of the event's subject in the body.
    about: String,
    /// Validators of subjects, by event.
    subjects: BTreeMap<String, Validator>,
}

impl Notices {
    pub fn read(root: &Value) -> Option<Self> {
        let notices = root.get("x-notices")?;
        let text = |name: &str| notices[name].as_str().expect("a text").to_owned();
        let component = |name: &str| {
            let schema = &root["components"]["schemas"][name];
            assert!(!schema.is_null(), "there is no component {name}");
            validator(schema, root)
        };
        let mut subjects = BTreeMap::new();
        for (name, events) in notices["schemas"].as_object().expect("schemas") {
            for event in events.as_array().expect("a list of events") {
                let event = event.as_str().expect("an event").to_owned();
                subjects.insert(event, component(name));
            }
        }
        Some(Notices {
            body: component(&text("body")),
            word: text("word"),
            about: text("about"),
            subjects,
        })
    }

    pub fn check(&self, body: &Value) -> Result<(), String> {
        self.body.validate(body).map_err(|error| place(&error))?;
        let word = body.pointer(&self.word).and_then(Value::as_str);
        let word = word.ok_or_else(|| format!("there is no event at {}", self.word))?;
        let subject = self.subjects.get(word);
        let subject = subject.ok_or_else(|| format!("the event {word}"))?;
        let about = body.pointer(&self.about).unwrap_or(&Value::Null);
        let checked = subject.validate(about);
        checked.map_err(|error| format!("{word}: {}", place(&error)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Document;
    use super::*;
    use serde_json::json;

    const EVENTS: &str = r##"
servers: [{ url: "https://example.com" }]
paths: {}
x-notices:
  body: Event
  word: /type
  about: /data
  schemas: { Thing: [thing_made] }
components:
  schemas:
    Event: { type: object, required: [id], properties: { id: { type: string } } }
    Thing: { type: object, required: [size], properties: { size: { type: integer } } }
"##;

    #[test]
    fn a_notice_is_checked_as_a_whole_by_event_and_by_subject() {
        let notices = Document::read(EVENTS).notices.expect("x-notices");
        let check = |body: Value| notices.check(&body).err();
        let of = |event: &str, data: Value| check(json!({"id": "1", "type": event, "data": data}));
        assert_eq!(of("thing_made", json!({"size": 1, "colour": "red"})), None);
        let faults = [
            check(json!({"type": "thing_made"})),
            check(json!({"id": "1"})),
            of("thing_lost", json!({"size": 1})),
            of("thing_made", json!({"size": "1"})),
            of("thing_made", Value::Null),
        ];
        assert_eq!(
            faults.map(|fault| fault.expect("a fault")),
            [
                r#""id" is a required property"#,
                "there is no event at /type",
                "the event thing_lost",
                r#"thing_made: "1" is not of type "integer" at /size"#,
                r#"thing_made: null is not of type "object""#,
            ]
        );
    }
}
