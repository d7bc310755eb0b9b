//! Cases of held payments.

use crate::suite::bench::{Authorization, Bench, PRICE, done, done_for};

pub async fn a_held_payment_is_captured_or_released(bench: Bench) {
    let taken = held(&bench).await;
    let capture = bench.capture(&taken, 6540, true);
    done_for(bench.finish(&capture).await, PRICE);
    let books = bench.books(&taken).await;
    assert_eq!((books.captured, books.released), (6540, 0));
    let let_go = held(&bench).await;
    done(bench.finish(&bench.void(&let_go)).await);
    let books = bench.books(&let_go).await;
    assert_eq!((books.captured, books.released), (0, 6540));
}

/// Requests a sale that the processor holds.
async fn held(bench: &Bench) -> Authorization {
    let (authorization, approval) = bench.sells_to(bench.subject.held_card()).await;
    let review = approval.review.expect("it is held");
    assert!(!review.screened_by.is_empty());
    let books = bench.books(&authorization).await;
    assert_eq!((books.authorized, books.captured), (6540, 0));
    Authorization {
        captured_at_once: false,
        ..authorization
    }
}
