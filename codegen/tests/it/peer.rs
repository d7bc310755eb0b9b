//! Wire types of connectors, and the refusals of their two files.

use std::path::Path;

use multirail_codegen::document::parse_yaml;
use multirail_codegen::peer::{self, cut};

const PEER: &str = include_str!("fixtures/peer.yaml");

const MEANS: &str = "
Status:
  to: crate::Standing
  words:
    Done: [done]
    Open: [not yet]
    none: [refused]
SaleType:
  to: [crate::Kind, crate::What]
  words:
    Sale Made: [sale_made]
    Sale Undone: [sale_undone]
Code:
  to: crate::Category
  words:
    Approved: ['100']
    NoFunds: ['51']
";

fn generated(name: &str) -> String {
    let files = peer::one(PEER, MEANS).unwrap_or_else(|fault| panic!("{fault}"));
    files.get(Path::new(name)).unwrap().clone()
}

/// Returns the fault after the first text was replaced by the second.
fn fault(file: &str, old: &str, new: &str) -> String {
    assert!(file.contains(old), "{old}");
    let changed = file.replacen(old, new, 1);
    let is_peer = file == PEER;
    let (peer, means) = if is_peer {
        (&*changed, MEANS)
    } else {
        (PEER, &*changed)
    };
    let fault = peer::one(peer, means).expect_err("a fault");
    fault.to_string()
}

#[test]
fn requests_borrow_within_limits_and_answers_own_what_is_read() {
    insta::assert_snapshot!(generated("wire.rs"));
}

#[test]
fn words_have_meanings_without_a_wildcard() {
    insta::assert_snapshot!(generated("means.rs"));
}

#[test]
fn a_word_without_a_line_and_a_line_without_a_word_stop_the_generator() {
    let faults = [
        fault(PEER, "done, \"not yet\"", "done, late, \"not yet\""),
        fault(PEER, "[sale_made, ", "[sale_made, sale_lost, "),
        fault(PEER, "\"100\", \"51\"", "\"100\""),
        fault(MEANS, "Done: [done]", "Done: [done, gone]"),
        fault(MEANS, "none: [refused]", "none: [refused, done]"),
        fault(MEANS, "    none: [refused]\n", ""),
        fault(MEANS, "Sale Undone", "Undone"),
        fault(MEANS, "Approved: ['100']", "Approved: []"),
        fault(MEANS, "Code:", "Codes:"),
        fault(MEANS, "to: crate::Category", "to: a category"),
        fault(MEANS, "Code:", "When:"),
    ];
    insta::assert_snapshot!(faults.join("\n"), @"
    means.yaml: Status: `late` of peer.yaml has no line; if it means nothing, write it after `none`
    means.yaml: SaleType: `sale_lost` of peer.yaml has no line; if it means nothing, write it after `none`
    means.yaml: Code: `51` has a line, but is no word of peer.yaml
    means.yaml: Status: `gone` has a line, but is no word of peer.yaml
    means.yaml: Status: `done` has two lines
    means.yaml: Status: `refused` of peer.yaml has no line; if it means nothing, write it after `none`
    means.yaml: SaleType: `Undone` doesn't name one value of each type in `to`
    means.yaml: Code: `Approved` has no list of words
    means.yaml: Codes: peer.yaml has no such enumeration; remove the table
    means.yaml: Code: `a category` is no type
    means.yaml: When: only words of answers and notices have meanings
    ");
}

#[test]
fn forms_without_a_type_stop_the_generator() {
    let faults = [
        fault(
            PEER,
            "3ds: { type: boolean }",
            "3ds: { type: object, properties: {} }",
        ),
        fault(PEER, "3ds: { type: boolean }", "3ds: { type: number }"),
        fault(
            PEER,
            "3ds: { type: boolean }",
            "3ds: { description: anything }",
        ),
        fault(PEER, "schemas/When\"", "schemas/Then\""),
        fault(PEER, "body: Event", "body: Events"),
        fault(PEER, "\"Much Later\"", "Now, now"),
        fault(
            PEER,
            "Line:\n      type: object",
            "Line:\n      allOf: [{ $ref: \"#/components/schemas/Report\" }]",
        ),
        fault(
            PEER,
            "code: { $ref: \"#/components/schemas/Code\" }",
            "code: { $ref: \"#/components/schemas/When\" }",
        ),
        fault(
            PEER,
            "properties:\n        code:",
            "properties:\n        source: { $ref: \"#/components/schemas/Source\" }\n        code:",
        ),
        fault(
            PEER,
            "Status: { description",
            "Status: { x-words: by-text, description",
        ),
        fault(PEER, "x-words: by-text", "x-words: open"),
        fault(PEER, "x-words: by-text", "x-words: by-texts"),
        fault(PEER, "openapi: 3.0.3", "openapi: 3.0.3\nopenapi: 3.0.3"),
    ];
    insta::assert_snapshot!(faults.join("\n"), @r#"
    SaleRequest.3ds: an object of its own has no name; make it a component
    SaleRequest.3ds: no type is generated for number
    SaleRequest.3ds: it has no type
    peer.yaml: there is no component Then
    peer.yaml: there is no component Events
    When: another word than `Now` has the same name in Rust
    Code: it is sent and read; only words of answers may be of a later version, so name two
    When: it is sent and read; only words of answers may be of a later version, so name two
    CardSourceType: it is sent and read; only words of answers may be of a later version, so name two
    Status: `x-words: by-text` is for words of requests; remove it
    When: `x-words: open` is for words of answers and notices; remove it
    When: `x-words` can only be `open` or `by-text`
    peer.yaml: duplicate entry with key "openapi"
    "#);
}

#[test]
fn the_cut_has_what_is_published_of_the_members_that_are_named() {
    let published = parse_yaml(
        r##"
        paths:
          /sales/{sale}:
            put:
              parameters:
                - { name: sale, in: path, schema: { type: string } }
                - { name: Shape, in: header, schema: { type: string, maxLength: 9 } }
              requestBody:
                content:
                  application/json:
                    schema: { $ref: "#/components/schemas/Sale" }
              responses:
                "200":
                  content:
                    application/json:
                      schema:
                        type: object
                        required: [id]
                        properties:
                          id: { type: string }
                          size: { type: integer }
                          notes: { type: object, additionalProperties: { type: string, maxLength: 80 } }
                          action:
                            oneOf:
                              - { type: object, properties: { type: { type: string, enum: [wait] } } }
                              - { type: object, properties: { type: { type: string, enum: [go] }, url: { type: string } } }
                          status: { type: string, enum: [done, open], description: Its own words. }
        components:
          schemas:
            Sale:
              type: object
              required: [name, source, size]
              properties:
                name: { type: string, maxLength: 22, description: Its own words. }
                size: { type: integer, minimum: 1 }
                colour: { type: string }
                kind: { type: string, enum: [a, b] }
                source:
                  oneOf:
                    - { type: object, required: [type], properties: { type: { type: string, enum: [card] }, number: { type: string, maxLength: 19 } } }
                    - { type: object, required: [type], properties: { type: { type: string, enum: [token] }, number: { type: string, maxLength: 40 } } }
        "##,
    );
    let own = parse_yaml(
        r##"
        paths:
          /sales/{id}:
            put:
              parameters:
                - { name: id, in: path, schema: {} }
                - { name: shape, in: header, schema: {} }
                - { name: key, in: header, x-unpublished: a header of all, schema: {} }
              requestBody:
                content:
                  application/json:
                    schema: { $ref: "#/components/schemas/SaleRequest" }
              responses:
                "200":
                  content:
                    application/json:
                      schema: { $ref: "#/components/schemas/Sale" }
                "400": { x-unpublished: refusals have one form, description: Refused. }
          /others:
            get: { responses: {} }
        components:
          schemas:
            SaleRequest:
              properties:
                name: { description: Ours. }
                kind: { enum: [a] }
                weight: {}
                source: { oneOf: [{ $ref: "#/components/schemas/Token" }] }
            Token:
              properties: { type: { enum: [token] }, number: { format: secret } }
            Sale:
              required: [id, status]
              properties:
                id: {}
                notes: { properties: { shelf: {} } }
                action: { properties: { type: { enum: [go] }, url: {} } }
                status: {}
        "##,
    );
    let cut::Cut { document, missing } = cut::cut(&own.unwrap(), &[published.unwrap()]);
    insta::assert_snapshot!(serde_norway::to_string(&document).unwrap(), @"
    paths:
      /sales/{id}:
        put:
          parameters:
          - name: id
            in: path
            schema: {}
          - name: shape
            in: header
            schema:
              type: string
              maxLength: 9
          - name: key
            in: header
            x-unpublished: a header of all
            schema: {}
          requestBody:
            content:
              application/json:
                schema:
                  $ref: '#/components/schemas/SaleRequest'
          responses:
            '200':
              content:
                application/json:
                  schema:
                    $ref: '#/components/schemas/Sale'
            '400':
              x-unpublished: refusals have one form
              description: Refused.
      /others:
        get:
          responses: {}
    components:
      schemas:
        SaleRequest:
          properties:
            name:
              description: Ours.
              type: string
              maxLength: 22
            kind:
              enum:
              - a
              type: string
            weight: {}
            source:
              oneOf:
              - $ref: '#/components/schemas/Token'
          type: object
          required:
          - name
          - source
        Token:
          properties:
            type:
              enum:
              - token
              type: string
            number:
              format: secret
              type: string
              maxLength: 40
          type: object
          required:
          - type
        Sale:
          required:
          - id
          properties:
            id:
              type: string
            notes:
              properties:
                shelf:
                  type: string
                  maxLength: 80
              type: object
            action:
              properties:
                type:
                  enum:
                  - go
                  type: string
                url:
                  type: string
            status:
              type: string
              enum:
              - done
              - open
          type: object
    ");
    insta::assert_debug_snapshot!(missing, @r#"
    [
        "PUT /sales/{id} body.weight",
        "PUT /sales/{id} body lacks size, which is required",
        "GET /others",
    ]
    "#);
}
