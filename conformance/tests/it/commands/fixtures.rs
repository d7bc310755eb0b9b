//! `multirail fixtures`: a file of requests runs against a sandbox.

use std::fs;

use serde_json::{Value, json};

use super::{Developer, Said};

impl Developer {
    /// Runs a file with these steps, with the stored login.
    async fn runs_steps(&self, steps: Value) -> Said {
        let file = self.home.path().join("steps.json");
        let text = json!({ "_meta": { "template_version": 0 }, "fixtures": steps }).to_string();
        fs::write(&file, text).expect("written");
        let said = self.logs_in().await;
        assert_eq!(said.code, Some(0), "{said:?}");
        self.runs(&["fixtures", "steps.json"], "").await
    }
}

fn pay() -> Value {
    let card = json!({
        "card_number": "4242424242424242", "card_exp_month": "10", "card_exp_year": "35", "card_cvc": "123",
    });
    json!({
        "name": "pay", "method": "post", "path": "/payments", "params": {
            "payment_id": "fixed", "amount": 6540, "currency": "USD", "confirm": true,
            "payment_method": "card", "payment_method_data": { "card": card },
        },
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn later_steps_use_the_answers_of_earlier_ones() {
    let developer = Developer::at_sandbox().await;
    let said = developer.runs_steps(json!([
        pay(),
        { "name": "look", "method": "get", "path": "/payments/${pay:payment_id}",
          "params": { "force_sync": true } },
        { "name": "back", "method": "post", "path": "/refunds", "params": {
            "refund_id": "back", "payment_id": "${look:payment_id}", "amount": "${look:amount_received}",
            "reason": "${look:status} before",
        } },
        { "name": "again", "method": "post", "path": "/refunds", "expected_error": "IR_13",
          "params": { "payment_id": "${pay:payment_id}", "amount": 1 } },
    ]));
    let said = said.await;
    assert_eq!(said.code, Some(0), "{said:?}");
    insta::assert_snapshot!(said.out, @r"
    [1/4] pay: POST 200, payment_id fixed
    [2/4] look: GET 200, payment_id fixed
    [3/4] back: POST 200, refund_id back
    [4/4] again: POST 400
    ");
    let call = developer
        .server
        .wire
        .call("refunds_retrieve")
        .key(&developer.key());
    let refund = call.at("refund_id", "back").await.ok();
    assert_eq!(refund["amount"], 6540);
    assert_eq!(refund["reason"], "succeeded before");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_step_that_fails_is_named() {
    let developer = Developer::at_sandbox().await;
    let unknown = json!({ "name": "back", "method": "post", "path": "/refunds", "params": {
        "payment_id": "${pay:refund_id}",
    } });
    let said = developer.runs_steps(json!([pay(), unknown])).await;
    assert_eq!(said.code, Some(1), "{said:?}");
    insta::assert_snapshot!(said.err, @"multirail: step 2 (`back`), params.payment_id: the answer of `pay` has no member `refund_id`");
    let refused = json!({ "name": "look", "method": "get", "path": "/payments/nothing" });
    let said = developer.runs_steps(json!([refused])).await;
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(
        said.err.starts_with("multirail: step 1 (`look`): "),
        "{said:?}"
    );
    assert!(said.err.ends_with(" (HE_02, HTTP 404)\n"), "{said:?}");
    let later = json!({ "name": "look", "method": "get", "path": "/payments/${later:id}" });
    let mut first = pay();
    first["params"]["payment_id"] = json!("never_made");
    let said = developer.runs_steps(json!([first, later])).await;
    assert_eq!(said.code, Some(2), "{said:?}");
    let call = developer.server.wire.call("payments_retrieve");
    let call = call.key(&developer.key()).at("payment_id", "never_made");
    call.await.refused(404, "HE_02");
}

/// The guide's file runs as it stands there.
#[tokio::test(flavor = "multi_thread")]
async fn the_file_of_the_guide_runs() {
    let guide = include_str!("../../../../server/docs/guides/command-line.md");
    let (_, file) = guide.split_once("```json\n").expect("a file");
    let (file, _) = file.split_once("```").expect("its end");
    let file: Value = serde_json::from_str(file).expect("JSON");
    let developer = Developer::at_sandbox().await;
    let said = developer.runs_steps(file["fixtures"].clone()).await;
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(
        said.out.ends_with("[4/4] too_early: POST 400\n"),
        "{said:?}"
    );
}
