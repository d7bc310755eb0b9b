//! Payments that estimates of routing replay, from a real database of either kind.

use multirail_app::routing::ports::PastPaymentStore;
use multirail_kernel::ids::{MerchantId, ProfileId};

use super::news::shop;
use super::story::{Story, declined, done};
use crate::fixture::TestStore;
use crate::fixture::on_both_engines;

on_both_engines! {
    the_newest_payments_of_a_profile_come_with_their_first_attempt
}

/// Returns the account and the result of each first attempt.
async fn replayed(
    test: &TestStore,
    merchant_id: &MerchantId,
    profile_id: &ProfileId,
    most: u32,
) -> Vec<String> {
    let past = test.store.past_payments(merchant_id, profile_id, most);
    let past = past.await.expect("a read");
    let told = past.iter().map(|payment| match payment.first_try() {
        None => "never sent".to_owned(),
        Some(tried) => format!("{} {:?}", tried.account, tried.result),
    });
    told.collect()
}

async fn the_newest_payments_of_a_profile_come_with_their_first_attempt(test: TestStore) {
    let made = test.merchant("bookshop").await;
    let profile = made.profiles.first().expect("a profile");
    let other = test.profile(&made.account, "other");
    let mut approved = Story::begin(&test, "pay_1", profile).await;
    approved.confirm(&test).await;
    approved.learns(&test, done()).await;
    approved.capture(&test, 1_000).await;
    let mut retried = Story::begin(&test, "pay_2", profile).await;
    retried.confirm(&test).await;
    retried.learns(&test, declined()).await;
    retried.confirm(&test).await;
    Story::begin(&test, "pay_3", profile).await;
    Story::begin(&test, "pay_4", &other).await;

    let of_profile = &profile.profile_id;
    let all = replayed(&test, &shop(), of_profile, 500).await;
    assert_eq!(all, ["never sent", "mca_1 Declined", "mca_1 Approved"]);
    let newest = replayed(&test, &shop(), of_profile, 2).await;
    assert_eq!(newest, ["never sent", "mca_1 Declined"]);
    let elsewhere = MerchantId::parse("bakery").expect("an id");
    let none = replayed(&test, &elsewhere, of_profile, 500).await;
    assert!(none.is_empty(), "payments of another merchant: {none:?}");
}
