//! Debits that are accepted at once, and paid or refused later.

use multirail_conformance::Shop;
use multirail_conformance::bodies::with;
use serde_json::json;

use super::{SEPA_IS_CLOSED, SEPA_LACKS_FUNDS, SEPA_PAYS, consent, debit, debited, paid, sepa};
use crate::disputes::shop_with_notice_secret;
use crate::notices::sent::{hears, settles};
use crate::payments::{becomes, events_of};

#[tokio::test]
async fn an_account_of_each_scheme_pays_later() {
    let shop = Shop::open().await;
    let schemes = [
        sepa("DE89 3704 0044 0532 0130 00"),
        debit(
            "ach",
            "USD",
            json!({
                "account_number": "000123456789", "routing_number": "110000000", "bank_name": "Example Bank",
                "bank_type": "checking", "bank_holder_type": "personal",
            }),
        ),
        debit(
            "bacs",
            "GBP",
            json!({ "account_number": "00012345", "sort_code": "10-88-00" }),
        ),
        debit(
            "becs",
            "AUD",
            json!({ "account_number": "000123456", "bsb_number": "000-000" }),
        ),
    ];
    let mut shown = Vec::new();
    for order in schemes {
        let payment = debited(&shop, order).await;
        assert_eq!(payment["amount_received"], 0);
        let payment = paid(&shop, &payment).await;
        assert_eq!(payment["amount_received"], 6540);
        shown.push(payment["payment_method_data"]["bank_debit"].clone());
    }
    insta::assert_json_snapshot!(shown, @r#"
    [
      {
        "sepa": {
          "iban": "DE********3000",
          "bank_account_holder_name": "Ada Okafor"
        }
      },
      {
        "ach": {
          "account_number": "********6789",
          "routing_number": "********0000",
          "bank_account_holder_name": "Ada Okafor",
          "bank_name": "Example Bank",
          "bank_type": "checking",
          "bank_holder_type": "personal"
        }
      },
      {
        "bacs": {
          "account_number": "********2345",
          "sort_code": "********00",
          "bank_account_holder_name": "Ada Okafor"
        }
      },
      {
        "becs": {
          "account_number": "********3456",
          "bsb_number": "********00",
          "bank_account_holder_name": "Ada Okafor"
        }
      }
    ]
    "#);
    assert_eq!(shop.money().captured, 4 * 6540);
}

#[tokio::test]
async fn the_processor_tells_what_became_of_a_debit() {
    let shop = shop_with_notice_secret().await;
    hears(&shop);
    let payment = debited(&shop, sepa(SEPA_PAYS)).await;
    settles(&shop);
    let payment = becomes(&shop, &payment, "succeeded").await;
    let events: Vec<String> = events_of(&shop, &payment)
        .await
        .into_iter()
        .map(|(event, _)| event)
        .collect();
    assert_eq!(events, ["payment_processing", "payment_succeeded"]);
    let refund = shop.refunds(&payment, json!({ "amount": 540 })).await.ok();
    assert_eq!(refund["status"], "succeeded");

    let payment = debited(&shop, sepa(SEPA_LACKS_FUNDS)).await;
    settles(&shop);
    let failed = becomes(&shop, &payment, "failed").await;
    assert_eq!(
        failed["error_message"],
        "Payment declined: Insufficient funds"
    );
    assert_eq!(shop.money().captured, 6540);
}

#[tokio::test]
async fn a_closed_account_is_refused_at_once() {
    let shop = Shop::open().await;
    let body = with(sepa(SEPA_IS_CLOSED), consent());
    let failed = shop
        .creates(with(body, json!({ "confirm": true })))
        .await
        .ok();
    assert_eq!(failed["status"], "failed");
    assert_eq!(failed["error_message"], "Payment declined: Account closed");
}

/// The account waits sealed for its confirm, by which the payer consents.
#[tokio::test]
async fn an_account_is_given_before_the_consent() {
    let shop = Shop::open().await;
    let payment = shop.creates(sepa(SEPA_PAYS)).await.ok();
    assert_eq!(payment["status"], "requires_confirmation");
    let refused = shop.confirms(&payment, json!({})).await;
    assert_eq!(
        refused.refused(400, "IR_04"),
        "customer_acceptance is required and was not given"
    );
    let offline = json!({ "customer_acceptance": { "acceptance_type": "offline" } });
    let payment = shop.confirms(&payment, offline).await.ok();
    assert_eq!(payment["status"], "processing");
    // The money is on its way: nothing can be taken back before it arrives.
    shop.cancels(&payment, json!({}))
        .await
        .refused(400, "IR_16");
    paid(&shop, &payment).await;
}

#[tokio::test]
async fn a_debit_not_yet_confirmed_is_cancelled() {
    let shop = Shop::open().await;
    let payment = shop.creates(sepa(SEPA_PAYS)).await.ok();
    let cancelled = shop.cancels(&payment, json!({})).await.ok();
    assert_eq!(cancelled["status"], "cancelled");
    let books = shop.processor().ledger().authorizations();
    assert_eq!(books.expect("the books"), []);
}
