//! The operations of the interface document.

use serde_json::Value;

/// The methods of an operation.
const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// An operation as the document has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DocumentedOperation<'a> {
    pub(crate) path: &'a str,
    pub(crate) method: &'static str,
    pub(crate) members: &'a Value,
}

/// Returns the operations in the order of the document.
pub(crate) fn operations(document: &Value) -> impl Iterator<Item = DocumentedOperation<'_>> {
    let paths = document["paths"].as_object().into_iter().flatten();
    paths.flat_map(|(path, methods)| {
        METHODS.into_iter().filter_map(move |method| {
            Some(DocumentedOperation {
                path,
                method,
                members: methods.get(method)?,
            })
        })
    })
}
