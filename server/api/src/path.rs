//! Splits the path of an address into segments.

use percent_encoding::percent_decode_str;

use crate::ApiError;

/// Splits a path into decoded segments. Returns `None` where a segment is empty: paths with repeated or trailing
/// slashes have no operation. The root has no segments.
///
/// # Errors
/// 400 `IR_06`: a segment isn't UTF-8, or is one of those that proxies resolve.
pub(crate) fn segments(path: &str) -> Result<Option<Vec<String>>, ApiError> {
    let path = path.strip_prefix('/').unwrap_or(path);
    if path.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let decoded: Vec<String> = path.split('/').map(decoded).collect::<Result<_, _>>()?;
    let is_whole = decoded.iter().all(|segment| !segment.is_empty());
    Ok(is_whole.then_some(decoded))
}

fn decoded(segment: &str) -> Result<String, ApiError> {
    let text = percent_decode_str(segment)
        .decode_utf8()
        .map_err(|_| ApiError::unreadable("The path isn't UTF-8 in percent-encoding."))?;
    if matches!(&*text, "." | "..") {
        return Err(ApiError::unreadable("The path has a segment `.` or `..`."));
    }
    Ok(text.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(path: &str) -> String {
        match segments(path) {
            Ok(Some(segments)) if segments.is_empty() => "the root".to_owned(),
            Ok(Some(segments)) => segments.join(" | "),
            Ok(None) => "nothing there".to_owned(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn paths_as_segments() {
        let paths = [
            "/",
            "",
            "*",
            "/payments/list",
            "/payments/a%2Fb/%C3%A9",
            "//payments/list",
            "/payments//list",
            "/payments/list/",
            "//",
            "/payments/%FF/cancel",
            "/payments/..",
            "/payments/%2e%2E/accounts",
            "/payments/...",
        ];
        let table: Vec<String> = paths
            .iter()
            .map(|path| format!("{path} -> {}", split(path)))
            .collect();
        insta::assert_snapshot!(table.join("\n"), @r"
        / -> the root
         -> the root
        * -> *
        /payments/list -> payments | list
        /payments/a%2Fb/%C3%A9 -> payments | a/b | é
        //payments/list -> nothing there
        /payments//list -> nothing there
        /payments/list/ -> nothing there
        // -> nothing there
        /payments/%FF/cancel -> 400 IR_06: The path isn't UTF-8 in percent-encoding.
        /payments/.. -> 400 IR_06: The path has a segment `.` or `..`.
        /payments/%2e%2E/accounts -> 400 IR_06: The path has a segment `.` or `..`.
        /payments/... -> payments | ...
        ");
    }
}
