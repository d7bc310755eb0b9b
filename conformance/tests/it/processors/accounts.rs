//! Processors' addresses and certificates that the server trusts.

use multirail_conformance::TestServer;
use multirail_conformance::bodies::{order_with, with};
use multirail_peers::{CardThat, Peer};
use multirail_server::config::Setting;
use serde_json::json;

use super::production_shop::{ProductionShop, account};
use super::{PROCESSORS, of_each};

/// The address is allowed, but the server behind it must still prove its identity.
#[tokio::test]
async fn without_the_operators_word_its_certificate_is_nobodys() {
    for (connector, stand_in) in PROCESSORS {
        let stand_in = stand_in();
        let peer = Peer::start(stand_in.clone()).await;
        let server = TestServer::start_in_production(|inputs| {
            inputs.with(Setting::ConnectorAllowedTargets, "127.0.0.1")
        });
        let shop = server.await.shop_without_connector("bookshop").await;
        shop.connects(connector, account(&*stand_in, &peer))
            .await
            .ok();
        let card = stand_in.card(CardThat::IsApproved);
        let paid = with(order_with(card.number), json!({ "confirm": true }));
        let payment = shop.creates(paid).await.ok();
        assert_eq!(payment["status"], "failed", "{connector}: {payment}");
        assert_eq!(peer.requests(), 0, "{connector}");
    }
}

#[tokio::test]
async fn credentials_that_the_processor_refuses() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let wrong = json!({ "connector_account_details": shop.stand_in.refused_credentials() });
        shop.reconnects(wrong).await.ok();
        let payment = shop.pays(CardThat::IsApproved, json!({})).await;
        shop.notes("paid", &payment);
        shop.looks_into_the_books();
        shop.looks_at_what_waits().await;
    });
    insta::assert_snapshot!(told.await, @r#"
    adyen
      paid: failed, error_code "credentials_refused", error_message "the processor refuses the credentials of this account (401)", unified_code "UE_3000", unified_message "The shop can't take this payment in this way"
      nothing waits
    checkout
      paid: failed, error_code "credentials_refused", error_message "the processor refuses the credentials of this account (401)", unified_code "UE_3000", unified_message "The shop can't take this payment in this way"
      nothing waits
    stripe
      paid: failed, error_code "credentials_refused", error_message "the processor refuses the credentials of this account (401)", unified_code "UE_3000", unified_message "The shop can't take this payment in this way"
      nothing waits
    "#);
}
