//! Payers' consent to charges: the payment that gave it, and the order in which outcomes arrive.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, DECLINED, PENDING, card, paid_with, with, without};
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use serde_json::{Value, json};

use super::charge::{OTHER, agrees, by_merchant, charged, initiation};
use super::{known, listed, method_id, on, order_of, paid_by_token, saved_for, saves};

#[tokio::test]
async fn only_what_the_payer_agreed_to_is_charged() {
    let shop = Shop::open().await;
    agrees(&shop, "ada", APPROVED).await;
    let method = listed(&shop, "ada").await.remove(0);
    let charge = || charged("ada", &method);
    // Members that need the payer.
    let here = with(charge(), json!({ "off_session": false }));
    let message = shop.creates(here).await.refused(400, "IR_16");
    assert!(message.contains("off_session"), "{message}");
    shop.creates(without(charge(), "off_session"))
        .await
        .refused(400, "IR_16");
    let coded = with(charge(), json!({ "card_cvc": "123" }));
    shop.creates(coded).await.refused(422, "IR_06");
    let saving = with(charge(), saved_for("off_session"));
    shop.creates(saving).await.refused(400, "IR_16");
    // Two instruments at once.
    let typed = with(charge(), card(APPROVED));
    shop.creates(typed).await.refused(422, "IR_06");
    let token = with(charge(), paid_by_token("ada", &method));
    shop.creates(without(token, "card_cvc"))
        .await
        .refused(422, "IR_06");
    // Without a customer, or of another one.
    let message = shop
        .creates(without(charge(), "customer_id"))
        .await
        .refused(400, "IR_04");
    assert!(message.contains("customer_id"), "{message}");
    known(&shop, "grace").await;
    shop.creates(charged("grace", &method))
        .await
        .refused(404, "HE_02");
    let unknown = json!({ "recurring_details": { "data": "pm_unknown" } });
    shop.creates(with(charge(), unknown))
        .await
        .refused(404, "HE_02");
    // Wrong forms.
    let odd = json!({ "recurring_details": { "data": { "id": method_id(&method) } } });
    shop.creates(with(charge(), odd))
        .await
        .refused(400, "IR_06");
    let kind = json!({ "recurring_details": { "type": "processor_payment_token" } });
    shop.creates(with(charge(), kind))
        .await
        .refused(400, "IR_06");
    let category = with(paid_with(APPROVED), json!({ "mit_category": "recurring" }));
    shop.creates(category).await.refused(400, "IR_16");
    // Cards saved for payments with the payer only, by paying or without a payment.
    let of = json!({ "customer_id": "grace" });
    let here = with(with(paid_with(APPROVED), saved_for("on_session")), of);
    shop.creates(here).await.ok();
    saves(&shop, "grace", PENDING).await.ok();
    for method in listed(&shop, "grace").await {
        assert_eq!(method["recurring_enabled"], false);
        let message = shop
            .creates(charged("grace", &method))
            .await
            .refused(400, "HE_03");
        assert!(message.contains("consent"), "{message}");
    }
    // A payer's client can't charge without the payer.
    let payment = shop.creates(order_of("ada")).await.ok();
    let payer = shop.payer_of(&payment);
    payer
        .confirms(by_merchant(&method))
        .await
        .refused(422, "IR_06");
    let left = shop
        .creates(with(order_of("ada"), by_merchant(&method)))
        .await
        .ok();
    for brought in [json!({}), card(OTHER)] {
        let payer = shop.payer_of(&left);
        let message = payer.confirms(brought).await.refused(400, "IR_16");
        assert!(message.contains("secret key"), "{message}");
    }
    // There is no payer who could authenticate.
    let asked = with(charge(), json!({ "authentication_type": "three_ds" }));
    shop.creates(asked).await.refused(400, "IR_16");
}

#[tokio::test]
async fn consent_holds_in_whatever_order_outcomes_arrive() {
    let shop = Shop::open().await;
    let of = json!({ "customer_id": "ada" });
    let here = || {
        with(
            with(paid_with(APPROVED), saved_for("on_session")),
            of.clone(),
        )
    };
    let method = async || listed(&shop, "ada").await.remove(0);
    shop.creates(here()).await.ok();
    let id = method().await["payment_method_id"].clone();
    assert_eq!(method().await["recurring_enabled"], false);
    // The payer consents, but the outcome arrives late, after the card was saved again without this consent.
    let script = shop.processor().script();
    script.next(ScriptedCall::Authorize, Fault::LosesAnswer);
    // Meanwhile no sync learns the outcome.
    script.next_times(1_000, ScriptedCall::LookUp, &Fault::FailsBefore(503));
    let late = agrees(&shop, "ada", APPROVED).await;
    assert_eq!(late["status"], "processing");
    shop.time_passes(1).await;
    shop.creates(here()).await.ok();
    assert_eq!(method().await["recurring_enabled"], false, "not yet");
    script.clear();
    shop.asks_about(&late).await.ok();
    assert_eq!(method().await["recurring_enabled"], true);
    assert_eq!(method().await["payment_method_id"], id);
    // Later payments keep the consent.
    shop.creates(here()).await.ok();
    saves(&shop, "ada", APPROVED).await.ok();
    assert_eq!(method().await["recurring_enabled"], true);
    let paid = shop.creates(charged("ada", &method().await)).await.ok();
    assert_eq!(paid["status"], "succeeded");
    // Deleting the method ends it.
    let status = async || shop.retrieves(&paid).await.ok()["payment_method_status"].clone();
    assert_eq!(status().await, "active");
    on(&shop, "payment_methods_delete", &method().await)
        .await
        .ok();
    assert_eq!(status().await, "inactive");
    saves(&shop, "ada", APPROVED).await.ok();
    assert_eq!(method().await["recurring_enabled"], false);
}

#[tokio::test]
async fn a_late_approval_does_not_undo_a_renewal() {
    let shop = Shop::open().await;
    let expiring = |year: &str| {
        let card = json!({ "payment_method_data": { "card": { "card_exp_year": year } } });
        let body = with(paid_with(APPROVED), saved_for("off_session"));
        with(with(body, json!({ "customer_id": "ada" })), card)
    };
    shop.next_call_meets(ScriptedCall::Authorize, Fault::LosesAnswer);
    let late = shop.creates(expiring("2031")).await.ok();
    shop.time_passes(1).await;
    shop.creates(expiring("2035")).await.ok();
    shop.asks_about(&late).await.ok();
    let methods = listed(&shop, "ada").await;
    assert_eq!(methods.len(), 1);
    assert_eq!(methods[0]["card"]["expiry_year"], "2035");
}

/// A charge refers to the payment in which the payer consented, not to others.
#[tokio::test]
async fn a_charge_follows_the_payment_by_which_its_payer_agreed() {
    let shop = Shop::open().await;
    shop.connects("pretendpay", json!({})).await.ok();
    let first = agrees(&shop, "ada", APPROVED).await;
    let here = with(paid_with(APPROVED), saved_for("on_session"));
    let here = with(here, json!({ "customer_id": "ada" }));
    let later = shop.creates(here).await.ok();
    assert_ne!(
        later["network_transaction_id"],
        first["network_transaction_id"]
    );
    let method = listed(&shop, "ada").await.remove(0);
    let charged_elsewhere = async || {
        let elsewhere = json!({ "connector": ["pretendpay"] });
        let paid = shop.creates(with(charged("ada", &method), elsewhere)).await;
        let paid = paid.ok();
        assert_eq!(paid["status"], "succeeded");
        initiation(&shop, &paid)["network_transaction_id"].clone()
    };
    assert_eq!(charged_elsewhere().await, first["network_transaction_id"]);
    let again = agrees(&shop, "ada", APPROVED).await;
    assert_eq!(charged_elsewhere().await, again["network_transaction_id"]);
}

/// Paying with a saved card can give consent, as a typed card can.
#[tokio::test]
async fn a_payer_agrees_while_he_pays_by_token() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    saves(&shop, "ada", APPROVED).await.ok();
    let method = async || listed(&shop, "ada").await.remove(0);
    let by_token = |method: &Value, usage: &str| {
        let paid = paid_by_token("ada", method);
        shop.creates(with(paid, saved_for(usage)))
    };
    by_token(&method().await, "on_session").await.ok();
    assert_eq!(method().await["recurring_enabled"], false);
    let first = by_token(&method().await, "off_session").await.ok();
    assert_eq!(first["status"], "succeeded");
    assert_eq!(method().await["recurring_enabled"], true);
    let paid = shop.creates(charged("ada", &method().await)).await.ok();
    assert_eq!(paid["status"], "succeeded");
    let told = initiation(&shop, &paid);
    assert_eq!(
        told["network_transaction_id"],
        first["network_transaction_id"]
    );
    assert_eq!(
        told["mandate"]["connector_mandate_id"],
        first["connector_mandate_id"]
    );
    // A declined payment gives no consent.
    saves(&shop, "ada", DECLINED).await.ok();
    let declined = || async {
        let all = listed(&shop, "ada").await.into_iter();
        let mut declined = all.filter(|method| method["recurring_enabled"] == false);
        declined.next().expect("the other card")
    };
    let failed = by_token(&declined().await, "off_session").await.ok();
    assert_eq!(failed["status"], "failed");
    let message = shop.creates(charged("ada", &declined().await)).await;
    message.refused(400, "HE_03");
}
