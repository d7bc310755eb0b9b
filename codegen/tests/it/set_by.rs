//! Marks that name who sets a member of a payment: their order, and the findings of incomplete marks.

use multirail_codegen::set_by::marked;
use serde_json::{Value, json};

use crate::fixtures;

/// Returns a document whose payment has an object, a list, and one component in two places.
fn document() -> Value {
    let member =
        |mark: Value| json!({ "description": "M.", "type": "string", "x-multirail-set-by": mark });
    let refers = |to: &str, mark: Value| json!({ "description": "R.", "allOf": [{ "$ref": format!("#/components/schemas/{to}") }], "x-multirail-set-by": mark });
    let capture = json!({ "$ref": "#/components/schemas/Capture" });
    let object =
        |members: Value| json!({ "description": "O.", "type": "object", "properties": members });
    json!({
        "info": { "version": "0.2.0" },
        "components": { "schemas": {
            "Payment": object(json!({
                "id": member(json!({ "group": "Identity", "who": ["merchant", "server"], "from": "create, else made", "since": "0.1.0" })),
                "error": refers("Failure", json!({ "who": ["connector"], "from": "the last attempt", "since": "0.1.0" })),
                "captures": { "description": "C.", "type": "array", "items": capture,
                    "x-multirail-set-by": { "group": "Lists", "who": ["server"], "from": "its own captures", "since": "0.2.0" } },
            })),
            "Capture": object(json!({
                "error": refers("Failure", json!({ "who": ["connector"], "from": "this capture", "since": "0.2.0" })),
                "fee": member(json!({ "who": ["nobody"], "from": "null until fees are built" })),
            })),
            "Failure": object(json!({
                "code": member(json!({ "who": ["connector", "server"], "from": "its own words", "since": "0.1.0" })),
            })),
            "Elsewhere": object(json!({ "code": { "description": "C.", "type": "string" } })),
        } },
    })
}

/// Returns the findings after one mark is replaced; null removes it.
fn findings(component: &str, member: &str, mark: Value) -> String {
    let mut document = document();
    let member = &mut document["components"]["schemas"][component]["properties"][member];
    member["x-multirail-set-by"] = mark.clone();
    if mark.is_null() {
        member
            .as_object_mut()
            .unwrap()
            .shift_remove("x-multirail-set-by");
    }
    fixtures::findings(&document)
        .iter()
        .filter(|finding| finding.problem.contains("x-multirail-set-by"))
        .map(|finding| {
            format!(
                "{}: {}\n  {}\n",
                finding.location, finding.problem, finding.remedy
            )
        })
        .collect()
}

#[test]
fn members_are_listed_in_the_order_of_the_document() {
    let document = document();
    let paths: Vec<String> = marked(&document)
        .into_iter()
        .map(|(path, _)| path)
        .collect();
    assert_eq!(
        paths,
        [
            "id",
            "error",
            "error.code",
            "captures",
            "captures[].error",
            "captures[].fee"
        ]
    );
}

#[test]
fn a_mark_says_who_from_what_and_since_when() {
    let good = json!({ "who": ["server"], "from": "somewhere", "since": "0.2.0" });
    assert_eq!(findings("Capture", "fee", good.clone()), "");
    let without = |word: &str| {
        let mut mark = good.clone();
        mark.as_object_mut().unwrap().shift_remove(word);
        mark
    };
    let with = |word: &str, value: Value| {
        let mut mark = good.clone();
        mark[word] = value;
        mark
    };
    insta::assert_snapshot!(findings("Capture", "fee", Value::Null), @r#"
    #/components/schemas/Capture/properties/fee: `x-multirail-set-by` is missing, which its neighbours have
      say who sets the member, from what, and since which version
    "#);
    insta::assert_snapshot!(findings("Capture", "fee", without("who")), @r#"
    #/components/schemas/Capture/properties/fee: `x-multirail-set-by` doesn't say who sets it
      write `who` as a list of merchant, request, server, connector, the first who says something first, or `[nobody]`
    "#);
    insta::assert_snapshot!(findings("Capture", "fee", with("who", json!(["payer"]))), @r#"
    #/components/schemas/Capture/properties/fee: `x-multirail-set-by` doesn't say who sets it
      write `who` as a list of merchant, request, server, connector, the first who says something first, or `[nobody]`
    "#);
    insta::assert_snapshot!(findings("Capture", "fee", with("who", json!(["server", "nobody"]))), @r#"
    #/components/schemas/Capture/properties/fee: `x-multirail-set-by` doesn't say who sets it
      write `who` as a list of merchant, request, server, connector, the first who says something first, or `[nobody]`
    "#);
    insta::assert_snapshot!(findings("Capture", "fee", without("from")), @r#"
    #/components/schemas/Capture/properties/fee: `x-multirail-set-by` doesn't say from what
      write `from`: what the member is made of, or what it waits for
    "#);
    insta::assert_snapshot!(findings("Capture", "fee", without("since")), @r#"
    #/components/schemas/Capture/properties/fee: `x-multirail-set-by` doesn't say since which version
      write `since` with a version like 0.1.0, the document's own at most
    "#);
    insta::assert_snapshot!(findings("Capture", "fee", with("since", json!("0.3.0"))), @r#"
    #/components/schemas/Capture/properties/fee: `x-multirail-set-by` doesn't say since which version
      write `since` with a version like 0.1.0, the document's own at most
    "#);
    insta::assert_snapshot!(findings("Capture", "fee", with("who", json!(["nobody"]))), @r#"
    #/components/schemas/Capture/properties/fee: `x-multirail-set-by` says since when nobody sets it
      remove `since` until somebody does
    "#);
    insta::assert_snapshot!(findings("Capture", "fee", with("until", json!("later"))), @r#"
    #/components/schemas/Capture/properties/fee: `x-multirail-set-by` says `until`
      use `group`, `who`, `from` and `since`
    "#);
    insta::assert_snapshot!(findings("Elsewhere", "code", good.clone()), @r#"
    #/components/schemas/Elsewhere: `x-multirail-set-by` marks members that no payment has
      remove the marks, or mark the member of a payment that leads here
    "#);
}
