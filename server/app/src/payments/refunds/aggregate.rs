//! A refund as the driver sees it: with its payment, which counts the refunded money.

use std::sync::Arc;
use std::time::{Duration, Instant};

use multirail_domain::operations::operation::Operation;
use multirail_domain::operations::received_notice::Sender;
use multirail_domain::payments::payment::Payment;
use multirail_domain::payments::refund;
use multirail_domain::payments::refund::{Command, Effect, Input, Refund, transition};
use multirail_domain::webhooks::webhook::REFUND_DETAILS;
use multirail_kernel::context::Context;
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{MerchantId, ProcessorKey, RefundId};
use multirail_kernel::money::Money;
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::Connector;
use multirail_sdk::connector::{
    About, Access, Fact, FollowUp, LookUpRequest, OperationKind, Outcome, RefundRequest,
    UnknownReason,
};

use super::Refunds;
use crate::AppError;
use crate::operations::driver;
use crate::operations::driver::{Aggregate, Due, StepParts};
use crate::operations::ports::open_operations::UnresolvedOperation;
use crate::operations::processors::NOBODY_ASKED;
use crate::operations::told::Told;
use crate::operations::unresolved_operation::Unresolved;
use crate::payments::ports::refunds::REFUND;
use crate::payments::ports::refunds::RefundSums;
use crate::payments::ports::{PaymentChange, RefundChange};
use crate::payments::{CallCredentials, changes_of_owner, load as load_payment};
use crate::platform::announcer::{Content, Identity};
use crate::platform::idempotency::{Claim, Made};
use crate::platform::ports::{Change, ObjectClass};

/// A refund and its payment.
#[derive(Clone, PartialEq)]
pub(crate) struct RefundOfPayment {
    pub payment: Payment,
    pub refund: Refund,
}

/// The result of a transition, with the payment before it.
pub(crate) struct Step {
    pub payment_before: Payment,
    pub decided: refund::Step,
}

impl driver::ProcessorCall for ProcessorKey {
    fn key(&self) -> &ProcessorKey {
        self
    }
}

impl RefundOfPayment {
    /// Decides on an input.
    pub(crate) fn decide(&self, input: Input, context: &Context) -> Step {
        Step {
            payment_before: self.payment.clone(),
            decided: transition(&self.payment, &self.refund, input, context),
        }
    }

    /// Returns the account for a call, or `None` where the caller's own credentials are gone. No other account can
    /// replace them.
    async fn access(
        &self,
        refunds: &Refunds,
        at_hand: &CallCredentials,
    ) -> Result<Option<Access>, AppError> {
        let (merchant_id, charge) = (&self.refund.merchant_id, &self.refund.charge);
        if charge.brought.is_none() {
            let account_id = charge.merchant_connector_id.as_ref();
            return refunds
                .processors
                .access(merchant_id, account_id)
                .await
                .map(Some);
        }
        let credentials = match &at_hand.0 {
            Some(own) => Some(own.credentials.clone()),
            None => {
                let refund_id = &self.refund.refund_id;
                refunds
                    .store
                    .refund_credentials(merchant_id, refund_id)
                    .await?
            }
        };
        let Some(credentials) = credentials else {
            return Ok(None);
        };
        // Such a refund names no account; its attempt has the one that routing chose.
        let mut attempts = self.payment.attempts.iter();
        let attempt = attempts.find(|attempt| attempt.number == charge.attempt);
        let account_id = attempt.and_then(|attempt| attempt.merchant_connector_id.as_ref());
        let access = refunds
            .processors
            .access_with(credentials, merchant_id, account_id);
        access.await.map(Some)
    }

    /// Asks for the refund; repeats the call within the request where the outcome is unknown.
    async fn send(
        &self,
        refunds: &Refunds,
        connector: &dyn Connector,
        key: &ProcessorKey,
        access: Access,
    ) -> Outcome {
        let began = Instant::now();
        let patience = refunds.base.leases.processor_deadline;
        let first = self
            .send_once(refunds, connector, key, access.clone(), patience)
            .await;
        let Some(left) = refunds.processors.time_to_repeat(connector, &first, began) else {
            return first;
        };
        let again = self.send_once(refunds, connector, key, access, left).await;
        match again.of_a_repeat() {
            Outcome::Unknown(_) => first,
            known => known,
        }
    }

    async fn send_once(
        &self,
        refunds: &Refunds,
        connector: &dyn Connector,
        key: &ProcessorKey,
        access: Access,
        patience: Duration,
    ) -> Outcome {
        let (refund, charge) = (&self.refund, &self.refund.charge);
        let request = RefundRequest {
            key: key.clone(),
            access,
            authorization_key: charge.authorization_key.clone(),
            authorization_reference: charge.authorization_reference.clone(),
            money: self.money(),
            of_excess: refund.is_of_excess,
            reason: refund.reason.clone(),
        };
        let answer = connector.refund(request);
        let call = OperationKind::Refund.as_str();
        refunds
            .processors
            .within(patience, &charge.connector, call, answer)
            .await
    }

    fn money(&self) -> Money {
        Money::new(self.refund.amount(), self.refund.currency)
    }
}

impl RefundOfPayment {
    /// Sorts the parts of a step. `of_owner` returns the changes of the payment's owner.
    pub(crate) fn split_step_with(
        refunds: &Refunds,
        before: Option<&Self>,
        step: Step,
        inputs: &mut CallCredentials,
        of_owner: impl FnOnce(&Payment, &Payment) -> Vec<Change>,
    ) -> StepParts<Self> {
        let Step {
            payment_before,
            decided,
        } = step;
        let refund::Step {
            mut payment,
            refund,
            effects,
        } = decided;
        let (mut calls, mut announcements, mut changes) = (Vec::new(), Vec::new(), Vec::new());
        if payment != payment_before {
            // The payment is stored with the refund, so this is its version afterwards.
            payment.version = payment_before.version + 1;
            changes.extend(of_owner(&payment_before, &payment));
            let (before, after) = (Arc::new(payment_before), Arc::new(payment.clone()));
            let update = PaymentChange::Update { before, after };
            changes.push(refunds.payments.change(update));
        }
        if let (None, Some(given)) = (before, &inputs.0) {
            let hold = RefundChange::HoldCredentials {
                merchant_id: refund.merchant_id.clone(),
                refund_id: refund.refund_id.clone(),
                credentials: given.credentials.clone(),
            };
            changes.push(refunds.store.change(hold));
        }
        for effect in effects {
            match effect {
                Effect::Call(key) => calls.push(Due::Do(key)),
                Effect::LookUp(key) => calls.push(Due::Ask(key)),
                Effect::Announce(announcement) => announcements.push(announcement),
                Effect::DeleteCredentials => {
                    let delete = RefundChange::DeleteCredentials {
                        merchant_id: refund.merchant_id.clone(),
                        refund_id: refund.refund_id.clone(),
                    };
                    changes.push(refunds.store.change(delete));
                }
            }
        }
        StepParts {
            after: RefundOfPayment { payment, refund },
            changes,
            mandates: Vec::new(),
            announcements,
            calls,
        }
    }
}

impl Aggregate for RefundOfPayment {
    type Id = RefundId;
    type Services = Refunds;
    type Step = Step;
    type Call = ProcessorKey;
    type Inputs = CallCredentials;
    const OBJECT: Object = Object::Refund;
    const CLASS: ObjectClass = REFUND;

    fn id(&self) -> &RefundId {
        &self.refund.refund_id
    }

    fn parse_id(text: &str) -> Option<RefundId> {
        RefundId::parse(text).ok()
    }

    fn identity(&self) -> Identity<'_> {
        let refund = &self.refund;
        Identity {
            merchant_id: &refund.merchant_id,
            profile_id: &refund.profile_id,
            object_id: refund.refund_id.as_str(),
            customer_id: None,
            version: refund.version,
            modified_at: refund.modified_at,
        }
    }

    fn set_version(&mut self, version: i64) {
        self.refund.version = version;
    }

    async fn load(
        refunds: &Refunds,
        merchant_id: &MerchantId,
        refund_id: &RefundId,
    ) -> Result<Self, AppError> {
        let refund = refunds.find(merchant_id, None, refund_id).await?;
        let payment = load_payment(&*refunds.payments, merchant_id, &refund.payment_id).await?;
        Ok(RefundOfPayment { payment, refund })
    }

    fn operation(&self, key: &ProcessorKey) -> Option<&Operation> {
        Some(&self.refund.operation).filter(|operation| operation.key == *key)
    }

    fn currency(&self) -> Currency {
        self.refund.currency
    }

    fn decide_on(&self, fact: Fact, context: &Context) -> Result<Step, Refusal> {
        Ok(self.decide(Input::Fact(fact), context))
    }

    fn decide_to_ask(
        &self,
        _about: Option<&ProcessorKey>,
        context: &Context,
    ) -> Result<Step, Refusal> {
        Ok(self.decide(Input::Command(Command::Sync), context))
    }

    fn next_question_at(
        &self,
        key: &ProcessorKey,
        now: Timestamp,
        in_flight_seconds: i64,
    ) -> Option<Timestamp> {
        let question = self.refund.question(now, in_flight_seconds);
        let of_key = question.filter(|question| question.about == key);
        of_key.map(|question| question.due_at)
    }

    fn split_step(
        refunds: &Refunds,
        before: Option<&Self>,
        step: Step,
        inputs: &mut CallCredentials,
    ) -> StepParts<Self> {
        let of_owner = |before: &Payment, after: &Payment| {
            changes_of_owner(&*refunds.owners, before, after, true)
        };
        Self::split_step_with(refunds, before, step, inputs, of_owner)
    }

    fn change(refunds: &Refunds, before: Option<Arc<Self>>, after: Arc<Self>) -> Change {
        let sums = RefundSums {
            refunded: after.payment.refunds_amount(),
            limit: after.payment.refunds_limit(),
        };
        let refund = |of: &Self| Arc::new(of.refund.clone());
        let change = match before {
            None => RefundChange::Insert {
                refund: refund(&after),
                sums,
            },
            Some(before) => RefundChange::Update {
                before: refund(&before),
                after: refund(&after),
                sums,
            },
        };
        refunds.store.change(change)
    }

    async fn perform(
        &self,
        refunds: &Refunds,
        key: &ProcessorKey,
        inputs: &mut CallCredentials,
    ) -> Result<Outcome, AppError> {
        let connector = refunds
            .processors
            .connector(&self.refund.charge.connector)?;
        let Some(access) = self.access(refunds, inputs).await? else {
            return Ok(Outcome::never_happened(
                "the credentials that were brought for it are no longer kept",
            ));
        };
        Ok(self.send(refunds, connector.as_ref(), key, access).await)
    }

    async fn look_up(
        &self,
        refunds: &Refunds,
        key: &ProcessorKey,
        inputs: &CallCredentials,
    ) -> Result<Outcome, AppError> {
        let (charge, operation) = (&self.refund.charge, &self.refund.operation);
        let connector = refunds.processors.connector(&charge.connector)?;
        let connector = connector.as_ref();
        let follow_up = refunds
            .processors
            .follow_up(connector, OperationKind::Refund, operation);
        if matches!(follow_up, FollowUp::Nothing | FollowUp::GiveUp) {
            return Ok(NOBODY_ASKED);
        }
        let Some(access) = self.access(refunds, inputs).await? else {
            return Ok(Outcome::Unknown(UnknownReason::CredentialsGone));
        };
        match follow_up {
            FollowUp::Nothing | FollowUp::GiveUp => Ok(NOBODY_ASKED),
            FollowUp::Repeat => {
                let Some(_place) = refunds.processors.place_to_ask(&access).await else {
                    return Ok(NOBODY_ASKED);
                };
                let repeated = self.send(refunds, connector, key, access).await;
                Ok(repeated.of_a_repeat())
            }
            FollowUp::LookUp => {
                let request = LookUpRequest {
                    kind: OperationKind::Refund,
                    key: key.clone(),
                    access: access.clone(),
                    authorization_key: charge.authorization_key.clone(),
                    authorization_reference: charge.authorization_reference.clone(),
                    reference: operation.reference.clone(),
                    money: self.money(),
                    started_at: operation.started_at,
                    returned_with: None,
                };
                let found = refunds.processors.find_out(connector, request).await;
                if !found.is_absent
                    || !refunds.processors.repeats_absent(
                        connector,
                        OperationKind::Refund,
                        operation,
                    )
                {
                    return Ok(found.outcome);
                }
                let repeated = self.send(refunds, connector, key, access).await;
                Ok(repeated.of_a_repeat())
            }
        }
    }

    /// Returns `false`: a refund that never reached the processor has failed. Its request gets that answer, and another
    /// refund can be created.
    fn is_left_to_repeat(&self, _claim: &Claim) -> bool {
        false
    }

    async fn unresolved(
        refunds: &Refunds,
        id: &RefundId,
        found: &UnresolvedOperation,
    ) -> Result<Option<Unresolved>, AppError> {
        refunds.unresolved(id, found).await
    }

    async fn read_notice(
        refunds: &Arc<Refunds>,
        merchant_id: &MerchantId,
        id: &RefundId,
        sender: Sender<'_>,
        about: &About,
        outcome: Option<&Outcome>,
    ) -> Result<Told, AppError> {
        refunds
            .read_notice(merchant_id, id, sender, about, outcome)
            .await
    }

    fn content(&self, refunds: &Refunds) -> Content {
        Content {
            content_type: REFUND_DETAILS,
            object: refunds.content.refund(&self.refund),
        }
    }

    fn answer<T>(&self, _refunds: &Refunds, render: impl FnOnce(Made<'_>) -> T) -> T {
        render(Made::object(&self.refund, None))
    }
}
