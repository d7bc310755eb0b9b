//! Compares each `peer.yaml` with the processor's published document. The published documents are
//! large and not ours to distribute, so environment variables name local copies (see `README.md`).
//! The comparison itself is also tested without them.

#[path = "published/compare.rs"]
mod compare;

use serde_json::Value;

use compare::differences;

/// Processors with a published document, and the variable that names its files, separated by `:`.
const PEERS: &[(&str, &str, &str)] = &[
    (
        "adyen",
        "MULTIRAIL_PUBLISHED_ADYEN",
        include_str!("../src/adyen/peer.yaml"),
    ),
    (
        "checkout",
        "MULTIRAIL_PUBLISHED_CHECKOUT",
        include_str!("../src/checkout/peer.yaml"),
    ),
    (
        "stripe",
        "MULTIRAIL_PUBLISHED_STRIPE",
        include_str!("../src/stripe/peer.yaml"),
    ),
];

/// Reads YAML, which includes JSON.
fn read(text: &str) -> Value {
    serde_norway::from_str(text).expect("a document")
}

#[test]
#[ignore = "wants the processors' documents, named by MULTIRAIL_PUBLISHED_ADYEN and the like"]
fn peers_are_as_their_processors_publish_them() {
    let mut compared = 0;
    let mut found = Vec::new();
    for (name, variable, own) in PEERS {
        let Ok(files) = std::env::var(variable) else {
            println!("{name}: {variable} names no document");
            continue;
        };
        compared += 1;
        let published = files.split(':').map(|file| {
            let text = std::fs::read_to_string(file);
            read(&text.unwrap_or_else(|error| panic!("{file}: {error}")))
        });
        let report = differences(&read(own), &published.collect::<Vec<_>>());
        println!("{name}: {} compared", report.compared);
        for (place, why) in &report.explained {
            println!("{name}: {place} is not published: {why}");
        }
        found.extend(
            report
                .differences
                .into_iter()
                .map(|one| format!("{name}: {one}")),
        );
    }
    assert!(compared > 0, "no variable names a document");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn differences_are_found() {
    let published = read(
        r##"
        paths:
          /v1/things/{id}:
            post:
              parameters:
                - { name: id, in: path, schema: { type: string } }
                - { name: shape, in: query, required: true, schema: { type: string } }
              requestBody:
                content:
                  application/json:
                    schema: { $ref: "#/components/schemas/Thing" }
              responses:
                "200":
                  content:
                    application/json:
                      schema:
                        type: object
                        required: [id]
                        properties:
                          id: { type: string }
                          status: { type: string, enum: [done] }
                          step:
                            oneOf:
                              - { type: object, properties: { kind: { type: string, enum: [page] } } }
                              - { type: object, properties: { kind: { type: string, enum: [code] } } }
        components:
          schemas:
            Thing:
              allOf:
                - type: object
                  required: [name, size]
                  properties:
                    name: { type: string, maxLength: 10 }
                    size: { type: integer }
                    kind: { anyOf: [{ type: string, enum: [a, b] }, { type: boolean }] }
                    notes: { type: object, additionalProperties: { type: string } }
        "##,
    );
    let own = read(
        r##"
        paths:
          /v1/things/{thing}:
            post:
              parameters:
                - { name: thing, in: path, schema: { type: string } }
                - { name: Key, in: header, schema: { type: string } }
                - { name: Version, in: header, x-unpublished: a header of all, schema: { type: string } }
              requestBody:
                content:
                  application/json:
                    schema:
                      type: object
                      required: [name]
                      properties:
                        name: { type: string, maxLength: 20 }
                        size: { type: string }
                        kind: { type: string, enum: [a, c] }
                        notes: { type: object, properties: { one: { type: string } } }
                        colour: { type: string }
              responses:
                "200":
                  content:
                    application/json:
                      schema:
                        type: object
                        required: [id, status]
                        properties:
                          id: { type: string }
                          status: { type: string, enum: [done, open] }
                          step: { type: object, properties: { kind: { type: string, enum: [page, code, wait] } } }
          /v1/others:
            get: { responses: {} }
        "##,
    );
    let report = differences(&own, std::slice::from_ref(&published));
    insta::assert_snapshot!(report.differences.join("\n"), @r#"
    POST /v1/things/{thing} header key is not published
    POST /v1/things/{thing} has no query shape, which is required
    POST /v1/things/{thing} body.name may have 10 characters there
    POST /v1/things/{thing} body.size is no string there
    POST /v1/things/{thing} body.kind has the word "c", which is not published
    POST /v1/things/{thing} body.colour is not published
    POST /v1/things/{thing} body may come without what is required there: size
    POST /v1/things/{thing} 200.status has the word "open", which is not published
    POST /v1/things/{thing} 200.step.kind has the word "wait", which is not published
    POST /v1/things/{thing} 200 relies upon what is not promised there: status
    GET /v1/others is not published
    "#);
    insta::assert_debug_snapshot!(report.explained, @r#"
    {
        "POST /v1/things/{thing} header version": "a header of all",
    }
    "#);
    let itself = differences(&own, std::slice::from_ref(&own));
    assert_eq!(itself.differences, Vec::<String>::new());
}
