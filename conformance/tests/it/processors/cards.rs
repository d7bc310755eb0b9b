//! Each processor's test cards, as its page lists them.

use std::path::Path;

use multirail_peers::CardThat;
use serde_json::json;

use super::production_shop::ProductionShop;
use super::{PROCESSORS, of_each};

/// The page lists every card that the stand-in knows, and the cardholder's name if it decides.
#[test]
fn stand_on_their_processors_page() {
    let connectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/connectors/src");
    let mut told = String::new();
    for (connector, stand_in) in PROCESSORS {
        let page = connectors.join(connector).join("README.md");
        let page = std::fs::read_to_string(page).expect("each processor has a page");
        let (_, cards) = page.split_once("## Cards for tests").expect("a section");
        let numbers = cards.replace(' ', "");
        let stand_in = stand_in();
        for wanted in [
            CardThat::IsApproved,
            CardThat::IsDeclined,
            CardThat::AsksThePayer,
        ] {
            let card = stand_in.card(wanted);
            assert!(numbers.contains(card.number), "{connector}: {card:?}");
            let holder = if cards.contains(card.holder) {
                card.holder
            } else {
                "anybody"
            };
            told += &format!("{connector} {wanted:?}: {} of {holder}\n", card.number);
        }
    }
    insta::assert_snapshot!(told, @"
    adyen IsApproved: 4111111145551142 of anybody
    adyen IsDeclined: 4111111145551142 of NOT_ENOUGH_BALANCE
    adyen AsksThePayer: 5454545454545454 of anybody
    checkout IsApproved: 4242424242424242 of anybody
    checkout IsDeclined: 4544249167673670 of anybody
    checkout AsksThePayer: 4242424242424242 of anybody
    stripe IsApproved: 4242424242424242 of anybody
    stripe IsDeclined: 4000000000000002 of anybody
    stripe AsksThePayer: 4000002760003184 of anybody
    ");
}

/// The members of an approval that merchants can read, besides amounts.
#[tokio::test]
async fn approvals_show_the_processors_data() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let payment = shop.pays(CardThat::IsApproved, json!({})).await;
        assert_eq!(payment["status"], "succeeded");
        let card = &payment["payment_method_data"]["card"];
        for member in ["auth_code", "authentication_data", "payment_checks"] {
            shop.writes(format!("{member}: {}", card[member]));
        }
        let has_reference = !payment["network_transaction_id"].is_null();
        shop.writes(format!("network_transaction_id: {has_reference}"));
        let more = &payment["connector_response_metadata"];
        shop.writes(format!("connector_response_metadata: {more}"));
    });
    insta::assert_snapshot!(told.await);
}
