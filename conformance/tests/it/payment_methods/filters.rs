//! The filters of the list.

use multirail_conformance::Shop;
use multirail_conformance::bodies::APPROVED;
use serde_json::json;

use super::{card_of, known, last_digits, lists, saves};

const MASTERCARD: &str = "5454545454545454";

async fn two_networks(shop: &Shop) {
    known(shop, "ada").await;
    saves(shop, "ada", APPROVED).await.ok();
    shop.time_passes(1).await;
    saves(shop, "ada", MASTERCARD).await.ok();
}

#[tokio::test]
async fn plain_filters_look_at_the_method() {
    let shop = Shop::open().await;
    two_networks(&shop).await;
    let (both, visa, mastercard, none) = (vec!["5454", "1111"], vec!["1111"], vec!["5454"], vec![]);
    let table: [(&[(&str, &str)], _); 10] = [
        (&[], &both),
        (&[("card_networks", "Visa")], &visa),
        (&[("card_networks", "mastercard")], &mastercard),
        (&[("card_networks", "Visa,Mastercard")], &both),
        (
            &[("card_networks", "Visa"), ("card_networks", "Mastercard")],
            &both,
        ),
        (&[("card_network", "Visa")], &visa),
        (
            &[("card_network", "Visa"), ("card_networks", "Mastercard")],
            &both,
        ),
        (&[("card_networks", "JCB")], &none),
        (
            &[
                ("recurring_enabled", "false"),
                ("installment_payment_enabled", "false"),
            ],
            &both,
        ),
        (&[("recurring_enabled", "true")], &none),
    ];
    for (filters, found) in table {
        let call = filters
            .iter()
            .fold(lists(&shop, "ada"), |call, (name, value)| {
                call.query(name, value)
            });
        assert_eq!(&last_digits(&call.await.ok()), found, "{filters:?}");
    }
    // The limit doesn't count filtered methods.
    let call = lists(&shop, "ada")
        .query("card_networks", "Visa")
        .query("limit", 1);
    assert_eq!(last_digits(&call.await.ok()), ["1111"]);
}

#[tokio::test]
async fn filters_read_the_methods_of_the_accounts() {
    let shop = Shop::open().await;
    two_networks(&shop).await;
    let debit =
        json!({ "payment_method_type": "debit", "card": { "card_number": "4242424242424242" } });
    let debit = multirail_conformance::bodies::with(card_of("ada", APPROVED), debit);
    shop.time_passes(1).await;
    shop.call("payment_methods_create").json(&debit).await.ok();
    let all = vec!["4242", "5454", "1111"];
    let any = lists(&shop, "ada")
        .query("accepted_currencies", "JPY")
        .query("amount", 1);
    assert_eq!(
        last_digits(&any.await.ok()),
        all,
        "an account without a list takes everything"
    );
    let enabled = json!({ "payment_methods_enabled": [{
        "payment_method": "card",
        "payment_method_types": [{
            "payment_method_type": "credit",
            "card_networks": ["Visa"],
            "accepted_currencies": { "type": "enable_only", "list": ["USD", "EUR"] },
            "accepted_countries": { "type": "disable_only", "list": ["FR"] },
            "minimum_amount": 100,
            "maximum_amount": 10000,
        }],
    }] });
    shop.reconnects(enabled).await.ok();
    let visa = vec!["1111"];
    let none: Vec<&str> = Vec::new();
    let table: [(&[(&str, &str)], _); 9] = [
        (&[], &all),
        (&[("accepted_currencies", "USD")], &visa),
        (&[("accepted_currencies", "JPY,EUR")], &visa),
        (
            &[
                ("accepted_currencies", "JPY"),
                ("accepted_currencies", "EUR"),
            ],
            &visa,
        ),
        (&[("accepted_currencies", "JPY")], &none),
        (&[("accepted_countries", "FR,NG")], &visa),
        (&[("accepted_countries", "FR")], &none),
        (&[("amount", "10000")], &visa),
        (&[("amount", "99")], &none),
    ];
    for (filters, found) in table {
        let call = filters
            .iter()
            .fold(lists(&shop, "ada"), |call, (name, value)| {
                call.query(name, value)
            });
        assert_eq!(&last_digits(&call.await.ok()), found, "{filters:?}");
    }
    shop.reconnects(json!({ "disabled": true })).await.ok();
    let off = lists(&shop, "ada").query("amount", 500);
    assert_eq!(last_digits(&off.await.ok()), none, "nobody takes anything");
}
