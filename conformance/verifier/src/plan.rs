//! Which operations are called at all, and which the report is about.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::Method;
use serde_json::Value;

use crate::document::{Operation, operations};
use crate::wire::Wire;

/// Which operations the caller wants checked, by patterns such as `payments_confirm` or `refunds_*`.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// What the report is about; none of them: all. What their stories need is called all the same.
    pub only: Vec<String>,
    /// What is not called, whatever needs it.
    pub skip: Vec<String>,
}

impl Filter {
    /// The patterns that no operation of the document fits.
    pub fn unknown(&self) -> Vec<&str> {
        let patterns = self.only.iter().chain(&self.skip);
        let fits_none = |pattern: &&String| !operations().iter().any(|one| fits(pattern, &one.id));
        patterns.filter(fits_none).map(String::as_str).collect()
    }

    fn why_not(&self, id: &str) -> Option<String> {
        let pattern = self.skip.iter().find(|pattern| fits(pattern, id))?;
        Some(format!("--skip {pattern}"))
    }

    /// Whether the report is about the operation.
    pub(crate) fn wants(&self, id: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|pattern| fits(pattern, id))
    }
}

/// Whether an id is the pattern, or begins as the pattern does before its `*`.
fn fits(pattern: &str, id: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => id.starts_with(start),
        None => id == pattern,
    }
}

/// What a server claims to serve.
#[derive(Clone, Debug, Default)]
pub(crate) struct Claimed {
    places: BTreeSet<Place>,
    by_id: BTreeMap<String, Place>,
}

/// A method and a path; what the path's parameters are called makes no difference.
type Place = (String, String);

/// What the server's own document has; `None` where it shows none.
pub(crate) async fn claimed(wire: &Wire) -> Option<Claimed> {
    let request = wire.request(Method::GET, "/openapi.json").unjudged();
    let answer = request.send().await.ok()?;
    (answer.status == 200).then(|| Claimed::of(&answer.body))?
}

impl Claimed {
    /// What this document has; `None` where it has no paths.
    fn of(document: &Value) -> Option<Self> {
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

    /// Where it has an operation of this name and not where the document has it.
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

/// Why each operation that is not called is not called, and which ones are tried beyond their stories.
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

    /// The operations that the server has by the same name at another place, and which.
    pub(crate) fn elsewhere(&self) -> Vec<(&'static str, String)> {
        let all = self.elsewhere.iter();
        all.map(|(id, place)| (*id, place.clone())).collect()
    }

    /// Says whether the server is a sandbox, which some operations are for.
    pub(crate) fn sandbox(&mut self, is_one: bool) {
        let of_sandboxes = operations()
            .iter()
            .filter(|operation| operation.path.starts_with("/sandbox/"));
        for operation in of_sandboxes.filter(|_| !is_one) {
            let why = "the server is no sandbox".to_owned();
            self.reasons.entry(&operation.id).or_insert(why);
        }
    }

    /// Why the operation isn't called; `None` where it is.
    pub fn why_not(&self, operation: &Operation) -> Option<&str> {
        self.reasons.get(operation.id.as_str()).map(String::as_str)
    }

    /// Whether its keys, bounds and refusals are tried: it is called, and the report is about it.
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
    fn what_is_not_claimed_or_not_wanted_has_a_reason() {
        let filter = Filter {
            only: vec!["payments_*".to_owned(), "refunds_create".to_owned()],
            skip: vec!["payments_cancel".to_owned()],
        };
        // As another server would write it: parameters have other names, operations too, and one is not there.
        let mut paths = json!({});
        for one in operations()
            .iter()
            .filter(|one| one.id != "payments_capture")
        {
            let path = one.path.replace("payment_id", "id");
            let method = one.method.as_str().to_ascii_lowercase();
            paths[path][method] = json!({ "operationId": format!("their_{}", one.id) });
        }
        let claimed = Claimed::of(&json!({ "paths": paths })).expect("paths");
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
    fn what_has_the_same_name_at_another_place_is_found_there() {
        let of = |method: &str, path: &str| {
            let mut paths = json!({});
            paths[path][method] = json!({ "operationId": "payments_capture" });
            let claimed = Claimed::of(&json!({ "paths": paths })).expect("paths");
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
