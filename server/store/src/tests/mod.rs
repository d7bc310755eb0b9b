//! The store over a real database of either kind, written to and read back.

mod accounts;
mod deliveries;
mod events;
mod fences;
mod idempotency;
mod kept;
mod news;
mod notices;
mod open_operations;
mod place;
mod reaped;
mod records;
mod refund_operations;
mod refund_search;
mod refund_story;
mod refunds;
mod search;
mod story;
mod unreadable;
mod waiting;

/// Makes each of the named functions, which take a [`place::Place`], a test on either engine.
macro_rules! on_both_engines {
    ($($test:ident)*) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $test() {
                let place = super::Place::sqlite().await.expect("a store");
                super::$test(place).await;
            })*
        }

        mod postgres {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $test() {
                let Some(place) = super::Place::postgres().await else { return };
                super::$test(place).await;
            })*
        }
    };
}
use on_both_engines;
