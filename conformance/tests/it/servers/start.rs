//! Sandboxes that start at the same time on a new database.

use super::site::Site;

#[tokio::test(flavor = "multi_thread")]
async fn two_sandboxes_start_at_once_on_a_new_database() {
    for _ in 0..3 {
        let Some(site) = Site::on_postgres().await else {
            return;
        };
        let (one, two) = tokio::join!(site.server("one"), site.server("two"));
        assert_eq!(one.demo().publishable_key, two.demo().publishable_key);
        for server in [&one, &two] {
            let account = server.demo().connector_account.as_ref();
            assert!(account.is_some());
            let key = server.demo().api_key.expose().to_owned();
            let call = server.wire.call("payments_create").key(&key);
            let order = multirail_conformance::bodies::order();
            call.json(&order).await.ok();
        }
    }
}
