//! The answers to repeated requests.

use multirail_api::Answers;
use multirail_api::keyed::{KeyedBilling, KeyedSubscriptions, KeyedUserSubscriptions};
use multirail_app::platform::idempotency::{Commits, Render};
use multirail_billing::app::subscriptions::SubscriptionView;
use multirail_billing::app::subscriptions::replay::SUBSCRIPTION;
use multirail_billing::ports::StoredEntry;
use multirail_billing_domain::catalogue::CatalogueEntry;
use multirail_billing_domain::subscription::Invoice;
use multirail_kernel::secret::SecretText;
use serde::Serialize;

use super::convert::{catalogue, subscription};

/// A confirm takes several commits. If its payment was never confirmed, the repeated request carries it out.
const SEVERAL: Commits = Commits::Several {
    of: SUBSCRIPTION,
    is_resumed: true,
};

/// Returns how many commits an operation of the tag `Subscriptions` takes, and the writer of its answer.
pub fn subscriptions(operation: KeyedSubscriptions) -> (Commits, Render) {
    match operation {
        KeyedSubscriptions::SubscriptionsCreateAndConfirm(answers)
        | KeyedSubscriptions::SubscriptionsConfirm(answers) => {
            (SEVERAL, view(answers, subscription::answer))
        }
        KeyedSubscriptions::SubscriptionsCreate(answers)
        | KeyedSubscriptions::SubscriptionsUpdate(answers) => {
            (Commits::One, view(answers, subscription::answer))
        }
        KeyedSubscriptions::SubscriptionsPause(answers) => {
            (Commits::One, view(answers, subscription::paused))
        }
        KeyedSubscriptions::SubscriptionsResume(answers) => {
            (Commits::One, view(answers, subscription::resumed))
        }
        KeyedSubscriptions::SubscriptionsCancel(answers)
        | KeyedSubscriptions::SubscriptionsRefundCredit(answers) => {
            (Commits::One, view(answers, subscription::cancelled))
        }
        KeyedSubscriptions::SubscriptionsVoidInvoice(answers)
        | KeyedSubscriptions::SubscriptionsCollectInvoice(answers) => {
            let render = writer(answers, |made: &Invoice| Some(subscription::invoice(made)));
            (Commits::One, render)
        }
    }
}

/// Returns how many commits an operation of the tag `User subscriptions` takes, and the writer of its answer.
pub fn user_subscriptions(operation: KeyedUserSubscriptions) -> (Commits, Render) {
    let render = match operation {
        KeyedUserSubscriptions::UserSubscriptionsVoidInvoice(answers)
        | KeyedUserSubscriptions::UserSubscriptionsCollectInvoice(answers) => {
            writer(answers, |made: &Invoice| Some(subscription::invoice(made)))
        }
        KeyedUserSubscriptions::UserSubscriptionsUpdate(answers) => {
            view(answers, subscription::answer)
        }
        KeyedUserSubscriptions::UserSubscriptionsPause(answers) => {
            view(answers, subscription::paused)
        }
        KeyedUserSubscriptions::UserSubscriptionsResume(answers) => {
            view(answers, subscription::resumed)
        }
        KeyedUserSubscriptions::UserSubscriptionsCancel(answers)
        | KeyedUserSubscriptions::UserSubscriptionsRefundCredit(answers) => {
            view(answers, subscription::cancelled)
        }
    };
    (Commits::One, render)
}

/// Returns how many commits an operation of the tag `Billing` takes, and the writer of its answer.
pub fn billing(operation: KeyedBilling) -> (Commits, Render) {
    let render = match operation {
        KeyedBilling::SubscriptionProductsCreate(answers)
        | KeyedBilling::SubscriptionProductsArchive(answers) => {
            writer(answers, |made: &StoredEntry| match &made.entry {
                CatalogueEntry::Product(product) => Some(catalogue::product_answer(product)),
                CatalogueEntry::Item(_) | CatalogueEntry::Price(_) | CatalogueEntry::Coupon(_) => {
                    None
                }
            })
        }
        KeyedBilling::SubscriptionItemsCreate(answers)
        | KeyedBilling::SubscriptionItemsArchive(answers) => {
            writer(answers, |made: &StoredEntry| match &made.entry {
                CatalogueEntry::Item(item) => Some(catalogue::item_answer(item)),
                CatalogueEntry::Product(_)
                | CatalogueEntry::Price(_)
                | CatalogueEntry::Coupon(_) => None,
            })
        }
        KeyedBilling::SubscriptionItemPricesCreate(answers)
        | KeyedBilling::SubscriptionItemPricesArchive(answers) => {
            writer(answers, |made: &StoredEntry| match &made.entry {
                CatalogueEntry::Price(price) => Some(catalogue::price_answer(price)),
                CatalogueEntry::Product(_)
                | CatalogueEntry::Item(_)
                | CatalogueEntry::Coupon(_) => None,
            })
        }
        KeyedBilling::SubscriptionCouponsCreate(answers)
        | KeyedBilling::SubscriptionCouponsArchive(answers) => {
            writer(answers, |made: &StoredEntry| match &made.entry {
                CatalogueEntry::Coupon(coupon) => {
                    Some(catalogue::coupon_answer(coupon, made.redemptions))
                }
                CatalogueEntry::Product(_) | CatalogueEntry::Item(_) | CatalogueEntry::Price(_) => {
                    None
                }
            })
        }
    };
    (Commits::One, render)
}

/// Returns the writer of an answer that shows a subscription.
fn view<T: Serialize + 'static>(answers: Answers<T>, answer: fn(&SubscriptionView) -> T) -> Render {
    writer(answers, move |made| Some(answer(made)))
}

/// Returns the writer of an answer that shows an object of this type.
fn writer<M: 'static, T: Serialize + 'static>(
    answers: Answers<T>,
    answer: impl Fn(&M) -> Option<T> + Send + Sync + 'static,
) -> Render {
    Render::object(move |made: &M| {
        let answer = answer(made)?;
        answers.write(&answer).ok().map(SecretText::new)
    })
}
