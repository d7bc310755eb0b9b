//! Several servers on one database, and servers that are killed.

use std::collections::BTreeSet;

use multirail_test_postgres::TestPostgres;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::is_whole;
use crate::audit_log::log;
use crate::disk::process::{Manner, Process};
use crate::servers::site::{Site, moved};

fn customers(entries: &[Value]) -> Vec<String> {
    let made = entries
        .iter()
        .filter(|entry| entry["operation"] == "customers_create");
    let ids = made.map(|entry| entry["objects"][0]["id"].as_str());
    ids.map(|id| id.expect("an id").to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_of_one_database_make_one_chain() {
    let Some(site) = Site::on_postgres().await else {
        return;
    };
    let here = site.server("one").await.shop("books").await;
    let (there, _) = moved(here.clone(), site.server("two").await);
    let mut crowd = JoinSet::new();
    for number in 0..60 {
        let shop = if number % 2 == 0 { &here } else { &there }.clone();
        let id = format!("cus_{number}");
        crowd.spawn(async move {
            let call = shop.call("customers_create");
            call.json(&json!({ "customer_id": id })).await.ok();
            // Reading the log chains open entries, so the two servers compete.
            shop.server.operator("audit_list").await.ok();
            id
        });
    }
    let made: BTreeSet<String> = crowd.join_all().await.into_iter().collect();
    let entries = log(&here.server).await;
    assert_eq!(entries, log(&there.server).await);
    let found = customers(&entries);
    assert_eq!(found.len(), made.len(), "each once");
    assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), made);
    assert_eq!(is_whole(&there.server).await, is_whole(&here.server).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_process_loses_no_entry_of_what_it_answered_on_sqlite() {
    is_killed(None).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_process_loses_no_entry_of_what_it_answered_on_postgres() {
    let made = tokio::task::spawn_blocking(|| {
        TestPostgres::start_or_explain().map(|cluster| cluster.create_database())
    });
    if let Ok(url) = made.await.expect("no panic") {
        is_killed(Some(url)).await;
    }
}

/// Kills the server right after an answer, again and again. Most entries aren't chained yet at that moment.
async fn is_killed(database_url: Option<String>) {
    let environment = database_url.map(|url| ("MULTIRAIL_DATABASE_URL", url));
    let manner = Manner {
        environment: environment.into_iter().collect(),
        ..Manner::default()
    };
    let mut process = Process::start(manner).await.expect("no disk is asked for");
    let mut made = Vec::new();
    for round in 0..3 {
        for number in 0..5 {
            let id = format!("merchant_{round}_{number}");
            let call = process.operator("merchant_accounts_create");
            call.json(&json!({ "merchant_id": id })).await.ok();
            made.push(id);
        }
        process.kill();
        process.start_again().await;
    }
    let list = process.operator("audit_list");
    let list = list.query("operation", "merchant_accounts_create");
    let entries = list.await.ok();
    let entries = entries.as_array().expect("a list").iter().rev();
    let objects = entries.map(|entry| entry["objects"].clone());
    let named: Vec<Value> = objects.collect();
    let account = |id: &String| json!({ "name": "merchant_account", "id": id });
    let recorded = |id: &&String| {
        let wanted = account(id);
        let mut lists = named.iter().filter_map(Value::as_array);
        lists.any(|list| list.contains(&wanted))
    };
    let lost: Vec<&String> = made.iter().filter(|id| !recorded(id)).collect();
    assert_eq!(lost, [""; 0]);
    let check = process.operator("audit_verify").query("limit", 1000);
    let check = check.await.ok();
    assert_eq!(
        (&check["fault"], &check["finished"]),
        (&json!(null), &json!(true)),
        "{check}"
    );
}
