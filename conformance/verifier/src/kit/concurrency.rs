//! Concurrent calls. In any order, each call works or is refused as its operation lists it. A call that conflicts
//! with others again and again is refused as busy.

use std::collections::BTreeMap;
use std::time::Instant;

use serde_json::{Value, json};

use super::listed::lists_answer;
use crate::bodies::{APPROVED, DEVICE_DATA, HELD, card_to_save, order_with, paid_with, with};
use crate::document::{Operation, operation};
use crate::place::Reason;
use crate::report::{Failure, Kind, Outcome};
use crate::response::Response;
use crate::run::{Merchant, Run, Stop};
use crate::wire::{Call, Wrong};

/// The number of concurrent changes of one object. A server that retries conflicts a few times must give some up.
const MANY: usize = 24;

/// The most rounds until each operation has been refused as busy.
const TIMES: usize = 2;

/// The status and code of a call that conflicts with others.
pub(super) const BUSY: (u16, &str) = (422, "HE_00");

/// The report's name of the check with concurrent calls.
pub(super) const TOGETHER: &str = "many at once";

/// Concurrent calls, and a call that cleans up after them.
struct Batch {
    calls: Vec<Call>,
    after: Option<Call>,
}

impl From<Vec<Call>> for Batch {
    fn from(calls: Vec<Call>) -> Self {
        Batch { calls, after: None }
    }
}

/// A profile whose payments go to the simulated processor.
struct Till<'m> {
    merchant: &'m Merchant,
    profile_id: String,
    connector_account: Value,
}

pub(super) async fn check(run: &mut Run, merchant: &Merchant) {
    of_customers(run, merchant).await;
    if run.admin_key.is_some() {
        of_the_operator(run, merchant).await;
    }
    let Ok(till) = Till::open(run, merchant).await else {
        return;
    };
    if run.facts.own_account {
        till.its_settings(run).await;
    }
    if run.facts.simulator {
        till.before_the_processor(run).await;
        till.behind_it(run).await;
    }
}

async fn of_customers(run: &mut Run, merchant: &Merchant) {
    let customer = async |run: &mut Run| -> Result<(Value, String), Stop> {
        let call = merchant.call("customers_create").json(&json!({}));
        let made = run.works("a customer of many hands", call, &[]).await?;
        Ok((
            json!({ "customer_id": made["customer_id"] }),
            text(&made["customer_id"]),
        ))
    };
    let rename = |id: &str, nth: usize| {
        let body = json!({ "name": format!("Ada the {nth}th") });
        let call = merchant.call("customers_update").json(&body);
        call.at("customer_id", id)
    };
    let ids = ["customers_update", "customers_delete"];
    compete(run, &ids, async |run: &mut Run| {
        let (_, id) = customer(run).await?;
        let delete = merchant.call("customers_delete").at("customer_id", &id);
        Ok(many(|nth| rename(&id, nth)).and([delete]))
    })
    .await;
    let ids = [
        "payment_methods_create",
        "payment_methods_update",
        "payment_methods_delete",
    ];
    compete(run, &ids, async |run: &mut Run| {
        let (of_customer, _) = customer(run).await?;
        let save = merchant.call("payment_methods_create");
        let save = save.json(&with(card_to_save(), of_customer));
        let made = run.works("a card of many hands", save.clone(), &[]).await?;
        let on = |operation: &str| {
            let call = merchant.call(operation);
            call.at("payment_method_id", &text(&made["payment_method_id"]))
        };
        let rename = |nth: usize| {
            let body = json!({ "card": { "nick_name": format!("the {nth}th") } });
            on("payment_methods_update").json(&body)
        };
        let others = [save.clone(), save, on("payment_methods_delete")];
        Ok(many(rename).and(others))
    })
    .await;
}

async fn of_the_operator(run: &mut Run, merchant: &Merchant) {
    let on = |run: &Run, operation: &str, member: &str, id: &Value| {
        run.operator(operation, &merchant.id).at(member, &text(id))
    };
    compete(run, &["organizations_update"], async |run: &mut Run| {
        let call = run.operator("organizations_create", "-");
        let call = call.json(&json!({ "organization_name": "Of many hands" }));
        let made = run
            .works("an organization of many hands", call, &[])
            .await?;
        let rename = |nth: usize| {
            let body = json!({ "organization_name": format!("The {nth}th") });
            let id = &made["organization_id"];
            on(run, "organizations_update", "organization_id", id).json(&body)
        };
        Ok(many(rename))
    })
    .await;
    compete(run, &["api_keys_update"], async |run: &mut Run| {
        let call = run.operator("api_keys_create", &merchant.id);
        let call = call.json(&json!({ "name": "of many hands", "expiration": "never" }));
        let made = run.works("a key of many hands", call, &[]).await?;
        let describe = |nth: usize| {
            let body = json!({ "description": format!("the {nth}th") });
            on(run, "api_keys_update", "key_id", &made["key_id"]).json(&body)
        };
        Ok(many(describe))
    })
    .await;
    compete(run, &["merchant_accounts_update"], async |run: &mut Run| {
        let rename = |nth: usize| {
            let body = json!({ "merchant_name": format!("The {nth}th") });
            let call = run.operator("merchant_accounts_update", &merchant.id);
            call.json(&body)
        };
        Ok(many(rename))
    })
    .await;
}

impl<'m> Till<'m> {
    /// Opens a profile of its own, if the run may change settings.
    async fn open(run: &mut Run, merchant: &'m Merchant) -> Result<Self, Stop> {
        if !run.facts.own_account {
            return Ok(Till {
                merchant,
                profile_id: merchant.profile_id.clone(),
                connector_account: Value::Null,
            });
        }
        let call = merchant.call("business_profiles_create");
        let call = call.json(&json!({ "profile_name": "of many hands" }));
        let profile = run.works("a profile of many hands", call, &[]).await?;
        let call = merchant.call("connector_accounts_create").json(&json!({
            "connector_type": "payment_processor",
            "connector_name": merchant.connector,
            "connector_label": "of_many_hands",
            "profile_id": profile["profile_id"],
            "connector_account_details": { "auth_type": "HeaderKey", "api_key": "of_many_hands" },
            "test_mode": true,
        }));
        let connector_account = run.works("and a processor for it", call, &[]).await?;
        Ok(Till {
            merchant,
            profile_id: text(&profile["profile_id"]),
            connector_account,
        })
    }

    /// Changes the settings of the profile and of its connector account.
    async fn its_settings(&self, run: &mut Run) {
        let account = self.connector_account["merchant_connector_id"].clone();
        compete(run, &["connector_accounts_update"], async |_: &mut Run| {
            let note = |nth: usize| {
                let body = json!({
                    "connector_type": "payment_processor", "metadata": { "hand": nth.to_string() },
                });
                let call = self.merchant.call("connector_accounts_update").json(&body);
                call.at("merchant_connector_id", &text(&account))
            };
            Ok(many(note))
        })
        .await;
        let profile = |operation: &str| {
            let call = self.merchant.call(operation);
            call.at("profile_id", &self.profile_id)
        };
        let longer = |nth: usize| {
            let body = json!({ "return_url": format!("https://shop.example/{nth}") });
            profile("business_profiles_update").json(&body)
        };
        let last_resort = json!({ "connectors": [{ "connector": self.merchant.connector }] });
        let ids = [
            "business_profiles_update",
            "business_profiles_rotate_webhook_secret",
            "routing_default_update_of_profile",
        ];
        compete(run, &ids, async |_: &mut Run| {
            let rotate = profile("business_profiles_rotate_webhook_secret");
            let order = profile("routing_default_update_of_profile").json(&last_resort);
            Ok(many(longer).and([rotate.json(&json!({})), order]))
        })
        .await;
        compete(run, &["routing_default_update"], async |_: &mut Run| {
            let of_first = |nth: usize| longer(nth).moved("profile_id", &self.merchant.profile_id);
            let order = self.merchant.call("routing_default_update");
            Ok(many(of_first).and([order.json(&last_resort)]))
        })
        .await;
        let ids = ["routing_activate", "routing_deactivate"];
        compete(run, &ids, async |run: &mut Run| {
            let algorithm = json!({ "type": "single", "data": {
                "connector": self.merchant.connector, "merchant_connector_id": account,
            } });
            let body = json!({
                "name": "Of many hands", "description": "", "profile_id": self.profile_id, "algorithm": algorithm,
            });
            let call = self.merchant.call("routing_create").json(&body);
            let mut activates = Vec::new();
            for _ in 0..2 {
                let made = run.works("routing of many hands", call.clone(), &[]).await?;
                let call = self.merchant.call("routing_activate");
                activates.push(call.at("routing_id", &text(&made["id"])));
            }
            let call = self.merchant.call("routing_deactivate");
            let deactivate = call.json(&json!({ "profile_id": self.profile_id }));
            Ok(many(longer).and(activates).and([deactivate]))
        })
        .await;
        for (kind, made_of, changed) in [
            (
                "elimination",
                json!({ "decision_engine_configs": { "threshold": 0.35 } }),
                json!({ "elimination_analyser_config": { "bucket_size": 10 } }),
            ),
            (
                "success_based",
                json!({}),
                json!({ "config": { "current_block_threshold": { "duration_in_mins": 30 } } }),
            ),
        ] {
            let id = |what: &str| format!("dynamic_routing_{kind}_{what}");
            let (create, toggle, update) = (id("create"), id("toggle"), id("update"));
            let split = "dynamic_routing_set_volume_split";
            let ids = [create.as_str(), &toggle, &update, split];
            compete(run, &ids, async |run: &mut Run| {
                let learns = profile(&create).json(&made_of);
                let enabled = learns.clone().query("enable", "metrics");
                let made = run.works("learning of many hands", enabled, &[]).await?;
                let update = profile(&update).at("routing_id", &text(&made["id"]));
                let toggles = ["none", "metrics"].map(|to| profile(&toggle).query("enable", to));
                let others = [
                    learns.query("enable", "dynamic_connector_selection"),
                    update.json(&changed),
                    profile(split).query("split", 50),
                ];
                Ok(many(longer).and(others).and(toggles))
            })
            .await;
        }
    }

    async fn takes(&self, run: &mut Run, body: Value, more: Value) -> Result<Value, Stop> {
        let of_profile = json!({ "profile_id": self.profile_id });
        let body = with(with(body, more), of_profile);
        let call = self.merchant.call("payments_create").json(&body);
        run.works("a payment of many hands", call, &[]).await
    }

    fn on(&self, operation: &str, payment: &Value) -> Call {
        self.merchant.on(operation, payment).json(&json!({}))
    }

    /// Updates the metadata of a payment, which changes nothing else.
    fn notes(&self, payment: &Value) -> impl Fn(usize) -> Call {
        move |nth| {
            let body = json!({ "metadata": { "hand": nth.to_string() } });
            self.on("payments_update_metadata", payment).json(&body)
        }
    }

    async fn before_the_processor(&self, run: &mut Run) {
        let ids = ["payments_update", "payments_confirm"];
        compete(run, &ids, async |run: &mut Run| {
            let made = self.takes(run, order_with(APPROVED), json!({})).await?;
            let describe = |nth: usize| {
                let body = json!({ "description": format!("the {nth}th") });
                self.on("payments_update", &made).json(&body)
            };
            let confirm = self.on("payments_confirm", &made);
            Ok(many(describe).and([confirm.clone()]).then(confirm))
        })
        .await;
    }

    async fn behind_it(&self, run: &mut Run) {
        let confirmed = || json!({ "confirm": true });
        let by_hand = |method: &str| json!({ "confirm": true, "capture_method": method });
        let ids = ["payments_capture", "payments_update_metadata"];
        compete(run, &ids, async |run: &mut Run| {
            let more = by_hand("manual_multiple");
            let made = self.takes(run, order_with(APPROVED), more).await?;
            let part = self.on("payments_capture", &made);
            let part = part.json(&json!({ "amount_to_capture": 1 }));
            let calls = many(self.notes(&made)).and(vec![part; MANY]);
            Ok(calls.then(self.on("payments_cancel_post_capture", &made)))
        })
        .await;
        let none = json!({});
        for (operation, card, more, said) in [
            ("payments_cancel", APPROVED, by_hand("manual"), &none),
            ("payments_cancel_post_capture", APPROVED, confirmed(), &none),
            ("payments_approve", HELD, confirmed(), &none),
            ("payments_reject", HELD, confirmed(), &none),
            (
                "payments_complete_authorize",
                DEVICE_DATA,
                confirmed(),
                &json!({ "threeds_method_comp_ind": "Y" }),
            ),
        ] {
            compete(run, &[operation], async |run: &mut Run| {
                let made = self.takes(run, order_with(card), more.clone()).await?;
                let call = self.on(operation, &made).json(said);
                let calls = many(self.notes(&made)).and([call.clone()]);
                Ok(calls.then(call))
            })
            .await;
        }
        compete(run, &["refunds_create"], async |run: &mut Run| {
            let made = self.takes(run, paid_with(APPROVED), json!({})).await?;
            let body = json!({ "payment_id": made["payment_id"], "amount": 1 });
            let refund = self.merchant.call("refunds_create").json(&body);
            Ok(many(self.notes(&made)).and(vec![refund; 4]))
        })
        .await;
        compete(run, &["refunds_update"], async |run: &mut Run| {
            let made = self.takes(run, paid_with(APPROVED), json!({})).await?;
            let body = json!({ "payment_id": made["payment_id"], "amount": 1 });
            let call = self.merchant.call("refunds_create").json(&body);
            let refund = run.works("a refund of many hands", call, &[]).await?;
            Ok(many(|nth| {
                let body = json!({ "reason": format!("the {nth}th") });
                let call = self.merchant.call("refunds_update").json(&body);
                call.at("refund_id", &text(&refund["refund_id"]))
            }))
        })
        .await;
    }
}

impl Batch {
    fn and(mut self, others: impl IntoIterator<Item = Call>) -> Self {
        self.calls.extend(others);
        self
    }

    fn then(mut self, call: Call) -> Self {
        self.after = Some(call);
        self
    }
}

fn many(call: impl Fn(usize) -> Call) -> Batch {
    (0..MANY).map(call).collect::<Vec<_>>().into()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or("-").to_owned()
}

/// Sends concurrent calls to a new object in each round, until each of these operations was refused as busy or the
/// rounds are over.
async fn compete(
    run: &mut Run,
    ids: &[&str],
    gathers: impl AsyncFn(&mut Run) -> Result<Batch, Stop>,
) {
    let all = ids.iter().map(|id| operation(id));
    let tried: Vec<&Operation> = all.filter(|one| run.plan.tries(one)).collect();
    let (started, mut faults) = (Instant::now(), BTreeMap::new());
    for _ in 0..TIMES {
        let is_met = |one: &&Operation| {
            let refusal = (one.id.clone(), BUSY.0, BUSY.1.to_owned());
            run.refused.contains(&refusal)
        };
        if tried.iter().all(is_met) || !faults.is_empty() {
            break;
        }
        let Ok(Batch { calls, after }) = gathers(run).await else {
            return;
        };
        let asked: Vec<_> = calls.iter().map(Call::operation).collect();
        let answers = run.send_together(calls).await;
        for (operation, answer) in asked.into_iter().flatten().zip(answers) {
            if let Some(failure) = fault(operation, answer) {
                faults.entry(operation.id.as_str()).or_insert(failure);
            }
        }
        if let Some(call) = after {
            // If the clean-up was already done, a refusal is fine.
            let _ = run.send(call).await;
        }
    }
    let took = started.elapsed();
    for one in tried {
        let outcome = match faults.remove(one.id.as_str()) {
            Some(failure) => Outcome::Failed(Box::new(failure)),
            None => Outcome::Passed,
        };
        run.row(one.id.clone(), Kind::Refusals, TOGETHER, outcome, took);
    }
    for (id, failure) in faults {
        let outcome = Outcome::Failed(Box::new(failure));
        run.row(
            id.to_owned(),
            Kind::Refusals,
            "among many at once",
            outcome,
            took,
        );
    }
}

/// Returns what is wrong with the answer to one of the concurrent calls.
fn fault(operation: &Operation, answer: Result<Response, Wrong>) -> Option<Failure> {
    match answer {
        Err(wrong) => Some(Failure::wrong(&wrong)),
        Ok(answer) if matches!(answer.status, 200 | 429) || lists_answer(operation, &answer) => {
            None
        }
        Ok(answer) => {
            let code = answer.body["code"].as_str().unwrap_or("-");
            let what = format!(
                "answered {} {code} among many at once, which it doesn't list",
                answer.status
            );
            Some(Failure::from_answer(
                &answer,
                Reason::at(&operation.pointer(), what),
            ))
        }
    }
}
