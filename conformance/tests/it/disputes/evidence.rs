//! Evidence: attached, read, removed, submitted.

use multirail_conformance::bodies::{DISPUTED, paid_with, with};
use multirail_conformance::evidence::evidence;
use multirail_conformance::{Call, Shop};
use multirail_simulator::scripted::{Call as SimulatorCall, Fault};
use serde_json::{Value, json};

use super::{challenges, dispute_id, on, paid, raised, shop_with_notice_secret};

pub(super) const PDF: &str = "%PDF-1.7 what was bought has arrived";

pub(crate) fn attaches(shop: &Shop, dispute: &Value, item: &str, file: &str) -> Call {
    shop.call("disputes_attach")
        .query("dispute_id", dispute_id(dispute))
        .query("evidence_type", item)
        .text("application/octet-stream", file)
}

/// The customer's data in earlier evidence is gone with its key, and doesn't come back.
#[tokio::test]
async fn evidence_of_a_redacted_customer_is_gone() {
    let shop = shop_with_notice_secret().await;
    let of_ada = json!({ "customer": { "id": "ada", "name": "Ada Okafor" } });
    let payment = shop.creates(with(paid_with(DISPUTED), of_ada)).await.ok();
    let dispute = raised(&shop, &payment, "dispute", "dispute_opened").await;
    let deleted = shop.call("customers_delete").at("customer_id", "ada");
    deleted.await.ok();
    for item in [
        "customer_name",
        "customer_email_address",
        "customer_purchase_ip",
        "billing_address",
        "shipping_address",
    ] {
        let said = challenges(&shop, &dispute, item, "Ada Okafor");
        said.await.refused(400, "IR_11");
    }
    let left = on(&shop, "disputes_retrieve_evidence", &dispute).await.ok();
    assert_eq!(left["texts"], json!([]));
    let said = challenges(&shop, &dispute, "product_description", "Two books");
    said.await.ok();
    let left = on(&shop, "disputes_retrieve_evidence", &dispute).await.ok();
    assert_eq!(left["texts"][0]["text"], "Two books");
}

#[tokio::test]
async fn texts_and_files_go_to_the_processor_together() {
    let shop = shop_with_notice_secret().await;
    let payment = paid(&shop).await;
    let dispute = raised(&shop, &payment, "dispute", "dispute_opened").await;
    let first = attaches(&shop, &dispute, "receipt", PDF).await.ok();
    let file = attaches(&shop, &dispute, "receipt", PDF).await.ok();
    assert_ne!(first, file, "the second takes the place of the first");
    attaches(&shop, &dispute, "refund_policy", PDF).await.ok();
    let left = on(&shop, "disputes_delete_evidence", &dispute)
        .query("evidence_type", "refund_policy")
        .await
        .ok();
    assert_eq!(left["files"][0]["file_id"], file["file_id"]);
    assert_eq!(left["files"][1], Value::Null);

    // A challenge can only name files that exist.
    challenges(
        &shop,
        &dispute,
        "receipt",
        first["file_id"].as_str().expect("an id"),
    )
    .await
    .refused(422, "IR_05");
    let body = json!({
        "dispute_id": dispute["dispute_id"], "receipt": file["file_id"], "customer_name": "Ada Example",
    });
    let challenged = shop.call("disputes_challenge").json(&body).await.ok();
    assert_eq!(challenged["dispute_status"], "dispute_challenged");
    let mut brought = on(&shop, "disputes_retrieve_evidence", &dispute).await.ok();
    let kept = &mut brought["files"][0];
    assert_eq!(kept["file_id"].take(), file["file_id"]);
    assert!(kept["attached_at"].take().is_string());
    insta::assert_json_snapshot!(evidence(&brought), @r#"
    {
      "dispute_id": "dp_[20]",
      "texts": [
        {
          "evidence_type": "customer_name",
          "text": "Ada Example"
        }
      ],
      "files": [
        {
          "evidence_type": "receipt",
          "file_id": null,
          "content_type": "application/pdf",
          "size": 36,
          "attached_at": null
        }
      ]
    }
    "#);

    // Submitted evidence can't be changed any more, and the dispute can still be accepted.
    let removed = on(&shop, "disputes_delete_evidence", &dispute).query("evidence_type", "receipt");
    removed.await.refused(400, "HE_03");
    attaches(&shop, &dispute, "refund_policy", PDF)
        .await
        .refused(400, "HE_03");
    challenges(&shop, &dispute, "shipping_carrier", "Post")
        .await
        .ok();
    let accepted = on(&shop, "disputes_accept", &dispute).await.ok();
    assert_eq!(accepted["dispute_status"], "dispute_accepted");
    challenges(&shop, &dispute, "shipping_carrier", "Post")
        .await
        .refused(400, "HE_03");
}

#[tokio::test]
async fn wrong_evidence_is_refused() {
    let shop = shop_with_notice_secret().await;
    let payment = paid(&shop).await;
    let dispute = raised(&shop, &payment, "dispute", "dispute_opened").await;
    for (item, file) in [
        ("receipt", "GIF89a"),
        ("receipt", ""),
        ("customer_name", PDF),
    ] {
        attaches(&shop, &dispute, item, file)
            .await
            .refused(422, "IR_06");
    }
    let unknown = attaches(&shop, &dispute, "menu", PDF).unjudged();
    assert_eq!(unknown.await.status, 400);
    let too_long = format!("{PDF}{}", " ".repeat(5 * 1_024 * 1_024));
    attaches(&shop, &dispute, "receipt", &too_long)
        .await
        .refused(413, "IR_06");
    let largest = &too_long[..5 * 1_024 * 1_024];
    attaches(&shop, &dispute, "receipt", largest).await.ok();
    attaches(&shop, &dispute, "refund_policy", largest)
        .await
        .ok();
    attaches(&shop, &dispute, "uncategorized_file", PDF)
        .await
        .refused(422, "IR_06");
    let nothing = json!({ "dispute_id": dispute["dispute_id"] });
    for item in ["receipt", "refund_policy"] {
        let removed = on(&shop, "disputes_delete_evidence", &dispute).query("evidence_type", item);
        removed.await.ok();
    }
    let challenged = shop.call("disputes_challenge").json(&nothing);
    challenged.await.refused(422, "IR_06");
    raised(&shop, &payment, "pre_arbitration", "dispute_opened").await;
    attaches(&shop, &dispute, "receipt", PDF)
        .await
        .refused(400, "HE_03");
    let unknown = json!({ "dispute_id": "dp_of_nobody", "customer_name": "Ada" });
    let challenged = shop.call("disputes_challenge").json(&unknown);
    challenged.await.refused(404, "HE_04");
}

#[tokio::test]
async fn a_challenge_without_an_answer_is_found_and_one_that_is_refused_changes_nothing() {
    let shop = shop_with_notice_secret().await;
    let payment = paid(&shop).await;
    let dispute = raised(&shop, &payment, "dispute", "dispute_opened").await;
    shop.next_call_meets(SimulatorCall::ChallengeDispute, Fault::Throttles);
    challenges(&shop, &dispute, "customer_name", "Ada")
        .await
        .refused(400, "CE_08");
    shop.next_call_meets(SimulatorCall::ChallengeDispute, Fault::LosesAnswer);
    let open = challenges(&shop, &dispute, "customer_name", "Ada")
        .await
        .ok();
    assert_eq!(open["dispute_status"], "dispute_opened");
    let waiting = shop.server.operator("unresolved_operations_list");
    assert_eq!(waiting.await.ok()[0]["operation"], "challenge_dispute");
    on(&shop, "disputes_accept", &dispute)
        .await
        .refused(400, "HE_03");
    let found = on(&shop, "disputes_retrieve", &dispute).query("force_sync", true);
    assert_eq!(found.await.ok()["dispute_status"], "dispute_challenged");
}
