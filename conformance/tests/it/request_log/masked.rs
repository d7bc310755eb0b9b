//! Bodies in the log: without personal data, and cut.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{order, with};
use multirail_conformance::request_log::logged;
use serde_json::{Value, json};

use crate::customers::{TELLING, ada, creates};

#[tokio::test]
async fn the_log_knows_nobody() {
    let shop = Shop::open().await;
    let made = creates(&shop, ada()).await;
    let found = logged(|operation| shop.call(operation), &made).await;
    assert_eq!(found["object_id"], "ada");
    for name in ["request_body", "answer_body"] {
        let body = found[name].as_str().expect("a body");
        assert!(body.contains(r#""name":"***""#), "{body}");
        for telling in TELLING {
            assert!(!body.contains(telling), "{telling}: {body}");
        }
    }
    let refused = creates(&shop, with(ada(), json!({ "nick_of_ada": "Okafor" }))).await;
    let found = logged(|operation| shop.call(operation), &refused).await;
    assert_eq!(found["error_code"], "IR_06");
    let body = found["request_body"].as_str().expect("a body");
    assert!(
        body.contains(r#""***":"***""#),
        "the unknown member is hidden: {body}"
    );
    let answer = found["answer_body"].as_str().expect("a body");
    assert!(answer.contains("is not a known member"), "{answer}");
    assert!(!answer.contains("nick_of_ada"), "{answer}");
}

#[tokio::test]
async fn a_long_body_is_cut() {
    let shop = Shop::open().await;
    let item = json!({ "product_name": "book", "quantity": 1, "amount": 100_000, "total_amount": 100_000 });
    let items = json!({ "order_details": vec![item; 250] });
    let made = shop.creates(with(order(), items)).await;
    assert_eq!(made.status, 200, "{}", made.text);
    let found = logged(|operation| shop.call(operation), &made).await;
    for name in ["request_body", "answer_body"] {
        let length = found[name].as_str().map(str::len);
        assert_eq!(length, Some(16_384), "{name}");
        assert_eq!(found[format!("{name}_cut")], true, "{name}");
    }
}

#[tokio::test]
async fn a_body_that_is_no_json_is_left_out() {
    let shop = Shop::open().await;
    let call = shop.call("payments_create");
    let refused = call.text("application/json", "4111111111111111,737").await;
    let found = logged(|operation| shop.call(operation), &refused).await;
    assert_eq!(found["request_body"], Value::Null);
    assert_eq!(found["status"], 400);
}
