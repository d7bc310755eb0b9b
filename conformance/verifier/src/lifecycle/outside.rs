//! A billing engine that isn't ours, in the form of the simulated one: what it can't do, and what it refuses.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::bodies::{APPROVED, card, with};
use crate::patience::PATIENCE;
use crate::run::{Merchant, Run, Stop};
use crate::wire::Call;

/// The simulated engine, and a price of its.
const ENGINE: &str = "stripe_billing_test";
const PRICE: &str = "sim_reader_monthly";

/// A key that opens an account there, and the one by which it knows nobody.
const KNOWN: &str = "conformance";
const REFUSED: &str = "refused_key";

/// The merchant's profile that the engine bills.
struct Profile<'m> {
    merchant: &'m Merchant,
    id: Value,
    engine: Value,
}

pub(super) async fn billed_outside(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let profile = Profile::open(run, merchant).await?;
    profile.lacks(run).await?;
    let active = profile.paid(run).await?;
    let paused = profile.paid(run).await?;
    let call = profile.on("subscriptions_pause", &paused);
    run.works("one is paused", call, &[]).await?;
    let call = profile.ask("subscriptions_create").json(&wanted(json!({})));
    let waiting = run.works("one waits for its payer", call, &[]).await?;

    profile.engine_knows(run, REFUSED).await?;
    let plus = json!({ "plan_id": "sim_reader_plus", "item_price_id": "sim_reader_plus_monthly" });
    let pays = json!({ "payment_details": pays() });
    let plans = profile.ask("subscription_items_list");
    let costs = profile.ask("subscription_estimate");
    for call in [
        plans.query("item_type", "plan"),
        costs.query("item_price_id", PRICE),
        profile.ask("subscriptions_create").json(&wanted(json!({}))),
        profile
            .ask("subscriptions_create_and_confirm")
            .json(&wanted(self::pays())),
        profile.on("subscriptions_confirm", &waiting).json(&pays),
        profile.on("subscriptions_update", &active).json(&plus),
        profile.on("subscriptions_pause", &active),
        profile.on("subscriptions_resume", &paused),
        profile.on("subscriptions_cancel", &active),
    ] {
        run.is_refused("the engine knows nobody", call, 400, "CE_09")
            .await;
    }
    profile.engine_knows(run, KNOWN).await?;
    for subscription in [&active, &paused, &waiting] {
        let call = profile.on("subscriptions_cancel", subscription);
        let is = [("/status", json!("cancelled"))];
        run.works("nothing has changed, and it ends", call, &is)
            .await?;
    }
    Ok(())
}

/// What pays, with the payer's consent.
fn pays() -> Value {
    let consent = json!({ "acceptance_type": "online", "online": { "user_agent": "Browser/1.0" } });
    with(card(APPROVED), json!({ "customer_acceptance": consent }))
}

fn wanted(more: Value) -> Value {
    let details = with(
        json!({ "return_url": "https://merchant.example/thanks" }),
        more,
    );
    json!({ "item_price_id": PRICE, "customer_id": "reader_outside", "payment_details": details })
}

impl<'m> Profile<'m> {
    async fn open(run: &mut Run, merchant: &'m Merchant) -> Result<Self, Stop> {
        let reader = json!({ "customer_id": "reader_outside" });
        let call = merchant.call("customers_create").json(&reader);
        run.works("somebody who reads elsewhere", call, &[]).await?;
        let call = merchant.call("business_profiles_create");
        let call = call.json(&json!({ "profile_name": "billed outside" }));
        let profile = run.works("a profile for that", call, &[]).await?;
        let connects = |kind: &str, name: &str| {
            merchant.call("connector_accounts_create").json(&json!({
                "connector_type": kind, "connector_name": name, "profile_id": profile["profile_id"],
                "connector_label": format!("{name}_outside"), "test_mode": true,
                "connector_account_details": { "auth_type": "HeaderKey", "api_key": KNOWN },
            }))
        };
        let call = connects("payment_processor", &merchant.connector);
        run.works("which can be paid", call, &[]).await?;
        let call = connects("billing_processor", ENGINE);
        let engine = run.works("and is billed by others", call, &[]).await?;
        let made = Profile {
            merchant,
            id: profile["profile_id"].clone(),
            engine: engine["merchant_connector_id"].clone(),
        };
        let call = merchant.call("business_profiles_update");
        let call = call.at("profile_id", made.id.as_str().unwrap_or("-"));
        let call = call.json(&json!({ "billing_processor_id": made.engine }));
        run.works("from now on", call, &[]).await?;
        Ok(made)
    }

    /// Coupons, and money that is given back by it.
    async fn lacks(&self, run: &mut Run) -> Result<(), Stop> {
        let coupon = json!({ "coupon_code": "TENTH" });
        let costs = self.ask("subscription_estimate");
        let costs = costs.query("item_price_id", PRICE);
        let made = |operation: &str, more: Value| {
            let body = with(wanted(more), coupon.clone());
            self.ask(operation).json(&body)
        };
        for call in [
            costs.query("coupon_code", "TENTH"),
            made("subscriptions_create", json!({})),
            made("subscriptions_create_and_confirm", pays()),
        ] {
            run.is_refused("the engine has no coupons", call, 400, "IR_20")
                .await;
        }
        let call = self.ask("subscriptions_create").json(&wanted(json!({})));
        let made = run.works("one without", call, &[]).await?;
        let back = json!({ "refundable_credits_handling": "schedule_refund" });
        let call = self.on("subscriptions_cancel", &made).json(&back);
        run.is_refused("nor gives it money back", call, 400, "IR_20")
            .await;
        let call = self.on("subscriptions_cancel", &made);
        run.works("so that it ends without", call, &[]).await?;
        Ok(())
    }

    /// A subscription whose first payment the engine has taken note of.
    async fn paid(&self, run: &mut Run) -> Result<Value, Stop> {
        let call = self.ask("subscriptions_create_and_confirm");
        let call = call.json(&wanted(pays()));
        let is = [("/status", json!("active"))];
        let made = run
            .works("made at the engine and paid here", call, &is)
            .await?;
        let started = Instant::now();
        loop {
            let now = self.on("subscriptions_retrieve", &made).send().await;
            let now = now.map_or(Value::Null, |answer| answer.body);
            let is_told = now["id"].is_string() && now["pending_operation"].is_null();
            if is_told || started.elapsed() > PATIENCE {
                return Ok(made);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// By which key the engine is asked from now on.
    async fn engine_knows(&self, run: &mut Run, key: &str) -> Result<(), Stop> {
        let call = self.merchant.call("connector_accounts_update");
        let call = call.at("merchant_connector_id", self.engine.as_str().unwrap_or("-"));
        let call = call.json(&json!({
            "connector_type": "billing_processor",
            "connector_account_details": { "auth_type": "HeaderKey", "api_key": key },
        }));
        run.works("another key", call, &[]).await.map(drop)
    }

    fn ask(&self, operation: &str) -> Call {
        let id = self.id.as_str().unwrap_or("-");
        self.merchant.call(operation).header("X-Profile-Id", id)
    }

    fn on(&self, operation: &str, subscription: &Value) -> Call {
        let id = subscription["id"].as_str().unwrap_or("-");
        self.ask(operation).at("subscription_id", id)
    }
}
