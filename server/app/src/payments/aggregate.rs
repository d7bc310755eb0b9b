//! A payment as the driver sees it.

use std::borrow::Cow;
use std::sync::Arc;

use multirail_domain::operations::operation::Operation;
use multirail_domain::operations::received_notice::Sender;
use multirail_domain::payments::payment::{
    Attempt, Command, Effect, Input, Payment, PaymentMethodData, ProcessorCall, Step, transition,
};
use multirail_domain::webhooks::webhook::PAYMENT_DETAILS;
use multirail_kernel::context::Context;
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{MerchantId, PaymentId, ProcessorKey};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Changes;
use multirail_sdk::connector::{About, Fact, Outcome};

use super::super::AppError;
use super::Payments;
use super::calls::CallInputs;
use super::credentials::hold_credentials;
use super::excess::return_excess;
use super::mandate::of_mandate;
use super::owner::changes_of_owner;
use super::saved::of_method;
use crate::customers::ports::{CustomerChange, SavedMethodChange};
use crate::operations::driver;
use crate::operations::driver::{Aggregate, Due, StepParts};
use crate::operations::ports::open_operations::UnresolvedOperation;
use crate::operations::told::Told;
use crate::operations::unresolved_operation::Unresolved;
use crate::payments::ports::PAYMENT;
use crate::payments::ports::{HeldChange, PaymentChange};
use crate::platform::announcer::{Content, Identity};
use crate::platform::idempotency::{Claim, Made};
use crate::platform::ports::failure::Gone;
use crate::platform::ports::{Change, ObjectClass};

impl driver::ProcessorCall for ProcessorCall {
    fn key(&self) -> &ProcessorKey {
        &self.key
    }
}

impl Aggregate for Payment {
    type Id = PaymentId;
    type Services = Payments;
    type Step = Step;
    type Call = ProcessorCall;
    type Inputs = CallInputs;
    const OBJECT: Object = Object::Payment;
    const CLASS: ObjectClass = PAYMENT;

    fn id(&self) -> &PaymentId {
        &self.payment_id
    }

    fn parse_id(text: &str) -> Option<PaymentId> {
        PaymentId::parse(text).ok()
    }

    fn identity(&self) -> Identity<'_> {
        Identity {
            merchant_id: &self.merchant_id,
            profile_id: &self.profile_id,
            object_id: self.payment_id.as_str(),
            customer_id: self.terms.customer_id.as_ref(),
            version: self.version,
            modified_at: self.modified_at,
        }
    }

    fn set_version(&mut self, version: i64) {
        self.version = version;
    }

    async fn load(
        payments: &Payments,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> Result<Self, AppError> {
        payments.load(merchant_id, payment_id).await
    }

    fn operation(&self, key: &ProcessorKey) -> Option<&Operation> {
        let operations = self
            .attempts
            .iter()
            .flat_map(|attempt| attempt.operations());
        let mut of_key = operations.filter(|(_, operation)| operation.key == *key);
        of_key.next().map(|(_, operation)| operation)
    }

    /// An expiry after an approval doesn't contradict the approval.
    fn contradicts(&self, fact: &Fact) -> bool {
        let operation = Aggregate::operation(self, &fact.about);
        let contradicts =
            |operation: &Operation| operation.contradicts(&fact.outcome, self.terms.currency);
        operation.is_some_and(contradicts) && !self.reports_expiry(fact)
    }

    fn currency(&self) -> Currency {
        self.terms.currency
    }

    fn decide_on(&self, fact: Fact, context: &Context) -> Result<Step, Refusal> {
        transition(self, Input::Fact(fact), context)
    }

    /// Sets the counters for dynamic routing, where the profile uses them. Where they can't be read, the fact is stored
    /// without counting.
    async fn count_by(&self, payments: &Payments, inputs: &mut CallInputs) {
        let counts = async {
            let profile = payments.profile_of(self).await?;
            payments.counting(&profile).await
        };
        match counts.await {
            Ok(counting) => inputs.counting = counting,
            Err(why) => tracing::warn!(%why, "an answer is not counted for dynamic routing"),
        }
    }

    /// Adds the error mapping to a refused authorization.
    async fn complete_fact(&self, payments: &Payments, fact: &mut Fact) {
        let Outcome::Declined(decline) = &mut fact.outcome else {
            return;
        };
        let is_of = |attempt: &&Attempt| {
            let authorization = attempt.authorization.as_ref();
            authorization.is_some_and(|operation| operation.key == fact.about)
        };
        let attempt = self.attempts.iter().find(is_of);
        if let Some(connector) = attempt.and_then(|attempt| attempt.connector.as_deref()) {
            payments.error_mappings.map(connector, decline).await;
        }
    }

    async fn decide_on_answer(
        &self,
        payments: &Payments,
        fact: Fact,
        inputs: &CallInputs,
        context: &Context<'_>,
    ) -> Result<(Step, CallInputs), Refusal> {
        let mut brought = inputs.of_their_answer();
        let Some(onward) = inputs.onward.clone().filter(|_| inputs.data.is_some()) else {
            return Ok((self.decide_on(fact, context)?, brought));
        };
        let mut step = transition(self, Input::Answer(fact.clone(), onward), context)?;
        if step.payment.attempts.len() > self.attempts.len() {
            let data = inputs.data.as_ref();
            let held = payments.hold_to_save(&mut step.payment, data, &mut brought.to_save);
            // Boxed, because most payments end at the first account.
            if let Err(error) = Box::pin(held).await {
                let payment_id = self.payment_id.as_str();
                tracing::warn!(
                    payment_id,
                    ?error,
                    "a refused payment doesn't go on: its card can't be sealed"
                );
                return Ok((self.decide_on(fact, context)?, inputs.of_their_answer()));
            }
        }
        Ok((step, brought))
    }

    /// Removes a mandate that is gone: the processor's answer is recorded all the same.
    fn without(step: Step, gone: Gone) -> Step {
        match gone {
            Gone::Mandate => step.without_mandate(),
            // No payment does without it: the next commit fails as this one did.
            Gone::PaymentToken => step,
        }
    }

    fn decide_to_ask(
        &self,
        about: Option<&ProcessorKey>,
        context: &Context,
    ) -> Result<Step, Refusal> {
        let about = about.cloned();
        transition(self, Input::Command(Command::Sync { about }), context)
    }

    fn next_question_at(
        &self,
        key: &ProcessorKey,
        now: Timestamp,
        in_flight_seconds: i64,
    ) -> Option<Timestamp> {
        let mut questions = self.questions(now, in_flight_seconds);
        let of_key = questions.find(|(_, question)| question.about == key);
        of_key.map(|(_, question)| question.due_at)
    }

    fn split_step(
        payments: &Payments,
        before: Option<&Self>,
        step: Step,
        inputs: &mut CallInputs,
    ) -> StepParts<Self> {
        let Step {
            mut payment,
            effects,
            data,
        } = step;
        let (mut calls, mut announcements, mut changes) = (Vec::new(), Vec::new(), Vec::new());
        let mut mandates = Vec::new();
        for effect in effects {
            match effect {
                Effect::Call(call) => calls.push(Due::Do(call)),
                Effect::LookUp(call) => calls.push(Due::Ask(call)),
                Effect::Announce(announcement) => announcements.push(announcement),
                Effect::DeleteCard => {
                    let delete = HeldChange::DeleteCard {
                        merchant_id: payment.merchant_id.clone(),
                        payment_id: payment.payment_id.clone(),
                    };
                    changes.push(payments.held.change(delete));
                }
                Effect::Method(effect) => {
                    changes.extend(of_method(&*payments.saved_methods, &payment, effect))
                }
                Effect::Mandate(effect) => {
                    let (change, made) = of_mandate(&*payments.mandates, &payment, effect);
                    changes.extend(change);
                    mandates.extend(made);
                }
                Effect::DeleteCredentials { attempt } => {
                    let delete = HeldChange::DeleteCredentials {
                        merchant_id: payment.merchant_id.clone(),
                        payment_id: payment.payment_id.clone(),
                        attempt,
                    };
                    changes.push(payments.held.change(delete));
                }
                Effect::ReturnExcess(excess) => {
                    changes.extend(return_excess(payments, &mut payment, &excess));
                }
            }
        }
        if let Some(data) = data {
            if payment.holds_card {
                changes.extend(hold(&*payments.held, &payment, &data));
            }
            inputs.data = Some(data);
        }
        if let Some(before) = before {
            changes.extend(inputs.counting.take(before, &payment));
            changes.extend(changes_of_owner(
                &*payments.owners,
                before,
                &payment,
                inputs.by_owner,
            ));
        }
        let new_customer = inputs.new_customer.take();
        changes.extend(new_customer.map(|new| {
            let insert = CustomerChange::InsertIfNew(*new);
            payments.customers.change(insert)
        }));
        let to_save = inputs.to_save.take();
        changes.extend(to_save.map(|card| {
            let hold = SavedMethodChange::Hold(card);
            payments.saved_methods.change(hold)
        }));
        let wallet_token = inputs.wallet_token.take();
        changes.extend(wallet_token.map(|identity| {
            let claim = HeldChange::ClaimWalletToken {
                merchant_id: payment.merchant_id.clone(),
                payment_id: payment.payment_id.clone(),
                identity,
            };
            payments.held.change(claim)
        }));
        changes.extend(hold_credentials(
            &*payments.held,
            &payment,
            &inputs.credentials,
        ));
        let is_put_off = before.is_some_and(|before| before.expires_at != payment.expires_at);
        if is_put_off && (payment.holds_card || payment.active().holds_credentials()) {
            let put_off = HeldChange::PutOffLapse {
                merchant_id: payment.merchant_id.clone(),
                payment_id: payment.payment_id.clone(),
                expires_at: payment.expires_at,
            };
            changes.push(payments.held.change(put_off));
        }
        StepParts {
            after: payment,
            changes,
            announcements,
            mandates,
            calls,
        }
    }

    fn change(payments: &Payments, before: Option<Arc<Self>>, after: Arc<Self>) -> Change {
        let change = match before {
            None => PaymentChange::Insert(after),
            Some(before) => PaymentChange::Update { before, after },
        };
        payments.store.change(change)
    }

    async fn perform(
        &self,
        payments: &Payments,
        call: &ProcessorCall,
        inputs: &mut CallInputs,
    ) -> Result<Outcome, AppError> {
        payments.perform(self, call, inputs).await
    }

    async fn look_up(
        &self,
        payments: &Payments,
        call: &ProcessorCall,
        inputs: &CallInputs,
    ) -> Result<Outcome, AppError> {
        payments.look_up(self, call, inputs).await
    }

    fn is_left_to_repeat(&self, claim: &Claim) -> bool {
        claim.may_confirm() && self.was_never_processed()
    }

    async fn unresolved(
        payments: &Payments,
        id: &PaymentId,
        found: &UnresolvedOperation,
    ) -> Result<Option<Unresolved>, AppError> {
        payments.unresolved(id, found).await
    }

    async fn read_notice(
        payments: &Arc<Payments>,
        merchant_id: &MerchantId,
        id: &PaymentId,
        sender: Sender<'_>,
        about: &About,
        outcome: Option<&Outcome>,
    ) -> Result<Told, AppError> {
        payments
            .read_notice(merchant_id, id, sender, about, outcome)
            .await
    }

    fn content(&self, payments: &Payments) -> Content {
        Content {
            content_type: PAYMENT_DETAILS,
            object: payments
                .content
                .payment(&payments.view(Cow::Borrowed(self))),
        }
    }

    fn answer<T>(&self, payments: &Payments, render: impl FnOnce(Made<'_>) -> T) -> T {
        let view = payments.view(Cow::Borrowed(self));
        render(Made::view(&view, self.terms.customer_id.as_ref()))
    }
}

/// Holds the instrument until the confirm, where it may be stored. A card's code is never stored.
fn hold(
    store: &dyn Changes<HeldChange>,
    payment: &Payment,
    data: &PaymentMethodData,
) -> Option<Change> {
    let text = data.to_sealable()?;
    Some(store.change(HeldChange::HoldData {
        merchant_id: payment.merchant_id.clone(),
        payment_id: payment.payment_id.clone(),
        text,
        expires_at: payment.expires_at,
    }))
}
