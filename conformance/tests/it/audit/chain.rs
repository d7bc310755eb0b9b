//! The audit chain shows every change that somebody makes to the log in the database.

use multirail_conformance::TestServer;
use serde_json::{Value, json};

use super::{is_whole, verified};
use crate::audit_log::log;
use crate::servers::damage::alters;
use crate::servers::site::Site;

/// A manipulation of the database, and the fault that a check then reports.
struct Deed {
    sql: &'static str,
    fault: (i64, &'static str),
}

const DEEDS: [Deed; 9] = [
    Deed {
        sql: "update audit_log set principal_id = 'snd_somebody_else' where sequence = 4",
        fault: (4, "altered"),
    },
    // Member names that no list of ours holds, and white space.
    Deed {
        sql: "update audit_log set target = replace(target, '{', '{\"by\":\"somebody\",') where sequence = 2",
        fault: (2, "altered"),
    },
    Deed {
        sql: "update audit_log set objects = objects || ' ' where sequence = 4",
        fault: (4, "altered"),
    },
    Deed {
        sql: "update audit_log set link = upper(link) where sequence = 4",
        fault: (4, "altered"),
    },
    Deed {
        sql: "delete from audit_log where sequence = 3",
        fault: (3, "missing"),
    },
    // The last entries are deleted.
    Deed {
        sql: "delete from audit_log where sequence > 5",
        fault: (6, "missing"),
    },
    // The stored head is adjusted too.
    Deed {
        sql: "delete from audit_log where sequence > 5; update audit_head set entries = 5, \
             link = (select link from audit_log where sequence = 5)",
        fault: (5, "head_altered"),
    },
    Deed {
        sql: "delete from audit_head",
        fault: (1, "not_counted"),
    },
    // An entry of an earlier day replaces another one.
    Deed {
        sql: "update audit_log set operation = (select operation from audit_log where sequence = 2), \
             stamp = (select stamp from audit_log where sequence = 2) where sequence = 5",
        fault: (5, "altered"),
    },
];

#[tokio::test(flavor = "multi_thread")]
async fn changes_show_on_sqlite() {
    for deed in DEEDS {
        shows(Site::on_sqlite(), deed).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_show_on_postgres() {
    for deed in DEEDS {
        let Some(site) = Site::on_postgres().await else {
            return;
        };
        shows(site, deed).await;
    }
}

async fn shows(site: Site, deed: Deed) {
    let Deed { sql, fault } = deed;
    let server = site.server("one").await;
    let shop = server.shop("books").await;
    for id in ["cus_1", "cus_2", "cus_3", "cus_4"] {
        let call = shop.call("customers_create");
        call.json(&json!({ "customer_id": id })).await.ok();
    }
    drop(shop);
    let entries = is_whole(&server).await;
    assert!(entries > 6, "{entries}");
    server.stops().await.expect("an orderly end");

    alters(&site, "one", sql).await;

    let server = site.server("one").await;
    let found = fault_of(&server).await;
    assert_eq!(
        found,
        json!({ "sequence": fault.0, "kind": fault.1 }),
        "{sql}"
    );
    // Later entries don't hide the fault.
    let call = server.operator("merchant_accounts_create");
    call.json(&json!({ "merchant_id": "flowers" })).await.ok();
    assert_eq!(fault_of(&server).await, found, "{sql}");
}

async fn fault_of(server: &TestServer) -> Value {
    verified(server).await["fault"].clone()
}

#[tokio::test]
async fn the_log_can_be_checked_in_parts() {
    let server = TestServer::start().await;
    server.shop("books").await;
    let all = log(&server).await;
    let count = is_whole(&server).await;
    assert_eq!(usize::try_from(count), Ok(all.len()));
    let part = server.operator("audit_verify").query("after", 1);
    let part = part.query("limit", 1).await.ok();
    assert_eq!(
        part,
        json!({ "entries": count, "until": 2, "hash": all[1]["hash"], "finished": false, "fault": null, "file_faults": null })
    );
    let behind = server.operator("audit_verify").query("after", count);
    assert_eq!(behind.await.ok()["finished"], true);
    let beyond = server.operator("audit_verify").query("after", count + 1);
    let fault = json!({ "sequence": count + 1, "kind": "missing" });
    assert_eq!(beyond.await.ok()["fault"], fault);
    for operation in ["audit_verify", "audit_export"] {
        let call = server.operator(operation).query("limit", 1001);
        call.await.refused(422, "IR_06");
    }
}
