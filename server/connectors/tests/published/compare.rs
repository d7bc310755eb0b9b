//! Compares an OpenAPI document with the larger document of which it is a part.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

const METHODS: &[&str] = &["get", "post", "put", "patch", "delete"];
/// Marks a path, operation, parameter or schema that the published document lacks or states
/// differently, with the reason.
const UNPUBLISHED: &str = "x-unpublished";

#[derive(Default)]
pub struct Report {
    /// The number of operations, parameters and members.
    pub compared: usize,
    pub differences: Vec<String>,
    /// Exceptions from the comparison, with their reasons.
    pub explained: BTreeMap<String, String>,
}

/// The direction of a value. Requests may use a part of the accepted values, and readers a part of
/// the answers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Sent,
    Answered,
}

/// A value of a document, with the document for its references.
#[derive(Clone, Copy)]
struct At<'a> {
    value: &'a Value,
    root: &'a Value,
}

impl<'a> At<'a> {
    fn get(self, name: &str) -> At<'a> {
        At {
            value: &self.value[name],
            ..self
        }
        .resolved()
    }

    fn resolved(self) -> At<'a> {
        match self.value["$ref"].as_str() {
            Some(reference) => {
                let found = self.root.pointer(reference.trim_start_matches('#'));
                let value = found.unwrap_or_else(|| panic!("{reference} leads nowhere"));
                At { value, ..self }.resolved()
            }
            None => self,
        }
    }

    fn list(self) -> Vec<At<'a>> {
        let items = self.value.as_array().into_iter().flatten();
        items.map(|value| At { value, ..self }.resolved()).collect()
    }

    fn members(self) -> Vec<(&'a str, At<'a>)> {
        let members = self.value.as_object().into_iter().flatten();
        members
            .map(|(name, value)| (name.as_str(), At { value, ..self }.resolved()))
            .collect()
    }

    fn words(self, name: &str) -> Vec<&'a Value> {
        self.value[name].as_array().into_iter().flatten().collect()
    }

    /// Returns the alternative schemas of a value. The parts of `allOf` count too, since each of
    /// their members exists.
    fn variants(self) -> Vec<At<'a>> {
        let mut all = Vec::new();
        for word in ["oneOf", "anyOf", "allOf"] {
            for inner in self.get(word).list() {
                all.extend(inner.variants());
            }
        }
        if all.is_empty() || self.value.get("properties").is_some() {
            all.push(self);
        }
        all
    }
}

/// Compares `own` with all published documents, by path. Reports everything that none of them
/// describes.
pub fn differences(own: &Value, published: &[Value]) -> Report {
    let mut report = Report::default();
    let own = At {
        value: own,
        root: own,
    };
    for (path, item) in own.get("paths").members() {
        let theirs = published.iter().find_map(|root| {
            let paths = At { value: root, root }.get("paths").members();
            let mut fitting = paths
                .into_iter()
                .filter(|(their, _)| nameless(their) == nameless(path));
            fitting.next().map(|(_, item)| item)
        });
        for method in METHODS {
            if item.value.get(*method).is_none() {
                continue;
            }
            let operation = item.get(method);
            let place = format!("{} {path}", method.to_uppercase());
            let their = theirs.filter(|their| their.value.get(*method).is_some());
            if report.is_explained(&place, item) || report.is_explained(&place, operation) {
                continue;
            }
            match their {
                Some(theirs) => report.operation(&place, item, operation, theirs, method),
                None => report.differs(&place, "is not published"),
            }
        }
    }
    report
}

/// Returns the path without parameter names.
fn nameless(path: &str) -> Vec<&str> {
    let segments = path.split('/');
    segments
        .map(|one| if one.starts_with('{') { "{}" } else { one })
        .collect()
}

impl Report {
    fn differs(&mut self, place: &str, what: &str) {
        self.differences.push(format!("{place} {what}"));
    }

    fn is_explained(&mut self, place: &str, at: At<'_>) -> bool {
        let why = at.value[UNPUBLISHED].as_str();
        if let Some(why) = why {
            self.explained.insert(place.to_owned(), why.to_owned());
        }
        why.is_some()
    }

    fn operation(
        &mut self,
        place: &str,
        item: At<'_>,
        operation: At<'_>,
        their_item: At<'_>,
        method: &str,
    ) {
        self.compared += 1;
        let theirs = their_item.get(method);
        self.parameters(place, [item, operation], [their_item, theirs]);
        let (body, their_body) = (operation.get("requestBody"), theirs.get("requestBody"));
        self.content(&format!("{place} body"), body, their_body, Way::Sent);
        for (status, answer) in operation.get("responses").members() {
            let place = format!("{place} {status}");
            let first = status.as_bytes()[0];
            let answers = theirs.get("responses").members();
            let mut fitting = answers.iter().filter(|(own, _)| {
                *own == status
                    || *own == "default"
                    || (status.ends_with("XX") && own.as_bytes()[0] == first)
            });
            match fitting.next() {
                Some((_, their)) => self.content(&place, answer, *their, Way::Answered),
                None if self.is_explained(&place, answer) => {}
                None => self.differs(&place, "is not published"),
            }
        }
    }

    fn parameters(&mut self, place: &str, own: [At<'_>; 2], theirs: [At<'_>; 2]) {
        let listed = |of: [At<'_>; 2]| -> Vec<(String, Value, Value)> {
            let all = of.into_iter().flat_map(|at| at.get("parameters").list());
            all.filter(|one| one.value["in"] != "path")
                .map(|one| {
                    let name = one.value["name"].as_str().unwrap_or_default();
                    let key = format!(
                        "{} {}",
                        one.value["in"].as_str().unwrap_or_default(),
                        name.to_lowercase()
                    );
                    (key, one.value.clone(), one.root.clone())
                })
                .collect()
        };
        let (own, theirs) = (listed(own), listed(theirs));
        for (name, parameter, root) in &own {
            let place = format!("{place} {name}");
            let at = At {
                value: parameter,
                root,
            };
            if self.is_explained(&place, at) {
                continue;
            }
            self.compared += 1;
            match theirs.iter().find(|(their, ..)| their == name) {
                Some((_, their, root)) => {
                    let their = At { value: their, root };
                    self.schema(&place, at.get("schema"), their.get("schema"), Way::Sent);
                }
                None => self.differs(&place, "is not published"),
            }
        }
        for (name, their, _) in theirs {
            if their["required"] == true && !own.iter().any(|(own, ..)| *own == name) {
                self.differs(place, &format!("has no {name}, which is required"));
            }
        }
    }

    /// Compares the schemas of each media type.
    fn content(&mut self, place: &str, own: At<'_>, theirs: At<'_>, way: Way) {
        let their_content = theirs.get("content");
        for (media_type, own) in own.get("content").members() {
            match their_content.value.get(media_type) {
                Some(_) => {
                    let their = their_content.get(media_type).get("schema");
                    self.schema(place, own.get("schema"), their, way);
                }
                None => self.differs(place, &format!("is no {media_type} there")),
            }
        }
    }

    fn schema(&mut self, place: &str, own: At<'_>, theirs: At<'_>, way: Way) {
        if self.is_explained(place, own) {
            return;
        }
        let variants = theirs.variants();
        self.type_and_words(place, own, &variants, way);
        for part in own.get("allOf").list() {
            self.schema(place, part, theirs, way);
        }
        let properties = own.get("properties").members();
        for (name, member) in &properties {
            self.compared += 1;
            let place = format!("{place}.{name}");
            let named = variants
                .iter()
                .filter(|one| one.value["properties"].get(*name).is_some());
            let named: Vec<At<'_>> = named.map(|one| one.get("properties").get(name)).collect();
            match named.as_slice() {
                [] if is_open(&variants) => {}
                [] => {
                    if !self.is_explained(&place, *member) {
                        self.differs(&place, "is not published");
                    }
                }
                [their] => self.schema(&place, *member, *their, way),
                // One of several alternatives has to match.
                several => self.one_of(&place, *member, several, way),
            }
        }
        self.required(place, own, theirs, way);
        if own.value.get("items").is_some() {
            let lists = variants
                .iter()
                .filter(|one| one.value.get("items").is_some());
            let lists: Vec<At<'_>> = lists.map(|one| one.get("items")).collect();
            match lists.as_slice() {
                [] => {}
                several => self.one_of(&format!("{place}[]"), own.get("items"), several, way),
            }
        }
    }

    /// Compares with the alternative that differs least. A reader of a text knows the words of all alternatives.
    fn one_of(&mut self, place: &str, own: At<'_>, theirs: &[At<'_>], way: Way) {
        if way == Way::Answered && own.value.get("enum").is_some() {
            if !self.is_explained(place, own) {
                let all: Vec<At<'_>> = theirs.iter().flat_map(|one| one.variants()).collect();
                self.type_and_words(place, own, &all, way);
            }
            return;
        }
        let reports = theirs.iter().map(|their| {
            let mut report = Report::default();
            report.schema(place, own, *their, way);
            report
        });
        let best = reports.min_by_key(|report| report.differences.len());
        let best = best.expect("there is one");
        self.compared += best.compared;
        self.differences.extend(best.differences);
        self.explained.extend(best.explained);
    }

    fn type_and_words(&mut self, place: &str, own: At<'_>, theirs: &[At<'_>], way: Way) {
        let Some(kind) = own.value["type"].as_str() else {
            return;
        };
        let fits = |their: &str| their == kind || (kind == "integer" && their == "number");
        let fitting: Vec<&At<'_>> = theirs
            .iter()
            .filter(|one| one.value["type"].as_str().is_none_or(fits))
            .collect();
        if fitting.is_empty() {
            return self.differs(place, &format!("is no {kind} there"));
        }
        let words: Vec<&Value> = fitting.iter().flat_map(|one| one.words("enum")).collect();
        let has_words = fitting.iter().all(|one| one.value.get("enum").is_some());
        for word in own.words("enum") {
            if has_words && !words.contains(&word) {
                self.differs(
                    place,
                    &format!("has the word {word}, which is not published"),
                );
            }
        }
        let longest = fitting
            .iter()
            .filter_map(|one| one.value["maxLength"].as_u64());
        if let (Way::Sent, Some(longest)) = (way, longest.max()) {
            let own = own.value["maxLength"].as_u64();
            if own.is_some_and(|own| own > longest) {
                self.differs(place, &format!("may have {longest} characters there"));
            }
        }
    }

    /// Required members of a request must be sent, and members that our reader relies on must be
    /// promised.
    fn required(&mut self, place: &str, own: At<'_>, theirs: At<'_>, way: Way) {
        if !theirs.get("oneOf").list().is_empty() || !theirs.get("anyOf").list().is_empty() {
            return;
        }
        let all = theirs.variants().into_iter();
        let theirs: Vec<&Value> = all.flat_map(|one| one.words("required")).collect();
        let own = own.words("required");
        let missing: Vec<&Value> = match way {
            Way::Sent => theirs
                .into_iter()
                .filter(|name| !own.contains(name))
                .collect(),
            Way::Answered => own
                .into_iter()
                .filter(|name| !theirs.contains(name))
                .collect(),
        };
        for name in missing {
            self.differs(
                place,
                match way {
                    Way::Sent => "may come without what is required there:",
                    Way::Answered => "relies upon what is not promised there:",
                },
            );
            let last = self.differences.last_mut().expect("it was pushed");
            last.push_str(&format!(" {}", name.as_str().unwrap_or_default()));
        }
    }
}

/// Checks whether unknown members are allowed.
fn is_open(variants: &[At<'_>]) -> bool {
    let none = Map::new();
    variants.iter().any(|one| {
        let named = one.value["properties"].as_object().unwrap_or(&none);
        let rest = &one.value["additionalProperties"];
        rest.is_object() || *rest == true || (named.is_empty() && rest.is_null())
    })
}
