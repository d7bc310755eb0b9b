//! A subscription's outside billing engine: asked for what is stored as asked, and told of at once or by the worker.
//!
//! What is asked stands in the store before the engine hears of it, with a key. Whoever takes it up again looks the key up first,
//! and sends the same once more only where the engine has no trace of it. So a crash, or an answer that is lost, leaves nothing
//! undone and nothing done twice.

use std::borrow::Cow;
use std::sync::Arc;

use multirail_domain::connector::{Access, UnknownReason};
use multirail_domain::ids::{MerchantId, SubscriptionId};
use multirail_domain::refusal::Refusal;
use multirail_domain::subscription::outside::{
    Asked, EngineOperation, EngineOutcome, EngineState, EngineTold, Wish,
};
use multirail_domain::subscription::{
    Effect, Input, Standing, Step, Subscription, SubscriptionStatus, transition,
};

use super::super::idempotency::ForKey;
use super::super::payments::PaymentView;
use super::super::{App, AppError, Origin};
use super::SubscriptionView;
use super::confirm::{Otherwise, first_payment};
use super::decide::{Brings, Decided, With};
use crate::billing::engine::{of_finding, of_outcome};
use crate::ports::CommitError;
use crate::ports::billing_engine::{BillingEngine, EngineFinding, EngineRequest};

/// How often a state is read anew because the subscription changed meanwhile; the worker comes back to it.
const LOOKS: usize = 10;

/// What a request goes on with, once the engine was asked.
pub(super) enum Begun {
    /// The engine has made the subscription.
    Goes(Box<Standing>),
    /// It isn't known whether it has; nobody is charged meanwhile.
    Waits(Box<SubscriptionView>),
}

impl App {
    /// Asks the engine for what is stored as asked.
    async fn learn(&self, standing: &Standing) -> Result<Option<EngineTold>, AppError> {
        let subscription = &standing.subscription;
        let outside = subscription.outside.as_ref();
        let Some((outside, asked)) = outside.and_then(|it| Some((it, it.asked.as_ref()?))) else {
            return Ok(None);
        };
        let Some((engine, access)) = self.engine_of(subscription).await? else {
            return Ok(None);
        };
        let request = EngineRequest {
            access,
            key: asked.key.clone(),
            reference: outside.reference.clone(),
            subscription_id: subscription.subscription_id.clone(),
            customer_id: subscription.customer_id.clone(),
            item_price_id: subscription.plan.price.item_price_id.clone(),
            quantity: subscription.plan.quantity,
            wish: asked.wish.clone(),
        };
        let outcome = self.ask_or_find(engine.as_ref(), asked, request).await;
        let connector = engine.description().name;
        let id = &subscription.subscription_id;
        let operation = asked.wish.operation();
        match &outcome {
            EngineOutcome::Done(_) => {}
            EngineOutcome::Refused { .. }
            | EngineOutcome::NeverHappened { .. }
            | EngineOutcome::Unknown(_) => {
                tracing::warn!(%id, connector, %operation, ?outcome, "a billing engine did not do what it was asked for, or didn't say so");
            }
        }
        Ok(Some(EngineTold {
            key: asked.key.clone(),
            looked_at: outside.looked_at,
            outcome,
        }))
    }

    /// The outside engine that a subscription is at, if it is at one, and how it is reached.
    async fn engine_of(
        &self,
        subscription: &Subscription,
    ) -> Result<Option<(Arc<dyn BillingEngine>, Access)>, AppError> {
        let account_id = &subscription.plan.price.merchant_connector_id;
        let account = self.account_ever(&subscription.merchant_id, account_id);
        let account = account.await?;
        let engine = self.outside_engine(&account)?;
        Ok(engine.map(|engine| (engine, account.access())))
    }

    /// How the engine says that a subscription stands, which it has made, if it says so.
    async fn state_of(&self, subscription: &Subscription) -> Result<Option<EngineState>, AppError> {
        let outside = subscription.outside.as_ref();
        let Some(reference) = outside.and_then(|outside| outside.reference.clone()) else {
            return Ok(None);
        };
        let Some((engine, access)) = self.engine_of(subscription).await? else {
            return Ok(None);
        };
        let read = engine.state(access, reference);
        let state = self.engine_answer(engine.as_ref(), read).await;
        if let Err(failure) = &state {
            let connector = engine.description().name;
            let id = &subscription.subscription_id;
            tracing::warn!(%id, connector, ?failure, "a billing engine doesn't say how a subscription stands");
        }
        Ok(state.ok())
    }

    async fn ask_or_find(
        &self,
        engine: &dyn BillingEngine,
        asked: &Asked,
        request: EngineRequest,
    ) -> EngineOutcome {
        if asked.looks > 0 {
            let found = engine.look_up(request.access.clone(), request.key.clone());
            let found = self.engine_in_time(engine, "billing_look_up", found, of_finding);
            match found.await {
                Some(EngineFinding::Outcome(outcome)) => return outcome,
                Some(EngineFinding::Absent) => {}
                None => return EngineOutcome::Unknown(UnknownReason::Timeout),
            }
        }
        let acted = engine.act(request);
        let acted = self.engine_in_time(engine, "billing_act", acted, of_outcome);
        let acted = acted.await;
        acted.unwrap_or(EngineOutcome::Unknown(UnknownReason::Timeout))
    }

    /// Tells a subscription what its engine said, until that is stored: it can't be refused. Where somebody else has read it meanwhile,
    /// it is read once more, so that the request is answered with what it has brought about. What is stored with it, and for whom, depends
    /// on whether it is certain that nothing was done, which is also answered.
    async fn tell_of_engine<'o, 'w>(
        &self,
        standing: &Standing,
        mut told: EngineTold,
        stored_with: impl Fn(bool) -> (&'o Origin, With<'w>),
    ) -> Result<(Decided, bool), AppError> {
        let of = &standing.subscription;
        loop {
            let before = self.standing_of(&of.merchant_id, &of.subscription_id);
            let before = before.await?;
            let outside = before.subscription.outside.as_ref();
            let is_refused = outside.is_some_and(|outside| outside.is_refused_by(&told));
            let looked_at = outside.and_then(|outside| outside.looked_at);
            if let EngineOutcome::Done(state) = &mut told.outcome
                && looked_at != told.looked_at
                && let Some(newer) = self.state_of(&before.subscription).await?
                && newer.reference == state.reference
            {
                (*state, told.looked_at) = (newer, looked_at);
            }
            let (origin, with) = stored_with(is_refused);
            let input = Input::EngineTold(told.clone());
            let step = transition(&before, input, &self.billing_context())?;
            let stored = self.store_step_beside(origin, &before, step, with, Vec::new());
            match stored.await {
                Ok(decided) => return Ok((decided, is_refused)),
                Err(error)
                    if error == CommitError::Conflict || self.is_overtaken(origin, &error) => {}
                Err(error) => return Err(AppError::of_commit(error)),
            }
        }
    }

    /// Asks the engine for what is due, and does what follows. What has no answer is left to the worker.
    pub(super) async fn ask_engine(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        subscription_id: &SubscriptionId,
    ) -> Result<(), AppError> {
        let standing = self.standing_of(merchant_id, subscription_id).await?;
        let Some(told) = self.learn(&standing).await? else {
            return Ok(());
        };
        let decided = self.tell_of_engine(&standing, told, |_| (origin, With::NOTHING));
        let (
            Decided {
                standing, effects, ..
            },
            _,
        ) = decided.await?;
        Box::pin(self.follow(origin, &standing, effects)).await
    }

    /// Asks the engine how a subscription stands, and takes that over, unless the subscription changed meanwhile: then what was read may
    /// be old.
    pub(super) async fn look_at_engine(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        subscription_id: &SubscriptionId,
    ) -> Result<(), AppError> {
        for _ in 0..LOOKS {
            let before = self.standing_of(merchant_id, subscription_id).await?;
            let Some(state) = self.state_of(&before.subscription).await? else {
                return Ok(());
            };
            let input = Input::EngineState(Box::new(state));
            let step = transition(&before, input, &self.billing_context())?;
            let stored = self.store_step_beside(origin, &before, step, With::NOTHING, Vec::new());
            match stored.await {
                Ok(decided) => {
                    return Box::pin(self.follow(origin, &decided.standing, decided.effects)).await;
                }
                Err(CommitError::Conflict) => {}
                Err(error) => return Err(AppError::of_commit(error)),
            }
        }
        Ok(())
    }

    /// Has the engine make a subscription that is being confirmed, where it hasn't yet.
    ///
    /// # Errors
    /// [`Refusal::BillingEngine`], and where the engine bills something else than was agreed: nobody has paid then.
    pub(super) async fn begin_at_engine(
        &self,
        origin: &Origin,
        standing: Standing,
        otherwise: Otherwise,
    ) -> Result<Begun, AppError> {
        let Some(told) = self.learn(&standing).await? else {
            return Ok(Begun::Goes(Box::new(standing)));
        };
        let step = origin.without_claim();
        if let EngineOutcome::Done(_) = &told.outcome {
            let decided = self.tell_of_engine(&standing, told, |_| (&step, With::NOTHING));
            let (
                Decided {
                    standing, effects, ..
                },
                _,
            ) = decided.await?;
            return self.begins(origin, standing, effects).await;
        }
        let payment = self.first_payment_of(&standing).await?;
        let answered = With {
            brings: Brings::Answer,
            payment: payment.as_ref(),
        };
        let decided = self.tell_of_engine(&standing, told, |is_refused| match is_refused {
            true => (&step, With::NOTHING),
            false => (origin, answered),
        });
        let (Decided { standing, view, .. }, is_refused) = decided.await?;
        let view = if is_refused {
            let operation = EngineOperation::Create;
            let refusal = Refusal::BillingEngine { operation };
            self.take_back(origin, &standing, refusal, otherwise).await
        } else {
            Ok(view)
        };
        view.map(|view| Begun::Waits(Box::new(view)))
    }

    /// Has the engine say that it still wants what it made to be paid, where its word is old.
    ///
    /// # Errors
    /// [`Refusal::BillingEngine`], and where it doesn't: nobody has paid then.
    pub(super) async fn go_on_at_engine(
        &self,
        origin: &Origin,
        standing: Standing,
        otherwise: Otherwise,
    ) -> Result<Begun, AppError> {
        let has_old_word = |standing: &Standing| {
            let outside = standing.subscription.outside.as_ref();
            outside.is_some_and(|outside| outside.has_old_word(self.now()))
        };
        if !has_old_word(&standing) {
            return Ok(Begun::Goes(Box::new(standing)));
        }
        let of = &standing.subscription;
        let step = origin.without_claim();
        self.look_at_engine(&step, &of.merchant_id, &of.subscription_id)
            .await?;
        let standing = self
            .standing_of(&of.merchant_id, &of.subscription_id)
            .await?;
        if has_old_word(&standing) {
            let operation = EngineOperation::Create;
            let refusal = Refusal::BillingEngine { operation };
            let refused = self.take_back(origin, &standing, refusal, otherwise).await;
            return refused.map(|view| Begun::Waits(Box::new(view)));
        }
        self.begins(origin, standing, Vec::new()).await
    }

    /// The engine has made it, unless that has come to its end already.
    async fn begins(
        &self,
        origin: &Origin,
        standing: Standing,
        effects: Vec<Effect>,
    ) -> Result<Begun, AppError> {
        let of = &standing.subscription;
        let why = match of.status {
            SubscriptionStatus::Failed => {
                "what the subscription costs has changed since it was made: make another one"
            }
            SubscriptionStatus::Cancelled
            | SubscriptionStatus::InActive
            | SubscriptionStatus::Onetime => {
                "the billing engine has ended the subscription: make another one"
            }
            SubscriptionStatus::Created
            | SubscriptionStatus::Pending
            | SubscriptionStatus::Active
            | SubscriptionStatus::Trial
            | SubscriptionStatus::Paused
            | SubscriptionStatus::Unpaid => return Ok(Begun::Goes(Box::new(standing))),
        };
        let step = origin.without_claim();
        Box::pin(self.follow(&step, &standing, effects)).await?;
        self.free_key(origin, &standing).await?;
        Err(Refusal::precondition(why).into())
    }

    async fn first_payment_of(
        &self,
        standing: &Standing,
    ) -> Result<Option<PaymentView<'static>>, AppError> {
        let (_, payment_id) = first_payment(standing)?;
        let merchant_id = &standing.subscription.merchant_id;
        let found = self.store.payment(merchant_id, &payment_id).await?;
        Ok(found.map(|found| self.view(Cow::Owned(found))))
    }

    /// A request is refused whose first commit claimed its key.
    pub(super) async fn free_key(
        &self,
        origin: &Origin,
        standing: &Standing,
    ) -> Result<(), AppError> {
        let merchant_id = Some(&standing.subscription.merchant_id);
        let change_set = self.change_set(origin, merchant_id, ForKey::Refused, Vec::new());
        if change_set.is_empty() {
            return Ok(());
        }
        let committed = self.store.commit(change_set).await;
        committed.map_err(AppError::of_commit)
    }

    /// Asks the engine for the merchant's wish, and answers the request.
    ///
    /// # Errors
    /// [`Refusal::BillingEngine`]: nothing has changed.
    pub(super) async fn finish_change(
        &self,
        origin: &Origin,
        standing: Standing,
    ) -> Result<SubscriptionView, AppError> {
        let asked = standing.subscription.outside.as_ref();
        let asked = asked.and_then(|outside| outside.asked.as_ref());
        let operation = asked.map(|asked| asked.wish.operation());
        self.tell_and_answer(origin, standing, None, operation)
            .await
    }

    /// Asks the engine to take note of the first payment, and answers the request. Whatever it says, the payment has succeeded.
    pub(super) async fn finish_confirm(
        &self,
        origin: &Origin,
        standing: Standing,
        payment: PaymentView<'static>,
    ) -> Result<SubscriptionView, AppError> {
        self.tell_and_answer(origin, standing, Some(payment), None)
            .await
    }

    /// `operation` is what the request is refused for where the engine refuses it.
    async fn tell_and_answer(
        &self,
        origin: &Origin,
        standing: Standing,
        payment: Option<PaymentView<'static>>,
        operation: Option<EngineOperation>,
    ) -> Result<SubscriptionView, AppError> {
        let brings = |brings| With {
            brings,
            payment: payment.as_ref(),
        };
        let told = self.learn(&standing).await?;
        let (
            Decided {
                standing,
                effects,
                view,
                ..
            },
            is_refused,
        ) = match told {
            Some(told) => {
                let told = self.tell_of_engine(&standing, told, |is_refused| {
                    let with = match is_refused && operation.is_some() {
                        true => Brings::Refused,
                        false => Brings::Answer,
                    };
                    (origin, brings(with))
                });
                told.await?
            }
            None => {
                let with = brings(Brings::Answer);
                (self.answer_unchanged(origin, &standing, with).await?, false)
            }
        };
        let step = origin.without_claim();
        Box::pin(self.follow(&step, &standing, effects)).await?;
        if let (true, Some(operation)) = (is_refused, operation) {
            return Err(Refusal::BillingEngine { operation }.into());
        }
        Ok(view)
    }

    /// Stores the answer of a request that changes nothing more.
    async fn answer_unchanged(
        &self,
        origin: &Origin,
        standing: &Standing,
        with: With<'_>,
    ) -> Result<Decided, AppError> {
        let step = Step {
            subscription: standing.subscription.clone(),
            invoices: Vec::new(),
            effects: Vec::new(),
        };
        let stored = self.store_step_beside(origin, standing, step, with, Vec::new());
        stored.await.map_err(AppError::of_commit)
    }
}

/// The engine is to be asked.
pub(super) fn asks(effects: &[Effect]) -> bool {
    effects.contains(&Effect::AskEngine)
}

/// The engine is asked to make the subscription.
pub(super) fn is_made_there(standing: &Standing) -> bool {
    let outside = standing.subscription.outside.as_ref();
    let asked = outside.and_then(|outside| outside.asked.as_ref());
    asked.is_some_and(|asked| asked.wish == Wish::Create)
}
