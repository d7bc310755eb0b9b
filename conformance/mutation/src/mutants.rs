//! All small changes of a document.

use serde_json::Value;

use super::change::Mutant;
use super::places::{component, escape, operations, roots};
use super::{operations as of_operations, schemas};
use std::collections::BTreeSet;

/// Returns every mutant: of the operations, then of their own schemas, then of the components.
pub fn mutants(document: &Value) -> Vec<Mutant> {
    let mut all = Vec::new();
    let mut known = BTreeSet::new();
    let mut own_schemas = Vec::new();
    for (path, method, operation) in operations(document) {
        of_operations::list(document, path, method, operation, &mut all);
        let own = format!("/paths/{}/{method}", escape(path));
        for (pointer, schema) in roots(document, &own, operation) {
            if known.insert(pointer.clone()) {
                own_schemas.push((pointer, schema));
            }
        }
    }
    for (pointer, schema) in own_schemas {
        schemas::list(&pointer, schema, &mut all);
    }
    for (name, schema) in document["components"]["schemas"]
        .as_object()
        .into_iter()
        .flatten()
    {
        schemas::list(&component(name), schema, &mut all);
    }
    all
}
