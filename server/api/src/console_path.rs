//! The console's own address of every operation. Its cookie is bound to a path, so the operations are there too.

/// The path below which the console calls operations.
const CONSOLE: &str = "/console/api";

/// Returns whether a request's path is one of the console's calls.
pub fn is_console_call(path: &str) -> bool {
    below(path).is_some()
}

/// Returns the path in the document for a request's path.
pub(crate) fn in_document(path: &str) -> &str {
    below(path).unwrap_or(path)
}

fn below(path: &str) -> Option<&str> {
    path.strip_prefix(CONSOLE)
        .filter(|rest| rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_segments_lead_to_the_console() {
        for (path, in_the_document) in [
            ("/console/api/user", "/user"),
            ("/console/api/payments/list", "/payments/list"),
            ("/console/api/", "/"),
        ] {
            assert!(is_console_call(path), "{path}");
            assert_eq!(in_document(path), in_the_document);
        }
        for path in [
            "/user",
            "/console/api",
            "/console/apiuser",
            "/console/",
            "/v1/console/api/user",
        ] {
            assert!(!is_console_call(path), "{path}");
            assert_eq!(in_document(path), path);
        }
    }
}
