//! A capture that the processor declines for good takes nothing and releases nothing. The payment ends only if the
//! processor says that the authorization is over. (Specification 3, 4.11)

use multirail_conformance::Shop;
use multirail_simulator::scripted::{Call, Fault};
use serde_json::{Value, json};

use super::{attempt_status, authorized, events_of, standing};

/// Makes the processor decline captures with this code.
fn refusing(code: &str) -> Fault {
    Fault::Declines {
        code: code.to_owned(),
        message: "Not today".to_owned(),
    }
}

fn left_open_then(code: &str) -> Fault {
    Fault::PendsThenDeclines {
        code: code.to_owned(),
        message: "Not today".to_owned(),
    }
}

const NO: &str = "DC_99";
const GONE: &str = "DC_13";

fn error(payment: &Value) -> (&Value, &Value) {
    (&payment["error_code"], &payment["error_message"])
}

async fn captures(shop: &Shop, payment: &Value, amount: i64) -> Value {
    let body = json!({ "amount_to_capture": amount });
    shop.captures(payment, body).await.ok()
}

#[tokio::test]
async fn it_can_be_asked_for_again() {
    let shop = Shop::open().await;
    for method in ["manual", "scheduled", "manual_multiple"] {
        let payment = authorized(&shop, method).await;
        shop.next_call_meets(Call::Capture, refusing(NO));
        let refused = captures(&shop, &payment, 4000).await;
        assert_eq!(
            standing(&refused),
            ("requires_capture", 6540, 0),
            "{method}"
        );
        assert_eq!(error(&refused), (&json!(NO), &json!("Not today")));
        assert_eq!(refused["unified_code"], "UE_9000");
        assert_eq!(refused["manual_retry_allowed"], false);
        assert_eq!(attempt_status(&shop, &refused).await, "authorized");

        let taken = shop.money().captured;
        let paid = captures(&shop, &payment, 6540).await;
        assert_eq!(standing(&paid), ("succeeded", 0, 6540), "{method}");
        assert!(paid["error_code"].is_null(), "{paid}");
        assert_eq!(shop.money().captured, taken + 6540);
    }
    assert_eq!(shop.money().released, 0);
}

#[tokio::test]
async fn or_the_payment_is_cancelled() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual").await;
    shop.next_call_meets(Call::Capture, refusing(NO));
    shop.captures(&payment, json!({})).await.ok();
    let cancelled = shop.cancels(&payment, json!({})).await.ok();
    assert_eq!(standing(&cancelled), ("cancelled", 0, 0));
    let books = shop.money();
    assert_eq!((books.captured, books.released), (0, 6540));
}

#[tokio::test]
async fn other_captures_stay() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual_multiple").await;
    captures(&shop, &payment, 4000).await;
    shop.next_call_meets(Call::Capture, refusing(NO));
    let refused = captures(&shop, &payment, 2540).await;
    assert_eq!(
        standing(&refused),
        ("partially_captured_and_capturable", 2540, 4000)
    );
    assert_eq!(error(&refused).0, NO);
    let records = refused["captures"].as_array().expect("records");
    let shown: Vec<_> = records
        .iter()
        .map(|one| (&one["status"], &one["error_code"]))
        .collect();
    assert_eq!(
        shown,
        [
            (&json!("charged"), &json!(null)),
            (&json!("failed"), &json!(NO))
        ]
    );
    let paid = captures(&shop, &payment, 2540).await;
    assert_eq!(standing(&paid), ("succeeded", 0, 6540));
    assert_eq!(shop.money().captured, 6540);
}

#[tokio::test]
async fn a_declined_amount_stays_capturable_while_the_rest_is_captured() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual_multiple").await;
    shop.next_call_meets(Call::Capture, left_open_then(NO));
    captures(&shop, &payment, 4000).await;
    let rest = captures(&shop, &payment, 2540).await;
    assert_eq!(
        standing(&rest),
        ("partially_captured_and_processing", 0, 2540)
    );
    let refused = shop.asks_about(&payment).await.ok();
    assert_eq!(
        standing(&refused),
        ("partially_captured_and_capturable", 4000, 2540),
        "the capture of the rest was not final for the processor"
    );
    let paid = captures(&shop, &payment, 4000).await;
    assert_eq!(standing(&paid), ("succeeded", 0, 6540));
    assert_eq!(shop.money().captured, 6540);
}

#[tokio::test]
async fn an_authorization_that_is_over_ends_the_payment() {
    let shop = Shop::open().await;
    for method in ["manual", "manual_multiple"] {
        let payment = authorized(&shop, method).await;
        shop.next_call_meets(Call::Capture, refusing(GONE));
        let failed = captures(&shop, &payment, 4000).await;
        assert_eq!(standing(&failed), ("failed", 0, 0), "{method}");
        assert_eq!(error(&failed).0, GONE);
        assert_eq!(attempt_status(&shop, &failed).await, "capture_failed");
        assert_eq!(failed["manual_retry_allowed"], false);
        shop.captures(&payment, json!({}))
            .await
            .refused(400, "IR_14");
        shop.cancels(&payment, json!({}))
            .await
            .refused(400, "IR_16");
    }
    let books = shop.money();
    assert_eq!((books.captured, books.released), (0, 2 * 6540));
}

#[tokio::test]
async fn after_a_charged_capture_it_ends_with_that() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual_multiple").await;
    captures(&shop, &payment, 4000).await;
    shop.next_call_meets(Call::Capture, refusing(GONE));
    let ended = captures(&shop, &payment, 1000).await;
    assert_eq!(standing(&ended), ("partially_captured", 0, 4000));
    assert_eq!(error(&ended).0, GONE, "why no more was captured");
    assert_eq!(attempt_status(&shop, &ended).await, "partial_charged");
    let books = shop.money();
    assert_eq!((books.captured, books.released), (4000, 2540));
}

#[tokio::test]
async fn a_decline_is_announced() {
    let shop = Shop::open().await;
    let told = |payment: Value| {
        let shop = shop.clone();
        async move { events_of(&shop, &payment).await }
    };
    let payment = authorized(&shop, "manual").await;
    shop.next_call_meets(Call::Capture, refusing(NO));
    captures(&shop, &payment, 4000).await;
    assert_eq!(
        told(payment).await,
        [
            ("payment_authorized", "requires_capture"),
            ("action_required", "requires_capture")
        ]
        .map(|(event, status)| (event.to_owned(), status.to_owned()))
    );

    let payment = authorized(&shop, "manual").await;
    shop.next_call_meets(Call::Capture, left_open_then(NO));
    captures(&shop, &payment, 4000).await;
    shop.asks_about(&payment).await.ok();
    assert_eq!(
        told(payment).await,
        [
            ("payment_authorized", "requires_capture"),
            ("payment_processing", "processing"),
            ("action_required", "requires_capture")
        ]
        .map(|(event, status)| (event.to_owned(), status.to_owned()))
    );

    let payment = authorized(&shop, "manual_multiple").await;
    captures(&shop, &payment, 4000).await;
    shop.next_call_meets(Call::Capture, left_open_then(GONE));
    captures(&shop, &payment, 2540).await;
    shop.asks_about(&payment).await.ok();
    assert_eq!(
        told(payment).await,
        [
            ("payment_authorized", "requires_capture"),
            ("payment_captured", "partially_captured_and_capturable"),
            ("payment_captured", "partially_captured_and_processing"),
            ("payment_captured", "partially_captured")
        ]
        .map(|(event, status)| (event.to_owned(), status.to_owned()))
    );
}
