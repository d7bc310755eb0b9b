//! The operator's list of notices.

use multirail_conformance::bodies::{APPROVED, paid_with};
use multirail_conformance::notice::{approved, disputed};
use multirail_conformance::patience::until;
use multirail_simulator::scripted::{Call, Fault};
use serde_json::json;

use super::{last_notice, shop_with_notice_secret, tells};

const DAY: i64 = 86_400;

#[tokio::test]
async fn an_unmatched_notice_is_tried_for_a_day_and_again_on_request() {
    let shop = shop_with_notice_secret().await;
    tells(&shop, &approved("mrk_of_somebody_else", 6540))
        .await
        .ok();
    let waiting = last_notice(&shop, "waiting").await;
    assert_eq!(waiting["objects"], json!([]));
    shop.server.time_passes(DAY).await;
    let given_up = last_notice(&shop, "unmatched").await;
    assert_eq!(given_up["next_try_at"], json!(null));

    let replay = shop.server.operator("notices_replay");
    let id = given_up["notice_id"].as_str().expect("an id");
    let again = replay.at("notice_id", id).await.ok();
    assert_eq!(again["status"], "waiting");
    last_notice(&shop, "unmatched").await;

    let nobody = shop
        .server
        .operator("notices_replay")
        .at("notice_id", "ntc_1");
    nobody.await.refused(404, "HE_02");
}

/// A notice may arrive before its payment's reference is stored. This one names an authorization whose answer was
/// lost.
#[tokio::test]
async fn an_early_notice_is_matched_when_its_object_is_known() {
    let shop = shop_with_notice_secret().await;
    shop.next_call_meets(Call::Authorize, Fault::LosesAnswer);
    let payment = shop.creates(paid_with(APPROVED)).await.ok();
    assert_eq!(payment["status"], "processing");
    let mut named = payment.clone();
    let books = shop.processor().ledger().authorizations();
    let booked = books.expect("the books can be read").pop();
    named["connector_transaction_id"] = booked.expect("it was done").reference.into();
    tells(&shop, &disputed(&named, "dispute", "dispute_opened"))
        .await
        .ok();
    // The worker reads the notice when it first looks at it.
    let early = until(
        "somebody looks at it",
        async || last_notice(&shop, "waiting").await,
        |filed| filed["kinds"] != json!([]),
    );
    assert_eq!(early.await["objects"], json!([]));

    let known = shop.asks_about(&payment).await.ok();
    assert_eq!(
        (&known["status"], &known["connector_transaction_id"]),
        (&json!("succeeded"), &named["connector_transaction_id"])
    );
    shop.server.time_passes(60).await;
    let matched = last_notice(&shop, "applied").await;
    let disputed = shop.retrieves(&payment).await.ok();
    assert_eq!(
        matched["objects"],
        json!([disputed["disputes"][0]["dispute_id"]])
    );
}

#[tokio::test]
async fn operators_read_notices_without_personal_data() {
    let shop = shop_with_notice_secret().await;
    let mut notice = approved("mrk_1", 6540);
    notice["answer"]["holder"] = json!("Ada Lovelace");
    tells(&shop, &notice).await.ok();
    let listed = last_notice(&shop, "waiting").await;
    let id = listed["notice_id"].as_str().expect("an id");
    let call = || shop.server.operator("notices_retrieve").at("notice_id", id);
    let shown = call().await.ok();
    let answer = &shown["body"]["answer"];
    assert_eq!(
        (
            &answer["holder"],
            &answer["amount"],
            &answer["status"],
            &answer["currency"]
        ),
        (
            &json!("***"),
            &json!(6540),
            &json!("approved"),
            &json!("USD")
        )
    );
    // Merchants can't read the list.
    call().key(&shop.api_key).await.refused(401, "IR_01");
    shop.call("notices_list").await.refused(401, "IR_01");

    let list = |name, value| shop.server.operator("notices_list").query(name, value);
    assert_eq!(list("merchant_id", "nobody").await.ok(), json!([]));
    assert_eq!(list("status", "applied").await.ok(), json!([]));
    let own = list("merchant_connector_id", shop.connector_account_id.as_str());
    assert_eq!(own.await.ok().as_array().map(Vec::len), Some(1));
    list("limit", "101").await.refused(422, "IR_06");
}
