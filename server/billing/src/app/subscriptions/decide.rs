//! Deciding about a subscription and storing it with its invoices, its event, and what the request's key needs.

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
    /// What is to be done now.
    pub effects: Vec<Effect>,
    /// How it stands by this decision: what is stored as the request's answer, whatever a worker does with it next.
    pub view: SubscriptionView,
    /// The payment that was told of, where it was read once more.
    pub read_anew: Option<PaymentView<'static>>,
}

/// What of a request's key a commit brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Brings {
    /// Nothing: no request is behind it.
    Nothing,
    /// It is the request's only commit.
    Whole,
    /// It is the first of several.
    Claim,
    /// It is the last of several.
    Answer,
    /// It is the last of several, and undoes the first: the request is refused.
    Refused,
}

/// What of a decision is not the subscription itself.
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
    /// Loads, decides and stores; decides again where the subscription was changed meanwhile.
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
                beside.push(self.kept_owners(&before.subscription).await?);
            }
            let stored = self.store_beside(origin, &before, step, with, beside);
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

    /// The change by which customer and merchant account are kept from being deleted at the moment at which a subscription begins.
    ///
    /// # Errors
    /// One of them is not there any more.
    pub(super) async fn kept_owners(&self, of: &Subscription) -> Result<Change, AppError> {
        let merchant_id = &of.merchant_id;
        self.owners.check(merchant_id, &of.customer_id).await?;
        let change = SubscriptionChange::KeepOwners {
            merchant_id: merchant_id.clone(),
            subscription_id: of.subscription_id.clone(),
            customer_id: of.customer_id.clone(),
        };
        Ok(self.reads.store.change(change))
    }

    /// The change that counts a coupon as redeemed once more, where a step asks for it.
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

    /// The same for what became of a payment: told until it is stored, because it can't be refused. The payment was read after the
    /// subscription had the version `read_at`. Where that has moved, others may have told of newer news: then the payment is read once
    /// more, after the subscription, so that old news never comes after newer.
    pub(super) async fn tell(
        &self,
        origin: &Origin,
        of: (&MerchantId, &SubscriptionId),
        mut told: Told,
        read_at: i64,
        with: With<'_>,
    ) -> Result<Decided, AppError> {
        let (merchant_id, subscription_id) = of;
        let mut read_anew = None;
        loop {
            let mut before = self.reads.standing_of(merchant_id, subscription_id).await?;
            self.add_invoice(&mut before, &told.invoice_id).await?;
            if before.subscription.version != read_at
                && let Some((outcome, payment)) = self.read_anew(&before, &told).await?
            {
                told.outcome = outcome;
                read_anew = Some(payment);
            }
            let with = With {
                payment: read_anew.as_ref().or(with.payment),
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
            let stored = self.store_beside(origin, &before, step, with, unchanged);
            match stored.await {
                Ok(decided) => {
                    return Ok(Decided {
                        read_anew,
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

    /// How the payment stands now that is told of, if it is there.
    async fn read_anew(
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

    /// What is told may be about an invoice that is settled.
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

    /// A first payment that was decided long after its confirm may have saved nothing: then there is nothing that could be charged, and
    /// another method has to be named.
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
    pub(super) async fn store_beside(
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
            // What it is checked against comes after it.
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
            read_anew: None,
        })
    }

    /// Stores a step that an invoice's request asked for, and is answered with the invoice.
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
            made: Made::of(made, None),
        };
        let merchant_id = Some(&after.subscription.merchant_id);
        let mut change_set = self.base.change_set(origin, merchant_id, for_key, changes);
        change_set.events = events;
        self.announcer.commit(change_set).await?;
        self.reads.notifier.notify();
        Ok(())
    }

    /// What the request is answered: the newest invoice, which was paid or changed just now, or stands in the store.
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

    /// Returns the events that announce invoices that were paid.
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
                // It names him alone.
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

/// There is something to be stored.
fn is_changed(before: &Standing, step: &Step) -> bool {
    step.subscription != before.subscription || !step.invoices.is_empty()
}

/// The invoices after a step.
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
