//! Confirming a payment: choose an account, start an attempt, ask the processor. (Specification 4.12)

use std::sync::Arc;

use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{Decline, OperationKind};
use multirail_sdk::required_field::RequiredField;

use crate::accounts::connector_account::Candidate;
use crate::payments::payment::{
    Attempt, AttemptStatus, Changes, Context, Effect, Instrument, MandateEffect, MethodEffect,
    MethodRole, Operation, Payment, PaymentStatus, ProcessorCall, ProfileWishes, Progress, Step,
};
use crate::routing::key::PaymentType;
use crate::routing::{
    ConnectorAbilities, Dynamic, RoutingInput, RoutingRecord, RoutingStrategy, StoredTrace,
};

/// The largest number of attempts after which a confirm may begin another one. More would let the holder of a client secret
/// test cards, and each attempt costs as much storage as a payment. Automatic retries of the last confirm may exceed it.
pub const ATTEMPTS_AT_MOST: usize = 20;

/// The input of a confirm.
#[derive(Clone, Debug)]
pub struct Confirm {
    pub changes: Changes,
    /// The accounts of the payment's profile, in its fallback order.
    pub candidates: Vec<Candidate>,
    /// The connectors of this server, which a refusal may name.
    pub connectors: Arc<[ConnectorAbilities]>,
    /// The profile's active routing configuration.
    pub active: Option<Arc<RoutingRecord>>,
    /// The profile's active rules for 3-D Secure.
    pub three_ds: Option<Arc<RoutingRecord>>,
    /// The state of dynamic routing.
    pub dynamic: Option<Dynamic>,
    /// The rules that choose the account.
    pub routing: &'static dyn RoutingStrategy,
    /// True if the profile permits manual retries of a failed payment.
    pub manual_retry_enabled: bool,
    /// The profile's settings for authorizations.
    pub wishes: ProfileWishes,
    /// True if the caller holds the card given earlier, or the data of a payment that is created and confirmed at once.
    pub card_is_held: bool,
    /// True if that card's security code is still held.
    pub card_code_is_held: bool,
    /// True if that card is a saved one that a processor stores.
    pub card_is_kept: bool,
    /// True if credentials given earlier, for an attempt that wasn't sent, are still held.
    pub credentials_are_held: bool,
    /// True if a payer's client sent the request.
    pub by_client: bool,
    /// True if the payment's owner sent the request.
    pub by_owner: bool,
    /// True if the request repeats one that failed before the processor received it.
    pub resumes: bool,
    /// A random number for all random decisions.
    pub draw: u32,
}

impl Payment {
    pub(crate) fn confirm(&self, confirm: Confirm, context: &Context) -> Result<Step, Refusal> {
        if !confirm.by_owner {
            self.check_is_free()?;
        }
        let mut payment = self.clone();
        match self.status {
            PaymentStatus::RequiresPaymentMethod | PaymentStatus::RequiresConfirmation => {}
            PaymentStatus::Failed => {
                self.check_attempts_left()?;
                if !(confirm.resumes && self.was_never_processed()) {
                    self.check_retry(confirm.manual_retry_enabled, context.now)?;
                }
                let before = self.active();
                let instrument = before.instrument.clone();
                let total = self.terms.total();
                payment.attempts.push(Attempt {
                    recurring: before.recurring.clone(),
                    ..Attempt::new(before.number + 1, total, instrument, context.now)
                });
            }
            PaymentStatus::RequiresCustomerAction
            | PaymentStatus::RequiresMerchantAction
            | PaymentStatus::Processing
            | PaymentStatus::RequiresCapture
            | PaymentStatus::PartiallyAuthorizedAndRequiresCapture
            | PaymentStatus::PartiallyCapturedAndCapturable
            | PaymentStatus::PartiallyCapturedAndProcessing
            | PaymentStatus::Succeeded
            | PaymentStatus::PartiallyCaptured
            | PaymentStatus::Cancelled
            | PaymentStatus::CancelledPostCapture
            | PaymentStatus::Conflicted
            | PaymentStatus::Expired => {
                return Err(Refusal::precondition(format!(
                    "a payment whose status is {} can't be confirmed",
                    self.status
                )));
            }
        }
        let brings = confirm.changes.creds_identifier.is_some();
        self.check_brought(brings, confirm.credentials_are_held)?;
        let brought = self.active().brought.as_ref();
        let brought = brought.map(|brought| brought.identifier.clone());
        payment.active_mut().bring(brought);
        let merged = payment.merge(confirm.changes, context.now)?;
        let is_kept = merged
            .as_ref()
            .map_or(confirm.card_is_kept, |merged| merged.is_kept);
        let data = match merged {
            Some(merged) => Some(merged.data),
            // The data that the caller holds is whole. That of the record lacks what is never stored.
            None if confirm.card_is_held => None,
            None => {
                let instrument = payment.active_mut().instrument.as_mut();
                instrument.and_then(Instrument::stored_data)
            }
        };
        // Rules of 3-D Secure and of routing may ask for the payer's country.
        payment.active_mut().wishes.keeps_billing_apart = confirm.wishes.keeps_billing_apart;
        payment.decide_three_ds(confirm.three_ds.as_deref(), confirm.routing);
        payment.bind_charge(confirm.wishes.binds_charges);
        let Some(instrument) = payment.instrument() else {
            return Err(Refusal::invalid_value(
                "the payment has no instrument: give payment_method with payment_method_data",
            ));
        };
        if self.is_forbidden(instrument) {
            return Err(Refusal::precondition(
                "the card that is to pay was refused with the advice not to try it again: another one may pay",
            ));
        }
        if data.is_none() && !confirm.card_is_held {
            return Err(Refusal::invalid_value(
                "the payment method given earlier is no longer held: give payment_method_data again",
            ));
        }
        let has_code = match &data {
            Some(data) => !data.lacks_code(),
            None => confirm.card_code_is_held,
        };
        // For a saved card, the security code is the only proof that its holder is present.
        let needs_code = !payment.is_merchant_initiated();
        let is_spared = is_kept && payment.spares_code();
        if confirm.by_client && (self.is_merchant_initiated() || payment.is_merchant_initiated()) {
            return Err(Refusal::precondition(
                "a charge without the payer is confirmed with the secret key alone",
            ));
        }
        let method = payment.active().method.as_deref();
        if needs_code
            && !has_code
            && !is_spared
            && method.is_some_and(|method| method.role == MethodRole::Pays)
        {
            return Err(Refusal::missing(RequiredField::SavedCardCvc.member()));
        }
        payment.check_verification()?;
        payment.check_payment_type()?;
        payment.check_permitted()?;
        payment.check_consent()?;
        payment.check_initiation()?;
        if payment.saves_card() && !instrument.details.may_be_saved() {
            return Err(Refusal::FlowNotSupported {
                flow: format!(
                    "setup_future_usage with payment_method {}",
                    instrument.payment_method
                ),
            });
        }
        let input = RoutingInput {
            candidates: &confirm.candidates,
            active: confirm.active.as_deref(),
            dynamic: confirm.dynamic.as_ref(),
            connectors: &confirm.connectors,
            draw: confirm.draw,
        };
        let facts = payment.facts(Some(instrument));
        let routed = confirm.routing.choose(&facts, instrument, input)?;
        let call = payment.begin_authorization(routed.first(), &confirm.wishes, context);
        payment.active_mut().routing = Some(StoredTrace::from_trace(&routed.trace));
        payment.active_mut().card_code_missing = needs_code && !has_code;
        let mut effects = vec![Effect::Call(call)];
        if let Some(under) = payment.active().charged_under() {
            let mandate_id = under.mandate_id.clone();
            effects.push(Effect::Mandate(MandateEffect::Use { mandate_id }));
        }
        if let Some(token) = payment.active().token() {
            effects.push(Effect::Method(MethodEffect::ClaimToken(token.clone())));
        }
        if data.is_some() {
            // The new payment method replaced the held card.
            effects.extend(payment.delete_card());
        }
        Ok(Step {
            payment,
            effects,
            data,
        })
    }

    /// Refuses an amount of 0 that verifies nothing, because neither a payment method nor a mandate is to be saved.
    fn check_verification(&self) -> Result<(), Refusal> {
        let verifies_for = self.terms.setup_future_usage.is_some()
            || self.particulars.mandate.is_some()
            || self.active().recurring.is_some();
        if self.terms.only_verifies() && !verifies_for {
            return Err(Refusal::precondition(
                "an amount of 0 only verifies what is saved: give setup_future_usage or mandate_data, or an amount",
            ));
        }
        Ok(())
    }

    /// Refuses a `payment_type` that contradicts other members of the request.
    fn check_payment_type(&self) -> Result<(), Refusal> {
        let said = self.particulars.notes.get("payment_type");
        let Some(said) = said.and_then(serde_json::Value::as_str) else {
            return Ok(());
        };
        let kind = self.facts(self.instrument()).payment_type();
        let sets_up = kind == PaymentType::SetupMandate;
        let (fits, needed) = match said {
            "new_mandate" => (
                sets_up || kind == PaymentType::NewMandate,
                "setup_future_usage off_session, and the payer there",
            ),
            "setup_mandate" => (sets_up, "setup_future_usage off_session and an amount of 0"),
            "recurring_mandate" => (
                kind == PaymentType::RecurringMandate,
                "off_session, and what is charged without the payer",
            ),
            // `normal` requires nothing.
            _ => (true, ""),
        };
        if fits {
            return Ok(());
        }
        Err(Refusal::precondition(format!(
            "payment_type {said} needs {needed}"
        )))
    }

    /// Returns whether an attempt with the same card was refused with the advice not to retry it.
    fn is_forbidden(&self, instrument: &Instrument) -> bool {
        let Some(card) = instrument.details.card() else {
            return false;
        };
        self.attempts.iter().any(|attempt| {
            let decline = attempt.decline.as_ref();
            let tried = attempt.instrument.as_ref();
            decline.is_some_and(Decline::forbids_the_card)
                && tried
                    .and_then(|tried| tried.details.card())
                    .is_some_and(|tried| tried.is_same_card(card))
        })
    }

    /// Returns whether the payment failed because the processor has no record of its last authorization. Nothing of that
    /// attempt took place.
    pub fn was_never_processed(&self) -> bool {
        let authorization = self.active().authorization.as_ref();
        self.status == PaymentStatus::Failed
            && authorization
                .is_some_and(|a| a.progress == Progress::NeverHappened && !a.is_given_up)
    }

    /// Returns whether the payment failed although no processor has a record of any attempt. The payer was then never refused.
    pub fn was_never_asked_for(&self) -> bool {
        let never = |attempt: &Attempt| match &attempt.authorization {
            None => true,
            Some(authorization) => authorization.progress == Progress::NeverHappened,
        };
        self.was_never_processed() && self.attempts.iter().all(never)
    }

    fn check_attempts_left(&self) -> Result<(), Refusal> {
        match self.has_attempts_left() {
            true => Ok(()),
            false => Err(Refusal::precondition(format!(
                "the payment has {ATTEMPTS_AT_MOST} attempts, and no payment is tried more often: create another one"
            ))),
        }
    }

    /// Checks that a failed payment may be retried. The profile has to permit it, the session's first half must not be over,
    /// and the processor must hold nothing of the last attempt.
    pub(crate) fn check_retry(&self, enabled: bool, now: Timestamp) -> Result<(), Refusal> {
        self.check_attempts_left()?;
        if !enabled {
            return Err(Refusal::precondition(
                "a payment whose status is failed can't be confirmed: is_manual_retry_enabled of the profile is not set",
            ));
        }
        if !self.active().may_be_retried() {
            return Err(Refusal::precondition(format!(
                "a payment whose last attempt ended as {} can't be tried again",
                self.active().status
            )));
        }
        if !self.is_in_time_for_retry(now) {
            return Err(Refusal::precondition(
                "the time in which a failed payment can be tried again is over",
            ));
        }
        Ok(())
    }

    /// Returns whether the session's first half is not over at this moment.
    pub(crate) fn is_in_time_for_retry(&self, moment: Timestamp) -> bool {
        let half = self.terms.session_expiry_seconds / 2;
        let limit = self.created_at.plus_seconds(half);
        limit.is_some_and(|limit| moment <= limit)
    }

    pub(crate) fn begin_authorization(
        &mut self,
        chosen: &Candidate,
        wishes: &ProfileWishes,
        context: &Context,
    ) -> ProcessorCall {
        let at_once = self.terms.captures_at_once();
        let total = self.terms.total();
        let wants_raises =
            self.particulars.request_incremental_authorization == Some(true) && !at_once;
        let wishes = self.grant(wishes, &chosen.capabilities);
        let key = context.fresh_key();
        let scheduled_capture = self.schedule_capture(context).map(Box::new);
        let attempt = self.active_mut();
        attempt.connector = Some(chosen.account.connector_name.clone());
        attempt.merchant_connector_id = Some(chosen.account.merchant_connector_id.clone());
        attempt.connector_label = Some(chosen.account.connector_label.clone());
        attempt.captures_at_once = at_once;
        attempt.amount = total;
        attempt.decline = None;
        attempt.may_be_raised =
            wants_raises.then_some(chosen.capabilities.raises_authorizations.is_some());
        attempt.wishes = wishes;
        attempt.scheduled_capture = scheduled_capture;
        attempt.authorization = Some(Operation::start(key.clone(), total, context.now));
        let call = ProcessorCall {
            kind: OperationKind::Authorize,
            attempt: attempt.number,
            key,
        };
        self.follow(AttemptStatus::Started);
        call
    }
}
