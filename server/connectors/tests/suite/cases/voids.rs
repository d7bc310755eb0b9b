//! Cases of voids.

use multirail_connector_kit::stories;

use crate::suite::bench::{Bench, agrees, declined, done};

pub async fn an_authorization_is_released(bench: Bench) {
    let reserved = agrees(stories::released(&bench).await);
    let books = bench.books(&reserved).await;
    assert_eq!((books.released, books.captured), (6540, 0));
    let capture = bench.capture(&reserved, 6540, true);
    declined(bench.finish(&capture).await);
    assert_eq!(bench.books(&reserved).await.captured, 0);
}

pub async fn money_captured_at_once_is_returned(bench: Bench) {
    let sold = bench.sold().await;
    let void = bench.void(&sold);
    done(bench.finish(&void).await);
    let books = bench.books(&sold).await;
    assert_eq!(books.captured - books.given_back, 0, "{books:?}");
}
