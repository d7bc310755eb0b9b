//! The targets of fuzzing in this crate. Compiled for tests, which replay `conformance/fuzz/corpus`, and for
//! cargo-fuzz.

use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::console_path::in_document;
use crate::generated::arms::{fits_address, fits_body};
use crate::{ApiError, OPERATIONS, Op, OpInfo, Route, input, path, path_template, read, route};

/// The input of one operation, as it came.
pub(crate) struct Given<'a> {
    info: &'static OpInfo,
    variables: &'a [String],
    query: &'a str,
    body: &'a [u8],
}

/// The longest message in characters: the deepest member that a body can name, with every name cut, and the reason.
const LONGEST_MESSAGE: usize = 4_096;

/// Checks an address such as `GET /payments/list?limit=3`. The matcher has to agree with a slow search through the
/// whole table, and input that passes the schemas has to fit the types.
pub fn address(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else {
        return;
    };
    let (method, target) = text.split_once(' ').unwrap_or(("GET", text));
    let Ok(method) = method.parse::<Method>() else {
        return;
    };
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let Ok(Some(segments)) = path::segments(in_document(path)) else {
        assert_eq!(path_template(path), "unknown");
        return;
    };
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    let found = route(&method, &segments);
    let (expected, variables) = sought(&method, &segments);
    assert_eq!(found, expected);
    let template = match &found {
        Route::Found(op, _) => op.info().path,
        Route::WrongMethod(operations) => operations[0].info().path,
        Route::Unknown => "unknown",
    };
    assert_eq!(path_template(path), template);
    if let Route::Found(op, _) = found {
        let info = op.info();
        let judged = input::known_query(info, query).and_then(|()| {
            let given = Given {
                info,
                variables: &variables,
                query,
                body: b"",
            };
            fits_address(op, &given)
        });
        judge(judged);
    }
}

/// Checks a body behind a line with the operation's id. A body that passes the schemas has to fit the types, and a
/// second check must not change it.
pub fn body(input: &[u8]) {
    let end = input.iter().position(|byte| *byte == b'\n');
    let (line, bytes) = match end {
        Some(end) => (&input[..end], &input[end + 1..]),
        None => (&b""[..], input),
    };
    let named = OPERATIONS.iter().find(|info| info.id.as_bytes() == line);
    // Without a name it is a payment, which has the most members.
    let info = named.unwrap_or_else(|| Op::PaymentsCreate.info());
    if info.request_schema.is_none() {
        return;
    }
    let given = Given {
        info,
        variables: &[],
        query: "",
        body: bytes,
    };
    judge(given.body::<Value>().and_then(|first| {
        let mut again = first.clone();
        input::body(info).check(&mut again).map(|()| {
            assert_eq!(first, again, "what was prepared is prepared");
        })
    }));
    judge(fits_body(info.op, &given));
}

/// Finds an operation by the matcher's rule, without its speed. Where one template has a literal segment first and another a
/// variable, the former wins.
fn sought(method: &Method, segments: &[&str]) -> (Route, Vec<String>) {
    let fitting = OPERATIONS.iter().filter(|info| {
        let template: Vec<&str> = template(info).collect();
        template.len() == segments.len()
            && template
                .iter()
                .zip(segments)
                .all(|(wanted, is)| is_variable(wanted) || wanted == is)
    });
    let best = fitting.min_by_key(|info| template(info).map(is_variable).collect::<Vec<_>>());
    let Some(best) = best else {
        return (Route::Unknown, Vec::new());
    };
    let variables: Vec<String> = template(best)
        .zip(segments)
        .filter(|(wanted, _)| is_variable(wanted))
        .map(|(_, is)| (*is).to_owned())
        .collect();
    let wanted = if method == Method::HEAD {
        &Method::GET
    } else {
        method
    };
    let here = OPERATIONS.iter().filter(|info| info.path == best.path);
    let route = match here.clone().find(|info| info.method == *wanted) {
        Some(info) => Route::Found(info.op, variables.clone()),
        None => Route::WrongMethod(here.map(|info| info.op).collect::<Vec<_>>().leak()),
    };
    (route, variables)
}

fn template(info: &OpInfo) -> impl Iterator<Item = &'static str> {
    info.path.split('/').filter(|part| !part.is_empty())
}

fn is_variable(segment: &str) -> bool {
    segment.starts_with('{')
}

/// Checks that a refusal is a caller's error and can be shown.
fn judge(judged: Result<(), ApiError>) {
    let Err(error) = judged else {
        return;
    };
    let of_the_form = [StatusCode::BAD_REQUEST, StatusCode::UNPROCESSABLE_ENTITY];
    assert!(of_the_form.contains(&error.status), "{error:?}");
    assert_eq!(
        error.context(),
        None,
        "a type doesn't fit its schema: {error:?}"
    );
    let length = error.message.chars().count();
    assert!((1..=LONGEST_MESSAGE).contains(&length), "{error:?}");
    let is_text = !error.message.contains(char::is_control);
    assert!(is_text, "{error:?}");
}

impl Given<'_> {
    pub(crate) fn path<T: DeserializeOwned>(&self) -> Result<T, ApiError> {
        read::typed(read::path(self.info, self.variables)?)
    }

    pub(crate) fn query<T: DeserializeOwned>(&self) -> Result<T, ApiError> {
        read::typed(read::query(self.info, self.query)?)
    }

    pub(crate) fn body<T: DeserializeOwned>(&self) -> Result<T, ApiError> {
        let json = HeaderValue::from_static("application/json");
        let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, json)]);
        let mut value = read::body(self.info, self.body, &headers)?;
        input::body(self.info).take_out_unused(&mut value)?;
        read::typed(value)
    }
}

#[cfg(test)]
mod tests {
    use multirail_test_replay::replay;

    #[test]
    fn addresses() {
        replay("address", 10_000, super::address);
    }

    #[test]
    fn bodies() {
        replay("body", 3_000, super::body);
    }
}
