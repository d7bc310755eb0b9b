//! What an outside engine refuses, and answers that are lost.

use super::*;

fn refuses() -> Fault {
    Fault::Declines {
        code: "DC_18".to_owned(),
        message: "Not today".to_owned(),
    }
}

/// What it refuses is told by name, and nothing has changed.
#[tokio::test]
async fn every_refusal_of_an_engine() {
    let shop = open().await;
    let body = wanted_with("sim_never_made", APPROVED);
    let made = call(&shop, "subscriptions_create_and_confirm").json(&body);
    let said = made.await.refused(400, "CE_09");
    assert_eq!(said, "Subscription operation: create failed with connector");
    let none = call(&shop, "subscriptions_list").await.ok();
    assert_eq!((none, shop.money().captured), (json!([]), 0));
    let kept = call(&shop, "subscriptions_create").json(&wanted("sim_never_made"));
    let kept = kept.await.ok();
    let confirm = json!({ "payment_details": pays_with(APPROVED) });
    let confirms = || on(&shop, "subscriptions_confirm", &kept).json(&confirm);
    confirms().await.refused(400, "CE_09");
    confirms().await.refused(400, "CE_09");
    assert_eq!(now(&shop, &kept).await["status"], "created");
    let other = call(&shop, "subscriptions_create").json(&wanted("sim_reader_monthly"));
    let other = other.await.ok();
    // It can't be reached.
    shop.server
        .next_call_meets(ScriptedCall::EngineAct, Fault::Throttles);
    let said = on(&shop, "subscriptions_confirm", &other).json(&confirm);
    let said = said.await.refused(400, "CE_09");
    assert_eq!(said, "Subscription operation: create failed with connector");
    let other = now(&shop, &other).await;
    assert_eq!(
        (&other["status"], &other["pending_operation"]),
        (&json!("created"), &Value::Null)
    );
    assert_eq!((engine(&shop), shop.money().captured), (vec![], 0));

    let active = known(&shop, "sim_never_changed").await;
    let before = now(&shop, &active).await;
    let other = json!({ "plan_id": "sim_reader", "item_price_id": "sim_reader_monthly" });
    for (operation, body) in [
        ("pause", json!({})),
        ("cancel", json!({})),
        ("update", other),
    ] {
        let key = format!("key-{operation}");
        let changes = || {
            let call = on(&shop, &format!("subscriptions_{operation}"), &active);
            match operation {
                "update" => call.json(&body),
                _ => call.json(&body).header("Idempotency-Key", &key),
            }
        };
        let said = changes().await.refused(400, "CE_09");
        let expected = format!("Subscription operation: {operation} failed with connector");
        assert_eq!(said, expected);
        // The key is free again, and the refusal was no accident.
        changes().await.refused(400, "CE_09");
    }
    let mut after = now(&shop, &active).await;
    after["modified_at"] = before["modified_at"].clone();
    assert_eq!(after, before, "nothing has changed");

    let paused = known(&shop, "sim_reader_monthly").await;
    on(&shop, "subscriptions_pause", &paused).await.ok();
    shop.server
        .next_call_meets(ScriptedCall::EngineAct, refuses());
    let resume = || on(&shop, "subscriptions_resume", &paused).json(&json!({}));
    let said = resume().await.refused(400, "CE_09");
    assert_eq!(said, "Subscription operation: resume failed with connector");
    assert_eq!(now(&shop, &paused).await["status"], "paused");
    assert_eq!(resume().await.ok()["status"], "active");
    // What the status forbids is refused without asking.
    let said = resume().await.refused(400, "IR_16");
    assert!(said.ends_with("because it has status active"), "{said}");
    let refund = json!({ "refundable_credits_handling": "schedule_refund" });
    let cancel = on(&shop, "subscriptions_cancel", &paused).json(&refund);
    cancel.await.refused(400, "IR_20");
    recorded(&shop, &paused, 2).await;
    agree(&shop);
}

/// It has done what it was asked for, and its answer is lost: that is asked about, by key, and neither guessed nor done twice.
#[tokio::test]
async fn an_answer_that_is_lost_on_sqlite() {
    an_answer_that_is_lost(opened(Engine::Sqlite).await).await;
}

#[tokio::test]
async fn an_answer_that_is_lost_on_postgres() {
    if Site::on_postgres().await.is_some() {
        an_answer_that_is_lost(opened(Engine::Postgres).await).await;
    }
}

async fn an_answer_that_is_lost(shop: Shop) {
    bills_outside(&shop).await;
    let active = known(&shop, "sim_reader_monthly").await;
    let faults = [
        Fault::LosesAnswer,
        Fault::LosesRequest,
        Fault::TimesOut,
        Fault::FailsAfter(502),
        Fault::HeldOnTheWay,
    ];
    for (number, fault) in faults.into_iter().enumerate() {
        shop.server.next_call_meets(ScriptedCall::EngineAct, fault);
        let key = format!("pause-{number}");
        let pauses = || on(&shop, "subscriptions_pause", &active).header("Idempotency-Key", &key);
        let unsure = pauses().await.ok();
        assert_eq!(unsure["status"], "active", "as it stood");
        assert_eq!(now(&shop, &active).await["pending_operation"], "pause");
        let said = on(&shop, "subscriptions_cancel", &active)
            .await
            .refused(400, "IR_16");
        assert!(
            said.contains("until its billing engine has answered"),
            "{said}"
        );
        let settled = |now: &Value| now["status"] == "paused" && now["pending_operation"].is_null();
        until_in_steps(&shop, &active, 60, settled).await;
        let resumed = on(&shop, "subscriptions_resume", &active).json(&json!({}));
        assert_eq!(resumed.await.ok()["status"], "active");
        // What was on the way until now has been done already, under its key.
        shop.server.processor().deliver_held();
        assert_eq!(only(&shop).status.as_str(), "active");
        // The one with which it began, and one for each resumption.
        let number = u64::try_from(number).expect("a few") + 2;
        recorded(&shop, &active, number).await;
    }
    assert_eq!(engine(&shop).len(), 1);
    agree(&shop);
}

/// Nobody is charged while it isn't known whether the engine has made the subscription; whoever confirms again goes on.
#[tokio::test]
async fn a_create_whose_answer_is_lost() {
    let shop = open().await;
    shop.server
        .next_call_meets(ScriptedCall::EngineAct, Fault::LosesAnswer);
    let body = wanted_with("sim_reader_monthly", APPROVED);
    let made = call(&shop, "subscriptions_create_and_confirm").json(&body);
    let made = made.await.ok();
    assert_eq!(made["status"], "created");
    assert_eq!(made["pending_operation"], "create");
    assert_eq!(shop.money().captured, 0);
    let confirm = json!({ "payment_details": pays_with(APPROVED) });
    let active = on(&shop, "subscriptions_confirm", &made).json(&confirm);
    assert_eq!(active.await.ok()["status"], "active");
    assert_eq!(only(&shop).own_id, made["id"]);
    agree(&shop);
}

/// The payment has succeeded, whatever the engine says to that: it is told until it takes note.
#[tokio::test]
async fn a_payment_of_which_the_engine_takes_no_note() {
    let shop = open().await;
    let made = call(&shop, "subscriptions_create").json(&wanted("sim_reader_monthly"));
    let made = made.await.ok();
    let confirm = json!({ "payment_details": pays_with(DECLINED) });
    let failed = on(&shop, "subscriptions_confirm", &made).json(&confirm);
    assert_eq!(failed.await.ok()["status"], "failed");
    // What never began here ends there.
    until(&shop, &made, |now| now["pending_operation"].is_null()).await;
    assert_eq!(only(&shop).status.as_str(), "cancelled");

    let active = known(&shop, "sim_reader_daily").await;
    shop.server
        .next_call_meets(ScriptedCall::EngineAct, refuses());
    shop.server
        .next_call_meets(ScriptedCall::EngineAct, Fault::LosesAnswer);
    shop.time_passes(DAY).await;
    invoice_becomes(&shop, &active, 2, "invoice_paid").await;
    let told = |now: &Value| {
        now["pending_operation"].is_null() && {
            let theirs = engine(&shop).into_iter().next_back();
            theirs.is_some_and(|one| one.invoices.iter().all(|invoice| invoice.is_paid))
        }
    };
    until_in_steps(&shop, &active, 60, told).await;
    assert_eq!(invoices(&shop, &active).await.len(), 2);
    agree(&shop);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_dies_while_it_asks_on_sqlite() {
    a_server_dies_while_it_asks(Site::on_sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_dies_while_it_asks_on_postgres() {
    if let Some(site) = Site::on_postgres().await {
        a_server_dies_while_it_asks(site).await;
    }
}

/// The engine has done it, and who asked is dead: another one asks what became of it.
async fn a_server_dies_while_it_asks(site: Site) {
    let (runtime, server) = doomed(&site).await;
    let shop = server.shop("bookshop").await;
    drop(server);
    bills_outside(&shop).await;
    let active = known(&shop, "sim_reader_monthly").await;
    let script = shop.server.processor().script();
    script.set_delay(Duration::from_secs(60));
    let pause = on(&shop, "subscriptions_pause", &active);
    let asking = tokio::spawn(async move { pause.await });
    let status = async || only(&shop).status.as_str();
    patience::until("it is paused", status, |status| *status == "paused").await;
    asking.abort();
    runtime.shutdown_background();
    let (old, left) = closed(shop);
    drop(old);
    let (runtime, server) = doomed(&site).await;
    let shop = left.opens_at(server);
    let unsure = now(&shop, &active).await;
    assert_eq!(
        (&unsure["status"], &unsure["pending_operation"]),
        (&json!("active"), &json!("pause"))
    );
    let known = |now: &Value| now["status"] == "paused" && now["pending_operation"].is_null();
    until_in_steps(&shop, &active, 60, known).await;
    agree(&shop);
    runtime.shutdown_background();
}
use multirail_conformance::patience;
