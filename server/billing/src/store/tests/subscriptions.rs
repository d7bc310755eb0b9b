//! Tests of subscriptions with changed payments: they are due first, and a decision that doesn't know of the change is
//! refused.

use multirail_app::accounts::ports::MerchantChange;
use multirail_app::customers::ports::{CustomerChange, CustomerStore};
use multirail_app::platform::ports::{Change, CommitError};
use multirail_billing_domain::subscription::{Due, Standing, Subscription, SubscriptionStatus};
use multirail_domain::customers::customer::{Customer, Personal};
use multirail_kernel::ids::{CustomerId, ProfileId, SubscriptionId};
use multirail_kernel::timestamp::Timestamp;
use multirail_sql::Write;
use multirail_store::fixture::changing as of_core;
use multirail_store::fixture::on_both_engines;

use super::records::subscription::created;
use super::test_billing::{TestStore, at, changing};
use crate::ports::subscriptions::{Page, Turns};
use crate::ports::{SubscriptionChange, SubscriptionSearch, SubscriptionStore};

on_both_engines! {
    changed_payments_of_a_subscription_are_never_lost
    a_subscription_that_goes_on_keeps_its_customer
    a_begun_subscription_keeps_its_owners
    owners_are_not_deleted_while_a_subscription_begins
    a_list_has_the_subscriptions_that_match_every_filter
}

fn updated(subscription: &Subscription, due_at: Option<Timestamp>) -> SubscriptionChange {
    SubscriptionChange::Update {
        subscription: Box::new(subscription.clone()),
        invoices: Vec::new(),
        due_at,
        is_begun: false,
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
        let mut turns = Turns::default();
        self.claimed_by_turns(10, &mut turns).await.len()
    }
}

async fn changed_payments_of_a_subscription_are_never_lost(test: TestStore) {
    let standing = created();
    let subscription = standing.subscription.clone();
    let insert = SubscriptionChange::Insert(Box::new(standing));
    test.commit(vec![changing(insert)]).await.expect("stored");
    let before = test.standing(&subscription).await;
    assert!(!before.subscription.has_news);
    assert_eq!(test.claimed_subscriptions().await, 0);

    let nudge = SubscriptionChange::Nudge {
        merchant_id: subscription.merchant_id.clone(),
        subscription_id: subscription.subscription_id.clone(),
    };
    test.commit(vec![changing(nudge)]).await.expect("stored");
    // A decision on an earlier version doesn't know of the change.
    let ignorant = updated(&before.subscription, None);
    let refused = test.commit(vec![changing(ignorant)]).await;
    assert_eq!(refused, Err(CommitError::Conflict));
    let told = test.standing(&subscription).await;
    assert_eq!(told.due(), Some((Timestamp::EPOCH, Due::News)));
    assert_eq!(test.claimed_subscriptions().await, 1);
    // A decision about something else keeps the mark.
    let due_at = told.due().map(|(at, _)| at);
    let other = updated(&told.subscription, due_at);
    test.commit(vec![changing(other)]).await.expect("stored");
    let mut heard = test.standing(&subscription).await.subscription;
    assert!(heard.has_news);
    heard.has_news = false;
    test.commit(vec![changing(updated(&heard, None))])
        .await
        .expect("stored");
    assert!(!test.standing(&subscription).await.subscription.has_news);
    assert_eq!(test.claimed_subscriptions().await, 0);
}

async fn a_subscription_that_goes_on_keeps_its_customer(test: TestStore) {
    let standing = created();
    let subscription = standing.subscription.clone();
    let insert = SubscriptionChange::Insert(Box::new(standing));
    test.commit(vec![changing(insert)]).await.expect("stored");
    let other = CustomerId::parse("cus_other").expect("an id");
    for status in SubscriptionStatus::ALL {
        let mut now = test.standing(&subscription).await.subscription;
        now.status = *status;
        test.commit(vec![changing(updated(&now, None))])
            .await
            .expect("stored");
        // A created subscription is unconfirmed and doesn't count as active.
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

/// Inserts the merchant and the customer of the example.
async fn owners(test: &TestStore) -> Customer {
    let subscription = created().subscription;
    test.merchant(subscription.merchant_id.as_str()).await;
    let merchant_id = subscription.merchant_id.clone();
    let customer_id = subscription.customer_id.clone();
    let customer = Customer::create(merchant_id, customer_id, Personal::default(), at(1));
    let insert = CustomerChange::Insert(customer.clone());
    test.commit(vec![of_core(insert)]).await.expect("stored");
    let standing = SubscriptionChange::Insert(Box::new(created()));
    test.commit(vec![changing(standing)]).await.expect("stored");
    customer
}

/// Makes the changes of a confirm.
fn begins(subscription: &Subscription) -> Vec<Change> {
    let update = SubscriptionChange::Update {
        subscription: Box::new(subscription.clone()),
        invoices: Vec::new(),
        due_at: Some(at(60)),
        is_begun: true,
    };
    let keep = SubscriptionChange::KeepOwners {
        merchant_id: subscription.merchant_id.clone(),
        subscription_id: subscription.subscription_id.clone(),
        customer_id: subscription.customer_id.clone(),
    };
    vec![changing(update), changing(keep)]
}

impl TestStore {
    /// Makes the redaction of the customer's current state.
    async fn redaction(&self, of: &Customer) -> Vec<Change> {
        let known = self
            .shared()
            .store
            .customer(&of.merchant_id, &of.customer_id)
            .await;
        let known = known.expect("a store").expect("a customer");
        let redacted = known.redact(at(2)).expect("a redaction");
        let guard = none_lives(of, Some(&of.customer_id));
        vec![of_core(CustomerChange::Redact(redacted)), guard]
    }
}

/// Makes the guard of a deletion.
fn none_lives(of: &Customer, customer_id: Option<&CustomerId>) -> Change {
    changing(SubscriptionChange::NoneLives {
        merchant_id: of.merchant_id.clone(),
        customer_id: customer_id.cloned(),
    })
}

/// Makes the deletion of the customer's merchant account.
fn closing(of: &Customer) -> Vec<Change> {
    let delete = MerchantChange::Delete {
        merchant_id: of.merchant_id.clone(),
        version: 1,
    };
    vec![of_core(delete), none_lives(of, None)]
}

async fn a_begun_subscription_keeps_its_owners(test: TestStore) {
    let customer = owners(&test).await;
    let standing = test.standing(&created().subscription).await;
    test.commit(begins(&standing.subscription))
        .await
        .expect("stored");
    let conflict = Err(CommitError::Conflict);
    assert_eq!(test.commit(test.redaction(&customer).await).await, conflict);
    assert_eq!(test.commit(closing(&customer)).await, conflict);
    let merchant_id = &customer.merchant_id;
    let has = test.store.has_live_subscription(merchant_id, None).await;
    assert_eq!(has, Ok(true));

    // After a failed confirm both can be deleted, and then no subscription can begin.
    let mut now = test.standing(&standing.subscription).await.subscription;
    now.status = SubscriptionStatus::Failed;
    test.commit(vec![changing(updated(&now, None))])
        .await
        .expect("stored");
    test.commit(test.redaction(&customer).await)
        .await
        .expect("stored");
    let now = test.standing(&standing.subscription).await.subscription;
    assert_eq!(test.commit(begins(&now)).await, conflict);
    test.commit(closing(&customer)).await.expect("stored");
}

/// Whichever comes first, one of the two is refused, even on two servers.
async fn owners_are_not_deleted_while_a_subscription_begins(test: TestStore) {
    let customer = owners(&test).await;
    let other = test.another();
    for round in 0..20 {
        let mut standing = created();
        let id = format!("sub_of_{round}");
        standing.subscription.subscription_id = SubscriptionId::parse(&id).expect("an id");
        standing.subscription.merchant_reference_id = None;
        let customer_id = CustomerId::parse(&format!("cus_of_{round}")).expect("an id");
        standing.subscription.customer_id = customer_id.clone();
        standing.open.clear();
        let merchant_id = customer.merchant_id.clone();
        let made = Customer::create(merchant_id, customer_id, Personal::default(), at(1));
        let insert = SubscriptionChange::Insert(Box::new(standing.clone()));
        let changes = vec![
            of_core(CustomerChange::Insert(made.clone())),
            changing(insert),
        ];
        test.commit(changes).await.expect("stored");
        let now = test.standing(&standing.subscription).await.subscription;
        let redaction = test.redaction(&made).await;
        let (begun, redacted) = tokio::join!(test.commit(begins(&now)), other.commit(redaction));
        assert!(begun.is_ok() != redacted.is_ok(), "{begun:?} {redacted:?}");
    }
    // The same holds for the merchant account, which some of the subscriptions protect.
    let mut standing = created();
    standing.subscription.subscription_id = SubscriptionId::parse("sub_last").expect("an id");
    standing.subscription.merchant_reference_id = None;
    standing.open.clear();
    let insert = SubscriptionChange::Insert(Box::new(standing.clone()));
    test.commit(vec![changing(insert)]).await.expect("stored");
    let sql = "update subscriptions set status = 'failed' where subscription_id <> 'sub_last'";
    test.insert(Write::new(sql, Vec::new()).any_rows()).await;
    let now = test.standing(&standing.subscription).await.subscription;
    let (begun, closed) = tokio::join!(test.commit(begins(&now)), other.commit(closing(&customer)));
    assert!(begun.is_ok() != closed.is_ok(), "{begun:?} {closed:?}");
}

/// Stores a subscription without invoices.
async fn stored(test: &TestStore, id: &str, of: (&str, &str), status: SubscriptionStatus) {
    let mut standing = created();
    standing.open.clear();
    let seconds = id.len() as i64;
    let subscription = &mut standing.subscription;
    subscription.subscription_id = SubscriptionId::parse(id).expect("an id");
    subscription.profile_id = ProfileId::parse(of.0).expect("an id");
    subscription.customer_id = CustomerId::parse(of.1).expect("an id");
    subscription.merchant_reference_id = None;
    subscription.status = status;
    subscription.created_at = at(seconds);
    let insert = SubscriptionChange::Insert(Box::new(standing));
    test.commit(vec![changing(insert)]).await.expect("stored");
}

async fn a_list_has_the_subscriptions_that_match_every_filter(test: TestStore) {
    use SubscriptionStatus::{Active, Cancelled};

    // A longer id is newer.
    stored(&test, "sub", ("pro_1", "cus_ada"), Active).await;
    stored(&test, "sub_", ("pro_2", "cus_ada"), Cancelled).await;
    stored(&test, "sub__", ("pro_1", "cus_eve"), Cancelled).await;
    let all = SubscriptionSearch {
        profile_id: None,
        customer_id: None,
        status: None,
        page: Page {
            limit: 10,
            offset: 0,
        },
    };
    let merchant_id = created().subscription.merchant_id;
    let listed = async |search: SubscriptionSearch| {
        let found = test.store.subscriptions(&merchant_id, &search);
        let found = found.await.expect("a store");
        let ids = found.iter().map(|one| one.subscription_id.to_string());
        ids.collect::<Vec<String>>().join(" ")
    };
    assert_eq!(listed(all.clone()).await, "sub__ sub_ sub");
    let of_profile = SubscriptionSearch {
        profile_id: Some(ProfileId::parse("pro_1").expect("an id")),
        ..all.clone()
    };
    assert_eq!(listed(of_profile.clone()).await, "sub__ sub");
    let ended = SubscriptionSearch {
        status: Some(Cancelled),
        ..of_profile
    };
    assert_eq!(listed(ended).await, "sub__");
    let of_customer = SubscriptionSearch {
        customer_id: Some(CustomerId::parse("cus_ada").expect("an id")),
        ..all.clone()
    };
    assert_eq!(listed(of_customer).await, "sub_ sub");
    let second = SubscriptionSearch {
        page: Page {
            limit: 1,
            offset: 1,
        },
        ..all
    };
    assert_eq!(listed(second).await, "sub_");
}
