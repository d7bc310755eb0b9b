//! A wallet payment is confirmed through the account that the checkout was offered, even if routing would now choose
//! another. (Facts 10.2)

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, order, with};
use multirail_wallet_mint::MerchantKey;
use multirail_wallet_mint::google::Google;
use serde_json::{Value, json};

use super::wallets::{google_message, google_settings, in_ten_minutes, sealed};

/// A shop with two accounts that take Google Pay, each with its own key. A token sealed for one can't be opened with
/// the other key.
struct Two {
    shop: Shop,
    google: Google,
    keys: [(&'static str, MerchantKey); 2],
}

impl Two {
    async fn open() -> Self {
        let google = Google::new();
        let keys = [
            ("fauxpay", MerchantKey::generate()),
            ("stripe_test", MerchantKey::generate()),
        ];
        let shop = Shop::open().await;
        let account = |key: &MerchantKey| {
            let wallet =
                json!([{ "payment_method": "wallet", "payment_method_types": ["google_pay"] }]);
            json!({
                "payment_methods_enabled": wallet,
                "connector_wallets_details": { "google_pay": google_settings(&google, key) },
            })
        };
        let country = json!({ "merchant_business_country": "US" });
        shop.sets_up(country).await.ok();
        shop.reconnects(account(&keys[0].1)).await.ok();
        shop.connects("stripe_test", account(&keys[1].1)).await.ok();
        Two { shop, google, keys }
    }

    /// Returns the connector through which the checkout is offered the wallet.
    async fn offered(&self, payment: &Value) -> String {
        let session = self.shop.payer_of(payment).opens_session(&["google_pay"]);
        let session = session.await.ok();
        let connector = &session["session_token"][0]["connector"];
        connector.as_str().expect("a connector").to_owned()
    }

    /// Returns the token that the payer's wallet makes for this connector's account.
    fn handed_over(&self, connector: &str) -> Value {
        let mut keys = self.keys.iter();
        let (_, key) = keys.find(|(name, _)| *name == connector).expect("its key");
        let message = google_message(APPROVED, "CRYPTOGRAM_3DS");
        let token = self
            .google
            .seal(key, super::wallets::RECIPIENT, &message, in_ten_minutes());
        let mut confirm = sealed(token);
        confirm.as_object_mut().expect("members").remove("confirm");
        confirm
    }

    async fn splits(&self) {
        let share =
            |connector: &str| json!({ "connector": { "connector": connector }, "split": 50 });
        let split =
            json!({ "type": "volume_split", "data": [share("fauxpay"), share("stripe_test")] });
        let body = json!({
            "name": "Half and half", "description": "", "profile_id": self.shop.profile_id, "algorithm": split,
        });
        let made = self.shop.call("routing_create").json(&body).await.ok();
        let activate = self.shop.call("routing_activate");
        let activate = activate.at("routing_id", made["id"].as_str().expect("an id"));
        activate.await.ok();
    }
}

#[tokio::test]
async fn a_split_draws_once_for_the_checkout_and_its_confirm() {
    let two = Two::open().await;
    two.splits().await;
    for _ in 0..12 {
        let payment = two.shop.creates(order()).await.ok();
        let through = two.offered(&payment).await;
        assert_eq!(two.offered(&payment).await, through, "asked once more");
        let payer = two.shop.payer_of(&payment);
        let paid = payer.confirms(two.handed_over(&through)).await.ok();
        assert_eq!(paid["status"], "succeeded");
        assert_eq!(paid["connector"], through);
        let read = two.shop.retrieves(&payment).query("expand_routing", true);
        let read = read.await.ok();
        assert_eq!(read["attempts"][0]["routing"]["routed_by"], "session");
    }
}

#[tokio::test]
async fn the_merchants_routing_wins_over_the_offer() {
    let two = Two::open().await;
    let payment = two.shop.creates(order()).await.ok();
    assert_eq!(two.offered(&payment).await, "fauxpay");
    let asked = json!({ "connector": ["stripe_test"] });
    let confirm = with(two.handed_over("stripe_test"), asked);
    let paid = two.shop.confirms(&payment, confirm).await.ok();
    assert_eq!(
        (&paid["status"], &paid["connector"]),
        (&json!("succeeded"), &json!("stripe_test"))
    );
}

#[tokio::test]
async fn another_configuration_changes_nothing_of_what_was_offered() {
    let two = Two::open().await;
    let payment = two.shop.creates(order()).await.ok();
    assert_eq!(two.offered(&payment).await, "fauxpay");
    let single = json!({ "type": "single", "data": { "connector": "stripe_test" } });
    let body = json!({
        "name": "Elsewhere", "description": "", "profile_id": two.shop.profile_id, "algorithm": single,
    });
    let made = two.shop.call("routing_create").json(&body).await.ok();
    let activate = two.shop.call("routing_activate");
    activate
        .at("routing_id", made["id"].as_str().expect("an id"))
        .await
        .ok();
    let payer = two.shop.payer_of(&payment);
    let paid = payer.confirms(two.handed_over("fauxpay")).await.ok();
    assert_eq!(paid["connector"], "fauxpay");
    let later = two.shop.creates(order()).await.ok();
    assert_eq!(two.offered(&later).await, "stripe_test");
}
