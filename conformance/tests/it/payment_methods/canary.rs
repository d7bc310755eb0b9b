//! Where known numbers and codes are found after every path that a card takes: nowhere.

use std::fs;
use std::path::{Path, PathBuf};

use multirail_conformance::Shop;
use multirail_conformance::bodies::{
    APPROVED, DECLINED, HELD, PENDING, THREE_DS, UNKNOWN, card, order_with, paid_with, with,
};
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use serde_json::{Value, json};

use super::{by_token, card_of, kept, known, listed, lists, order_of, paid_by_token};
use crate::servers::site::{Site, closed};

/// No other text has these digits between quotes or as a whole value.
const CODE: &str = "8317";

const NUMBERS: [&str; 6] = [APPROVED, DECLINED, HELD, PENDING, THREE_DS, UNKNOWN];

fn coded(body: Value) -> Value {
    with(
        body,
        json!({ "payment_method_data": { "card": { "card_cvc": CODE } } }),
    )
}

/// Files of a folder with what they hold.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            let bytes = fs::read(&path).expect("a file");
            found.push((path, bytes));
        }
    }
    found
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes
        .windows(text.len())
        .any(|some| some == text.as_bytes())
}

/// Forms in which a number or a code could rest.
fn telling() -> Vec<String> {
    let mut all = vec![format!("\"{CODE}\""), "card_cvc".to_owned()];
    for number in NUMBERS {
        let digits: Vec<char> = number.chars().collect();
        let grouped = |between: &str| {
            let groups = digits
                .chunks(4)
                .map(|group| group.iter().collect::<String>());
            groups.collect::<Vec<String>>().join(between)
        };
        let hex: String = number.bytes().map(|byte| format!("{byte:02x}")).collect();
        all.extend([number.to_owned(), grouped(" "), grouped("-"), hex]);
    }
    all
}

/// Every path; answers are kept to be searched.
async fn takes_every_path(shop: &Shop, answers: &mut Vec<String>) {
    let mut told = |answer: multirail_conformance::Response| {
        answers.push(answer.text.clone());
        answer.ok()
    };
    known(shop, "ada").await;
    for number in NUMBERS {
        let saving = with(
            with(coded(paid_with(number)), kept("off_session")),
            json!({ "customer_id": "ada" }),
        );
        let key = format!("key_{number}");
        // A number in a header would be the caller's doing.
        let key = &key[key.len() - 4..];
        let call = || shop.creates(saving.clone()).header("idempotency-key", key);
        let first = told(call().await);
        told(call().await);
        told(shop.asks_about(&first).await);
    }
    let waiting = told(
        shop.creates(with(
            coded(order_with(APPROVED)),
            json!({ "customer_id": "ada" }),
        ))
        .await,
    );
    told(shop.updates(&waiting, coded(card(HELD))).await);
    told(shop.confirms(&waiting, json!({})).await);
    let abandoned = coded(order_with(APPROVED));
    told(shop.creates(abandoned).await);
    for fault in [Fault::FailsBefore(500), Fault::LosesAnswer] {
        shop.next_call_meets(ScriptedCall::Authorize, fault);
        let payment = told(shop.creates(coded(paid_with(APPROVED))).await);
        told(shop.asks_about(&payment).await);
    }
    told(
        shop.call("payment_methods_create")
            .json(&card_of("ada", APPROVED))
            .header("idempotency-key", "k")
            .await,
    );
    told(lists(shop, "ada").await);
    let code = json!({ "card_cvc": CODE });
    let method = listed(shop, "ada").await.remove(0);
    told(
        shop.creates(with(paid_by_token("ada", &method), code.clone()))
            .await,
    );
    let method = listed(shop, "ada").await.remove(0);
    let by_token = with(with(order_of("ada"), by_token(&method)), code.clone());
    let waiting = told(shop.creates(by_token).await);
    told(shop.confirms(&waiting, json!({})).await);
    let kept = json!({
        "card_number": APPROVED, "card_exp_month": "10", "card_exp_year": "35", "network_transaction_id": "ntisim1234",
    });
    let of_series = json!({
        "confirm": true, "off_session": true,
        "recurring_details": { "type": "network_transaction_id_and_card_details", "data": kept },
    });
    told(
        shop.creates(with(order_of("ada"), of_series.clone()))
            .header("idempotency-key", "series")
            .await,
    );
    told(
        shop.creates(with(
            with(order_of("ada"), of_series),
            json!({ "confirm": false }),
        ))
        .await,
    );
    // What is refused, too.
    let broken = json!({ "payment_method_data": { "card": { "card_number": APPROVED, "card_exp_month": "13" } } });
    let refused = shop.creates(with(coded(paid_with(APPROVED)), broken)).await;
    answers.push(refused.text.clone());
}

#[tokio::test(flavor = "multi_thread")]
async fn no_file_and_no_answer_holds_a_number_or_a_code() {
    let site = Site::on_sqlite();
    let shop = site.server("one").await.shop("bookshop").await;
    let mut answers = Vec::new();
    takes_every_path(&shop, &mut answers).await;
    let saved = listed(&shop, "ada").await;
    assert!(saved.len() >= 2, "cards were saved: {saved:?}");
    answers.push(
        shop.call("payments_list")
            .query("limit", 100)
            .await
            .text
            .clone(),
    );
    let events = shop
        .operator("events_list")
        .at("merchant_id", &shop.merchant_id);
    answers.push(events.json(&json!({})).await.text.clone());
    let folder = site.folder("one");
    let database = folder.join("multirail.sqlite");
    let searched = files(&folder);
    assert!(
        searched.iter().any(|(path, _)| *path == database),
        "the right files"
    );
    let id = saved[0]["payment_method_id"].as_str().expect("an id");
    assert!(
        searched.iter().any(|(_, bytes)| holds(bytes, id)),
        "what is stored is found"
    );
    // Also once the log of the database is a part of it.
    let (server, _shop) = closed(shop);
    server.stops().await.expect("it stops");
    for (path, bytes) in searched.into_iter().chain(files(&folder)) {
        for text in telling() {
            assert!(!holds(&bytes, &text), "{text} in {}", path.display());
        }
    }
    for answer in answers {
        for number in NUMBERS {
            assert!(!answer.contains(number), "{answer}");
        }
        assert!(!answer.contains(&format!("\"{CODE}\"")), "{answer}");
    }
}
