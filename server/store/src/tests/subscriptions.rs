//! Subscriptions that have news: they are due before all else, and no decision that doesn't know of them is stored.

use multirail_app::ports::{CommitError, SubscriptionChange, SubscriptionStore};
use multirail_domain::ids::CustomerId;
use multirail_domain::subscription::{Due, Standing, Subscription, SubscriptionStatus};
use multirail_domain::timestamp::Timestamp;

use super::news::at;
use super::on_both_engines;
use super::records::subscription::created;
use super::test_store::TestStore;

on_both_engines! {
    news_of_a_subscription_are_lost_by_nobody
    a_subscription_that_goes_on_keeps_its_customer
}

fn updated(subscription: &Subscription, due_at: Option<Timestamp>) -> SubscriptionChange {
    SubscriptionChange::Update {
        subscription: Box::new(subscription.clone()),
        invoices: Vec::new(),
        due_at,
    }
}

impl TestStore {
    async fn standing(&self, of: &Subscription) -> Standing {
        let found = self
            .store
            .subscription(&of.merchant_id, &of.subscription_id);
        found.await.expect("a store").expect("it is there")
    }

    async fn claimed_subscriptions(&self) -> usize {
        let claimed = self.store.claim_subscriptions(at(1), at(1), at(1), 10);
        claimed.await.expect("a store").len()
    }
}

async fn news_of_a_subscription_are_lost_by_nobody(test: TestStore) {
    let standing = created();
    let subscription = standing.subscription.clone();
    let insert = SubscriptionChange::Insert(Box::new(standing));
    test.commit(vec![insert.into()]).await.expect("stored");
    let before = test.standing(&subscription).await;
    assert!(!before.subscription.has_news);
    assert_eq!(test.claimed_subscriptions().await, 0);

    let nudge = SubscriptionChange::Nudge {
        merchant_id: subscription.merchant_id.clone(),
        subscription_id: subscription.subscription_id.clone(),
    };
    test.commit(vec![nudge.into()]).await.expect("stored");
    // Who has read it before doesn't know of them.
    let ignorant = updated(&before.subscription, None);
    let refused = test.commit(vec![ignorant.into()]).await;
    assert_eq!(refused, Err(CommitError::Conflict));
    let told = test.standing(&subscription).await;
    assert_eq!(told.due(), Some((Timestamp::EPOCH, Due::News)));
    assert_eq!(test.claimed_subscriptions().await, 1);
    // Who knows of them, and decides about something else, leaves them.
    let due_at = told.due().map(|(at, _)| at);
    let other = updated(&told.subscription, due_at);
    test.commit(vec![other.into()]).await.expect("stored");
    let mut heard = test.standing(&subscription).await.subscription;
    assert!(heard.has_news);
    heard.has_news = false;
    test.commit(vec![updated(&heard, None).into()])
        .await
        .expect("stored");
    assert!(!test.standing(&subscription).await.subscription.has_news);
    assert_eq!(test.claimed_subscriptions().await, 0);
}

async fn a_subscription_that_goes_on_keeps_its_customer(test: TestStore) {
    let standing = created();
    let subscription = standing.subscription.clone();
    let insert = SubscriptionChange::Insert(Box::new(standing));
    test.commit(vec![insert.into()]).await.expect("stored");
    let other = CustomerId::parse("cus_other").expect("an id");
    for status in SubscriptionStatus::ALL {
        let mut now = test.standing(&subscription).await.subscription;
        now.status = *status;
        test.commit(vec![updated(&now, None).into()])
            .await
            .expect("stored");
        // Nobody has confirmed a created one: it is nothing yet.
        let goes_on = !status.is_final() && *status != SubscriptionStatus::Created;
        let has = async |customer: Option<&CustomerId>| {
            let merchant_id = &subscription.merchant_id;
            let has = test.store.has_live_subscription(merchant_id, customer);
            has.await.expect("a store")
        };
        assert_eq!(has(None).await, goes_on, "{status}");
        assert_eq!(
            has(Some(&subscription.customer_id)).await,
            goes_on,
            "{status}"
        );
        assert!(!has(Some(&other)).await, "{status}");
    }
}
