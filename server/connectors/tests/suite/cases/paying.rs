//! Cases of authorizations and captures.

use multirail_connector_kit::stories;
use multirail_kernel::currency::Currency;
use multirail_kernel::money::Money;

use crate::suite::bench::{Bench, agrees, declined, done, done_for};
use crate::suite::subject::{Books, CardThat};

pub async fn taken_at_once(bench: Bench) {
    let sold = agrees(stories::paid_at_once(&bench).await);
    let books = bench.books(&sold).await;
    let taken = Books {
        authorized: 6540,
        captured: 6540,
        ..Books::default()
    };
    assert_eq!(books, taken);
}

pub async fn reserved_and_taken_whole(bench: Bench) {
    let reserved = agrees(stories::reserved(&bench).await);
    assert_eq!(bench.books(&reserved).await.captured, 0);
    let captured = agrees(stories::captured(&bench, 6540).await);
    let books = bench.books(&captured).await;
    assert_eq!((books.captured, books.released), (6540, 0));
}

pub async fn reserved_and_taken_in_part(bench: Bench) {
    let reserved = agrees(stories::captured(&bench, 2000).await);
    // At some processors the account decides whether the rest is released at once.
    assert_eq!(bench.books(&reserved).await.captured, 2000);
}

pub async fn taken_in_several_parts(bench: Bench) {
    let reserved = bench.reserved().await;
    for (amount, is_final) in [(2000, false), (1540, false), (3000, true)] {
        let capture = bench.capture(&reserved, amount, is_final);
        done_for(bench.finish(&capture).await, capture.money);
    }
    assert_eq!(bench.books(&reserved).await.captured, 6540);
}

pub async fn no_more_is_taken_than_is_reserved(bench: Bench) {
    let reserved = bench.reserved().await;
    let capture = bench.capture(&reserved, 6541, true);
    let decline = declined(bench.finish(&capture).await);
    assert!(!decline.code.is_empty() && !decline.message.is_empty());
    assert!(
        !decline.authorization_gone,
        "a smaller capture would be right"
    );
    let books = bench.books(&reserved).await;
    assert_eq!((books.authorized, books.captured), (6540, 0));
    let capture = bench.capture(&reserved, 6540, true);
    done(bench.finish(&capture).await);
}

pub async fn a_declined_card(bench: Bench) {
    for capture in [true, false] {
        let asked = agrees(stories::declined(&bench, capture).await);
        assert_eq!(bench.books(&asked.authorization()).await, Books::default());
    }
}

pub async fn a_card_is_checked_without_money(bench: Bench) {
    let nothing = Money::zero(Currency::USD);
    let check = bench.authorize(CardThat::IsApproved, nothing, true);
    done_for(bench.finish(&check).await, nothing);
    let check = bench.authorize(CardThat::IsDeclined, nothing, true);
    declined(bench.finish(&check).await);
    assert_eq!(bench.books(&check.authorization()).await, Books::default());
}

/// Yen have no decimals and Kuwaiti dinars three. The connector converts amounts to the processor's
/// units and back.
pub async fn amounts_have_the_decimals_of_their_currency(bench: Bench) {
    for currency in [Currency::JPY, Currency::EUR, Currency::KWD] {
        let money = Money::new(6540, currency);
        let sale = bench.authorize(CardThat::IsApproved, money, true);
        done_for(bench.finish(&sale).await, money);
        assert_eq!(bench.books(&sale.authorization()).await.captured, 6540);
    }
}
