//! Cases of refunds.

use multirail_connector_kit::stories;

use crate::suite::bench::{Bench, agrees, declined, done_for};

pub async fn all_of_it(bench: Bench) {
    let sold = agrees(stories::refunded(&bench, &[6540]).await);
    assert_eq!(bench.books(&sold).await.given_back, 6540);

    let reserved = bench.reserved().await;
    let capture = bench.capture(&reserved, 2000, true);
    done_for(bench.finish(&capture).await, capture.money);
    let refund = bench.refund(&reserved, 2000);
    done_for(bench.finish(&refund).await, refund.money);
    assert_eq!(bench.books(&reserved).await.given_back, 2000);
}

pub async fn in_parts(bench: Bench) {
    let sold = agrees(stories::refunded(&bench, &[1500, 40, 5000]).await);
    assert_eq!(bench.books(&sold).await.given_back, 6540);
}

pub async fn no_more_than_was_taken(bench: Bench) {
    let sold = bench.sold().await;
    let refund = bench.refund(&sold, 6541);
    let decline = declined(bench.finish(&refund).await);
    assert!(!decline.code.is_empty() && !decline.message.is_empty());
    assert_eq!(bench.books(&sold).await.given_back, 0);
}
