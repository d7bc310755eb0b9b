//! Decides a change of a subscription, and stores it with its invoices, its event, and the state of the request's
//! idempotency key.

use std::sync::atomic::Ordering;

use multirail_app::customers::ports::saved_methods::CARDS_WAIT_SECONDS;
use multirail_app::payments::PaymentView;
use multirail_app::platform::announcer::{Content, Identity};
use multirail_app::platform::decisions::Decisions;
use multirail_app::platform::idempotency::{ForKey, Made};
use multirail_app::platform::ports::{Change, CommitError, EventRecord};
use multirail_app::{AppError, Origin};
use multirail_billing_domain::subscription::{
    Command, Effect, Input, Invoice, Outcome, Standing, Step, Subscription, Told, transition,
};
use multirail_domain::webhooks::webhook::SUBSCRIPTION_DETAILS;
use multirail_kernel::announcement::{AnnouncedStatus, Announcement};
use multirail_kernel::event::EventType;
use multirail_kernel::ids::{InvoiceId, MerchantId, SubscriptionId};
use multirail_kernel::refusal::Object;

use super::charge::outcome_of;
use super::{Decider, SubscriptionView};
use crate::ports::SubscriptionChange;

/// A stored decision.
pub(super) struct Decided {
    pub standing: Standing,
    /// The work to do now.
    pub effects: Vec<Effect>,
    /// The subscription after this decision, which is also stored as the request's answer. Later work of a worker
    /// doesn't change it.
    pub view: SubscriptionView,
    /// The reported payment, if it was read again.
    pub read_again: Option<PaymentView<'static>>,
}

/// The effect of a commit on the request's idempotency key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Brings {
    /// None, because there is no request.
    Nothing,
    /// The request's only commit.
    Whole,
    /// The first of several commits.
    Claim,
    /// The last of several commits.
    Answer,
    /// The last of several commits, which undoes the first one: the request is refused.
    Refused,
}

/// Inputs of a decision besides the subscription.
#[derive(Clone, Copy)]
pub(super) struct With<'a> {
    pub brings: Brings,
    /// The payment that the answer and the event show.
    pub payment: Option<&'a PaymentView<'static>>,
}

impl With<'_> {
    pub(super) const NOTHING: With<'static> = With {
        brings: Brings::Nothing,
        payment: None,
    };
}

impl Decider {
    /// Loads, decides and stores. Repeats this if the subscription changed in between.
    pub(super) async fn decide(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        subscription_id: &SubscriptionId,
        input: Input,
        with: With<'_>,
    ) -> Result<Decided, AppError> {
        let mut decisions = Decisions::begin(Object::Subscription);
        loop {
            let before = self.reads.standing_of(merchant_id, subscription_id).await?;
            let payments = self.payments_for(&before, &input).await?;
            let context = self.context_with(&payments);
            let step = transition(&before, input.clone(), &context)?;
            let taken = self.coupon_taken(&before.subscription, &step.effects);
            let mut beside: Vec<Change> = taken.await?.into_iter().collect();
            if is_changed(&before, &step) {
                beside.extend(payments.unchanged);
            }
            if let Input::Command(Command::Confirm) = input {
                beside.push(self.protect_owners(&before.subscription).await?);
            }
            let stored = self.store_with(origin, &before, step, with, beside);
            match stored.await {
                Ok(decided) => return Ok(decided),
                Err(error) if self.base.is_overtaken(origin, &error) => {}
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }

    /// Returns the change that protects the customer and merchant account from deletion while a subscription begins.
    ///
    /// # Errors
    /// A customer or merchant account that doesn't exist any more.
    pub(super) async fn protect_owners(&self, of: &Subscription) -> Result<Change, AppError> {
        let merchant_id = &of.merchant_id;
        self.owners.check(merchant_id, &of.customer_id).await?;
        let change = SubscriptionChange::KeepOwners {
            merchant_id: merchant_id.clone(),
            subscription_id: of.subscription_id.clone(),
            customer_id: of.customer_id.clone(),
        };
        Ok(self.reads.store.change(change))
    }

    /// Returns the change that counts one redemption more of a coupon, if the step asks for it.
    async fn coupon_taken(
        &self,
        of: &Subscription,
        effects: &[Effect],
    ) -> Result<Option<Change>, AppError> {
        let coupon = of.coupon.as_ref();
        let Some(coupon) = coupon.filter(|_| effects.contains(&Effect::TakeCoupon)) else {
            return Ok(None);
        };
        let price = &of.plan.price;
        let (merchant_id, account_id) = (&of.merchant_id, &price.merchant_connector_id);
        let redeemed =
            self.catalogue
                .coupon_to_redeem(merchant_id, account_id, &coupon.code, price.currency);
        Ok(Some(redeemed.await?.1))
    }

    /// Reports the outcome of a payment, and repeats this until it is stored, because an outcome can't be refused.
    ///
    /// The payment was read when the subscription had the version `read_at`. If the version has changed, others may
    /// have reported a newer outcome. The payment is then read again after the subscription, so that an old outcome
    /// never replaces a newer one.
    pub(super) async fn tell(
        &self,
        origin: &Origin,
        of: (&MerchantId, &SubscriptionId),
        mut told: Told,
        read_at: i64,
        with: With<'_>,
    ) -> Result<Decided, AppError> {
        let (merchant_id, subscription_id) = of;
        let mut read_again = None;
        loop {
            let mut before = self.reads.standing_of(merchant_id, subscription_id).await?;
            self.add_invoice(&mut before, &told.invoice_id).await?;
            if before.subscription.version != read_at
                && let Some((outcome, payment)) = self.read_again(&before, &told).await?
            {
                told.outcome = outcome;
                read_again = Some(payment);
            }
            let with = With {
                payment: read_again.as_ref().or(with.payment),
                ..with
            };
            self.check_saved(&before.subscription, &mut told).await?;
            let input = Input::Told(told.clone());
            let payments = self.payments_for(&before, &input).await?;
            let step = transition(&before, input, &self.context_with(&payments))?;
            let unchanged = match is_changed(&before, &step) {
                true => payments.unchanged,
                false => Vec::new(),
            };
            let stored = self.store_with(origin, &before, step, with, unchanged);
            match stored.await {
                Ok(decided) => {
                    return Ok(Decided {
                        read_again,
                        ..decided
                    });
                }
                Err(error)
                    if error == CommitError::Conflict || self.base.is_overtaken(origin, &error) => {
                }
                Err(error) => return Err(AppError::of_commit(error)),
            }
        }
    }

    /// Reads the reported payment again, if it exists.
    async fn read_again(
        &self,
        before: &Standing,
        told: &Told,
    ) -> Result<Option<(Outcome, PaymentView<'static>)>, AppError> {
        let mut open = before.open.iter();
        let Some(invoice) = open.find(|invoice| invoice.invoice_id == told.invoice_id) else {
            return Ok(None);
        };
        let found = self.payments.find(&invoice.merchant_id, &told.payment_id);
        let found = found.await?;
        Ok(found.map(|found| {
            let outcome = outcome_of(&found, invoice, self.base.now());
            (outcome, self.payments.view(found))
        }))
    }

    /// Adds the invoice of a report, which may be settled already.
    async fn add_invoice(
        &self,
        standing: &mut Standing,
        invoice_id: &InvoiceId,
    ) -> Result<(), AppError> {
        let mut open = standing.open.iter();
        if open.any(|invoice| invoice.invoice_id == *invoice_id) {
            return Ok(());
        }
        let merchant_id = &standing.subscription.merchant_id;
        let found = self.reads.store.invoice(merchant_id, invoice_id).await?;
        standing.open.extend(found);
        Ok(())
    }

    /// Removes a method that was never saved from the outcome. A first payment that was decided long after its confirm
    /// may have saved nothing. The customer must then name another method.
    async fn check_saved(&self, of: &Subscription, told: &mut Told) -> Result<(), AppError> {
        let is_old = self.base.now().seconds_since(of.created_at) >= CARDS_WAIT_SECONDS;
        let Outcome::Paid { payment_method_id } = &mut told.outcome else {
            return Ok(());
        };
        let Some(id) = payment_method_id.as_ref() else {
            return Ok(());
        };
        if !is_old || !of.status.awaits_first_payment() {
            return Ok(());
        }
        let saved = self.methods.saved(&of.merchant_id, id).await?;
        if saved.is_none() {
            tracing::warn!(subscription_id = %of.subscription_id, "the card of a first payment was not saved");
            *payment_method_id = None;
        }
        Ok(())
    }

    /// Stores a step that was decided on `before`, in one commit with these changes of other objects.
    pub(super) async fn store_with(
        &self,
        origin: &Origin,
        before: &Standing,
        step: Step,
        with: With<'_>,
        mut changes: Vec<Change>,
    ) -> Result<Decided, CommitError> {
        let is_changed = is_changed(before, &step);
        let Step {
            subscription,
            invoices,
            effects,
        } = step;
        let mut after = Standing {
            subscription,
            open: merged(&before.open, &invoices),
        };
        if is_changed {
            let change = SubscriptionChange::Update {
                subscription: Box::new(after.subscription.clone()),
                invoices: invoices.clone(),
                due_at: after.due().map(|(at, _)| at),
                is_begun: after.is_begun(),
            };
            // The changes that it depends on must come after it.
            changes.insert(0, self.reads.store.change(change));
        }
        if effects.contains(&Effect::GiveCouponBack) {
            changes.extend(self.redemption_back(&before.subscription));
        }
        let events = self.paid_events(&after, &invoices, &effects, with).await?;
        let merchant_id = after.subscription.merchant_id.clone();
        let view = self.view_after(&after, &invoices, with).await?;
        let for_key = for_key(origin, &view, with.brings);
        let mut change_set = self
            .base
            .change_set(origin, Some(&merchant_id), for_key, changes);
        change_set.events = events;
        if !change_set.is_empty() {
            self.announcer.commit(change_set).await?;
        }
        after.subscription.version += i64::from(is_changed);
        after.open.retain(Invoice::is_open);
        if after.due().is_some_and(|(at, _)| at <= self.base.now()) {
            self.reads.notifier.notify();
        }
        Ok(Decided {
            standing: after,
            effects,
            view,
            read_again: None,
        })
    }

    /// Stores a step that a request about an invoice caused. The answer is the invoice.
    pub(super) async fn store_invoice(
        &self,
        origin: &Origin,
        before: &Standing,
        step: Step,
        made: &Invoice,
        beside: Vec<Change>,
    ) -> Result<(), CommitError> {
        let Step {
            subscription,
            invoices,
            effects,
        } = step;
        let after = Standing {
            open: merged(&before.open, &invoices),
            subscription,
        };
        let change = SubscriptionChange::Update {
            subscription: Box::new(after.subscription.clone()),
            invoices: invoices.clone(),
            due_at: after.due().map(|(at, _)| at),
            is_begun: after.is_begun(),
        };
        let mut changes = vec![self.reads.store.change(change)];
        changes.extend(beside);
        if effects.contains(&Effect::GiveCouponBack) {
            changes.extend(self.redemption_back(&before.subscription));
        }
        let events = self
            .paid_events(&after, &invoices, &effects, With::NOTHING)
            .await?;
        let for_key = ForKey::Whole {
            object_id: made.invoice_id.as_str(),
            made: Made::object(made, None),
        };
        let merchant_id = Some(&after.subscription.merchant_id);
        let mut change_set = self.base.change_set(origin, merchant_id, for_key, changes);
        change_set.events = events;
        self.announcer.commit(change_set).await?;
        self.reads.notifier.notify();
        Ok(())
    }

    /// Returns the request's answer with the newest invoice, taken from the step or read from the store.
    async fn view_after(
        &self,
        after: &Standing,
        changed: &[Invoice],
        with: With<'_>,
    ) -> Result<SubscriptionView, CommitError> {
        let number = after.subscription.invoices;
        let mut at_hand = changed.iter().chain(&after.open);
        let newest = at_hand.find(|invoice| invoice.number == number).cloned();
        let invoice = match (newest, with.brings) {
            (Some(newest), _) => Some(newest),
            (None, Brings::Nothing | Brings::Claim | Brings::Refused) => None,
            (None, Brings::Whole | Brings::Answer) => {
                let subscription = &after.subscription;
                let (merchant_id, id) = (&subscription.merchant_id, &subscription.subscription_id);
                self.reads.store.last_invoice(merchant_id, id).await?
            }
        };
        Ok(self
            .reads
            .view(&after.subscription, invoice, with.payment.cloned()))
    }

    /// Returns the events that announce paid invoices.
    async fn paid_events(
        &self,
        after: &Standing,
        changed: &[Invoice],
        effects: &[Effect],
        with: With<'_>,
    ) -> Result<Vec<EventRecord>, CommitError> {
        let mut events = Vec::new();
        for effect in effects {
            let Effect::Announce(invoice_id) = effect else {
                continue;
            };
            let subscription = &after.subscription;
            let mut all = changed.iter();
            let invoice = all.find(|invoice| invoice.invoice_id == *invoice_id);
            let view = self
                .reads
                .view(subscription, invoice.cloned(), with.payment.cloned());
            let announcement = Announcement {
                event_type: EventType::InvoicePaid,
                status: AnnouncedStatus::Unlisted,
                about: invoice_id.to_string(),
            };
            let identity = Identity {
                merchant_id: &subscription.merchant_id,
                profile_id: &subscription.profile_id,
                object_id: subscription.subscription_id.as_str(),
                // The view only names the customer.
                customer_id: None,
                version: subscription.version,
                modified_at: subscription.modified_at,
            };
            let content = || Content {
                content_type: SUBSCRIPTION_DETAILS,
                object: self.content.subscription(&view),
            };
            let version = subscription.version + 1;
            let announcements = vec![announcement];
            self.announcer
                .record(identity, version, announcements, content, &mut events)
                .await?;
        }
        Ok(events)
    }
}

/// Checks whether the step changes anything.
fn is_changed(before: &Standing, step: &Step) -> bool {
    step.subscription != before.subscription || !step.invoices.is_empty()
}

/// Returns the invoices after a step.
fn merged(before: &[Invoice], changed: &[Invoice]) -> Vec<Invoice> {
    let is_changed = |one: &&Invoice| !changed.iter().any(|new| new.invoice_id == one.invoice_id);
    let same = before.iter().filter(is_changed).cloned();
    let mut all: Vec<Invoice> = same.chain(changed.iter().cloned()).collect();
    all.sort_by_key(|invoice| invoice.number);
    all
}

fn for_key<'a>(origin: &Origin, view: &'a SubscriptionView, brings: Brings) -> ForKey<'a> {
    let Some(claim) = &origin.claim else {
        return ForKey::Nothing;
    };
    let object_id = view.subscription.subscription_id.as_str();
    match brings {
        Brings::Nothing => ForKey::Nothing,
        Brings::Whole => ForKey::Whole {
            object_id,
            made: view.made(),
        },
        Brings::Claim => ForKey::Step {
            claimed_for: Some(object_id),
            goes_on: false,
            answer: None,
        },
        Brings::Answer if claim.is_overtaken.load(Ordering::Acquire) => ForKey::Nothing,
        Brings::Answer => ForKey::Step {
            claimed_for: None,
            goes_on: false,
            answer: claim.answer(view.made()),
        },
        Brings::Refused => ForKey::Refused,
    }
}
