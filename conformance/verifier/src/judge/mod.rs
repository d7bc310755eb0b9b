//! Checks that hold for every answer to any request.

mod rules;

use multirail_codegen::sources::escape;
use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::bodies::CARD_NUMBERS;
use crate::document::{Operation, document, target};
use crate::place::Reason;
use crate::response::Response;
use crate::schema;

/// The document's text about all answers and their headers.
const ANSWERS: &str = "/info/description";

/// Headers with request ids, and the UUID version that each must have, if any.
const IDS: [(&str, Option<char>); 2] = [("request-id", Some('7')), ("x-request-id", None)];

/// The most schema faults reported for one answer. A list repeats those of its first entry.
const MOST: usize = 6;

/// The error types. (Specification 7)
const ERROR_TYPES: &[&str] = &["invalid_request", "api", "connector", "blocked"];

/// Returns everything that is wrong with an answer.
pub fn judge(operation: Option<&Operation>, answer: &Response, is_head: bool) -> Vec<Reason> {
    let mut wrong = Vec::new();
    let declared = match operation.filter(|_| !is_head) {
        Some(operation) => declared_headers(operation, answer, &mut wrong),
        None => Vec::new(),
    };
    // A fault is reported once; for headers that the document lists, by the check of those.
    for (name, _) in IDS.iter().filter(|(name, _)| !declared.contains(name)) {
        if let Some(what) = fault_of_id(name, answer.header(name)) {
            wrong.push(Reason::at(ANSWERS, what));
        }
    }
    if is_head {
        return wrong;
    }
    match (answer.status, operation) {
        (400.., _) => error(answer, &mut wrong),
        (200, Some(operation)) => success(operation, answer, &mut wrong),
        (_, None) => {}
        (status, Some(_)) => wrong.push(Reason::bare(format!(
            "an operation answers 200, 4XX or 5XX, not {status}"
        ))),
    }
    let text = answer.body.to_string();
    // Only operations are checked; the document itself may show a card number in an example.
    if operation.is_some() && CARD_NUMBERS.iter().any(|number| text.contains(number)) {
        wrong.push(Reason::bare("a card number is in the answer"));
    }
    wrong
}

fn error(answer: &Response, wrong: &mut Vec<Reason>) {
    media_type(answer, "application/json", wrong);
    wrong.extend(schema::reasons_of_component("ErrorBody", &answer.body));
    let members = answer.body.as_object().map_or(0, serde_json::Map::len);
    if members != 3 {
        wrong.push(Reason::bare(format!(
            "an error has three members, not {members}"
        )));
    }
    if !ERROR_TYPES
        .iter()
        .any(|known| answer.body["error_type"] == *known)
    {
        wrong.push(Reason::bare(format!(
            "error_type {} is no family of errors",
            answer.body["error_type"]
        )));
    }
    if !answer.body["code"].as_str().is_some_and(is_code) {
        wrong.push(Reason::bare(format!(
            "code {} has another form",
            answer.body["code"]
        )));
    }
    if answer.message().is_empty() {
        wrong.push(Reason::bare("the message is empty"));
    }
}

fn success(operation: &Operation, answer: &Response, wrong: &mut Vec<Reason>) {
    media_type(answer, &operation.media_type, wrong);
    let of_form = schema::reasons(operation, &answer.body);
    // Rules apply only to answers with the right form. Others break them too, which adds nothing.
    let has_form = of_form.is_empty();
    let more = of_form.len().saturating_sub(MOST);
    wrong.extend(of_form.into_iter().take(MOST));
    if more > 0 {
        wrong.push(Reason::bare(format!("and {more} more faults of that kind")));
    }
    if !has_form {
        return;
    }
    let target = operation.answer["$ref"].as_str().unwrap_or_default();
    match target.rsplit('/').next() {
        Some("Payment") => rules::payment(&answer.body, wrong),
        Some("PaymentList" | "PaymentFilterResponse") => {
            answer.body["data"]
                .as_array()
                .into_iter()
                .flatten()
                .for_each(|one| rules::payment(one, wrong));
        }
        Some("Refund") => rules::refund(&answer.body, wrong),
        Some("RefundList") => {
            let data = answer.body["data"].as_array();
            data.into_iter()
                .flatten()
                .for_each(|one| rules::refund(one, wrong));
        }
        Some(_) | None => {}
    }
}

fn media_type(answer: &Response, wanted: &str, wrong: &mut Vec<Reason>) {
    let is = header(&answer.headers, "content-type").unwrap_or("-");
    let mut parts = is.split(';').map(str::trim);
    let is_wanted = parts.next() == Some(wanted);
    // All text is UTF-8, and no other parameter is allowed.
    let is_utf_8 = |part: &str| {
        let part = part.to_ascii_lowercase();
        matches!(part.as_str(), "charset=utf-8" | "charset=\"utf-8\"")
    };
    if !is_wanted || !parts.all(is_utf_8) {
        wrong.push(Reason::bare(format!(
            "content-type is {is} instead of {wanted}"
        )));
    }
}

/// Checks the headers that the document lists for this answer: required ones must be there, and all must fit their
/// schemas. Returns their names.
fn declared_headers(
    operation: &Operation,
    answer: &Response,
    wrong: &mut Vec<Reason>,
) -> Vec<&'static str> {
    let status = match answer.status {
        500.. => "5XX",
        400.. => "4XX",
        _ => "200",
    };
    let written = format!("{}/responses/{status}", operation.pointer());
    let listed = document().pointer(&written).and_then(target);
    let place = format!("{}/headers", listed.unwrap_or(&written));
    let listed = document().pointer(&place).and_then(Value::as_object);
    let mut names = Vec::new();
    for (name, written) in listed.into_iter().flatten() {
        names.push(name.as_str());
        let pointer = target(written).map_or(format!("{place}/{}", escape(name)), str::to_owned);
        let listed = document().pointer(&pointer).unwrap_or(written);
        match answer.header(name) {
            None if listed["required"] == true => {
                wrong.push(Reason::at(
                    &pointer,
                    format!("the header {name} is missing"),
                ));
            }
            None => {}
            Some(text) => {
                let fits = schema::takes_text(&listed["schema"], text);
                if !fits {
                    let refused =
                        || format!("the header {name} is {text:?}, which its schema refuses");
                    let what = fault_of_id(name, Some(text)).unwrap_or_else(refused);
                    wrong.push(Reason::at(&pointer, what));
                }
            }
        }
    }
    names
}

/// Returns what is wrong with a request-id header; `None` for other headers.
fn fault_of_id(name: &str, text: Option<&str>) -> Option<String> {
    let (_, wanted) = IDS.iter().find(|(known, _)| *known == name)?;
    let Some(text) = text else {
        return Some(format!("the header {name} is missing"));
    };
    match (version(text), wanted) {
        (None, _) => Some(format!("the header {name} is {text:?}, which is no UUID")),
        (Some(is), Some(wanted)) if is != *wanted => Some(format!(
            "the header {name} is {text:?}, a UUID of version {is} and not {wanted}"
        )),
        (Some(_), _) => None,
    }
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let only = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(only)
}

fn is_uuid(text: &str) -> bool {
    let groups: Vec<&str> = text.split('-').collect();
    groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12])
        && groups
            .iter()
            .all(|group| group.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Returns the version of a UUID; `None` if the text is no UUID.
fn version(text: &str) -> Option<char> {
    text.chars().nth(14).filter(|_| is_uuid(text))
}

/// Returns whether the text has the form of `IR_04`.
fn is_code(text: &str) -> bool {
    text.split_once('_').is_some_and(|(prefix, digits)| {
        ["IR", "HE", "CE", "IE", "WE", "UR", "MR"].contains(&prefix)
            && digits.len() == 2
            && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use reqwest::Method;

    use super::*;
    use crate::document::operation;
    use crate::response::Asked;

    /// Judges a health answer with these headers.
    fn wrong_with(ids: &[(&'static str, &'static str)]) -> Vec<String> {
        let headers = ids.iter().chain(&[("content-type", "text/plain")]);
        let headers = headers.map(|(name, value)| {
            let value = value.parse().expect("a header's value");
            (name.parse().expect("a header's name"), value)
        });
        let answer = Response {
            asked: "health_check".to_owned(),
            request: Asked {
                method: Method::GET,
                target: "/health".to_owned(),
                headers: Vec::new(),
                body: None,
            },
            status: 200,
            headers: headers.collect(),
            body: "health is good".into(),
            text: "health is good".to_owned(),
            took: Duration::ZERO,
        };
        let wrong = judge(Some(operation("health_check")), &answer, false);
        wrong.into_iter().map(|reason| reason.what).collect()
    }

    #[test]
    fn text_is_utf_8_and_a_media_type_that_says_otherwise_is_wrong() {
        let said = |media: &str| {
            let mut headers = HeaderMap::new();
            headers.insert("content-type", media.parse().expect("a header's value"));
            let mut wrong = Vec::new();
            let answer = Response {
                asked: String::new(),
                request: Asked {
                    method: Method::GET,
                    target: String::new(),
                    headers: Vec::new(),
                    body: None,
                },
                status: 200,
                headers,
                body: Value::Null,
                text: String::new(),
                took: Duration::ZERO,
            };
            media_type(&answer, "application/json", &mut wrong);
            wrong.is_empty()
        };
        for right in [
            "application/json",
            "application/json; charset=utf-8",
            "application/json;charset=\"UTF-8\"",
        ] {
            assert!(said(right), "{right}");
        }
        for wrong in [
            "text/plain",
            "application/json; charset=latin1",
            "application/json; charset=utf-8; version=2",
        ] {
            assert!(!said(wrong), "{wrong}");
        }
    }

    #[test]
    fn a_wrong_request_id_is_reported_once_in_words() {
        let right = ("x-request-id", "46c8de5b-4a8c-47c2-91bb-7c48c47642ac");
        let seventh = "0199c8de-4a8c-77c2-91bb-7c48c47642ac";
        assert!(wrong_with(&[("request-id", seventh), right]).is_empty());
        for (ids, wanted) in [
            (vec![right], "the header request-id is missing".to_owned()),
            (
                vec![("request-id", right.1), right],
                format!(
                    "the header request-id is {:?}, a UUID of version 4 and not 7",
                    right.1
                ),
            ),
            (
                vec![("request-id", seventh), ("x-request-id", "7")],
                "the header x-request-id is \"7\", which is no UUID".to_owned(),
            ),
        ] {
            assert_eq!(wrong_with(&ids), [wanted]);
        }
    }
}
