//! Normalizes a value before it is checked.
//!
//! The steps depend only on the schema, so they are computed once for each operation. A request then needs only names
//! and numbers, no JSON schema.

use std::collections::HashMap;

use serde_json::{Number, Value};

use crate::schema;

/// The normalization of values of one schema: a `null` member is removed, `6540.0` becomes `6540`, and a word of an
/// enumeration marked `x-multirail-any-case` gets its own spelling. Free-form contents stay as they are.
#[derive(Debug)]
pub(crate) struct Preparation {
    /// The nodes, with the whole value's first. Schemas may be recursive, so nodes refer to each other by index.
    nodes: Vec<Node>,
}

/// One schema.
#[derive(Debug, Default)]
struct Node {
    /// The members' nodes, sorted by name.
    members: Vec<(Box<str>, usize)>,
    /// The node of members that `members` doesn't name.
    others: Option<usize>,
    items: Option<usize>,
    is_integer: bool,
    /// Words that are accepted in any case.
    words: Vec<Box<str>>,
}

/// Above 2^53 a float no longer identifies one integer.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl Preparation {
    /// Returns the normalization for a schema in the document's own form.
    pub(crate) fn from_schema(schema: &Value) -> Self {
        let mut nodes = Vec::new();
        add(schema, &mut nodes, &mut HashMap::new());
        Self { nodes }
    }

    /// Normalizes a value of that schema.
    pub(crate) fn apply(&self, value: &mut Value) {
        self.prepare(value, 0);
    }

    fn prepare(&self, value: &mut Value, node: usize) {
        let node = &self.nodes[node];
        match value {
            Value::Object(members) => members.retain(|name, member| {
                match node.member(name) {
                    Some(_) if member.is_null() => return false,
                    Some(schema) => self.prepare(member, schema),
                    None => node
                        .others
                        .into_iter()
                        .for_each(|schema| self.prepare(member, schema)),
                }
                true
            }),
            Value::Array(items) => {
                if let Some(schema) = node.items {
                    items.iter_mut().for_each(|item| self.prepare(item, schema));
                }
            }
            Value::Number(number) => {
                if node.is_integer
                    && let Some(whole) = whole(number)
                {
                    *number = whole;
                }
            }
            Value::String(word) => {
                let known = node.words.iter().find(|w| w.eq_ignore_ascii_case(word));
                if let Some(known) = known {
                    *word = known.to_string();
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
    }
}

impl Node {
    fn member(&self, name: &str) -> Option<usize> {
        let found = self
            .members
            .binary_search_by(|(known, _)| (**known).cmp(name))
            .ok()?;
        Some(self.members[found].1)
    }
}

/// Adds a schema, and returns its index. `known` has the indices by the schema's address in the document.
fn add(schema: &Value, nodes: &mut Vec<Node>, known: &mut HashMap<*const Value, usize>) -> usize {
    let schema = schema::resolve(schema);
    let address = std::ptr::from_ref(schema);
    if let Some(index) = known.get(&address) {
        return *index;
    }
    let index = nodes.len();
    nodes.push(Node::default());
    known.insert(address, index);
    let mut add = |part: &Value| add(part, nodes, known);
    let properties = schema["properties"].as_object();
    let mut members: Vec<(Box<str>, usize)> = properties
        .into_iter()
        .flatten()
        .map(|(name, member)| (name.as_str().into(), add(member)))
        .collect();
    members.sort_unstable();
    let others = &schema["additionalProperties"];
    let node = Node {
        members,
        others: others.is_object().then(|| add(others)),
        items: schema.get("items").map(&mut add),
        is_integer: schema["type"] == "integer",
        words: if schema["x-multirail-any-case"] == true {
            schema::words(schema).map(Into::into).collect()
        } else {
            Vec::new()
        },
    };
    nodes[index] = node;
    index
}

fn whole(number: &Number) -> Option<Number> {
    let float = number.as_f64().filter(|_| number.is_f64())?;
    (float.fract() == 0.0 && float.abs() <= EXACT).then(|| Number::from(float as i64))
}
