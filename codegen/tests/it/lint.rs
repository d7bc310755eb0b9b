//! Breaks every rule of the dialect once, and shows the place and the text of the finding.
//!
//! The snapshot is the catalogue of the rules.

use serde_json::{Value, json};

use crate::fixtures::{self, findings};

type Break = fn(&mut Value);

/// The operation that most cases break.
fn create(document: &mut Value) -> &mut Value {
    &mut document["paths"]["/objects"]["post"]
}

/// The operation with query parameters.
fn list(document: &mut Value) -> &mut Value {
    &mut document["paths"]["/colours"]["get"]
}

fn schema<'d>(document: &'d mut Value, name: &str) -> &'d mut Value {
    &mut document["components"]["schemas"][name]
}

/// A member of the request that most cases break.
fn member<'d>(document: &'d mut Value, name: &str) -> &'d mut Value {
    &mut schema(document, "ObjectRequest")["properties"][name]
}

fn remove(value: &mut Value, name: &str) {
    value.as_object_mut().unwrap().shift_remove(name).unwrap();
}

/// Lets users call the operation that most cases break, and nobody else.
fn let_users_call(document: &mut Value) {
    document["components"]["securitySchemes"]["bearer"] =
        json!({ "type": "http", "scheme": "bearer", "description": "A user's token." });
    create(document)["security"] = json!([{ "bearer": [] }]);
    create(document)["x-multirail-roles"] = json!(["org_admin"]);
}

const CASES: &[(&str, Break)] = &[
    ("another version", |d| d["openapi"] = json!("3.1.0")),
    ("nobody answers for it", |d| {
        d["info"].as_object_mut().unwrap().shift_remove("contact");
    }),
    ("a webhook without a name", |d| {
        d["x-webhooks"]["event"]["post"] =
            json!({ "tags": ["Objects"], "summary": "S.", "description": "D." });
    }),
    // Paths.
    ("path item is a reference", |d| {
        d["paths"]["/objects"]["$ref"] = json!("#/paths/~1colours")
    }),
    ("segment with a colon", |d| {
        let item = d["paths"]
            .as_object_mut()
            .unwrap()
            .shift_remove("/objects")
            .unwrap();
        d["paths"]["/objects:run"] = item;
    }),
    ("two names for one variable", |d| {
        let mut item = d["paths"]["/siblings/{sibling_id}/{part}"].take();
        item["post"]["parameters"][1]["name"] = json!("other_id");
        remove(&mut d["paths"], "/siblings/{sibling_id}/{part}");
        d["paths"]["/siblings/{other_id}/{part}"] = item;
    }),
    ("variable without parameter", |d| {
        remove(
            &mut d["paths"]["/siblings/{sibling_id}"]["get"],
            "parameters",
        )
    }),
    ("parameter without variable", |d| {
        create(d)["parameters"] = json!([{ "name": "x", "in": "path", "required": true, "description": "X.", "schema": { "type": "string" } }]);
    }),
    // Operations.
    ("no operationId", |d| remove(create(d), "operationId")),
    ("operationId of one word", |d| {
        create(d)["operationId"] = json!("create")
    }),
    ("two operationIds alike", |d| {
        create(d)["operationId"] = json!("colours_list")
    }),
    ("no tag", |d| create(d)["tags"] = json!([])),
    ("two tags", |d| {
        create(d)["tags"] = json!(["Objects", "Colours"])
    }),
    ("unknown tag", |d| create(d)["tags"] = json!(["Nothing"])),
    ("no summary", |d| remove(create(d), "summary")),
    ("no description", |d| create(d)["description"] = json!(" ")),
    ("no origin", |d| remove(create(d), "x-multirail-origin")),
    ("no section", |d| remove(create(d), "x-multirail-section")),
    ("section of a supporting operation", |d| {
        list(d)["x-multirail-section"] = json!("4.1")
    }),
    ("mutates or not", |d| {
        remove(create(d), "x-multirail-mutates")
    }),
    ("no security", |d| remove(create(d), "security")),
    ("two schemes at once", |d| {
        create(d)["security"] = json!([{ "api_key": [], "admin_api_key": [] }])
    }),
    ("unknown scheme", |d| {
        create(d)["security"] = json!([{ "cookie": [] }])
    }),
    (
        "keys without a principal",
        |d| create(d)["security"] = json!([{ "admin_api_key": [] }, { "publishable_key": [] }]),
    ),
    ("client members are missing", |d| {
        remove(&mut d["paths"]["/client"]["post"], "x-client-members")
    }),
    ("client members without a client", |d| {
        create(d)["x-client-members"] = json!(["amount"])
    }),
    ("client member that isn't there", |d| {
        d["paths"]["/client"]["post"]["x-client-members"] = json!(["client_secret", "colour"]);
    }),
    ("client without its secret", |d| {
        d["paths"]["/client"]["post"]["x-client-members"] = json!(["email"])
    }),
    ("client with key and secret apart only", |d| {
        d["paths"]["/client"]["post"]["security"] = json!([{ "publishable_key": [] }])
    }),
    ("key and secret in one without a client", |d| {
        create(d)["security"] = json!([{ "api_key": [] }, { "sdk_authorization": [] }])
    }),
    ("change without an idempotency key", |d| {
        remove(create(d), "parameters")
    }),
    ("question with an idempotency key", |d| {
        create(d)["x-multirail-mutates"] = json!(false)
    }),
    ("question by users with an idempotency key", |d| {
        let_users_call(d);
        create(d)["x-multirail-mutates"] = json!(false)
    }),
    (
        "change by the operator or users with an idempotency key",
        |d| {
            let_users_call(d);
            create(d)["security"] = json!([{ "admin_api_key": [] }, { "bearer": [] }])
        },
    ),
    // Parameters.
    ("optional path parameter", |d| {
        d["paths"]["/siblings/{sibling_id}"]["get"]["parameters"][0]["required"] = json!(false)
    }),
    ("a platform's header without a secret key", |d| {
        let header = json!({
            "name": "X-Connected-Merchant-Id", "in": "header", "description": "For whom.",
            "schema": { "type": "string" },
        });
        let parameters = list(d)["parameters"].as_array_mut().unwrap();
        parameters.push(header);
    }),
    ("header parameter", |d| {
        list(d)["parameters"][2]["in"] = json!("header")
    }),
    ("cookie parameter", |d| {
        list(d)["parameters"][2]["in"] = json!("cookie")
    }),
    ("parameter without description", |d| {
        remove(&mut list(d)["parameters"][2], "description")
    }),
    ("parameter with a strange name", |d| {
        list(d)["parameters"][2]["name"] = json!("1st")
    }),
    ("parameters alike in Rust", |d| {
        list(d)["parameters"][2]["name"] = json!("shade_lt")
    }),
    ("parameter with a style", |d| {
        list(d)["parameters"][2]["style"] = json!("deepObject")
    }),
    ("parameter with content", |d| {
        list(d)["parameters"][2]["content"] = json!({})
    }),
    ("parameter with a default", |d| {
        list(d)["parameters"][3]["schema"]["default"] = json!(true)
    }),
    ("list parameter", |d| {
        list(d)["parameters"][3]["schema"] =
            json!({ "type": "array", "items": { "type": "string" } })
    }),
    // Bodies.
    ("default answer", |d| {
        create(d)["responses"]["default"] = json!({ "$ref": "#/components/responses/Error" })
    }),
    ("second success", |d| {
        create(d)["responses"]["201"] = json!({ "description": "Made." })
    }),
    ("no success", |d| remove(&mut create(d)["responses"], "200")),
    ("no 5XX", |d| remove(&mut create(d)["responses"], "5XX")),
    ("error of its own", |d| {
        create(d)["responses"]["4XX"] = json!({ "description": "No." })
    }),
    ("two media types", |d| {
        create(d)["requestBody"]["content"]["text/plain"] =
            json!({ "schema": { "type": "string" } })
    }),
    ("form body", |d| {
        let media = create(d)["requestBody"]["content"]["application/json"].take();
        create(d)["requestBody"]["content"] = json!({ "application/x-www-form-urlencoded": media });
    }),
    ("bytes without a bound", |d| {
        create(d)["requestBody"]["content"] = json!({ "application/octet-stream": {
            "schema": { "type": "string", "format": "binary" },
            "examples": { "least": { "value": "%PDF-1.7" } },
        } });
    }),
    ("bytes without an example", |d| {
        create(d)["x-multirail-body-bytes"] = json!(1024);
        create(d)["requestBody"]["content"] = json!({
            "application/octet-stream": { "schema": { "type": "string", "format": "binary" } }
        });
    }),
    ("inline request", |d| {
        create(d)["requestBody"]["content"]["application/json"]["schema"] =
            json!({ "type": "object" })
    }),
    ("inline answer", |d| {
        create(d)["responses"]["200"]["content"]["application/json"]["schema"] =
            json!({ "type": "object" })
    }),
    ("answer without a body", |d| {
        remove(&mut create(d)["responses"]["200"], "content")
    }),
    ("no request example", |d| {
        remove(
            &mut create(d)["requestBody"]["content"]["application/json"],
            "examples",
        )
    }),
    ("no answer example", |d| {
        remove(
            &mut create(d)["responses"]["200"]["content"]["application/json"],
            "examples",
        )
    }),
    ("example that leads nowhere", |d| {
        create(d)["requestBody"]["content"]["application/json"]["examples"]["least"] =
            json!({ "$ref": "#/components/examples/none" });
    }),
    ("another error body", |d| {
        remove(&mut schema(d, "ErrorBody")["properties"], "code")
    }),
    // Schemas.
    ("component in lower case", |d| {
        let part = schema(d, "ColourEntry").clone();
        d["components"]["schemas"]["colour_entry"] = part;
        list(d)["responses"]["200"]["content"]["application/json"]["schema"]["items"]["$ref"] =
            json!("#/components/schemas/colour_entry");
        remove(&mut d["components"]["schemas"], "ColourEntry");
    }),
    ("component with a name of the prelude", |d| {
        let part = schema(d, "ColourEntry").clone();
        d["components"]["schemas"]["Option"] = part;
        list(d)["responses"]["200"]["content"]["application/json"]["schema"]["items"]["$ref"] =
            json!("#/components/schemas/Option");
        remove(&mut d["components"]["schemas"], "ColourEntry");
    }),
    ("component without description", |d| {
        remove(schema(d, "Part"), "description")
    }),
    ("unused component", |d| {
        d["components"]["schemas"]["Lonely"] = json!({ "description": "L.", "type": "string" })
    }),
    ("numbers as an enumeration", |d| {
        schema(d, "Colour")["enum"] = json!([1, 2])
    }),
    ("null in an enumeration", |d| {
        schema(d, "Colour")["enum"] = json!(["red", null])
    }),
    ("words alike in Rust", |d| {
        schema(d, "Colour")["enum"] = json!(["dark-red", "dark_red"])
    }),
    ("the word unknown", |d| {
        schema(d, "Colour")["enum"] = json!(["red", "unknown"])
    }),
    ("a word without letters", |d| {
        schema(d, "Colour")["enum"] = json!(["red", "+"])
    }),
    ("any case of no enumeration", |d| {
        member(d, "type")["x-multirail-any-case"] = json!(true)
    }),
    ("members alike in Rust", |d| {
        schema(d, "Part")["properties"]["byName"] = json!({ "description": "B.", "type": "string" })
    }),
    ("member that is no field", |d| {
        schema(d, "Part")["properties"]["1st"] = json!({ "description": "F.", "type": "string" })
    }),
    ("member without description", |d| {
        remove(member(d, "amount"), "description")
    }),
    ("required but absent", |d| {
        schema(d, "ObjectRequest")["required"] = json!(["amount", "nothing"])
    }),
    ("named and typed members", |d| {
        schema(d, "Part")["additionalProperties"] = json!({ "type": "string" })
    }),
    ("not", |d| {
        member(d, "anything")["not"] = json!({ "type": "string" })
    }),
    ("anyOf of something else", |d| {
        member(d, "anything")["anyOf"] = json!([{ "type": "string" }])
    }),
    ("a nullable reference", |d| {
        member(d, "part")["nullable"] = json!(true);
    }),
    ("a rule judges a bound that isn't there", |d| {
        member(d, "amount")["x-multirail-judged-by-rules"] = json!(["maximum"])
    }),
    ("nullable without a type", |d| {
        member(d, "anything")["nullable"] = json!(true)
    }),
    ("NoValue is something", |d| {
        schema(d, "NoValue")["enum"] = json!([null, "x"])
    }),
    ("exclusive bound", |d| {
        member(d, "amount")["exclusiveMinimum"] = json!(true)
    }),
    ("default", |d| member(d, "amount")["default"] = json!(1)),
    ("readOnly", |d| {
        member(d, "amount")["readOnly"] = json!(true)
    }),
    ("title", |d| schema(d, "Part")["title"] = json!("Part")),
    ("reference with company", |d| {
        schema(d, "Object")["properties"]["parts"]["items"]["description"] = json!("A part.");
    }),
    ("reference to nothing", |d| {
        schema(d, "Object")["properties"]["parts"]["items"]["$ref"] =
            json!("#/components/schemas/Nothing");
    }),
    ("merged schemas", |d| {
        member(d, "part")["allOf"] =
            json!([{ "$ref": "#/components/schemas/Part" }, { "type": "object" }]);
    }),
    ("merged with rules", |d| {
        member(d, "part")["maxProperties"] = json!(3)
    }),
    ("inline enumeration", |d| {
        member(d, "type")["enum"] = json!(["a", "b"])
    }),
    ("inline object", |d| {
        member(d, "free")["properties"] = json!({ "a": { "type": "string" } })
    }),
    ("inline object in a list", |d| {
        member(d, "labels")["items"] = json!({ "type": "object", "additionalProperties": true, "properties": { "a": { "type": "string" } } });
    }),
    ("inline oneOf", |d| {
        member(d, "anything")["oneOf"] = json!([{ "type": "string" }])
    }),
    ("free object that doesn't say so", |d| {
        remove(member(d, "free"), "additionalProperties")
    }),
    ("list of what", |d| remove(member(d, "labels"), "items")),
    ("two types", |d| {
        member(d, "amount")["type"] = json!(["integer", "null"])
    }),
    ("unknown type", |d| {
        member(d, "amount")["type"] = json!("money")
    }),
    ("integer without format", |d| {
        remove(member(d, "amount"), "format")
    }),
    ("format without meaning", |d| {
        member(d, "type")["format"] = json!("email")
    }),
    ("untagged variants", |d| {
        remove(
            &mut schema(d, "OneVariant")["oneOf"][1]["properties"],
            "kind",
        )
    }),
    ("variant with an inline object", |d| {
        schema(d, "OneVariant")["oneOf"][0]["properties"]["url"] =
            json!({ "type": "object", "properties": {} });
    }),
    ("variant without a name", |d| {
        remove(&mut schema(d, "OneVariant")["oneOf"][1], "title")
    }),
    ("variant with the name of another type", |d| {
        schema(d, "OneVariant")["oneOf"][1]["title"] = json!("Part")
    }),
    // Reach.
    ("oneOf in a request", |d| {
        member(d, "part")["allOf"] = json!([{ "$ref": "#/components/schemas/OneVariant" }]);
    }),
    ("required and nullable in a request", |d| {
        member(d, "amount")["nullable"] = json!(true)
    }),
    ("open object in a request", |d| {
        remove(schema(d, "Part"), "additionalProperties")
    }),
    ("mark of another form", |d| {
        member(d, "note")["x-multirail-not-built"] = json!(true)
    }),
    ("mark below the body", |d| {
        schema(d, "Part")["properties"]["id"]["x-multirail-not-built"] = json!([])
    }),
    ("mark of a required member", |d| {
        member(d, "amount")["x-multirail-not-built"] = json!([])
    }),
    ("secret in an answer", |d| {
        schema(d, "Object")["properties"]["size"] =
            json!({ "description": "S.", "type": "string", "format": "secret" })
    }),
    ("secret in what the server sends", |d| {
        *schema(d, "Told") = json!({ "description": "T.", "type": "object", "properties": {
            "key": { "description": "K.", "type": "string", "format": "secret" },
        } });
        d["x-webhooks"]["told"]["post"]["requestBody"] =
            json!({ "$ref": "#/components/schemas/Told" });
    }),
    ("request in an answer", |d| {
        schema(d, "Act")["properties"]["asked"] = json!({ "description": "A.", "allOf": [{ "$ref": "#/components/schemas/ActRequest" }] });
    }),
];

#[test]
fn every_rule_names_place_and_remedy() {
    let mut catalogue = String::new();
    for (name, spoil) in CASES {
        let mut document = fixtures::all();
        spoil(&mut document);
        let text = serde_json::to_string_pretty(&document).unwrap();
        let findings = findings(&document);
        assert!(!findings.is_empty(), "{name}: nothing was found");
        catalogue.push_str(&format!("# {name}\n"));
        for finding in findings {
            assert_eq!(finding.file, "openapi.yaml");
            let line = text.lines().nth(finding.line - 1).unwrap().trim();
            catalogue.push_str(&format!(
                "{}: {}\n  -> {}\n  in the line `{}`\n",
                finding.location, finding.problem, finding.remedy, line
            ));
        }
    }
    insta::assert_snapshot!(catalogue);
}

#[test]
fn fixtures_pass() {
    for (name, _) in fixtures::ALL {
        assert_eq!(findings(&fixtures::one(name)), [], "{name}");
    }
}

/// Each of these operations decides whether a repeated call has to be known.
#[test]
fn a_change_by_users_takes_an_idempotency_key_or_not() {
    let mut document = fixtures::one("objects");
    let_users_call(&mut document);
    assert_eq!(findings(&document), []);
    remove(create(&mut document), "parameters");
    assert_eq!(findings(&document), []);
}

#[test]
fn all_findings_are_reported_at_once() {
    let mut document = fixtures::one("objects");
    remove(create(&mut document), "summary");
    remove(create(&mut document), "x-multirail-mutates");
    member(&mut document, "amount")["default"] = json!(1);
    let told: Vec<String> = findings(&document)
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        told,
        [
            "openapi.yaml:22: POST /objects\n  `summary` is missing\n  remedy: say it in a few words of our own",
            "openapi.yaml:22: POST /objects\n  `x-multirail-mutates` is missing\n  remedy: write `true` or `false`",
            "openapi.yaml:137: #/components/schemas/ObjectRequest/properties/amount\n  `default` is used\n  remedy: say in the description what absence means; a default would turn absent into present",
        ]
    );
}
