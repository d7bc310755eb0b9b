//! Payers' secrets expire after a quarter of an hour.

use serde_json::{Value, json};

use super::refused::{for_long, is_put_off};
use crate::bodies::{APPROVED, card, card_to_save, order, with};
use crate::run::{Merchant, Run, Stop};
use crate::wire::Call;

/// The lifetime of a secret in seconds, also the default of an order. (Specification 8)
const SECONDS: u64 = 900;

/// A secret in the right form that belongs to nothing.
const UNKNOWN_SECRET: &str = "unborn_secret_unborn";

/// A payer's order and card, and a subscription that waits for the payer, if there is a catalogue.
struct Payer<'a> {
    merchant: &'a Merchant,
    payment: Value,
    method: Value,
    subscription: Option<(Value, Call)>,
}

pub(super) async fn secrets(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let payer = Payer::comes(run, merchant).await?;
    for call in payer.calls(UNKNOWN_SECRET, UNKNOWN_SECRET) {
        run.is_refused("by a secret of nobody's", call, 400, "IR_09")
            .await;
    }
    let secret = |of: &Value| of["client_secret"].as_str().unwrap_or("-").to_owned();
    let own = secret(&payer.payment);
    let saves = payer.in_body("payment_methods_create", &own, card_to_save());
    for_long(run, &saves).await;
    is_put_off(run, saves).await;
    let later = json!({ "advance_seconds": SECONDS + 1 });
    let call = run.operator("sandbox_clock_advance", "-").json(&later);
    run.works("a quarter of an hour passes", call, &[]).await?;
    let subscription = payer.subscription.as_ref().map(|(made, _)| secret(made));
    let subscription = subscription.unwrap_or_default();
    for call in payer.calls(&own, &subscription) {
        run.is_refused("by a secret that has lapsed", call, 400, "IR_08")
            .await;
    }
    Ok(())
}

impl<'a> Payer<'a> {
    async fn comes(run: &mut Run, merchant: &'a Merchant) -> Result<Self, Stop> {
        let call = merchant.call("customers_create").json(&json!({}));
        let customer = run.works("a payer who takes long", call, &[]).await?;
        let of_customer = json!({ "customer_id": customer["customer_id"] });
        let call = merchant.call("payment_methods_create");
        let call = call.json(&with(card_to_save(), of_customer.clone()));
        let method = run.works("has a card", call, &[]).await?;
        let call = merchant.call("payments_create");
        let as_ever = json!({ "session_expiry": SECONDS });
        let call = call.json(&with(with(order(), of_customer), as_ever));
        let payment = run.works("and orders", call, &[]).await?;
        let subscription = match run.worked.get("subscriptions_create").cloned() {
            Some(call) => {
                let made = run.works("a subscription, too", call.clone(), &[]).await?;
                Some((made, call))
            }
            None => None,
        };
        Ok(Payer {
            merchant,
            payment,
            method,
            subscription,
        })
    }

    /// Returns all calls of a payer's client with a secret of the payment or the subscription.
    fn calls(&self, secret: &str, of_subscription: &str) -> Vec<Call> {
        let of_payment = json!({ "payment_id": self.payment["payment_id"], "wallets": [] });
        let named = json!({ "card": { "nick_name": "late" } });
        let mut calls = vec![
            self.in_query("payments_retrieve", secret),
            self.in_query("account_payment_methods_list", secret),
            self.in_query("customer_payment_methods_list", secret),
            self.in_query("payer_payment_methods_list", secret),
            self.in_body(
                "payments_update",
                secret,
                json!({ "email": "ada@shopper.example" }),
            ),
            self.in_body("payments_confirm", secret, card(APPROVED)),
            self.in_body("payments_complete_authorize", secret, json!({})),
            self.in_body("payments_session_tokens", secret, of_payment),
            self.in_body("payment_methods_create", secret, card_to_save()),
            self.in_body("payment_methods_update", secret, named),
        ];
        if let Some((made, create)) = &self.subscription {
            let profile = create.sends("X-Profile-Id").unwrap_or_default();
            let on = |call: Call| {
                let id = made["id"].as_str().unwrap_or("-");
                call.at("subscription_id", id)
                    .header("X-Profile-Id", profile)
            };
            let pays = json!({ "payment_details": card(APPROVED) });
            let confirm = self.in_body("subscriptions_confirm", of_subscription, pays);
            let items = self.in_query("subscription_items_list", of_subscription);
            let costs = self.in_query("subscription_estimate", of_subscription);
            let price = made["item_price_id"].as_str().unwrap_or("-");
            calls.extend([
                on(confirm),
                on(items.query("item_type", "plan")),
                on(costs.query("item_price_id", price)),
            ]);
        }
        calls
    }

    fn in_query(&self, operation: &str, secret: &str) -> Call {
        self.call(operation).query("client_secret", secret)
    }

    fn in_body(&self, operation: &str, secret: &str, more: Value) -> Call {
        let body = with(json!({ "client_secret": secret }), more);
        self.call(operation).json(&body)
    }

    fn call(&self, operation: &str) -> Call {
        let call = self.merchant.on(operation, &self.payment);
        let customer = self.method["customer_id"].as_str().unwrap_or("-");
        let method = self.method["payment_method_id"].as_str().unwrap_or("-");
        call.key(&self.merchant.publishable_key)
            .at("customer_id", customer)
            .at("payment_method_id", method)
    }
}
