//! The document as the server serves it, and its own examples.

use std::collections::{BTreeMap, BTreeSet};

use multirail_client::types::EventType;
use multirail_conformance::document::{YAML, document, operations};
use multirail_conformance::schema;
use multirail_conformance::{TestServer, wire::Wire};
use multirail_server::config::Setting;
use reqwest::Method;
use serde_json::{Value, json};

/// The largest amount, by the document's introduction.
const LARGEST: i64 = 999_999_999_999;

#[tokio::test]
async fn the_document_is_compressed_and_sent_once() {
    let server = TestServer::start().await;
    let http = reqwest::Client::builder().no_proxy().build();
    let http = http.expect("a client");
    for name in ["openapi.json", "openapi.yaml"] {
        let address = format!("{}/{name}", server.address());
        let whole = http.get(&address).send().await.expect("an answer");
        assert_eq!(whole.headers().get("content-encoding"), None);
        assert_eq!(whole.headers()["vary"], "accept-encoding");
        let etag = whole.headers()["etag"].clone();
        let whole = whole.bytes().await.expect("a body");
        let packed = http.get(&address).header("accept-encoding", "gzip, br");
        let packed = packed.send().await.expect("an answer");
        assert_eq!(packed.headers()["content-encoding"], "gzip");
        assert_eq!(packed.headers()["etag"], etag);
        let packed = packed.bytes().await.expect("a body");
        assert!(
            packed.len() * 4 < whole.len(),
            "{} of {}",
            packed.len(),
            whole.len()
        );
        let again = http.get(&address).header("if-none-match", &etag);
        let again = again.send().await.expect("an answer");
        assert_eq!(again.status(), 304);
        assert_eq!(again.bytes().await.expect("no body").len(), 0);
    }
}

#[tokio::test]
async fn the_address_of_the_server_answers_people_and_programs() {
    let server = TestServer::start().await;
    let wire = Wire::new(&server.address());
    let url = server.url();
    let program = wire.request(Method::GET, "/").await;
    assert_eq!(program.header("content-type"), Some("application/json"));
    let said = program.ok();
    assert_eq!(said["document"], format!("{url}/openapi.json"));
    assert_eq!(said["console"], format!("{url}/console/"));
    let browser = wire.request(Method::GET, "/");
    let browser = browser.header("accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    let page = browser.await;
    assert_eq!((page.status, page.header("vary")), (200, Some("accept")));
    let html = page.body.as_str().expect("HTML");
    for path in ["/console/", "/docs", "/health/ready"] {
        assert!(html.contains(&format!("href=\"{url}{path}\"")), "{html}");
    }
}

/// Tools that are given the document call the server that serves it.
#[tokio::test]
async fn the_server_serves_the_document_of_this_repository_with_its_own_address() {
    const PUBLIC: &str = "https://pay.example/rail";
    let settled = TestServer::start_with(|inputs| inputs.with(Setting::PublicUrl, PUBLIC)).await;
    let unsettled = TestServer::start().await;
    for (server, url) in [(&settled, PUBLIC), (&unsettled, unsettled.url())] {
        let wire = Wire::new(&server.address());
        let json = wire.request(Method::GET, "/openapi.json").await;
        assert_eq!(json.header("content-type"), Some("application/json"));
        let mut expected = document().clone();
        expected["servers"] = json!([{ "url": url }]);
        assert_eq!(json.ok(), expected);

        let yaml = wire.request(Method::GET, "/openapi.yaml").await;
        let yaml = yaml.body.as_str().expect("a text").to_owned();
        let read: Value = serde_norway::from_str(&yaml).expect("YAML");
        assert_eq!(read, expected);
        // Comments and order are unchanged from the repository's document.
        let (_, written) = YAML.split_once("\ntags:").expect("tags");
        assert!(yaml.ends_with(written));
        let head = wire.request(Method::HEAD, "/openapi.yaml").await;
        assert_eq!(
            head.header("content-length"),
            Some(&*yaml.len().to_string())
        );
    }
}

/// Resolves a reference inside the document.
fn resolved(value: &Value) -> &Value {
    match value["$ref"]
        .as_str()
        .and_then(|target| target.strip_prefix('#'))
    {
        Some(pointer) => document()
            .pointer(pointer)
            .unwrap_or_else(|| panic!("nothing at {pointer}")),
        None => value,
    }
}

#[test]
fn the_examples_of_answers_are_what_their_schemas_say() {
    let mut count = 0;
    for operation in operations() {
        let method = operation.method.as_str().to_lowercase();
        let content = &document()["paths"][&operation.path][&method]["responses"]["200"]["content"];
        let examples = content[&operation.media_type]["examples"].as_object();
        let examples =
            examples.unwrap_or_else(|| panic!("{} has no example of an answer", operation.id));
        for (name, example) in examples {
            let validator = schema::answer_of(operation);
            let value = &resolved(example)["value"];
            let wrong: Vec<String> = validator
                .iter_errors(value)
                .map(|e| format!("{}: {e}", e.instance_path()))
                .collect();
            assert!(wrong.is_empty(), "{} {name}: {wrong:#?}", operation.id);
            count += 1;
        }
    }
    assert!(count >= operations().len());
}

#[test]
fn the_examples_of_webhooks_are_what_their_schemas_say() {
    let media =
        &document()["x-webhooks"]["event"]["post"]["requestBody"]["content"]["application/json"];
    let examples = media["examples"].as_object().expect("examples of webhooks");
    for (name, example) in examples {
        let value = &resolved(example)["value"];
        let content = &value["content"];
        let kind = match content["type"].as_str() {
            Some("payment_details") => "Payment",
            Some("refund_details") => "Refund",
            other => panic!("{name}: what component is {other:?}?"),
        };
        for (component, value) in [("WebhookDelivery", value), (kind, &content["object"])] {
            let validator = schema::component(component);
            let errors = validator.iter_errors(value);
            let wrong: Vec<String> = errors
                .map(|e| format!("{}: {e}", e.instance_path()))
                .collect();
            assert!(wrong.is_empty(), "{name} as {component}: {wrong:#?}");
        }
    }
}

#[test]
fn the_types_of_events_are_those_of_the_specification() {
    let words = |name: &str| {
        let schema = &document()["components"]["schemas"][name];
        schema["enum"].as_array().expect("words").len()
    };
    assert_eq!((words("EventType"), words("EventClass")), (29, 6));
}

/// Returns the rows of the table in an enumeration's description: the first cell, and the others.
fn rows_of(schema: &str) -> Vec<(&'static str, Vec<&'static str>)> {
    let text = document()["components"]["schemas"][schema]["description"].as_str();
    let lines = text.unwrap_or_default().lines();
    let rows = lines.filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |"));
    let cells = rows.map(|row| row.split(" | ").collect::<Vec<_>>());
    cells.map(|cells| (cells[0], cells[1..].to_vec())).collect()
}

/// The service produces exactly the types that `multirail trigger` makes: its own test compares them with the kernel's.
#[test]
fn the_types_that_the_document_calls_emitted_are_those_that_the_service_produces() {
    let types = rows_of("EventType");
    let words = |cell: &'static str| cell.split(", ").map(|word| word.trim_matches('`'));
    let emitted = types.iter().filter(|one| !one.1[1].starts_with("no"));
    let documented: BTreeSet<&str> = emitted.flat_map(|one| words(one.0)).collect();
    let produced = EventType::ALL.iter();
    let produced = produced.filter(|event| multirail_commands::is_produced(event));
    let produced: BTreeSet<&str> = produced.map(EventType::as_str).collect();
    assert_eq!(documented, produced);
    let listed: BTreeSet<&str> = types.iter().flat_map(|one| words(one.0)).collect();
    let all: BTreeSet<&str> = EventType::ALL.iter().map(EventType::as_str).collect();
    assert_eq!(listed, all, "the table lists each type");
}

/// A class can be subscribed to exactly when one of its types is emitted. The text around the tables says the same.
#[test]
fn classes_and_types_of_events_agree_on_what_is_emitted() {
    let (types, classes) = (rows_of("EventType"), rows_of("EventClass"));
    let tags = document()["tags"].as_array().into_iter().flatten();
    let tags = tags.filter(|tag| tag["name"] == "Events");
    let told: String = tags.filter_map(|tag| tag["description"].as_str()).collect();
    assert_eq!(classes.len(), 6, "{classes:?}");
    for (class, cells) in classes {
        let class = class.trim_end_matches('`');
        let of_class = |one: &&(&str, Vec<&str>)| one.1[0] == format!("`{class}`");
        let is_emitted = |one: &(&str, Vec<&str>)| !one.1[1].starts_with("no");
        let has_events = types.iter().filter(of_class).any(is_emitted);
        assert_eq!(!cells[0].contains("not emitted"), has_events, "{class}");
        let says_none =
            format!("Types of the class `{class}` can be listed, but are never emitted");
        assert_eq!(!told.contains(&says_none), has_events, "{class}");
    }
}

#[test]
fn the_examples_of_errors_are_what_their_schema_says() {
    let examples =
        &document()["components"]["responses"]["Error"]["content"]["application/json"]["examples"];
    for (name, example) in examples.as_object().expect("examples of errors") {
        let value = &resolved(example)["value"];
        assert!(
            schema::component("ErrorBody").is_valid(value),
            "{name}: {value}"
        );
        assert_eq!(
            value.as_object().map(serde_json::Map::len),
            Some(3),
            "{name}"
        );
    }
}

#[test]
fn every_operation_with_a_body_has_an_example_of_one() {
    for operation in operations() {
        let content = operation.text()["requestBody"]["content"].as_object();
        for media_type in content.into_iter().flat_map(serde_json::Map::keys) {
            let example = operation.example(media_type);
            assert!(example.is_some(), "{}: {media_type}", operation.id);
        }
    }
}

#[test]
fn an_answer_with_a_member_that_the_document_does_not_know_is_noticed() {
    let example = resolved(&document()["components"]["examples"]["ErrorNotFound"])["value"].clone();
    let mut longer = example.clone();
    longer["stack"] = "trace".into();
    assert!(schema::component("ErrorBody").is_valid(&example));
    assert!(!schema::component("ErrorBody").is_valid(&longer));
}

/// Each answer is checked against its headers and its schema (`multirail_conformance::judge`).
#[test]
fn every_answer_lists_the_headers_that_it_has() {
    let error = &document()["components"]["responses"]["Error"]["headers"];
    for name in ["request-id", "x-request-id"] {
        assert_eq!(resolved(&error[name])["required"], true, "{name}");
    }
    for name in ["Idempotent-Replayed", "Retry-After"] {
        assert!(resolved(&error[name])["schema"].is_object(), "{name}");
    }
    for operation in operations() {
        let listed = &operation.text()["responses"]["200"]["headers"];
        for name in ["request-id", "x-request-id"] {
            assert_eq!(
                resolved(&listed[name])["required"],
                true,
                "{}: {name}",
                operation.id
            );
        }
        let parameters = operation.parameters();
        let takes_key = parameters
            .iter()
            .any(|(_, parameter)| parameter["name"] == "Idempotency-Key");
        let is_listed = listed["Idempotent-Replayed"].is_object();
        assert_eq!(takes_key, is_listed, "{}", operation.id);
    }
}

/// Returns every schema that request bodies reach, by its name or its operation's.
fn request_schemas() -> BTreeMap<String, &'static Value> {
    let mut open: Vec<&'static Value> = Vec::new();
    let mut found = BTreeMap::new();
    for operation in operations() {
        let content = operation.text()["requestBody"]["content"].as_object();
        for media in content.into_iter().flat_map(|content| content.values()) {
            open.push(&media["schema"]);
            found.insert(operation.id.clone(), &media["schema"]);
        }
    }
    while let Some(value) = open.pop() {
        match value {
            Value::Object(members) => {
                if let Some(name) = schema::referred(value) {
                    let component = &document()["components"]["schemas"][name];
                    if found.insert(name.to_owned(), component).is_none() {
                        open.push(component);
                    }
                }
                open.extend(members.values());
            }
            Value::Array(items) => open.extend(items),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    found
}

/// In a request null means absent, so an optional member may be null.
#[test]
fn optional_members_of_requests_may_be_null() {
    let schemas = request_schemas();
    assert!(schemas.contains_key("KeysRotateRequest"));
    let mut wrong = Vec::new();
    for (of, schema) in schemas {
        let members = schema["properties"].as_object();
        for (name, member) in members.into_iter().flatten() {
            let required = schema["required"].as_array();
            let is_required = required.is_some_and(|all| all.contains(&json!(name)));
            let is_any_value = ["type", "allOf", "anyOf", "$ref"]
                .iter()
                .all(|word| member.get(word).is_none());
            let variants = member["anyOf"].as_array();
            let no_value = json!({ "$ref": "#/components/schemas/NoValue" });
            let is_nullable = member["nullable"] == true
                || variants.is_some_and(|variants| variants.contains(&no_value));
            if !is_required && !is_any_value && !is_nullable {
                wrong.push(format!("{of}.{name}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

/// Every value of a request has a bound, and amounts have the largest amount.
#[test]
fn every_value_of_a_request_has_a_bound() {
    let mut unbounded = Vec::new();
    let schemas = request_schemas();
    assert!(schemas.contains_key("OrderDetails"));
    for (name, schema) in schemas {
        bounds(&name, schema, &mut unbounded);
    }
    for operation in operations() {
        for (_, parameter) in operation.parameters() {
            let name = parameter["name"].as_str().unwrap_or_default();
            let place = format!("{} {name}", operation.id);
            bounds(&place, resolved(&parameter["schema"]), &mut unbounded);
        }
    }
    assert_eq!(unbounded, Vec::<String>::new());
}

/// Collects the values of a schema that lack a bound, with their places.
fn bounds(place: &str, schema: &Value, unbounded: &mut Vec<String>) {
    let has = |word: &str| !schema[word].is_null();
    // Bytes have the bound of the whole body, `x-multirail-body-bytes`.
    let is_bounded = matches!(schema["format"].as_str(), Some("date-time" | "binary"));
    let is_amount = place.ends_with("amount") && schema["format"] == "int64";
    let wanted: &[(&str, bool)] = match schema["type"].as_str() {
        Some("string") => &[("maxLength", has("maxLength") || has("enum") || is_bounded)],
        Some("array") => &[("maxItems", has("maxItems"))],
        Some("integer" | "number") if is_amount => &[
            ("minimum", schema["minimum"].as_i64() >= Some(0)),
            (
                "maximum",
                schema["maximum"]
                    .as_i64()
                    .is_some_and(|most| most <= LARGEST),
            ),
        ],
        Some("integer" | "number") => &[("minimum", has("minimum")), ("maximum", has("maximum"))],
        Some("object") if schema["additionalProperties"] != false => {
            &[("maxProperties", has("maxProperties"))]
        }
        Some(_) | None => &[],
    };
    let lacking = wanted.iter().filter(|(_, is_said)| !is_said);
    unbounded.extend(lacking.map(|(word, _)| format!("{place} {word}")));
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        bounds(&format!("{place}.{name}"), member, unbounded);
    }
    for word in ["items", "additionalProperties"] {
        if let Some(inner) = schema.get(word).filter(|inner| inner.is_object()) {
            bounds(&format!("{place}.{word}"), inner, unbounded);
        }
    }
}

/// A header whose absence is refused is marked as required, where tools read it.
#[test]
fn a_header_is_required_where_its_lack_is_refused() {
    let mut count = 0;
    for operation in operations() {
        let text = operation.text()["description"].as_str().unwrap_or_default();
        for (_, parameter) in operation.parameters() {
            let name = parameter["name"].as_str().unwrap_or_default();
            let refused = format!("`{name}` is missing | 400 | `IR_04` |");
            if parameter["in"] == "header" {
                let is_refused = text.contains(&refused);
                assert_eq!(
                    parameter["required"], is_refused,
                    "{}: {name}",
                    operation.id
                );
                count += usize::from(is_refused);
            }
        }
    }
    assert!(count >= 30, "{count}");
}
