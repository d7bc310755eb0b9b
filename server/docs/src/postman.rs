//! The Postman collection of the published document. Every operation has the document's own example. The first folder
//! pays, captures and refunds.

use serde_json::{Value, json};

use crate::document::{Operation, Parameter, operations, plain, tags, text};

/// The form of the collection, which Postman and its tools read.
const FORM: &str = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";
/// Values that people enter once. Ids in paths are filled in from variables of the same name.
const VARIABLES: [&str; 10] = [
    "secret_key",
    "admin_key",
    "publishable_key",
    "ephemeral_key",
    "sdk_authorization",
    "user_token",
    "account_id",
    "merchant_id",
    "profile_id",
    "payment_id",
];
/// Every success is 200, every failure has exactly three members, and every answer a request id. A server with
/// `nested_error_body` repeats the three in `error`.
const KEEPS_THE_DOCUMENT: [&str; 9] = [
    "pm.test('answers as the document says', () => {",
    "  pm.expect(pm.response.code).to.satisfy((code) => code === 200 || (code >= 400 && code < 500));",
    "  pm.expect(pm.response.headers.has('request-id')).to.equal(true);",
    "  if (pm.response.code === 200) return;",
    "  const { error, ...body } = pm.response.json();",
    "  pm.expect(body).to.have.all.keys('error_type', 'message', 'code');",
    "  const nested = { type: body.error_type, message: body.message, code: body.code };",
    "  if (error !== undefined) pm.expect(error).to.eql(nested);",
    "});",
];
const WORKS: &str = "pm.test('works', () => { pm.response.to.have.status(200); });";
const HAS_PAYMENT_FIRST: &str = "pm.test('has it first', () => { \
    pm.expect(body.data[0].payment_id).to.equal(pm.collectionVariables.get('payment_id')); });";
const KEEPS_ID: &str =
    "if (body.payment_id) pm.collectionVariables.set('payment_id', body.payment_id);";

/// Returns the collection. `url` is the server's address, and the variable `baseUrl`.
pub fn collection(document: &Value, url: &str) -> Value {
    let operations: Vec<Operation<'_>> = operations(document).collect();
    let mut folders = vec![first_payment(&operations)];
    folders.extend(tags(document).map(|(tag, description)| {
        let inside = operations.iter().filter(|one| one.tag() == tag);
        let items: Vec<Value> = inside.map(item).collect();
        json!({"name": tag, "description": markdown(description), "item": items})
    }));
    let mut variables = vec![json!({"key": "baseUrl", "value": url})];
    variables.extend(VARIABLES.map(|name| json!({"key": name, "value": ""})));
    let info = &document["info"];
    let about = markdown(text(&info["description"]));
    json!({
        "info": {"name": info["title"], "description": about, "version": info["version"], "schema": FORM},
        "item": folders,
        "variable": variables,
    })
}

fn item(operation: &Operation<'_>) -> Value {
    let request = request(operation, operation.body());
    // One saved answer, the document's own example.
    let answers = operation.answer().map(|(kind, example)| {
        json!([{
            "name": "Example", "code": 200, "status": "OK", "body": pretty(example),
            "header": [{"key": "content-type", "value": kind}], "originalRequest": request,
        }])
    });
    json!({
        "id": operation.id(),
        "name": operation.summary(),
        "event": tests(&KEEPS_THE_DOCUMENT),
        "request": request,
        "response": answers.unwrap_or_else(|| json!([])),
    })
}

fn request(operation: &Operation<'_>, body: Option<(&str, &Value)>) -> Value {
    let path: Vec<String> = operation
        .path
        .trim_start_matches('/')
        .split('/')
        .map(part)
        .collect();
    let ids = operation.parameters("path").map(|one| {
        let name = one.name();
        let is_known = VARIABLES.contains(&name);
        let value = if is_known {
            format!("{{{{{name}}}}}")
        } else {
            one.example()
        };
        json!({"key": name, "value": value, "description": markdown(one.description())})
    });
    let ids: Vec<Value> = ids.collect();
    let query = operation
        .parameters("query")
        .map(|one| value_of(&one, !one.is_required()));
    let query: Vec<Value> = query.collect();
    let mut request = json!({
        "method": operation.method,
        "description": markdown(operation.description()),
        "url": {
            "raw": format!("{{{{baseUrl}}}}/{}", path.join("/")), "host": ["{{baseUrl}}"],
            "path": path, "query": query, "variable": ids,
        },
        "header": headers(operation, body),
    });
    if let Some((_, example)) = body {
        request["body"] = json!({"mode": "raw", "raw": pretty(example)});
    }
    request
}

/// Returns a part of a path: Postman marks variables by a colon.
fn part(part: &str) -> String {
    let name = part
        .strip_prefix('{')
        .and_then(|part| part.strip_suffix('}'));
    name.map_or_else(|| part.to_owned(), |name| format!(":{name}"))
}

/// Returns the headers: those that an operation may take are off, its key and the body's type are on.
fn headers(operation: &Operation<'_>, body: Option<(&str, &Value)>) -> Vec<Value> {
    let optional = operation
        .parameters("header")
        .map(|one| value_of(&one, true));
    let mut headers: Vec<Value> = optional.collect();
    if let Some((key, value)) = operation.scheme().and_then(key_of) {
        headers.push(json!({"key": key, "value": value}));
    }
    if let Some((kind, _)) = body {
        headers.push(json!({"key": "content-type", "value": kind}));
    }
    headers
}

/// Returns the header of a scheme, and the variable with its key.
fn key_of(scheme: &str) -> Option<(&'static str, &'static str)> {
    match scheme {
        "api_key" => Some(("api-key", "{{secret_key}}")),
        "admin_api_key" => Some(("api-key", "{{admin_key}}")),
        "publishable_key" | "subscription_client" => Some(("api-key", "{{publishable_key}}")),
        "ephemeral_key" => Some(("api-key", "{{ephemeral_key}}")),
        "sdk_authorization" => Some(("authorization", "{{sdk_authorization}}")),
        "bearer" => Some(("authorization", "Bearer {{user_token}}")),
        _ => None,
    }
}

fn value_of(parameter: &Parameter<'_>, is_off: bool) -> Value {
    json!({
        "key": parameter.name(), "value": parameter.example(), "disabled": is_off,
        "description": markdown(parameter.description()),
    })
}

/// Returns a folder that pays once, for a sandbox: the card is a test card.
fn first_payment(operations: &[Operation<'_>]) -> Value {
    let card = json!({
        "card_number": "4111111111111111", "card_exp_month": "10", "card_exp_year": "35", "card_cvc": "123",
        "card_holder_name": "Ada Reader",
    });
    let order = json!({"amount": 6540, "currency": "USD", "capture_method": "manual"});
    let confirm = json!({"payment_method": "card", "payment_method_data": {"card": card}});
    let capture = json!({"amount_to_capture": 4000});
    let refund = json!({"payment_id": "{{payment_id}}", "amount": 1500});
    let steps = [
        (
            "payments_create",
            "Create",
            Some(order),
            is("requires_payment_method"),
        ),
        (
            "payments_confirm",
            "Confirm",
            Some(confirm),
            is("requires_capture"),
        ),
        (
            "payments_capture",
            "Capture",
            Some(capture),
            is("partially_captured"),
        ),
        ("refunds_create", "Refund", Some(refund), is("succeeded")),
        ("payments_list", "List", None, HAS_PAYMENT_FIRST.to_owned()),
    ];
    let steps = steps.into_iter().filter_map(|(id, name, body, check)| {
        let operation = operations.iter().find(|one| one.id() == id)?;
        Some(step(operation, name, body.as_ref(), &check))
    });
    let steps: Vec<Value> = steps.collect();
    json!({
        "name": "A first payment",
        "description": "Creates, confirms, captures and refunds a payment, and finds it in the list. For a sandbox: the card is a test card.",
        "item": steps,
    })
}

fn step(operation: &Operation<'_>, name: &str, body: Option<&Value>, check: &str) -> Value {
    let body = body.map(|body| ("application/json", body));
    let mut script = KEEPS_THE_DOCUMENT.to_vec();
    script.extend([WORKS, "const body = pm.response.json();", check, KEEPS_ID]);
    json!({
        "id": format!("first_payment_{}", operation.id()),
        "name": name,
        "event": tests(&script),
        "request": request(operation, body),
        "response": [],
    })
}

/// Returns the check of a status.
fn is(status: &str) -> String {
    format!("pm.test('is {status}', () => {{ pm.expect(body.status).to.equal('{status}'); }});")
}

fn tests(script: &[&str]) -> Value {
    json!([{"listen": "test", "script": {"type": "text/javascript", "exec": script}}])
}

fn markdown(text: &str) -> Value {
    json!({"content": text, "type": "text/markdown"})
}

/// Returns the text of a body. An operation without an example takes an empty object.
fn pretty(example: &Value) -> String {
    if example.is_null() {
        "{}".to_owned()
    } else {
        plain(example)
    }
}
