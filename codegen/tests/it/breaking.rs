//! The changes between two small documents, by rule and place; and whether the change log names them.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;
use std::sync::LazyLock;

use multirail_codegen::breaking::{Change, Level, changes, rule, unnamed};
use multirail_codegen::output::workspace;
use multirail_codegen::release::{self, Release};
use sha2::{Digest as _, Sha256};

use crate::fixtures;

const OLD: &str = "\
openapi: 3.0.3
paths:
  /shops/{shop_id}/refunds:
    post:
      operationId: refunds_create
      description: |-
        | Refused because | Status | Code |
        |---|---|---|
        | it is more than was captured | 400 | `IR_06` |
        | the payment doesn't exist, or is somebody else's | 404, 400 | `HE_02`, `IR_04` |
      security: [{ api_key: [] }]
      x-multirail-roles: [org_admin, merchant_operator]
      x-client-members: [payment_id, reason]
      x-multirail-body-bytes: 1024
      parameters:
        - { name: shop_id, in: path, required: true, schema: { type: string, maxLength: 64 } }
        - { name: limit, in: query, schema: { type: integer, format: int32, minimum: 1, maximum: 100 } }
      requestBody:
        content:
          application/json:
            schema: { $ref: '#/components/schemas/RefundRequest' }
      responses:
        '200':
          headers:
            request-id: { required: true, schema: { type: string } }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Refund' }
components:
  schemas:
    RefundRequest:
      type: object
      required: [payment_id]
      properties:
        payment_id: { type: string, minLength: 1, maxLength: 64 }
        amount: { type: integer, format: int64, nullable: true }
        reason: { type: string, enum: [duplicate, fraud] }
    Refund:
      type: object
      required: [refund_id, status]
      properties:
        refund_id: { type: string }
        status: { $ref: '#/components/schemas/RefundStatus' }
        note: { type: string, maxLength: 255 }
        parent: { $ref: '#/components/schemas/Refund' }
        destination:
          oneOf:
            - type: object
              properties: { type: { type: string, enum: [card] } }
    RefundStatus:
      type: string
      enum: [pending, succeeded]
";

fn after(from: &str, to: &str) -> Vec<Change> {
    assert!(OLD.contains(from), "{from:?} is not there");
    changes(OLD, &OLD.replacen(from, to, 1)).unwrap()
}

/// Returns rule, subject and kind of each change, a line each.
fn reported(from: &str, to: &str) -> String {
    let changes = after(from, to);
    let lines = changes
        .iter()
        .map(|change| format!("{} {}: {}", change.rule.id, change.subject, change.what));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn nothing_changed() {
    assert_eq!(changes(OLD, OLD).unwrap(), []);
    // Clients depend neither on a description nor on the name of a path parameter.
    assert_eq!(
        reported(
            "operationId: refunds_create",
            "operationId: refunds_create\n      summary: Refund"
        ),
        ""
    );
    let renamed = OLD.replace("shop_id", "id");
    assert_eq!(changes(OLD, &renamed).unwrap(), []);
}

#[test]
fn each_change_has_its_rule() {
    let told = [
        ("  /shops/{shop_id}/refunds:\n    post:", "  /shops/{shop_id}/money_back:\n    post:"),
        ("operationId: refunds_create", "operationId: refunds_create\n      deprecated: true"),
        ("{ api_key: [] }", "{ bearer: [] }"),
        ("[org_admin, merchant_operator]", "[merchant_admin, org_admin]"),
        (
            "x-client-members: [payment_id, reason]",
            "x-client-members: [payment_id, amount]",
        ),
        ("x-multirail-body-bytes: 1024", "x-multirail-body-bytes: 512"),
        ("it is more than was captured", "more is asked for than was captured"),
        ("| 400 | `IR_06` |", "| 422 | `IR_06` |"),
        ("| 404, 400 | `HE_02`, `IR_04` |", "| 404 | `HE_02` |"),
        ("maximum: 100", "maximum: 50"),
        ("schema: { type: integer, format: int32, minimum: 1, maximum: 100 } }", "required: true, schema: { type: string } }"),
        ("        - { name: limit,", "        - { name: most,"),
        ("      requestBody:\n", "      requestBody:\n        required: true\n"),
        ("          application/json:\n            schema: { $ref: '#/components/schemas/RefundRequest' }", "          text/plain:\n            schema: { type: string }"),
        ("headers:\n            request-id: { required: true,", "headers:\n            trace-id: { required: true,"),
        ("required: [payment_id]", "required: [payment_id, amount]"),
        ("maxLength: 64 }\n        amount", "maxLength: 32 }\n        amount"),
        ("format: int64, nullable: true", "format: int64"),
        ("enum: [duplicate, fraud]", "enum: [fraud, mistake]"),
        ("        reason: { type: string, enum: [duplicate, fraud] }\n", ""),
        ("required: [refund_id, status]", "required: [refund_id]"),
        ("        refund_id: { type: string }\n", "        id: { type: string }\n"),
        ("refund_id: { type: string }", "refund_id: { type: string, nullable: true }"),
        ("enum: [pending, succeeded]", "enum: [pending, succeeded, failed]"),
        ("note: { type: string, maxLength: 255 }", "note: { type: string }"),
        ("enum: [card] } }", "enum: [bank] } }"),
    ]
    .map(|(from, to)| format!("{} -> {}\n{}", from.trim(), to.trim(), reported(from, to)));
    insta::assert_snapshot!(told.join("\n\n"));
}

#[test]
fn a_change_has_level_and_line() {
    let [change] = after("maximum: 100", "maximum: 50").try_into().unwrap();
    assert_eq!(change.rule.level, Level::Error);
    assert!(change.rule.level.is_breaking() && !change.is_gone);
    let line = OLD.lines().nth(change.line - 1).unwrap();
    assert!(line.contains("name: limit"), "{line}");
    assert_eq!(
        change.to_string(),
        "error: request-parameter-max-decreased POST /shops/{shop_id}/refunds limit: maximum was 100, is 50\n  \
         openapi.yaml:17 #/paths/~1shops~1{shop_id}~1refunds/post/parameters/1/schema"
    );
    // A removed part is shown at its former place.
    let [gone] = after(
        "        reason: { type: string, enum: [duplicate, fraud] }\n",
        "",
    )
    .try_into()
    .unwrap();
    assert!(gone.is_gone);
    assert!(OLD.lines().nth(gone.line - 1).unwrap().contains("reason:"));
}

#[test]
fn words_that_answers_gain_may_break_and_words_that_requests_gain_do_not() {
    let level = |id: &str| rule(id).expect("a rule").level;
    assert_eq!(level("response-property-enum-value-added"), Level::Warning);
    assert_eq!(level("request-property-enum-value-added"), Level::Info);
    assert_eq!(rule("response-property-min-increased"), None);
}

#[test]
fn a_new_line_of_the_change_log_names_a_change() {
    let changes = after(
        "        reason: {",
        "        note: { type: string }\n        reason: {",
    );
    let released = "# Changes\n\n- `note` of refunds that were answered.\n";
    let named = |now: &str| unnamed(&changes, released, now).is_empty();
    assert_eq!(changes[0].rule.id, "new-optional-request-property");
    // The earlier line is about something else.
    assert!(!named(released));
    assert!(!named(&format!("{released}- `notes` of refunds.\n")));
    assert!(named(&format!(
        "{released}- `note` of a refund that is asked for.\n"
    )));
}

/// The last release. It is read once: a shallow clone fetches it, and two fetches at once disturb each other.
static LAST: LazyLock<Release> =
    LazyLock::new(|| release::last(&workspace()).unwrap_or_else(|error| panic!("{error}")));

/// Checks in every build that the change log names every change since the last release.
#[test]
fn the_change_log_names_all_that_changed_since_the_last_release() {
    let new = release::current(&workspace()).unwrap();
    let changes = changes(&LAST.document, &new.document).unwrap();
    let unnamed = unnamed(&changes, &LAST.changelog, &new.changelog);
    let told: BTreeSet<String> = unnamed.iter().map(ToString::to_string).collect();
    assert!(
        told.is_empty(),
        "write a line for each into openapi/CHANGELOG.md: {told:#?}"
    );
    // The command finds the same.
    let output = Command::new(env!("CARGO_BIN_EXE_multirail-codegen"))
        .arg("--breaking")
        .output()
        .unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    let first = format!("{} changes since {}, ", changes.len(), LAST.name);
    assert!(told.lines().last().unwrap().starts_with(&first), "{told}");
    assert_eq!(output.status.code(), Some(0));
}

/// SHA-256 of the document and of the change log of the last release, next to its version. Only a release changes them.
const RELEASED: (&str, &str, &str) = (
    "0.1.0",
    "5ad3548dbfa1eeb3c8f1cf7fb8cc5eb2f1784363461e0c6779d81efd25c02286",
    "d35e4e84576fdb83737b7cb7df943a1cdf8a87c879b3e3cf6475fd683a9a454e",
);

/// A commit that is changed with each change would make the check compare the document with itself.
#[test]
fn what_was_released_stays_as_it_was() {
    let sum = |text: &str| {
        Sha256::digest(text)
            .iter()
            .fold(String::new(), |mut sum, byte| {
                write!(sum, "{byte:02x}").unwrap();
                sum
            })
    };
    assert_eq!(
        (
            LAST.name.as_str(),
            sum(&LAST.document).as_str(),
            sum(&LAST.changelog).as_str()
        ),
        RELEASED
    );
}

#[test]
fn the_command_compares_the_document_that_is_given() {
    let folder = tempfile::tempdir().unwrap();
    let released = folder.path().join("released");
    fs::create_dir(&released).unwrap();
    let mut value = fixtures::all();
    fs::write(released.join("openapi.yaml"), value.to_string()).unwrap();
    fs::write(released.join("CHANGELOG.md"), "").unwrap();
    let document = folder.path().join("document.yaml");
    let run = |more: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_multirail-codegen"))
            .arg("--breaking")
            .arg(&released)
            .arg("--document")
            .arg(&document)
            .args(more)
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (
            output.status.code(),
            text(output.stdout),
            text(output.stderr),
        )
    };

    fs::write(&document, value.to_string()).unwrap();
    let (code, told, _) = run(&[]);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.starts_with("0 changes since "), "{told}");

    // No line of our change log has such a name.
    let (path, item) = value["paths"].as_object().unwrap().iter().next().unwrap();
    let (path, item) = (format!("{path}/zebras"), item.clone());
    let operation = item.as_object().unwrap().keys().next().unwrap().clone();
    value["paths"][&path] = item;
    value["paths"][&path][operation]["operationId"] = "zebras_groom".into();
    fs::write(&document, value.to_string()).unwrap();
    let (code, told, refused) = run(&[]);
    assert_eq!(code, Some(1), "{told}{refused}");
    assert!(
        told.contains("no new line of openapi/CHANGELOG.md has zebras_groom"),
        "{told}{refused}"
    );

    // It writes nothing, so it takes no folder to write to.
    let (code, _, refused) = run(&["--out", "elsewhere"]);
    assert_eq!(code, Some(2), "{refused}");
}
