//! A confirm fits on a small stack: musl, and programs that embed the server, give threads far less than a main
//! thread has.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, THREE_DS, order_with, with};
use serde_json::json;

const STACK_BYTES: usize = 512 * 1024;

#[test]
fn a_payment_is_confirmed_on_512_kib() {
    let story = || {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_stack_size(STACK_BYTES)
            .enable_all()
            .build()
            .expect("a runtime");
        // Everything runs on the runtime's own threads.
        let told = runtime.spawn(async {
            let shop = Shop::open().await;
            let payment = shop.creates(order_with(APPROVED)).await.ok();
            let paid = shop.confirms(&payment, json!({})).await.ok();
            let asked = shop
                .creates(with(order_with(THREE_DS), json!({ "confirm": true })))
                .await
                .ok();
            (paid["status"].clone(), asked["status"].clone())
        });
        runtime.block_on(told).expect("the story ends")
    };
    let thread = std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(story)
        .expect("a thread");
    let (paid, asked) = thread.join().expect("no overflow");
    assert_eq!(
        (paid, asked),
        (json!("succeeded"), json!("requires_customer_action"))
    );
}
