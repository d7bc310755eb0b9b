//! A developer looks for the reason of a declined payment, by filters and pages.

use multirail_conformance::bodies::{APPROVED, DECLINED, order, paid_with};
use multirail_conformance::request_log::{id, logged, request_id};
use multirail_conformance::{Shop, evidence, shop};
use serde_json::{Value, json};

use super::{list, operations};

/// Returns the members that are the same in every run.
fn stable(entry: &Value) -> Value {
    let mut entry = entry.clone();
    let members = entry.as_object_mut().expect("an entry");
    for name in [
        "request_id",
        "requested_at",
        "duration_ms",
        "request_body",
        "answer_body",
        "object_id",
        "caller_id",
    ] {
        members.shift_remove(name);
    }
    evidence::evidence(&entry)
}

fn body(entry: &Value, name: &str) -> Value {
    let text = entry[name].as_str().expect("a body");
    serde_json::from_str(text).expect("JSON")
}

#[tokio::test]
async fn a_declined_payment_is_found_with_its_error() {
    let shop = Shop::open().await;
    let answer = shop
        .creates(paid_with(DECLINED))
        .header("idempotency-key", "order_of_ada_0001")
        .header("user-agent", "bookshop/1.0");
    let answer = answer.await;
    let found = logged(|operation| shop.call(operation), &answer).await;
    let payment = answer.ok();
    assert_eq!(found["object_id"], payment["payment_id"]);
    assert!(found["duration_ms"].as_i64().is_some_and(|took| took >= 0));
    insta::assert_json_snapshot!(stable(&found), @r#"
    {
      "method": "POST",
      "path": "/payments",
      "path_template": "/payments",
      "operation": "payments_create",
      "status": 200,
      "error_code": null,
      "caller": "api_key",
      "profile_id": "pro_[20]",
      "payment_id": "pay_[20]",
      "idempotency_key": "or********01",
      "user_agent": "bookshop/1.0",
      "request_body_cut": false,
      "answer_body_cut": false
    }
    "#);
    let card = &body(&found, "request_body")["payment_method_data"]["card"];
    assert_eq!(card["card_number"], "***");
    let said = body(&found, "answer_body");
    for member in [
        "status",
        "amount",
        "currency",
        "error_code",
        "error_message",
    ] {
        assert_eq!(said[member], payment[member], "{member}");
    }
    assert_eq!(said["client_secret"], "***");

    let of_payment = [("payment_id", shop::id(&payment))];
    let listed = list(&shop, &of_payment).await;
    assert_eq!(operations(&listed), ["payments_create"]);
    assert_eq!(
        listed[0]["answer_body"],
        json!(null),
        "lists have no bodies"
    );
}

#[tokio::test]
async fn every_filter_narrows_the_list() {
    let shop = Shop::open().await;
    let payment = shop.creates(paid_with(APPROVED)).await.ok();
    let refund = shop.refunds(&payment, json!({ "amount": 100 })).await.ok();
    let refused = shop.creates(json!({ "amount": 1 })).await;
    assert_eq!(refused.status, 400);
    let last = logged(|operation| shop.call(operation), &refused).await;
    let refund_id = refund["refund_id"].as_str().expect("an id");
    let key_id = last["caller_id"].as_str().expect("an id");
    let (request_id, at) = (last["request_id"].as_str(), last["requested_at"].as_str());
    let (request_id, at) = (request_id.expect("an id"), at.expect("a time"));
    let refund_first = ["refunds_create"].as_slice();
    let both = ["refunds_create", "payments_create"].as_slice();
    let only_refused = ["payments_create"].as_slice();
    let none = [].as_slice();
    let class = ("status_class", "client_error");
    let about = ("payment_id", shop::id(&payment));
    for (filter, wanted) in [
        (vec![about], both),
        (vec![about, ("operation", "refunds_create")], refund_first),
        (vec![("object_id", refund_id)], refund_first),
        (vec![("status", "400")], only_refused),
        (vec![class, ("operation", "payments_create")], only_refused),
        (vec![("request_id", request_id)], only_refused),
        (vec![about, ("caller_id", key_id)], both),
        (vec![about, ("caller_id", "snd_another")], none),
        (vec![about, ("method", "POST")], both),
        (vec![about, ("method", "DELETE")], none),
        (vec![about, ("before", request_id)], both),
        (vec![about, ("requested_at.lte", at)], both),
        (
            vec![about, ("requested_at.gte", "2099-01-01T00:00:00Z")],
            none,
        ),
        (vec![("payment_id", "pay_of_nobody")], none),
    ] {
        let found = list(&shop, &filter).await;
        assert_eq!(operations(&found), wanted, "{filter:?}");
    }
    assert_eq!(last["error_code"], refused.body["code"]);
}

#[tokio::test]
async fn pages_have_every_request_once() {
    let shop = Shop::open().await;
    let mut made = Vec::new();
    for _ in 0..5 {
        made.push(shop.creates(order()).await);
    }
    for one in &made {
        logged(|operation| shop.call(operation), one).await;
    }
    let call = || {
        let call = shop.call("request_log_list").query("limit", 2);
        call.query("operation", "payments_create")
    };
    let mut pages = vec![call().await.ok()];
    while let Some(last) = pages.last().and_then(|page| page.as_array()?.last()) {
        let next = call().query("before", id(last)).await.ok();
        pages.push(next);
    }
    let lengths: Vec<usize> = pages
        .iter()
        .map(|page| page.as_array().map_or(0, Vec::len))
        .collect();
    assert_eq!(lengths, [2, 2, 1, 0]);
    let listed = pages
        .iter()
        .flat_map(|page| page.as_array().into_iter().flatten());
    let mut listed: Vec<&str> = listed.map(id).collect();
    let mut made: Vec<String> = made.iter().map(request_id).collect();
    listed.sort_unstable();
    made.sort_unstable();
    assert_eq!(listed, made);
    let too_many = shop.call("request_log_list").query("limit", 101).await;
    too_many.refused(422, "IR_06");
}
