//! Cases of voids.

use crate::suite::bench::{Bench, declined, done};

pub async fn an_authorization_is_released(bench: Bench) {
    let reserved = bench.reserved().await;
    let void = bench.void(&reserved);
    done(bench.finish(&void).await);
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
