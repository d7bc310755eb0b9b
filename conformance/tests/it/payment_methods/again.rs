//! Members of the lists about paying again: with or without the card's code, with or without the payer. (Facts 9)

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, with, without};
use serde_json::{Value, json};

use super::accounts::paid_out_to;
use super::charge::{OTHER, agrees, charged};
use super::{
    by_token, known, listed, lists, method_id, methods, on, order_of, paid_by_token, saved_for,
    saves,
};

/// Returns the methods that the payment's payer is shown.
async fn shown_to_payer(shop: &Shop, payment: &Value) -> Vec<Value> {
    let payer = shop.payer_of(payment);
    let list = payer
        .call("payer_payment_methods_list")
        .query("client_secret", &payer.client_secret);
    methods(&list.await.ok())
}

/// Returns the method as it stands in this list.
fn found(methods: &[Value], method: &Value) -> Value {
    let mut all = methods.iter();
    let found = all.find(|one| method_id(one) == method_id(method));
    found.expect("the method").clone()
}

#[tokio::test]
async fn recurring_enabled_is_what_a_charge_without_the_payer_finds() {
    let shop = Shop::open().await;
    agrees(&shop, "ada", APPROVED).await;
    let method = listed(&shop, "ada").await.remove(0);
    let told = async || {
        let listed = listed(&shop, "ada").await.remove(0)["recurring_enabled"].clone();
        let retrieved = on(&shop, "payment_methods_retrieve", &method).await.ok();
        assert_eq!(retrieved["recurring_enabled"], listed);
        for is in [true, false] {
            let filtered = lists(&shop, "ada").query("recurring_enabled", is);
            let count = methods(&filtered.await.ok()).len();
            assert_eq!(count, usize::from(listed == is), "{is}");
        }
        listed
    };
    let charge = || shop.creates(charged("ada", &method));
    let card = |item: Value| {
        let item = with(json!({ "payment_method": "card" }), item);
        json!({ "disabled": false, "payment_methods_enabled": [item] })
    };
    let of_networks = |network: &str| {
        let kind = |kind: &str| json!({ "payment_method_type": kind, "card_networks": [network] });
        card(json!({ "payment_method_types": [kind("credit"), kind("debit")] }))
    };
    for (is, account) in [
        (true, json!({})),
        (false, json!({ "disabled": true })),
        (true, card(json!({ "recurring_enabled": true }))),
        (false, card(json!({ "recurring_enabled": false }))),
        (false, of_networks("Mastercard")),
        (true, of_networks("Visa")),
    ] {
        let shown = account.to_string();
        shop.reconnects(account).await.ok();
        assert_eq!(told().await, is, "{shown}");
        let paid = charge().await;
        assert_eq!(paid.status == 200, is, "{shown}");
    }
    // Another account can charge a card that the first one's processor keeps, if the profile allows it.
    let anywhere = json!({ "is_connector_agnostic_mit_enabled": true });
    shop.sets_up(anywhere).await.ok();
    shop.reconnects(json!({ "disabled": true })).await.ok();
    assert_eq!(told().await, false);
    shop.connects("pretendpay", json!({})).await.ok();
    assert_eq!(told().await, true);
    assert_eq!(charge().await.ok()["status"], "succeeded");
    // Saving the card again keeps the consent.
    let again = saves(&shop, "ada", APPROVED).await.ok();
    assert_eq!(again["recurring_enabled"], true);
}

#[tokio::test]
async fn a_card_that_a_processor_keeps_pays_without_its_code_where_it_is_to_be_charged_again() {
    let shop = Shop::open().await;
    agrees(&shop, "ada", APPROVED).await;
    let kept_card = listed(&shop, "ada").await.remove(0);
    saves(&shop, "ada", OTHER).await.ok();
    let own = listed(&shop, "ada").await;
    let new_card = own
        .iter()
        .find(|one| method_id(one) != method_id(&kept_card));
    let new_card = new_card.expect("the other card").clone();
    assert!(own.iter().all(|one| one["requires_cvv"] == true), "{own:?}");
    let codeless = |method: &Value| without(by_token(method), "card_cvc");
    for (usage, spared) in [
        (None, false),
        (Some("on_session"), false),
        (Some("off_session"), true),
    ] {
        let order = order_of("ada");
        let order = usage.map_or(order.clone(), |usage| with(order, saved_for(usage)));
        for (method, spared) in [(&kept_card, spared), (&new_card, false)] {
            let payment = shop.creates(order.clone()).await.ok();
            let method = found(&shown_to_payer(&shop, &payment).await, method);
            assert_eq!(method["requires_cvv"], !spared, "{usage:?}");
            let confirmed = shop.payer_of(&payment).confirms(codeless(&method)).await;
            if spared {
                assert_eq!(confirmed.ok()["status"], "succeeded");
            } else {
                let message = confirmed.refused(400, "IR_04");
                assert!(message.contains("card_cvc"), "{message}");
            }
        }
    }
    // If the create names the method, the confirm needs nothing more.
    let named = with(
        codeless(&found(&listed(&shop, "ada").await, &kept_card)),
        saved_for("off_session"),
    );
    let payment = shop.creates(with(order_of("ada"), named)).await.ok();
    let offered = shop.call("account_payment_methods_list").query(
        "client_secret",
        payment["client_secret"].as_str().expect("a secret"),
    );
    let offered = offered.await.ok().to_string();
    assert!(!offered.contains("card_cvc"), "{offered}");
    let paid = shop.payer_of(&payment).confirms(json!({})).await.ok();
    assert_eq!(paid["status"], "succeeded");
    // Only the merchant can waive the code, not a caller with just a client secret.
    let payment = shop.creates(order_of("ada")).await.ok();
    let method = found(&shown_to_payer(&shop, &payment).await, &kept_card);
    let body = with(codeless(&method), saved_for("off_session"));
    shop.payer_of(&payment)
        .confirms(body)
        .await
        .refused(422, "IR_06");
    // Create and confirm in one request behaves the same.
    for (usage, method, spared) in [
        ("off_session", &kept_card, true),
        ("on_session", &kept_card, false),
        ("off_session", &new_card, false),
    ] {
        let method = found(&listed(&shop, "ada").await, method);
        let body = without(paid_by_token("ada", &method), "card_cvc");
        let at_once = shop.creates(with(body, saved_for(usage))).await;
        if spared {
            assert_eq!(at_once.ok()["status"], "succeeded");
        } else {
            at_once.refused(400, "IR_04");
        }
    }
}

/// Payers can't pay with a bank account: it has no code, and no connector charges it.
#[tokio::test]
async fn a_checkout_is_shown_what_can_pay() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    let account = paid_out_to(json!({ "iban": "DE89370400440532013000" }));
    let account = shop.call("payment_methods_create").json(&account);
    let account = account.await.ok();
    let card = saves(&shop, "ada", APPROVED).await.ok();
    let payment = shop.creates(order_of("ada")).await.ok();
    let shown = shown_to_payer(&shop, &payment).await;
    assert_eq!(shown.len(), 1);
    assert_eq!(method_id(&shown[0]), method_id(&card));
    let secret = payment["client_secret"].as_str().expect("a secret");
    let of_payment = lists(&shop, "ada").query("client_secret", secret);
    assert_eq!(methods(&of_payment.query("limit", 1).await.ok()).len(), 1);
    // The merchant's list still shows the account.
    let all = listed(&shop, "ada").await;
    assert_eq!(all.len(), 2);
    found(&all, &account);
}
