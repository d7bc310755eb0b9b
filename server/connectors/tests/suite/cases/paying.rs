//! Cases of authorizations and captures.

use multirail_kernel::currency::Currency;
use multirail_kernel::money::Money;
use multirail_sdk::connector::{DeclineCategory, DeclineGroup};

use crate::suite::bench::{Bench, PRICE, declined, done, done_for};
use crate::suite::subject::{Books, CardThat};

pub async fn taken_at_once(bench: Bench) {
    let sale = bench.authorize(CardThat::IsApproved, PRICE, true);
    let approval = done_for(bench.finish(&sale).await, PRICE);
    assert!(
        approval.reference.is_some(),
        "merchants are shown the processor's own name"
    );
    let books = bench.books(&sale.authorization()).await;
    let taken = Books {
        authorized: 6540,
        captured: 6540,
        ..Books::default()
    };
    assert_eq!(books, taken);
}

pub async fn reserved_and_taken_whole(bench: Bench) {
    let reserved = bench.reserved().await;
    assert_eq!(bench.books(&reserved).await.captured, 0);
    let capture = bench.capture(&reserved, 6540, true);
    done_for(bench.finish(&capture).await, PRICE);
    let books = bench.books(&reserved).await;
    assert_eq!((books.captured, books.released), (6540, 0));
}

pub async fn reserved_and_taken_in_part(bench: Bench) {
    let reserved = bench.reserved().await;
    let capture = bench.capture(&reserved, 2000, true);
    done_for(
        bench.finish(&capture).await,
        Money::new(2000, Currency::USD),
    );
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
        let asked = bench.authorize(CardThat::IsDeclined, PRICE, capture);
        let decline = declined(bench.finish(&asked).await);
        assert!(!decline.code.is_empty() && !decline.message.is_empty());
        assert!(!decline.in_authentication && !decline.authorization_gone);
        let group = decline.category.map(DeclineCategory::group);
        assert_eq!(group, Some(DeclineGroup::PaymentMethod), "{decline:?}");
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
