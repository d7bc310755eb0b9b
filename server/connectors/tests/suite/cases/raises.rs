//! Cases of increments.

use multirail_kernel::money::Money;
use multirail_sdk::connector::{Outcome, Recovery};

use crate::suite::bench::{Authorization, Bench, PRICE, RAISED, declined, done, done_for};

/// Raises the authorization to this total.
async fn raised(bench: &Bench, of: &Authorization, total: i64) {
    let raise = bench.raise(of, total);
    done_for(bench.finish(&raise).await, raise.money);
    assert_eq!(bench.books(of).await.authorized, total);
}

pub async fn a_raised_amount_is_captured(bench: Bench) {
    let reserved = bench.raisable().await;
    raised(&bench, &reserved, RAISED).await;
    let capture = bench.capture(&reserved, RAISED, true);
    done_for(bench.finish(&capture).await, capture.money);
    let books = bench.books(&reserved).await;
    assert_eq!((books.captured, books.released), (RAISED, 0));
}

pub async fn a_second_raise_is_captured(bench: Bench) {
    let reserved = bench.raisable().await;
    let first = bench.raise(&reserved, RAISED);
    done_for(bench.finish(&first).await, first.money);
    raised(&bench, &reserved, RAISED + 1000).await;
    // The first increment keeps its outcome.
    if let Recovery::LookUp(_) = bench.recovery(first.kind()) {
        let learned = bench.learn(&first).await.expect("it is found");
        done_for(learned, first.money);
    }
    let capture = bench.capture(&reserved, RAISED + 1000, true);
    done_for(bench.finish(&capture).await, capture.money);
    assert_eq!(bench.books(&reserved).await.captured, RAISED + 1000);
}

pub async fn a_raised_amount_is_released(bench: Bench) {
    let reserved = bench.raisable().await;
    raised(&bench, &reserved, RAISED).await;
    done(bench.finish(&bench.void(&reserved)).await);
    let books = bench.books(&reserved).await;
    assert_eq!((books.released, books.captured), (RAISED, 0));
}

/// A look-up of the authorization still returns the first approval, with its amount or without.
pub async fn a_raise_changes_nothing_of_the_authorization(bench: Bench) {
    let reserved = bench.raisable().await;
    raised(&bench, &reserved, RAISED).await;
    let asked = bench.asked_for(&reserved);
    let told = match bench.recovery(asked.kind()) {
        Recovery::LookUp(_) => bench.learn(&asked).await,
        Recovery::Repeat { .. } | Recovery::Notice | Recovery::GiveUp { .. } => {
            bench.outcome_by_notice(&asked).await
        }
    };
    done_for(told.expect("it is told"), PRICE);
}

pub async fn an_increment_needs_a_request_with_the_authorization(bench: Bench) {
    let reserved = bench.reserved().await;
    let decline = declined(bench.finish(&bench.raise(&reserved, RAISED)).await);
    assert!(!decline.code.is_empty() && !decline.message.is_empty());
    assert_eq!(bench.books(&reserved).await.authorized, 6540);
    done_for(
        bench.finish(&bench.capture(&reserved, 6540, true)).await,
        PRICE,
    );
}

pub async fn a_captured_or_released_payment_is_not_raised(bench: Bench) {
    let taken = bench.raisable().await;
    let part = Money::new(2000, PRICE.currency);
    let capture = bench.capture(&taken, part.amount_minor, true);
    done_for(bench.finish(&capture).await, part);
    let released = bench.raisable().await;
    done(bench.finish(&bench.void(&released)).await);
    for of in [taken, released] {
        let before = bench.books(&of).await;
        let outcome = bench.finish(&bench.raise(&of, RAISED)).await;
        assert!(matches!(outcome, Outcome::Declined(_)), "{outcome:?}");
        assert_eq!(bench.books(&of).await, before);
    }
}
