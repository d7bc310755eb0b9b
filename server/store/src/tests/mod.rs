//! The store over a real database of either kind, written to and read back.

mod accounts;
mod announced;
mod audit;
mod cards_to_save;
mod catalogue;
mod clear;
mod connector_customers;
mod customers;
mod deliveries;
mod disputes;
mod events;
mod fences;
mod foreign;
mod idempotency;
mod identities;
mod kept;
mod mandates;
mod news;
mod notices;
mod open_operations;
mod orders;
mod organizations;
mod payers;
mod payment_tokens;
mod plans;
mod reaped;
mod records;
mod refund_operations;
mod refund_search;
mod refund_story;
mod refunds;
mod room;
mod saved_methods;
mod sealed_rows;
mod sealing_anew;
mod search;
mod sign_ins;
mod story;
mod subject_keys;
mod subscription_turns;
mod subscriptions;
mod test_store;
mod unreadable;
mod waiting;

/// Makes each of the named functions, which take a [`test_store::TestStore`], a test on either engine.
macro_rules! on_both_engines {
    ($($test:ident)*) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $test() {
                let test = super::TestStore::sqlite().await.expect("a store");
                super::$test(test).await;
            })*
        }

        mod postgres {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $test() {
                let Some(test) = super::TestStore::postgres().await else { return };
                super::$test(test).await;
            })*
        }
    };
}
use on_both_engines;
