//! Bodies: one schema for the request, one for the answer, the same for every error; an example for each.

use serde_json::Value;

use super::{Lint, Location};
use crate::document::{BYTES, EVENT_STREAM, members, reference, resolve};

/// The one answer of every failure.
const ERROR: &str = "#/components/responses/Error";

pub fn check(lint: &mut Lint<'_>, location: &Location, operation: &Value) {
    let root = lint.root;
    if let Some(body) = operation.get("requestBody") {
        request(lint, location, resolve(root, body));
    }
    let statuses: Vec<&str> = members(&operation["responses"])
        .map(|(status, _)| status)
        .collect();
    for status in &statuses {
        match *status {
            "200" | "4XX" | "5XX" => {}
            "default" => lint.find(
                location,
                "it answers `default`",
                "use `4XX` and `5XX`; progenitor takes a default for a second success",
            ),
            other => lint.find(
                location,
                format!("it answers `{other}`"),
                "every success is `200`, every failure is under `4XX` or `5XX`; progenitor takes one type for each",
            ),
        }
    }
    for status in ["200", "4XX", "5XX"] {
        if !statuses.contains(&status) {
            lint.find(
                location,
                format!("the answer `{status}` is missing"),
                "every operation answers 200, 4XX and 5XX",
            );
        }
    }
    for status in ["4XX", "5XX"] {
        let answer = &operation["responses"][status];
        if !answer.is_null() && answer["$ref"] != ERROR {
            lint.find(
                location,
                format!("the answer `{status}` is one of its own"),
                format!("write `$ref: 'common.yaml{ERROR}'`"),
            );
        }
    }
    if let Some(answer) = operation["responses"].get("200") {
        success(lint, location, resolve(root, answer));
    }
}

fn request(lint: &mut Lint<'_>, location: &Location, body: &Value) {
    let here = location.part("request", "requestBody");
    match members(&body["content"]).collect::<Vec<_>>().as_slice() {
        [("application/json", media)] => {
            let target =
                reference(&media["schema"]).map(|name| &lint.root["components"]["schemas"][name]);
            if target.is_none_or(|target| target["type"] != "object") {
                lint.find(
                    &here,
                    "the schema isn't a reference to an object",
                    "make it a component and refer to it",
                );
            }
            example(lint, &here, media);
        }
        [(BYTES, media)]
            if media["schema"]["type"] == "string" && media["schema"]["format"] == "binary" =>
        {
            example(lint, &here, media);
        }
        _ => lint.find(
            &here,
            "the body isn't `application/json` alone",
            "declare this one media type, or `application/octet-stream` of `type: string, format: binary`",
        ),
    }
}

fn success(lint: &mut Lint<'_>, location: &Location, answer: &Value) {
    let here = location.part("answer", "responses/200");
    match members(&answer["content"]).collect::<Vec<_>>().as_slice() {
        [("application/json", media)] => {
            let schema = &media["schema"];
            let listed = schema["type"] == "array" && reference(&schema["items"]).is_some();
            if reference(schema).is_none() && !listed {
                lint.find(
                    &here,
                    "the schema is neither a reference nor a list of one",
                    "make it a component and refer to it, alone or as `items` of an array",
                );
            }
            example(lint, &here, media);
        }
        [("text/plain" | EVENT_STREAM, media)] if media["schema"]["type"] == "string" => {
            example(lint, &here, media)
        }
        _ => lint.find(
            &here,
            "the answer isn't `application/json`, `text/plain` or `text/event-stream` alone",
            "declare one of them; every answer has a body",
        ),
    }
}

fn example(lint: &mut Lint<'_>, here: &Location, media: &Value) {
    let has_some = members(&media["examples"]).next().is_some();
    if media.get("example").is_none() && !has_some {
        lint.find(
            here,
            "there is no example",
            "add one under `examples`; a test checks it against the schema",
        );
    }
    let root = lint.root;
    for (name, one) in members(&media["examples"]) {
        if resolve(root, one).get("value").is_none() {
            lint.find(
                here,
                format!("the example `{name}` has no value"),
                "give it a `value`, here or under components",
            );
        }
    }
}
