//! A logged request as a line.

use std::io::Write;

use chrono::SecondsFormat;
use multirail_client::types::RequestLogEntry;

use crate::failure::Failure;
use crate::terminal::{one_line, one_line_of_json};

/// Prints a line for each request.
pub(super) fn print<'a>(
    entries: impl IntoIterator<Item = &'a RequestLogEntry>,
    as_json: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    for entry in entries {
        let line = match as_json {
            true => serde_json::to_string(entry)
                .map(|json| one_line_of_json(&json))
                .map_err(|error| Failure::Unexpected(error.to_string()))?,
            false => one_line(&line(entry)),
        };
        writeln!(out, "{line}")?;
    }
    Ok(out.flush()?)
}

/// Returns a request as a line for people. `-` stands for no error.
fn line(entry: &RequestLogEntry) -> String {
    let RequestLogEntry {
        request_id,
        duration_ms,
        path,
        operation,
        status,
        ..
    } = entry;
    let at = entry
        .requested_at
        .to_rfc3339_opts(SecondsFormat::Millis, true);
    let method = entry.method.as_str();
    let error = entry.error_code.as_deref().unwrap_or("-");
    format!("{at} {status} {method:<6} {path} {operation} {error} {duration_ms}ms {request_id}")
}

#[cfg(test)]
mod tests {
    use multirail_client::types::RequestMethod;

    use super::super::fixture::entry;
    use super::*;

    fn printed(entries: &[RequestLogEntry], as_json: bool) -> String {
        let mut out = Vec::new();
        print(entries, as_json, &mut out).expect("printed");
        String::from_utf8(out).expect("a text")
    }

    #[test]
    fn a_request_is_one_line() {
        let mut read = entry();
        read.method = RequestMethod::Get;
        read.path = "/payments/pay_1".to_owned();
        read.operation = "payments_retrieve".to_owned();
        read.status = 200;
        read.error_code = None;
        insta::assert_snapshot!(printed(&[entry(), read], false), @r"
        2026-11-29T10:16:31.050Z 400 POST   /payments/pay_1/confirm payments_confirm IR_16 214ms 0199e2c4-51c8-7b1e-9d0a-4f7a6c1b2d3e
        2026-11-29T10:16:31.050Z 200 GET    /payments/pay_1 payments_retrieve - 214ms 0199e2c4-51c8-7b1e-9d0a-4f7a6c1b2d3e
        ");
    }

    #[test]
    fn a_server_does_not_control_the_terminal() {
        let mut hostile = entry();
        hostile.path = "/payments/\u{9b}2J".to_owned();
        for as_json in [false, true] {
            let text = printed(std::slice::from_ref(&hostile), as_json);
            assert!(!text.contains('\u{9b}'), "{text:?}");
        }
    }

    #[test]
    fn json_has_one_whole_object_in_each_line() {
        let text = printed(&[entry(), entry()], true);
        let read = text.lines().map(serde_json::from_str::<RequestLogEntry>);
        let read: Vec<_> = read.map(|entry| entry.expect("an entry")).collect();
        assert_eq!(read, [entry(), entry()]);
    }
}
