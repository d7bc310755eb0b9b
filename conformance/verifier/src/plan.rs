//! Decides which operations are called, and which the report is about.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::Method;
use serde_json::Value;

use crate::document::{Operation, operations};
use crate::wire::Wire;

/// The operations that the caller wants checked, by patterns such as `payments_confirm` or `refunds_*`.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Patterns of operations in the report; empty means all. Operations that their stories need are called too.
    pub only: Vec<String>,
    /// Patterns of operations that are never called.
    pub skip: Vec<String>,
}

impl Filter {
    /// Returns the patterns that match no operation of the document.
    pub fn unknown(&self) -> Vec<&str> {
        let patterns = self.only.iter().chain(&self.skip);
        let fits_none = |pattern: &&String| !operations().iter().any(|one| fits(pattern, &one.id));
        patterns.filter(fits_none).map(String::as_str).collect()
    }

    fn why_not(&self, id: &str) -> Option<String> {
        let pattern = self.skip.iter().find(|pattern| fits(pattern, id))?;
        Some(format!("--skip {pattern}"))
    }

    /// Returns whether the report is about the operation.
    pub(crate) fn wants(&self, id: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|pattern| fits(pattern, id))
    }
}

/// Returns whether an id equals the pattern, or begins with the part before its `*`.
fn fits(pattern: &str, id: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => id.starts_with(start),
        None => id == pattern,
    }
}

/// The operations in a server's own document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Claimed {
    places: BTreeSet<Place>,
    by_id: BTreeMap<String, Place>,
}

/// A method and a path; names of path parameters don't matter.
type Place = (String, String);

/// Reads the server's own document; `None` if it shows none.
pub(crate) async fn claimed(wire: &Wire) -> Option<Claimed> {
    let request = wire.request(Method::GET, "/openapi.json").unjudged();
    let answer = request.send().await.ok()?;
    (answer.status == 200).then(|| Claimed::from_document(&answer.body))?
}

impl Claimed {
    /// Reads the operations of a document; `None` if it has no paths.
    fn from_document(document: &Value) -> Option<Self> {
        let mut claimed = Self::default();
        for (path, item) in document["paths"].as_object()? {
            for (method, operation) in item.as_object().into_iter().flatten() {
                let place = (method.to_ascii_lowercase(), nameless(path));
                if let Some(id) = operation["operationId"].as_str() {
                    claimed.by_id.insert(id.to_owned(), place.clone());
                }
                claimed.places.insert(place);
            }
        }
        Some(claimed)
    }

    pub fn len(&self) -> usize {
        self.places.len()
    }

    fn has(&self, operation: &Operation) -> bool {
        self.places.contains(&place(operation))
    }

    /// Returns the server's place for an operation, if it differs from the document's.
    fn elsewhere(&self, operation: &Operation) -> Option<String> {
        let (method, path) = self.by_id.get(&operation.id)?;
        let told = format!("{} {path}", method.to_ascii_uppercase());
        (!self.has(operation)).then_some(told)
    }
}

fn place(operation: &Operation) -> Place {
    let method = operation.method.as_str().to_ascii_lowercase();
    (method, nameless(&operation.path))
}

fn nameless(path: &str) -> String {
    let parts = path.split('/').map(|part| match part.starts_with('{') {
        true => "{}",
        false => part,
    });
    parts.collect::<Vec<_>>().join("/")
}

/// The operations that aren't called, with reasons, and those that are checked beyond their stories.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    filter: Filter,
    reasons: BTreeMap<&'static str, String>,
    elsewhere: BTreeMap<&'static str, String>,
}

impl Plan {
    pub(crate) fn new(filter: &Filter, claimed: Option<&Claimed>, has_admin: bool) -> Self {
        let why = |operation: &Operation| {
            if let Some(why) = filter.why_not(&operation.id) {
                Some(why)
            } else if claimed.is_some_and(|claimed| !claimed.has(operation)) {
                Some("the server's own document doesn't have it".to_owned())
            } else if !has_admin && operation.security == ["admin_api_key"] {
                Some("only the operator's key opens it (--admin-key)".to_owned())
            } else {
                None
            }
        };
        let all = operations().iter();
        let reasons = all.filter_map(|one| Some((one.id.as_str(), why(one)?)));
        let called = operations()
            .iter()
            .filter(|one| filter.why_not(&one.id).is_none());
        let elsewhere = called.filter_map(|one| Some((one.id.as_str(), claimed?.elsewhere(one)?)));
        Self {
            filter: filter.clone(),
            reasons: reasons.collect(),
            elsewhere: elsewhere.collect(),
        }
    }

    /// Returns the operations that the server has at another place, with that place.
    pub(crate) fn elsewhere(&self) -> Vec<(&'static str, String)> {
        let all = self.elsewhere.iter();
        all.map(|(id, place)| (*id, place.clone())).collect()
    }

    /// Leaves out the operations below this path, which the server doesn't have for this reason.
    pub(crate) fn leave_out(&mut self, path: &str, why: &str) {
        let below = operations().iter();
        for operation in below.filter(|operation| operation.path.starts_with(path)) {
            let why = || why.to_owned();
            self.reasons.entry(&operation.id).or_insert_with(why);
        }
    }

    /// Returns why the operation isn't called; `None` if it is.
    pub fn why_not(&self, operation: &Operation) -> Option<&str> {
        self.reasons.get(operation.id.as_str()).map(String::as_str)
    }

    /// Returns whether the operation's keys, bounds and refusals are checked: it is called, and the report is about
    /// it.
    pub(crate) fn tries(&self, operation: &Operation) -> bool {
        self.why_not(operation).is_none() && self.filter.wants(&operation.id)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::document::operation;

    #[test]
    fn unclaimed_and_unwanted_operations_have_a_reason() {
        let filter = Filter {
            only: vec!["payments_*".to_owned(), "refunds_create".to_owned()],
            skip: vec!["payments_cancel".to_owned()],
        };
        // A document as another server would write it: other names of parameters and operations, and one operation
        // missing.
        let mut paths = json!({});
        for one in operations()
            .iter()
            .filter(|one| one.id != "payments_capture")
        {
            let path = one.path.replace("payment_id", "id");
            let method = one.method.as_str().to_ascii_lowercase();
            paths[path][method] = json!({ "operationId": format!("their_{}", one.id) });
        }
        let claimed = Claimed::from_document(&json!({ "paths": paths })).expect("paths");
        let plan = Plan::new(&filter, Some(&claimed), true);
        let why = |id: &str| plan.why_not(operation(id));
        assert_eq!(why("payments_confirm"), None);
        assert_eq!(why("refunds_create"), None);
        assert_eq!(why("refunds_list"), None, "others may need it");
        assert!(filter.wants("refunds_create") && !filter.wants("refunds_list"));
        let tried = ["payments_confirm", "refunds_list", "payments_cancel"]
            .map(|id| plan.tries(operation(id)));
        assert_eq!(tried, [true, false, false]);
        assert_eq!(why("payments_cancel"), Some("--skip payments_cancel"));
        let unclaimed = why("payments_capture").expect("a reason");
        assert!(unclaimed.contains("own document"), "{unclaimed}");
        assert_eq!(plan.elsewhere(), []);
        let misspelt = Filter {
            only: vec!["orders_*".to_owned()],
            skip: vec!["refunds_*".to_owned()],
        };
        assert_eq!(misspelt.unknown(), ["orders_*"]);
    }

    #[test]
    fn operations_at_another_place_are_found_by_name() {
        let of = |method: &str, path: &str| {
            let mut paths = json!({});
            paths[path][method] = json!({ "operationId": "payments_capture" });
            let claimed = Claimed::from_document(&json!({ "paths": paths })).expect("paths");
            Plan::new(&Filter::default(), Some(&claimed), true).elsewhere()
        };
        assert_eq!(of("post", "/payments/{id}/capture"), []);
        let there = |place: &str| [("payments_capture", place.to_owned())];
        assert_eq!(
            of("post", "/payments/{id}/take"),
            there("POST /payments/{}/take")
        );
        assert_eq!(
            of("put", "/payments/{id}/capture"),
            there("PUT /payments/{}/capture")
        );
    }
}
