//! The start of a subscription: created, confirmed, paid or not.

use multirail_conformance::bodies::{APPROVED, DECLINED, PENDING, THREE_DS, with};
use multirail_conformance::{Browser, Shop};
use serde_json::json;

use super::{
    call, id, invoices, now, offers, on, pays_with, subscribed, until_in_steps, wanted, wanted_with,
};

#[tokio::test]
async fn it_is_created_confirmed_and_announced() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let body = with(
        wanted("reader_monthly"),
        json!({ "merchant_reference_id": "4711" }),
    );
    let made = call(&shop, "subscriptions_create").json(&body).await.ok();
    assert_eq!(made["status"], "created");
    assert_eq!(made["invoice"]["status"], "invoice_created");
    assert_eq!(made["payment"]["status"], "requires_payment_method");
    assert_eq!(made["payment"]["amount"], 990);
    let secret = made["client_secret"].as_str().expect("a secret");
    assert!(
        secret.starts_with(&format!("{}_secret_", id(&made))),
        "{secret}"
    );

    let confirm = |more| {
        let body = json!({ "payment_details": with(pays_with(APPROVED), more) });
        on(&shop, "subscriptions_confirm", &made).json(&body)
    };
    // A refusal before the processor is called changes nothing.
    let no_consent = json!({ "customer_acceptance": null });
    let said = confirm(no_consent).await.refused(400, "IR_04");
    assert!(
        said.starts_with("payment_details.customer_acceptance"),
        "{said}"
    );
    let wrong =
        json!({ "client_secret": "sub_1_secret_x", "payment_details": pays_with(APPROVED) });
    let wrong = on(&shop, "subscriptions_confirm", &made).json(&wrong);
    assert_eq!(
        wrong.await.refused(400, "IR_09"),
        "client_secret is not the one of this subscription"
    );
    assert_eq!(now(&shop, &made).await["status"], "created");

    let active = confirm(json!({})).await.ok();
    assert_eq!(active["status"], "active");
    assert_eq!(active["invoice"]["status"], "invoice_paid");
    assert_eq!(active["payment"]["status"], "succeeded");
    assert_eq!(
        active["payment_method_id"],
        active["payment"]["payment_method_id"]
    );
    assert_eq!(active["next_billing_at"], active["invoice"]["period_end"]);
    confirm(json!({})).await.refused(409, "IR_16");

    let filter = json!({ "object_id": id(&made), "event_types": ["invoice_paid"] });
    let told = shop
        .server
        .operator("events_list")
        .at("merchant_id", "bookshop");
    let told = told.json(&filter).await.ok();
    assert_eq!(told["total_count"], 1, "{told}");
    assert_eq!(told["events"][0]["event_class"], "subscriptions");
    let event = told["events"][0]["event_id"].as_str().expect("an id");
    let attempts = shop
        .server
        .operator("events_attempts")
        .at("merchant_id", "bookshop");
    let attempts = attempts.at("event_id", event).await.ok();
    let body = attempts[0]["request"]["body"].as_str().expect("a body");
    let body: serde_json::Value = serde_json::from_str(body).expect("JSON");
    assert_eq!(body["content"]["type"], "subscription_details");
    let told = &body["content"]["object"];
    assert_eq!(told["invoice"]["status"], "invoice_paid");
    assert_eq!(
        told["payment"]["payment_id"],
        active["payment"]["payment_id"]
    );
    assert_eq!(told["status"], "active");

    let again = call(&shop, "subscriptions_create")
        .json(&body_of_reference())
        .await;
    again.refused(400, "HE_01");
}

fn body_of_reference() -> serde_json::Value {
    with(
        wanted("reader_monthly"),
        json!({ "merchant_reference_id": "4711" }),
    )
}

#[tokio::test]
async fn the_first_payments_outcome_decides() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let begun = |price, number| {
        let body = wanted_with(price, number);
        call(&shop, "subscriptions_create_and_confirm").json(&body)
    };
    let mut seen = Vec::new();
    for (price, number) in [
        ("reader_monthly", APPROVED),
        ("reader_trial", APPROVED),
        ("reader_once", APPROVED),
        ("reader_monthly", DECLINED),
        ("reader_monthly", PENDING),
        ("reader_monthly", THREE_DS),
    ] {
        let made = begun(price, number).await.ok();
        let word = |value: &serde_json::Value| value.as_str().unwrap_or("-").to_owned();
        seen.push(format!(
            "{price}: {}, {} of {}, {}{}",
            word(&made["status"]),
            word(&made["payment"]["status"]),
            made["payment"]["amount"],
            word(&made["invoice"]["status"]),
            if made["next_billing_at"].is_null() {
                ""
            } else {
                ", and again"
            },
        ));
        if number == PENDING {
            until_in_steps(&shop, &made, 60, |now| now["status"] == "active").await;
        }
        if number == THREE_DS {
            let payment = json!({ "payment_id": made["payment"]["payment_id"] });
            let payment = shop.retrieves(&payment).await.ok();
            let page = payment["next_action"]["redirect_to_url"].as_str();
            let browser = Browser::new(&shop.wire);
            let page = browser.opens(page.expect("a page")).await.expect("a page");
            browser
                .presses(&page, "Approve")
                .await
                .expect("the way back");
            let active = until_in_steps(&shop, &made, 60, |now| now["status"] == "active").await;
            assert!(active["payment_method_id"].is_string(), "{active}");
        }
    }
    assert_eq!(
        seen,
        [
            "reader_monthly: active, succeeded of 990, invoice_paid, and again",
            "reader_trial: trial, succeeded of 0, invoice_paid, and again",
            "reader_once: onetime, succeeded of 9900, invoice_paid",
            "reader_monthly: failed, failed of 990, payment_failed",
            "reader_monthly: pending, processing of 990, payment_pending",
            "reader_monthly: pending, requires_customer_action of 990, payment_pending",
        ]
    );
    // A refusal before the processor is called leaves nothing behind.
    let mut body = wanted_with("reader_monthly", "4111111111111112");
    body["merchant_reference_id"] = json!("not made");
    body["coupon_code"] = json!("TENTH");
    let refused = call(&shop, "subscriptions_create_and_confirm").json(&body);
    let said = refused.await.refused(400, "IR_06");
    assert!(
        said.contains("payment_details.payment_method_data.card.card_number"),
        "{said}"
    );
    let coupon = call(&shop, "subscription_coupons_retrieve").at("coupon_code", "TENTH");
    assert_eq!(coupon.await.ok()["redemptions"], 0, "it can be had again");
    let list = call(&shop, "subscriptions_list")
        .query("limit", 100)
        .await
        .ok();
    assert_eq!(list.as_array().map(Vec::len), Some(seen.len()));
}

#[tokio::test]
async fn a_saved_method_is_charged_from_the_first_payment_on() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let first = subscribed(&shop, "reader_monthly").await;
    let mut body = wanted("reader_daily");
    body["payment_details"]["payment_method_id"] = first["payment_method_id"].clone();
    let made = call(&shop, "subscriptions_create_and_confirm")
        .json(&body)
        .await
        .ok();
    assert_eq!(made["status"], "active");
    assert_eq!(made["payment_method_id"], first["payment_method_id"]);
    shop.time_passes(super::DAY).await;
    super::invoice_becomes(&shop, &made, 2, "invoice_paid").await;
    assert_eq!(invoices(&shop, &made).await.len(), 2);
    body["payment_details"]["payment_method"] = json!("card");
    let both = call(&shop, "subscriptions_create_and_confirm").json(&body);
    both.await.refused(422, "IR_06");
}

#[tokio::test]
async fn a_repeat_is_answered_the_same() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let body = wanted_with("reader_monthly", APPROVED);
    let made = || {
        let call = call(&shop, "subscriptions_create_and_confirm").json(&body);
        call.header("Idempotency-Key", "k")
    };
    let (first, second) = (made().await.ok(), made().await.ok());
    assert_eq!(first, second);
    assert_eq!(shop.money().captured, 990, "charged once");
}

/// A refused request leaves no subscription, and no payment that nobody could confirm.
#[tokio::test]
async fn a_refusal_leaves_nothing() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let reference = json!({ "merchant_reference_id": "4711" });
    let first = with(wanted("reader_monthly"), reference.clone());
    call(&shop, "subscriptions_create").json(&first).await.ok();
    let payments = async || {
        let list = shop.call("payments_list").query("limit", 100).await.ok();
        list["data"].as_array().expect("a list").len()
    };
    assert_eq!(payments().await, 1);
    let at_once = wanted_with("reader_monthly", APPROVED);
    let wrong_number = wanted_with("reader_monthly", "4111111111111112");
    for (operation, body, status, code) in [
        ("subscriptions_create", first, 400, "HE_01"),
        (
            "subscriptions_create_and_confirm",
            with(at_once, reference),
            400,
            "HE_01",
        ),
        (
            "subscriptions_create_and_confirm",
            wrong_number,
            400,
            "IR_06",
        ),
    ] {
        let refused = call(&shop, operation).json(&body);
        refused.await.refused(status, code);
        assert_eq!(payments().await, 1, "{operation}: {code}");
    }
    let list = call(&shop, "subscriptions_list").await.ok();
    assert_eq!(list.as_array().map(Vec::len), Some(1));
    assert_eq!(shop.money().captured, 0);
}

/// The request sets the first payment's redirects and experience, and the answer shows them.
#[tokio::test]
async fn the_embedded_payment_says_how_the_payer_goes_through_it() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let mut body = wanted_with("reader_monthly", APPROVED);
    body["payment_details"]["payment_experience"] = json!("redirect_to_url");
    let made = call(&shop, "subscriptions_create_and_confirm").json(&body);
    let payment = made.await.ok()["payment"].clone();
    let whole = shop.retrieves(&payment).await.ok();
    for member in [
        "payment_id",
        "status",
        "amount",
        "currency",
        "connector",
        "payment_method_id",
        "payment_experience",
        "payment_method_type",
        "client_secret",
    ] {
        assert!(!payment[member].is_null(), "{member}: {payment:#}");
        assert_eq!(payment[member], whole[member], "{member}");
    }
}
