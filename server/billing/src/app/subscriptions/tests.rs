//! Tests of [`SubscriptionReads`] over a store without subscriptions.

mod estimate;
mod fakes;
mod turns;

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use multirail_app::AppError;
use multirail_app::accounts::ports::deletion_guard::{Deleted, DeletionGuard};
use multirail_app::fixture::{Committed, Noted, base};
use multirail_app::platform::ports::StoreFailure;
use multirail_billing_domain::subscription::{Invoice, Standing, Subscription};
use multirail_kernel::ids::{CustomerId, InvoiceId, MerchantId, ProfileId, SubscriptionId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_platform::{Change, Changes};

use super::{BillingNotifier, ListSubscriptions, Subscribed, SubscriptionReads};
use crate::ports::subscriptions::{ClaimTerms, ClaimedSubscription, Page, Turns};
use crate::ports::{SubscriptionChange, SubscriptionSearch, SubscriptionStore};

/// A store without subscriptions or with one active one. It counts its lookups.
#[derive(Default)]
struct Shelf {
    lives: bool,
    looks: Mutex<usize>,
}

impl Changes<SubscriptionChange> for Shelf {
    fn change(&self, change: SubscriptionChange) -> Box<dyn Change> {
        Box::new(Noted(change))
    }
}

#[async_trait]
impl SubscriptionStore for Shelf {
    async fn subscription(
        &self,
        _: &MerchantId,
        _: &SubscriptionId,
    ) -> Result<Option<Standing>, StoreFailure> {
        *self.looks.lock().expect("no panic") += 1;
        Ok(None)
    }

    async fn subscription_with_last_invoice(
        &self,
        _: &MerchantId,
        _: &SubscriptionId,
    ) -> Result<Option<(Subscription, Option<Invoice>)>, StoreFailure> {
        Ok(None)
    }

    async fn subscriptions(
        &self,
        _: &MerchantId,
        _: &SubscriptionSearch,
    ) -> Result<Vec<Subscription>, StoreFailure> {
        *self.looks.lock().expect("no panic") += 1;
        Ok(Vec::new())
    }

    async fn invoice(
        &self,
        _: &MerchantId,
        _: &InvoiceId,
    ) -> Result<Option<Invoice>, StoreFailure> {
        Ok(None)
    }

    async fn last_invoice(
        &self,
        _: &MerchantId,
        _: &SubscriptionId,
    ) -> Result<Option<Invoice>, StoreFailure> {
        Ok(None)
    }

    async fn invoices(
        &self,
        _: &MerchantId,
        _: &SubscriptionId,
        _: Page,
    ) -> Result<Vec<Invoice>, StoreFailure> {
        Ok(Vec::new())
    }

    async fn claim_subscriptions(
        &self,
        _: ClaimTerms,
        _: &mut Turns,
    ) -> Result<Vec<ClaimedSubscription>, StoreFailure> {
        Ok(Vec::new())
    }

    async fn has_live_subscription(
        &self,
        _: &MerchantId,
        _: Option<&CustomerId>,
    ) -> Result<bool, StoreFailure> {
        Ok(self.lives)
    }

    async fn release_subscription(&self, _: &ClaimedSubscription) -> Result<(), StoreFailure> {
        Ok(())
    }
}

fn shop() -> (MerchantId, ProfileId) {
    let merchant_id = MerchantId::parse("shop").expect("an id");
    (merchant_id, ProfileId::parse("pro_1").expect("an id"))
}

fn service() -> (SubscriptionReads, Arc<Shelf>) {
    let store = Arc::new(Shelf::default());
    let subscriptions = SubscriptionReads {
        base: base(&Arc::new(Committed::default())),
        store: store.clone(),
        notifier: BillingNotifier::default(),
    };
    (subscriptions, store)
}

#[tokio::test]
async fn a_secret_that_is_not_ours_is_refused_before_anybody_looks() {
    let (subscriptions, store) = service();
    let (merchant_id, profile_id) = shop();
    let presented = "sub_1_secret_0123456789abcdefghij";
    for named in [None, Some("sub_1"), Some("sub_2"), Some("no id")] {
        let found = subscriptions.by_client_secret(&merchant_id, &profile_id, named, presented);
        let refused = found.await.expect_err("refused");
        let AppError::Refused(refusal) = refused else {
            panic!("{named:?}: {refused:?}");
        };
        assert_eq!(refusal, Refusal::SubscriptionSecretMismatch, "{named:?}");
    }
    assert_eq!(*store.looks.lock().expect("no panic"), 0);
}

#[tokio::test]
async fn a_page_of_too_many_is_refused_before_anybody_looks() {
    let (subscriptions, store) = service();
    let (merchant_id, _) = shop();
    let request = ListSubscriptions {
        limit: Some(101),
        ..ListSubscriptions::default()
    };
    let listed = subscriptions.list(&merchant_id, request);
    assert!(listed.await.is_err());
    assert_eq!(*store.looks.lock().expect("no panic"), 0);
}

#[tokio::test]
async fn an_active_subscription_keeps_its_customer_and_merchant_account() {
    let (merchant_id, _) = shop();
    let customer_id = CustomerId::parse("cus_1").expect("an id");
    let table = [
        (
            Deleted::Merchant(&merchant_id),
            Object::MerchantAccount,
            "customer_id: None",
        ),
        (
            Deleted::Customer(&merchant_id, &customer_id),
            Object::Customer,
            "customer_id: Some(CustomerId(\"cus_1\"))",
        ),
    ];
    for (deleted, of, named) in table {
        for lives in [false, true] {
            let guard = Subscribed {
                store: Arc::new(Shelf {
                    lives,
                    ..Shelf::default()
                }),
            };
            let refusal = guard.refusal(deleted).await.expect("a store");
            let expected = lives.then_some(Refusal::ActiveSubscriptions { of });
            assert_eq!(refusal, expected);
            let guards = format!("{:?}", guard.guards(deleted));
            assert!(guards.starts_with("[NoneLives"), "{guards}");
            assert!(guards.contains(named), "{guards}");
        }
    }
}
