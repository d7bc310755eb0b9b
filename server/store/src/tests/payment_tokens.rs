//! Stored payment tokens: listed, claimed by payments, and purged when they expire.

use multirail_app::customers::ports::saved_methods::{SavedMethodChange, SavedMethodStore};
use multirail_app::platform::ports::failure::Gone;
use multirail_app::platform::ports::{Change, CommitError};
use multirail_domain::customers::saved_method::{SavedMethod, TokenListing};
use multirail_kernel::ids::PaymentId;
use multirail_kernel::random::SeededRandom;

use super::news::{at, shop};
use super::saved_methods::{customer_id, insert, method};
use crate::fixture::on_both_engines;
use crate::fixture::{TestStore, changing};

on_both_engines! {
    a_token_is_one_payments_and_pays_once
    a_token_is_not_of_what_is_saved_after_its_list
}

/// Lists Ada's saved methods.
pub(super) fn list(seed: u64, listed_at: i64) -> (TokenListing, Change) {
    let listing = TokenListing::begin(&SeededRandom::new(seed));
    let give = SavedMethodChange::GiveTokens {
        merchant_id: shop(),
        customer_id: customer_id("ada"),
        listing: listing.clone(),
        listed_at: at(listed_at),
        expires_at: at(900),
    };
    (listing, changing(give))
}

async fn a_token_is_one_payments_and_pays_once(test: TestStore) {
    test.know(&["ada"]).await;
    let card = method("ada", 1, None);
    let id = card.0.payment_method_id.clone();
    test.commit(vec![insert(card)]).await.expect("a commit");
    let (listing, give) = list(3, 1);
    test.commit(vec![give]).await.expect("a commit");
    let token = listing.token(&id);
    let pays = |name: &str| {
        let claim = SavedMethodChange::ClaimToken {
            merchant_id: shop(),
            token: token.clone(),
            payment_id: PaymentId::parse(name).expect("an id"),
        };
        test.commit(vec![changing(claim)])
    };
    let is_good = async || {
        let shop = shop();
        let found = test.store.method_of_token(&shop, &token, at(2)).await;
        found.expect("a read").is_some()
    };
    let gone = Err(CommitError::Gone(Gone::PaymentToken));
    pays("pay_1").await.expect("a claim");
    pays("pay_1").await.expect("the same claim");
    assert_eq!(pays("pay_2").await, gone, "it is the first one's");
    let free = |name: &str| {
        let free = SavedMethodChange::FreeToken {
            merchant_id: shop(),
            token: token.clone(),
            payment_id: PaymentId::parse(name).expect("an id"),
        };
        test.commit(vec![changing(free)])
    };
    free("pay_2").await.expect("a commit");
    assert_eq!(
        pays("pay_2").await,
        gone,
        "only the first one gives it back"
    );
    free("pay_1").await.expect("a commit");
    pays("pay_2").await.expect("a claim");
    assert!(is_good().await, "nothing was paid with it");
    let used_up = SavedMethodChange::UseUpToken {
        merchant_id: shop(),
        token: token.clone(),
    };
    test.commit(vec![changing(used_up)])
        .await
        .expect("a commit");
    assert!(!is_good().await);
    free("pay_2").await.expect("a commit");
    for payment in ["pay_1", "pay_2"] {
        assert_eq!(pays(payment).await, gone, "{payment}");
    }
    let purge = |now| test.store.purge_payment_tokens(at(now), 10);
    assert_eq!(purge(900).await, Ok(0), "it may still be asked for");
    assert_eq!(purge(901).await, Ok(1), "the list and the claim");
}

async fn a_token_is_not_of_what_is_saved_after_its_list(test: TestStore) {
    test.know(&["ada"]).await;
    let (card, entry) = method("ada", 1, None);
    let id = card.payment_method_id.clone();
    let saved_at = |seconds| SavedMethod {
        created_at: at(seconds),
        ..card.clone()
    };
    test.commit(vec![insert((saved_at(1), entry.clone()))])
        .await
        .expect("a commit");
    let (before, give) = list(3, 1);
    test.commit(vec![give]).await.expect("a commit");
    let stored = test.saved(&id).await.expect("a method");
    let delete = SavedMethodChange::Delete(Box::new(stored));
    test.commit(vec![changing(delete)]).await.expect("a commit");
    test.commit(vec![insert((saved_at(2), entry))])
        .await
        .expect("a commit");
    let (after, give) = list(4, 2);
    test.commit(vec![give]).await.expect("a commit");
    let shop = shop();
    for (listing, is_good) in [(before, false), (after, true)] {
        let token = listing.token(&id);
        let found = test.store.method_of_token(&shop, &token, at(3)).await;
        assert_eq!(found.expect("a read").is_some(), is_good);
    }
}
