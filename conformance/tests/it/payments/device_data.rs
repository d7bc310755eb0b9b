//! A processor that needs data of the payer's device, and `POST /payments/{payment_id}/complete_authorize`.
//! (Specification 3)

use multirail_conformance::bodies::{APPROVED, DEVICE_DATA, THREE_DS, order_with, with};
use multirail_conformance::{Browser, Shop};
use multirail_simulator::scripted::{Call, Fault};
use serde_json::{Value, json};

use super::{attempt_status, events_of, standing};

/// Confirms a payment; the processor waits for the device data.
async fn waiting(shop: &Shop, more: Value) -> Value {
    let more = with(json!({ "confirm": true }), more);
    let payment = shop.creates(with(order_with(DEVICE_DATA), more)).await.ok();
    assert_eq!(standing(&payment), ("requires_customer_action", 0, 0));
    payment
}

fn collected(indicator: &str) -> Value {
    json!({ "threeds_method_comp_ind": indicator })
}

#[tokio::test]
async fn the_payers_client_gets_the_next_action() {
    let shop = Shop::open().await;
    let payment = waiting(&shop, json!({})).await;
    let action = &payment["next_action"];
    assert_eq!(action["type"], "three_ds_invoke");
    assert_eq!(action["redirect_to_url"], json!(null));
    let data = &action["three_ds_data"];
    let method = &data["three_ds_method_details"];
    assert_eq!(method["three_ds_method_data_submission"], true);
    let page = method["three_ds_method_url"].as_str().expect("a page");
    Browser::new(&shop.wire).opens(page).await.expect("a page");
    let complete = data["three_ds_authorize_url"].as_str().expect("an address");
    let id = payment["payment_id"].as_str().expect("an id");
    let path = format!("/payments/{id}/complete_authorize");
    assert!(complete.ends_with(&path), "{complete}");
    let status = attempt_status(&shop, &payment).await;
    assert_eq!(status, "device_data_collection_pending");
    assert_eq!(
        shop.payer_of(&payment).retrieves().await.ok()["next_action"],
        *action
    );
    let asked = shop.asks_about(&payment).await.ok();
    assert_eq!(asked["next_action"], *action);
    shop.captures(&payment, json!({}))
        .await
        .refused(400, "IR_14");
    shop.confirms(&payment, json!({}))
        .await
        .refused(400, "IR_16");
}

/// After a redaction nothing looks for addresses any more, so a redacted customer's payment accepts no new one.
#[tokio::test]
async fn a_redacted_customer_has_no_new_address() {
    let shop = Shop::open().await;
    let payment = waiting(&shop, json!({ "customer_id": "ada" })).await;
    let delete = shop.call("customers_delete").at("customer_id", "ada");
    delete.await.ok();
    let payer = shop.payer_of(&payment);
    let address = json!({ "shipping": { "email": "ada@shopper.example" } });
    let told = payer.completes(with(collected("Y"), address));
    told.await.refused(400, "IR_11");
    let paid = payer.completes(collected("Y")).await.ok();
    assert_eq!(paid["status"], "succeeded");
}

#[tokio::test]
async fn with_the_data_the_payment_is_approved() {
    let shop = Shop::open().await;
    for (capture_method, then) in [
        ("automatic", ("succeeded", 0, 6540)),
        ("manual", ("requires_capture", 6540, 0)),
    ] {
        let payment = waiting(&shop, json!({ "capture_method": capture_method })).await;
        let shipping = json!({ "address": { "city": "Ghent", "country": "BE" } });
        let body = with(collected("Y"), json!({ "shipping": shipping }));
        let done = shop.payer_of(&payment).completes(body).await.ok();
        assert_eq!(standing(&done), then);
        assert_eq!(done["next_action"], json!(null));
        assert_eq!(done["shipping"]["address"]["city"], "Ghent");
        shop.completes(&payment, collected("Y"))
            .await
            .refused(400, "IR_16");
    }
    assert_eq!(shop.money().captured, 6540);
}

#[tokio::test]
async fn without_them_the_payer_is_asked() {
    let shop = Shop::open().await;
    for body in [collected("N"), collected("U"), json!({})] {
        let payment = waiting(&shop, json!({})).await;
        let asked = shop.completes(&payment, body).await.ok();
        assert_eq!(asked["status"], "requires_customer_action");
        assert_eq!(asked["next_action"]["type"], "redirect_to_url");
        let page = asked["next_action"]["redirect_to_url"].as_str();
        let browser = Browser::new(&shop.wire);
        let processor = browser.opens(page.expect("a page")).await.expect("a page");
        assert!(processor.url.path().contains("/dummy-connector/authorize/"));
        shop.completes(&payment, collected("Y"))
            .await
            .refused(400, "IR_16");
        let told = events_of(&shop, &payment).await;
        let told: Vec<_> = told.iter().map(|(event, _)| event.as_str()).collect();
        assert_eq!(told, ["action_required", "action_required"]);
    }
}

#[tokio::test]
async fn only_what_waits_for_data_can_be_completed() {
    let shop = Shop::open().await;
    let confirmed = json!({ "confirm": true });
    let created = shop.creates(order_with(APPROVED)).await.ok();
    let paid = shop.creates(with(order_with(APPROVED), confirmed.clone()));
    let paid = paid.await.ok();
    let at_page = shop.creates(with(order_with(THREE_DS), confirmed));
    let at_page = at_page.await.ok();
    let given_up = waiting(&shop, json!({})).await;
    let cancelled = shop.cancels(&given_up, json!({})).await.ok();
    assert_eq!(standing(&cancelled), ("cancelled", 0, 0));
    assert_eq!(cancelled["next_action"], json!(null));
    for payment in [&created, &paid, &at_page, &given_up] {
        let before = shop.retrieves(payment).await.ok();
        shop.completes(payment, collected("Y"))
            .await
            .refused(400, "IR_16");
        assert_eq!(shop.retrieves(payment).await.ok(), before);
    }
    let waits = waiting(&shop, json!({})).await;
    let message = shop.completes(&waits, collected("X")).await;
    assert!(
        message
            .refused(400, "IR_06")
            .contains("threeds_method_comp_ind")
    );
    let payer = shop.payer_of(&waits);
    payer
        .holding("nonsense")
        .completes(collected("Y"))
        .await
        .refused(400, "IR_09");
    payer
        .call("payments_complete_authorize")
        .json(&collected("Y"))
        .await
        .refused(400, "IR_04");
    let nobodys = json!({ "payment_id": "pay_nobodys" });
    shop.completes(&nobodys, json!({}))
        .await
        .refused(404, "HE_02");
    assert_eq!(
        shop.retrieves(&waits).await.ok()["status"],
        "requires_customer_action"
    );
}

/// The answer is lost or never comes. The payment is synced, and the payer may try again if the processor never
/// received the data.
#[tokio::test]
async fn an_unknown_outcome_is_found_out() {
    let shop = Shop::open().await;
    for (fault, then) in [
        (Fault::LosesAnswer, "succeeded"),
        (Fault::Pends, "succeeded"),
        (Fault::LosesRequest, "requires_customer_action"),
    ] {
        let payment = waiting(&shop, json!({})).await;
        shop.next_call_meets(Call::CompleteAuthorization, fault.clone());
        let open = shop.completes(&payment, collected("Y")).await.ok();
        assert_eq!(open["status"], "processing", "{fault:?}");
        let known = shop.asks_about(&payment).await.ok();
        assert_eq!(known["status"], then, "{fault:?}");
        if then != "succeeded" {
            assert_eq!(known["next_action"], payment["next_action"]);
            let paid = shop.completes(&payment, collected("Y")).await.ok();
            assert_eq!(paid["status"], "succeeded");
        }
    }
    // The processor refused the call, so nothing changed.
    let payment = waiting(&shop, json!({})).await;
    shop.next_call_meets(Call::CompleteAuthorization, Fault::Throttles);
    let again = shop.completes(&payment, collected("Y")).await.ok();
    assert_eq!(again["next_action"], payment["next_action"]);
    let refusal = Fault::Declines {
        code: "DC_08".to_owned(),
        message: "no".to_owned(),
    };
    shop.next_call_meets(Call::CompleteAuthorization, refusal);
    let declined = shop.completes(&payment, collected("Y")).await.ok();
    assert_eq!(standing(&declined), ("failed", 0, 0));
    assert_eq!(declined["error_code"], "DC_08");
}
