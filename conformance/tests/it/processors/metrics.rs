//! The operator's metrics about each processor.

use multirail_conformance::Wire;
use multirail_peers::{CardThat, Fault};
use reqwest::Method;
use serde_json::json;

use super::of_each;
use super::production_shop::ProductionShop;

/// All tests of the process share the recorder, so it may count their calls too. These calls are among them.
#[tokio::test]
async fn name_the_processor_and_how_its_calls_end() {
    let told = of_each(async |shop: &mut ProductionShop| {
        shop.pays(CardThat::IsApproved, json!({})).await;
        shop.pays(CardThat::IsDeclined, json!({})).await;
        for _ in 0..2 {
            shop.peer.faults().next(Fault::Gateway(503));
        }
        shop.pays(CardThat::IsApproved, json!({})).await;
        // Checkout.com doesn't get the same request again after a 5xx.
        shop.peer.faults().forget();
        let address = shop.metrics_address().expect("metrics are served");
        let metrics = Wire::new(&format!("http://{address}"));
        let answer = metrics.request(Method::GET, "/metrics").unjudged().await;
        let name = "multirail_processor_call_duration_seconds_count";
        let own = format!(
            "{name}{{connector=\"{}\",call=\"authorize\"",
            shop.connector()
        );
        for outcome in ["done", "declined", "unknown"] {
            let wanted = format!("{own},outcome=\"{outcome}\"}}");
            let figure = answer.text.lines().find(|line| line.starts_with(&wanted));
            assert!(figure.is_some(), "no {wanted} in\n{}", answer.text);
            shop.writes(wanted);
        }
    });
    insta::assert_snapshot!(told.await, @r#"
    adyen
      multirail_processor_call_duration_seconds_count{connector="adyen",call="authorize",outcome="done"}
      multirail_processor_call_duration_seconds_count{connector="adyen",call="authorize",outcome="declined"}
      multirail_processor_call_duration_seconds_count{connector="adyen",call="authorize",outcome="unknown"}
    checkout
      multirail_processor_call_duration_seconds_count{connector="checkout",call="authorize",outcome="done"}
      multirail_processor_call_duration_seconds_count{connector="checkout",call="authorize",outcome="declined"}
      multirail_processor_call_duration_seconds_count{connector="checkout",call="authorize",outcome="unknown"}
    stripe
      multirail_processor_call_duration_seconds_count{connector="stripe",call="authorize",outcome="done"}
      multirail_processor_call_duration_seconds_count{connector="stripe",call="authorize",outcome="declined"}
      multirail_processor_call_duration_seconds_count{connector="stripe",call="authorize",outcome="unknown"}
    "#);
}
