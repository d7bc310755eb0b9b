//! Several servers on one PostgreSQL: new keys reach all of them, and the work is done once.

use std::sync::Arc;

use tokio::runtime::Runtime;

use super::{Kept, Selling, finished, keys, quick, rotates};
use crate::servers::site::{Site, closed, moved};
use crate::servers::stored::keys_in_use;

#[tokio::test(flavor = "multi_thread")]
async fn new_keys_reach_the_others_while_both_sell() {
    let Some(site) = Site::on_postgres().await else {
        return;
    };
    let here = site.server_with("one", quick).await.shop("books").await;
    let (there, _) = moved(here.clone(), site.server_with("two", quick).await);
    let kept = Kept::by(&here).await;
    let before = keys_in_use(&site, "").await;
    let selling = [Selling::begin(&here), Selling::begin(&there)];
    let begun = rotates(&here.server).await;
    // Each server knows of the rotation.
    let again = rotates(&there.server).await;
    assert_eq!(
        again["rotation"]["rotation_id"],
        begun["rotation"]["rotation_id"]
    );
    finished(&there.server).await;
    for one in selling {
        assert!(!one.ends().await.is_empty());
    }
    let after = keys_in_use(&site, "").await;
    let left: Vec<_> = before.intersection(&after).collect();
    assert_eq!(
        left,
        Vec::<&String>::new(),
        "nothing is left under a former key"
    );
    kept.is_readable(&there).await;
    assert_eq!(here.retrieves(&kept.paid).await.ok(), kept.paid);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_server_finishes_the_work_of_a_dead_one() {
    let Some(site) = Site::on_postgres().await else {
        return;
    };
    let doomed = Runtime::new().expect("a runtime");
    let born = site.clone();
    let here =
        doomed.spawn(async move { born.server_with("one", quick).await.shop("books").await });
    let here = here.await.expect("a server starts");
    let kept = Kept::by(&here).await;
    let begun = rotates(&here.server).await;
    assert_eq!(keys(&here.server).await["rotation"]["status"], "running");
    doomed.shutdown_background();
    let (dead, shop) = closed(here);
    drop(dead);
    let other = site.server_with("two", quick).await;
    let shop = shop.opens_at(Arc::clone(&other));
    let done = finished(&other).await;
    assert_eq!(
        done["rotation"]["rotation_id"],
        begun["rotation"]["rotation_id"]
    );
    kept.is_readable(&shop).await;
}
