//! Lines of a file: the place of each member and item, by JSON pointer.
//!
//! The parser that reads YAML into values has no lines, so a second one finds them.

use std::collections::BTreeMap;

use saphyr_parser::{Event, Parser, ScanError, Span, StrInput};

/// The beginning of a key or an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    /// Counted from 1.
    pub line: usize,
    /// Counted from 0.
    pub column: usize,
}

/// A `$ref` of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// Pointer of the object that holds it.
    pub owner: String,
    /// Text of the reference, such as `common.yaml#/components/schemas/Currency`.
    pub target: String,
    pub line: usize,
}

/// A key that an object has twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeated {
    pub pointer: String,
    pub first: usize,
    pub line: usize,
}

/// The places of one file.
#[derive(Debug, Clone, Default)]
pub struct Lines {
    spots: BTreeMap<String, Spot>,
    /// In the order of the file.
    pub references: Vec<Reference>,
    repeated: Vec<Repeated>,
}

impl Lines {
    /// Reads the places of a text.
    ///
    /// # Errors
    /// Fails when the text isn't YAML.
    pub fn parse(text: &str) -> Result<Self, ScanError> {
        let mut reader = Reader {
            parser: Parser::new_from_str(text),
            lines: Self::default(),
        };
        while let Some((event, span)) = reader.next()? {
            reader.node(&event, span, "")?;
        }
        Ok(reader.lines)
    }

    /// Returns keys that an object has twice, without those inside another such key: there every key would count as
    /// repeated.
    pub fn repeated(&self) -> impl Iterator<Item = &Repeated> {
        let is_inside = |one: &Repeated, other: &Repeated| {
            one.pointer
                .strip_prefix(&other.pointer)
                .is_some_and(|rest| rest.starts_with('/'))
        };
        self.repeated
            .iter()
            .filter(move |one| !self.repeated.iter().any(|other| is_inside(one, other)))
    }

    /// Returns the line of the place, or of the innermost object or list around it that has one.
    pub fn at(&self, pointer: &str) -> usize {
        let mut place = pointer;
        loop {
            if let Some(spot) = self.spots.get(place) {
                return spot.line;
            }
            match place.rsplit_once('/') {
                Some((around, _)) => place = around,
                None => return 1,
            }
        }
    }

    /// Returns the beginning of the place itself.
    pub fn spot(&self, pointer: &str) -> Option<Spot> {
        self.spots.get(pointer).copied()
    }
}

struct Reader<'t> {
    parser: Parser<'t, StrInput<'t>>,
    lines: Lines,
}

impl<'t> Reader<'t> {
    fn next(&mut self) -> Result<Option<(Event<'t>, Span)>, ScanError> {
        self.parser.next_event().transpose()
    }

    /// Reads the rest of the node that begins with an event: the members of an object, the items of a list.
    fn node(&mut self, event: &Event<'t>, span: Span, pointer: &str) -> Result<(), ScanError> {
        match event {
            Event::MappingStart(..) => self.mapping(pointer),
            Event::SequenceStart(..) => self.sequence(pointer),
            Event::Scalar(text, ..) => {
                if let Some(owner) = pointer.strip_suffix("/$ref") {
                    self.lines.references.push(Reference {
                        owner: owner.to_owned(),
                        target: text.to_string(),
                        line: span.start.line(),
                    });
                }
                Ok(())
            }
            Event::Alias(_)
            | Event::SequenceEnd
            | Event::MappingEnd
            | Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd => Ok(()),
        }
    }

    fn mapping(&mut self, pointer: &str) -> Result<(), ScanError> {
        while let Some((key, span)) = self.next()? {
            if key == Event::MappingEnd {
                break;
            }
            let name = match &key {
                Event::Scalar(text, ..) => escape(text),
                // The other parser refuses a key that isn't a text.
                other => {
                    self.node(other, span, "")?;
                    "?".to_owned()
                }
            };
            let member = format!("{pointer}/{name}");
            let spot = spot(span);
            if let Some(first) = self.lines.spots.insert(member.clone(), spot) {
                self.lines.repeated.push(Repeated {
                    pointer: member.clone(),
                    first: first.line,
                    line: spot.line,
                });
            }
            if let Some((value, span)) = self.next()? {
                self.node(&value, span, &member)?;
            }
        }
        Ok(())
    }

    fn sequence(&mut self, pointer: &str) -> Result<(), ScanError> {
        let mut index = 0;
        while let Some((item, span)) = self.next()? {
            if item == Event::SequenceEnd {
                break;
            }
            let member = format!("{pointer}/{index}");
            self.lines.spots.insert(member.clone(), spot(span));
            self.node(&item, span, &member)?;
            index += 1;
        }
        Ok(())
    }
}

fn spot(span: Span) -> Spot {
    Spot {
        line: span.start.line(),
        column: span.start.col(),
    }
}

/// Escapes a name for a JSON pointer.
pub fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// Returns the name in a part of a JSON pointer.
pub fn unescape(part: &str) -> String {
    part.replace("~1", "/").replace("~0", "~")
}
