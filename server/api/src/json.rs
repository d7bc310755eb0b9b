//! Reads a body as a JSON value in one pass. The pass refuses input that the service can't store or return unchanged:
//! repeated members, too deep nesting, the character U+0000. Numbers with a fraction or an exponent are checked
//! afterwards, and only where there are any.

mod numbers;

use std::cell::{Cell, RefCell};
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Map, Number, Value};

use crate::ApiError;
use crate::violation::{Step, full_path};

/// The largest nesting depth of objects and lists, including the body itself. The store reads up to 127 levels, some of
/// which are its own.
pub const DEEPEST: usize = 32;

/// The character that no text may contain: PostgreSQL doesn't store it, and it ends texts in C programs.
pub const NUL: char = '\0';

/// The byte order mark that some programs write before UTF-8.
const UTF_8_MARK: &[u8] = b"\xEF\xBB\xBF";
/// The byte order marks of UTF-16.
const UTF_16_MARKS: [&[u8]; 2] = [b"\xFF\xFE", b"\xFE\xFF"];

/// Reads the one value of a body, behind an optional byte order mark.
///
/// # Errors
/// 400 `IR_06` with the name of the invalid member, or the place where the text is no JSON.
pub fn read(bytes: &[u8]) -> Result<Value, ApiError> {
    let bytes = bytes.strip_prefix(UTF_8_MARK).unwrap_or(bytes);
    if UTF_16_MARKS.iter().any(|mark| bytes.starts_with(mark)) {
        return Err(ApiError::unreadable(
            "The body begins with the byte order mark of UTF-16. It must be UTF-8.",
        ));
    }
    let notes = Notes::default();
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let seed = Seed {
        notes: &notes,
        depth: 0,
    };
    let value = seed
        .deserialize(&mut reader)
        .map_err(|error| notes.answer(&error))?;
    reader.end().map_err(|error| {
        let (line, column) = (error.line(), error.column());
        ApiError::unreadable(format!(
            "Something follows the JSON value: line {line}, column {column}."
        ))
    })?;
    if notes.has_floats.get()
        && let Err(steps) = numbers::check(&value, bytes)
    {
        return Err(inexact(&steps));
    }
    Ok(value)
}

/// Faults of valid JSON that is refused.
#[derive(Clone, Copy)]
enum Trouble {
    TooDeep,
    Twice,
    NulInText,
    NulInName,
}

/// The findings of a pass. The path is built only after a fault, on the way out of the recursion.
#[derive(Default)]
struct Notes {
    trouble: Cell<Option<Trouble>>,
    /// The path's steps, innermost first.
    steps: RefCell<Vec<Step>>,
    has_floats: Cell<bool>,
}

impl Notes {
    fn refuse<E: Error>(&self, trouble: Trouble) -> E {
        self.trouble.set(Some(trouble));
        E::custom("refused")
    }

    fn at<E>(&self, step: Step, error: E) -> E {
        self.steps.borrow_mut().push(step);
        error
    }

    fn answer(&self, error: &serde_json::Error) -> ApiError {
        let steps: Vec<Step> = self.steps.take().into_iter().rev().collect();
        let subject = subject(&steps);
        let message = match self.trouble.get() {
            Some(Trouble::TooDeep) => {
                format!("{subject} is nested too deep: a body has at most {DEEPEST} levels.")
            }
            Some(Trouble::Twice) => format!("{subject} stands more than once."),
            Some(Trouble::NulInText) => {
                format!("{subject} holds the character U+0000, which isn't allowed in any text.")
            }
            Some(Trouble::NulInName) => {
                format!(
                    "A name in {subject} holds the character U+0000, which isn't allowed in any text."
                )
            }
            None if error.to_string().starts_with("number out of range") => {
                return inexact(&steps);
            }
            None => {
                let what = if error.is_eof() {
                    "ends too early"
                } else {
                    "isn't JSON"
                };
                let (line, column) = (error.line(), error.column());
                format!("The body {what}: line {line}, column {column}.")
            }
        };
        ApiError::unreadable(message)
    }
}

fn inexact(steps: &[Step]) -> ApiError {
    let subject = subject(steps);
    ApiError::unreadable(format!(
        "{subject} is a number that can't be given back exactly; send it as text."
    ))
}

/// Returns the member's path, shortened where it is too long.
fn subject(steps: &[Step]) -> String {
    const LONGEST: usize = 200;
    let path = full_path(steps);
    if steps.is_empty() {
        "the body".to_owned()
    } else if path.chars().nth(LONGEST).is_some() {
        format!("`{}...`", path.chars().take(LONGEST).collect::<String>())
    } else {
        format!("`{path}`")
    }
}

/// Reads a value at this nesting depth.
#[derive(Clone, Copy)]
struct Seed<'n> {
    notes: &'n Notes,
    depth: usize,
}

impl<'n> Seed<'n> {
    fn inner<E: Error>(self) -> Result<Self, E> {
        if self.depth == DEEPEST {
            return Err(self.notes.refuse(Trouble::TooDeep));
        }
        Ok(Self {
            depth: self.depth + 1,
            ..self
        })
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        self.notes.has_floats.set(true);
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        if value.contains(NUL) {
            return Err(self.notes.refuse(Trouble::NulInText));
        }
        Ok(Value::String(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let inner = self.inner()?;
        let mut items = Vec::new();
        while let Some(item) = access
            .next_element_seed(inner)
            .map_err(|error| self.notes.at(Step::Item(items.len()), error))?
        {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let inner = self.inner()?;
        let mut members = Map::new();
        while let Some(name) = access.next_key::<String>()? {
            if name.contains(NUL) {
                return Err(self.notes.refuse(Trouble::NulInName));
            }
            match members.entry(name) {
                Entry::Occupied(entry) => {
                    let step = Step::Member(entry.key().clone());
                    return Err(self.notes.at(step, self.notes.refuse(Trouble::Twice)));
                }
                Entry::Vacant(entry) => match access.next_value_seed(inner) {
                    Ok(value) => {
                        entry.insert(value);
                    }
                    Err(error) => {
                        return Err(self.notes.at(Step::Member(entry.key().clone()), error));
                    }
                },
            }
        }
        Ok(Value::Object(members))
    }
}
