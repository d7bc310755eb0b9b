//! Payers who send a transfer from their bank.

use multirail_conformance::Shop;
use multirail_conformance::patience::until_found;
use multirail_simulator::processor::Step;
use multirail_simulator::scripted::{Call, Fault};
use serde_json::{Value, json};

use super::{asked, by, event_types, presses_at};
use crate::payments::becomes;

/// The reason of the refund of an excess.
const REASON: &str = "The transfer brought more than the amount";

/// The members of a request that pays by Multibanco.
fn multibanco() -> Value {
    let choices = json!({ "billing_details": { "email": "ada@example.com" } });
    by(
        "bank_transfer",
        "multibanco",
        "multibanco_bank_transfer",
        choices,
    )
}

/// The members of a request that pays by a transfer to a Dutch account.
fn sepa() -> Value {
    let choices = json!({ "country": "NL", "billing_details": { "name": "Ada Okafor" } });
    by(
        "bank_transfer",
        "sepa_bank_transfer",
        "sepa_bank_transfer",
        choices,
    )
}

fn steps(payment: &Value) -> &Value {
    let action = &payment["next_action"];
    assert_eq!(action["type"], "display_bank_transfer_information");
    &action["bank_transfer_steps_and_charges_details"]
}

/// Presses a button of the page that stands for the payer's bank.
async fn transfers(shop: &Shop, payment: &Value, rest: &str, button: &str) -> String {
    let page = steps(payment)["instructions_url"].as_str();
    presses_at(shop, page.expect("an address"), &[rest], button).await
}

#[tokio::test]
async fn a_payer_is_told_where_to_transfer() {
    let shop = Shop::open().await;
    let payment = asked(&shop, multibanco()).await;
    let told = &steps(&payment)["multibanco"];
    assert_eq!(told["entity"], "11249");
    assert_eq!(told["reference"].as_str().map(str::len), Some(9));
    let details = &payment["payment_method_data"]["bank_transfer"];
    assert_eq!(*details, json!({ "multibanco": {} }));

    let payment = asked(&shop, sepa()).await;
    let told = &steps(&payment)["sepa_bank_instructions"];
    assert_eq!(told["iban"], "NL91ABNA0417164300");
    assert_eq!(told["bic"], "ABNANL2A");
    assert_eq!(told["country"], "NL");
    assert_eq!(told["account_holder_name"], "Simulated processor");
    let brought = transfers(&shop, &payment, "65.40 EUR", "Pay").await;
    assert_eq!(brought, "succeeded");
    let paid = shop.retrieves(&payment).await.ok();
    let refund = shop.refunds(&paid, json!({ "amount": 6540 })).await.ok();
    assert_eq!(refund["status"], "succeeded");
}

#[tokio::test]
async fn a_part_of_a_transfer_leaves_the_rest_to_pay() {
    let shop = Shop::open().await;
    let payment = asked(&shop, sepa()).await;
    let receiver = |payment: &Value| steps(payment)["receiver"].clone();
    let start = json!({ "amount_received": 0, "amount_remaining": 6540 });
    assert_eq!(receiver(&payment), start);
    let brought = transfers(&shop, &payment, "65.40 EUR", "Pay half").await;
    assert_eq!(brought, "processing");
    let half = shop.retrieves(&payment).await.ok();
    assert_eq!(half["status"], "processing");
    let told = event_types(&shop, &payment).await;
    assert!(told.iter().any(|event| event == "payment_processing"));
    let rest = json!({ "amount_received": 3270, "amount_remaining": 3270 });
    assert_eq!(receiver(&half), rest);
    assert_eq!(half["amount_received"], 0);
    // The processor isn't asked at each return of the same payer, so the merchant asks.
    transfers(&shop, &half, "32.70 EUR", "Pay").await;
    let whole = shop.asks_about(&half).await.ok();
    assert_eq!(whole["status"], "succeeded");
    assert_eq!(shop.money().captured, 6540);

    // A part that stays alone goes back.
    let payment = asked(&shop, multibanco()).await;
    transfers(&shop, &payment, "65.40 EUR", "Pay half").await;
    shop.time_passes(Step::Transfer.valid_seconds()).await;
    let failed = becomes(&shop, &payment, "failed").await;
    assert_eq!(
        failed["error_message"],
        "Payment declined: Only a part of the transfer came in time, and was sent back"
    );
    let told = &failed["connector_response_metadata"];
    assert_eq!(*told, json!({ "sent_back_to_payer": 3270 }));
    assert_eq!(shop.money().captured, 6540);
}

#[tokio::test]
async fn a_cancel_sends_back_the_part_of_a_transfer_that_came() {
    let shop = Shop::open().await;
    for (method, comes) in [(multibanco(), true), (sepa(), true), (sepa(), false)] {
        let payment = asked(&shop, method).await;
        if comes {
            let brought = transfers(&shop, &payment, "65.40 EUR", "Pay half").await;
            assert_eq!(brought, "processing");
        }
        let cancelled = shop.cancels(&payment, json!({})).await.ok();
        assert_eq!(cancelled["status"], "cancelled");
        assert_eq!(cancelled["amount_received"], 0);
        let told = cancelled["connector_response_metadata"]["sent_back_to_payer"].as_i64();
        assert_eq!(told, comes.then_some(3270));
        let known = shop.retrieves(&payment).await.ok();
        assert_eq!(
            known["connector_response_metadata"],
            cancelled["connector_response_metadata"]
        );
    }
    assert_eq!(shop.money().captured, 0);
}

/// Waits until the excess of a payment is returned.
async fn has_its_excess_back(shop: &Shop, payment: &Value) -> Value {
    until_found("the excess is returned", async || {
        let paid = shop.retrieves(payment).await.ok();
        if paid["refunds"][0]["status"] == "succeeded" {
            return Ok(paid);
        }
        shop.time_passes(60).await;
        Err(paid)
    })
    .await
}

#[tokio::test]
async fn what_a_transfer_brings_too_much_becomes_a_refund() {
    let shop = Shop::open().await;
    for fault in [None, Some(Fault::LosesRequest), Some(Fault::LosesAnswer)] {
        let payment = asked(&shop, multibanco()).await;
        if let Some(fault) = fault {
            shop.next_call_meets(Call::Refund, fault);
        }
        let brought = transfers(&shop, &payment, "65.40 EUR", "Pay double").await;
        assert_eq!(brought, "succeeded");
        let paid = has_its_excess_back(&shop, &payment).await;
        let refunds = paid["refunds"].as_array().expect("refunds");
        assert_eq!(refunds.len(), 1);
        assert_eq!(refunds[0]["amount"], 6540);
        assert_eq!(refunds[0]["reason"], REASON);
        assert_eq!(refunds[0]["returns_excess"], true);
        let refund = json!({ "payment_id": refunds[0]["refund_id"] });
        assert_eq!(event_types(&shop, &refund).await, ["refund_succeeded"]);
        assert_eq!(paid["amount_received"], 6540);
        assert_eq!(paid["status"], "succeeded");
        // The payment itself can still be refunded as a whole.
        let whole = shop.refunds(&paid, json!({ "amount": 6540 })).await.ok();
        assert_eq!(whole["status"], "succeeded");
    }
    assert_eq!(shop.money().captured, 3 * 6540);
    assert_eq!(shop.money().refunded, 3 * 6540);
    let filed = shop.processor().ledger().refunds().expect("a list");
    let of_excess = filed.iter().filter(|refund| refund.of_excess);
    assert_eq!(of_excess.count(), 3);
}

#[tokio::test]
async fn a_void_of_the_captured_money_leaves_the_refund_of_the_excess_alone() {
    let shop = Shop::open().await;
    let payment = asked(&shop, multibanco()).await;
    // The refund of the excess is open when the payment is voided.
    shop.next_call_meets(Call::Refund, Fault::Pends);
    let brought = transfers(&shop, &payment, "65.40 EUR", "Pay double").await;
    assert_eq!(brought, "succeeded");
    let voided = shop.cancels_post_capture(&payment, json!({})).await.ok();
    assert_eq!(voided["status"], "cancelled_post_capture");
    let ended = has_its_excess_back(&shop, &payment).await;
    assert_eq!(ended["status"], "cancelled_post_capture");
    let money = shop.money();
    assert_eq!(
        (money.captured, money.reversed, money.refunded),
        (6540, 6540, 0)
    );
}

#[tokio::test]
async fn only_the_refund_of_an_excess_is_marked_and_keeps_its_reason() {
    let shop = Shop::open().await;
    let payment = asked(&shop, multibanco()).await;
    transfers(&shop, &payment, "65.40 EUR", "Pay double").await;
    let paid = has_its_excess_back(&shop, &payment).await;
    let of_excess = &paid["refunds"][0];
    let other = json!({ "reason": "Damaged in transit", "metadata": { "box": 9 } });
    let answer = shop.updates_refund(of_excess, other).await;
    insta::assert_snapshot!(
        answer.refused(400, "IR_16"),
        @"reason can't be replaced: the refund returns the excess of a transfer"
    );
    let unchanged = shop.retrieves_refund(of_excess).await.ok();
    assert_eq!(unchanged, *of_excess);
    let notes = json!({ "reason": REASON, "metadata": { "box": 9 } });
    let noted = shop.updates_refund(of_excess, notes).await.ok();
    assert_eq!(noted["metadata"], json!({ "box": 9 }));
    // The same reason of a merchant marks nothing, and the refund counts.
    let reason = json!({ "amount": 1000, "reason": REASON });
    let ordinary = shop.refunds(&paid, reason).await.ok();
    assert_eq!(ordinary.get("returns_excess"), None);
    let after = shop.retrieves(&payment).await.ok();
    assert_eq!(after["state_metadata"]["total_refunded_amount"], 1000);
    let changed = json!({ "reason": "Damaged in transit" });
    shop.updates_refund(&ordinary, changed).await.ok();
}
