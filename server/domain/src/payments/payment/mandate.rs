//! Mandates of payments: the one that a payment sets up, and the one under which it charges. (Specification 2.11)

use multirail_kernel::context::Context;
use multirail_kernel::ids::{MandateId, PaymentMethodId};
use multirail_kernel::record_object::record_object;
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::Capabilities;

use crate::customers::mandate::{
    Charge, Mandate, MandateMove, MandateStatus, MandateTerms, MandateView,
};
use crate::payments::payment::recurring::FoundMandate;
use crate::payments::payment::saved::is_approved;
use crate::payments::payment::{
    Attempt, Effect, FutureUsage, Particulars, Payment, Recurring, Step, Terms,
};

record_object! {
    /// `mandate_data`. The payer's consent is the payment's `customer_acceptance`, wherever the request has it.
    #[derive(Default)]
    pub struct MandateRequest {
    } and maybe {
        /// The mandate that is to charge this payment method, instead of a new mandate.
        update_mandate_id: MandateId,
        mandate_type: MandateTerms,
    }
}

record_object! {
    /// The mandate under which an attempt charges.
    #[derive(Eq)]
    pub struct ChargedUnder {
        mandate_id: MandateId,
        /// True if this payment uses the mandate up.
        single_use: bool,
    } and maybe {
        /// The largest amount of the charge, in minor units of the payment's currency.
        amount: i64,
    }
}

/// A change of a mandate that follows from a payment.
#[derive(Clone, Debug, PartialEq)]
pub enum MandateEffect {
    /// Makes a mandate, because the payment with which the payer agreed is approved. The new mandate is active and is
    /// announced.
    Make(Box<MandateView>),
    /// Changes an existing mandate after such an approval: it charges another payment method from now on, with new limits if
    /// the request has some.
    Change {
        mandate_id: MandateId,
        payment_method_id: PaymentMethodId,
        terms: Option<MandateTerms>,
    },
    /// Begins a charge under the mandate. The whole step is refused if the mandate can't be charged any more.
    Use { mandate_id: MandateId },
    /// Returns the single charge to the mandate, because the payment failed.
    GiveBack { mandate_id: MandateId },
}

impl MandateRequest {
    /// Refuses a request that can't make a mandate.
    fn check(&self, now: Timestamp) -> Result<(), Refusal> {
        match &self.mandate_type {
            Some(terms) => terms.check(now),
            None if self.update_mandate_id.is_some() => Ok(()),
            None => Err(Refusal::missing("mandate_data.mandate_type")),
        }
    }
}

impl Particulars {
    /// Sets the terms that a mandate needs: the payment method is saved for charges without the payer.
    pub(crate) fn ask_for_mandate(&self, terms: &mut Terms, now: Timestamp) -> Result<(), Refusal> {
        let Some(request) = &self.mandate else {
            return Ok(());
        };
        request.check(now)?;
        if terms.customer_id.is_none() {
            return Err(Refusal::precondition(
                "mandate_data needs a customer_id: a mandate belongs to a customer",
            ));
        }
        match terms.setup_future_usage {
            None => terms.setup_future_usage = Some(FutureUsage::OffSession),
            Some(FutureUsage::OffSession) => {}
            Some(FutureUsage::OnSession) => {
                return Err(Refusal::precondition(
                    "mandate_data permits charges without the payer: setup_future_usage can only be off_session",
                ));
            }
        }
        Ok(())
    }
}

impl FoundMandate {
    /// Returns the mandate, if it exists and the payment names its customer.
    pub(crate) fn known(self) -> Result<Box<Mandate>, Refusal> {
        match self {
            FoundMandate::NoCustomer => Err(Refusal::missing("customer_id")),
            FoundMandate::Nothing => Err(Refusal::not_found(Object::Mandate)),
            FoundMandate::Mandate(mandate) => Ok(mandate),
        }
    }
}

impl ChargedUnder {
    pub(crate) fn from_mandate(mandate: &Mandate) -> Self {
        ChargedUnder {
            mandate_id: mandate.mandate_id.clone(),
            single_use: mandate.terms.is_single_use(),
            amount: mandate.terms.limits().and_then(|limits| limits.amount),
            unread: UnreadMembers::default(),
        }
    }
}

impl Payment {
    /// Checks that the mandate permits the charge.
    ///
    /// # Errors
    /// Those of [`Mandate::check_charge`].
    pub fn check_charge(&self, mandate: &Mandate, now: Timestamp) -> Result<(), Refusal> {
        mandate.check_charge(Charge {
            customer_id: self.terms.customer_id.as_ref(),
            amount: self.terms.total(),
            currency: self.terms.currency,
            now,
        })
    }

    /// Returns the effect of a raise to this total on the mandate. A raise is a separate charge, so the mandate has to permit
    /// it now. A single-use mandate was already used up by this payment.
    ///
    /// # Errors
    /// Those of [`Mandate::check_charge`].
    pub(crate) fn raise_under(
        &self,
        found: FoundMandate,
        total: i64,
        now: Timestamp,
    ) -> Result<Option<MandateEffect>, Refusal> {
        let Some(under) = self.active().charged_under() else {
            return Ok(None);
        };
        if under.single_use {
            return Ok(None);
        }
        let mandate = found.known()?;
        mandate.check_charge(Charge {
            customer_id: self.terms.customer_id.as_ref(),
            amount: total,
            currency: self.terms.currency,
            now,
        })?;
        let mandate_id = under.mandate_id.clone();
        Ok(Some(MandateEffect::Use { mandate_id }))
    }

    /// Returns the largest amount that the charged mandate permits, if it has a limit.
    pub(crate) fn most_permitted(&self) -> Option<i64> {
        self.active().charged_under()?.amount
    }

    /// Refuses settings with which the payment could take more than a mandate permits after its authorization.
    pub(crate) fn check_permitted(&self) -> Result<(), Refusal> {
        if self.active().charged_under().is_none() {
            return Ok(());
        }
        if self.particulars.mandate.is_some() {
            return Err(Refusal::precondition(
                "a charge under a mandate can't create another mandate: leave out mandate_data",
            ));
        }
        if self.most_permitted().is_some() && self.wants_overcapture() {
            return Err(Refusal::precondition(
                "a mandate with an amount can't be charged with enable_overcapture",
            ));
        }
        Ok(())
    }

    /// Returns whether the mandate and the connector permit captures above the authorized amount.
    pub(crate) fn may_be_exceeded(&self, able: &Capabilities) -> bool {
        able.overcaptures && self.most_permitted().is_none()
    }

    /// Returns the effects of the attempts' changes on mandates. `before` is the payment before the step.
    pub(crate) fn follow_mandates(&mut self, before: &Payment, context: &Context) -> Vec<Effect> {
        let mut effects = Vec::new();
        for index in 0..self.attempts.len() {
            effects.extend(self.begin_mandate(index, before, context));
        }
        let mut given_back: Vec<MandateId> = Vec::new();
        for under in self.attempts.iter().filter_map(Attempt::charged_under) {
            let id = &under.mandate_id;
            let is_new = under.single_use && !given_back.contains(id);
            if is_new && before.is_charging(id) && !self.is_charging(id) {
                given_back.push(id.clone());
            }
        }
        let back = given_back.into_iter();
        effects.extend(back.map(|mandate_id| MandateEffect::GiveBack { mandate_id }));
        effects.into_iter().map(Effect::Mandate).collect()
    }

    /// Returns whether an attempt has used, or may have used, the single charge.
    fn is_charging(&self, mandate_id: &MandateId) -> bool {
        let mut under = self.attempts.iter().filter(|attempt| {
            let charged = attempt.charged_under();
            charged.is_some_and(|under| under.mandate_id == *mandate_id)
        });
        under.any(|attempt| attempt.authorization.is_some() && !attempt.left_nothing())
    }

    /// Makes or changes the mandate when an attempt is approved, once.
    fn begin_mandate(
        &mut self,
        index: usize,
        before: &Payment,
        context: &Context,
    ) -> Option<MandateEffect> {
        let request = self.particulars.mandate.clone()?;
        let customer_id = self.terms.customer_id.clone()?;
        let attempt = &self.attempts[index];
        let was = before
            .attempts
            .iter()
            .find(|was| was.number == attempt.number);
        let was_approved = was.is_some_and(|was| is_approved(was.status.phase()));
        let is_approved = is_approved(attempt.status.phase()) && !was_approved;
        if !is_approved || attempt.recurring.is_some() || attempt.mandate_id.is_some() {
            return None;
        }
        let payment_method_id = attempt.saved_method()?.clone();
        if let Some(mandate_id) = request.update_mandate_id {
            self.attempts[index].mandate_id = Some(mandate_id.clone());
            return Some(MandateEffect::Change {
                mandate_id,
                payment_method_id,
                terms: request.mandate_type,
            });
        }
        let instrument = attempt.instrument.as_ref()?;
        let account = attempt.merchant_connector_id.clone();
        let pending = Mandate {
            merchant_id: self.merchant_id.clone(),
            mandate_id: context.fresh_mandate_id(),
            profile_id: self.profile_id.clone(),
            customer_id,
            version: 0,
            status: MandateStatus::Pending,
            terms: request.mandate_type?,
            payment_id: self.payment_id.clone(),
            payment_method_id,
            payment_method: instrument.payment_method,
            payment_method_type: instrument.payment_method_type,
            connector: attempt.connector.clone(),
            merchant_connector_id: account.filter(|_| attempt.brought.is_none()),
            created_at: context.now,
            modified_at: context.now,
        };
        let made = MandateView {
            card: instrument.card_record(),
            consent: self.payer.consent.as_deref().cloned(),
            mandate: pending.moved(MandateMove::Approve, context.now)?,
        };
        self.attempts[index].mandate_id = Some(made.mandate.mandate_id.clone());
        Some(MandateEffect::Make(Box::new(made)))
    }
}

impl Step {
    /// Returns the step without the mandate that it makes or changes. The payment's result is recorded even if the payment
    /// method was deleted or the mandate revoked. The revocation ends a consent that was given before.
    pub fn without_mandate(mut self) -> Step {
        let mut taken_back: Vec<MandateId> = Vec::new();
        self.effects.retain(|effect| match effect {
            Effect::Mandate(MandateEffect::Make(made)) => {
                taken_back.push(made.mandate.mandate_id.clone());
                false
            }
            Effect::Mandate(MandateEffect::Change { mandate_id, .. }) => {
                taken_back.push(mandate_id.clone());
                false
            }
            Effect::Mandate(MandateEffect::Use { .. } | MandateEffect::GiveBack { .. })
            | Effect::Call(_)
            | Effect::LookUp(_)
            | Effect::Announce(_)
            | Effect::DeleteCard
            | Effect::DeleteCredentials { .. }
            | Effect::ReturnExcess(_)
            | Effect::Method(_) => true,
        });
        for attempt in &mut self.payment.attempts {
            let lost = attempt.mandate_id.take_if(|id| taken_back.contains(id));
            if lost.is_some() {
                attempt.date_consent_by_confirm(&mut self.effects);
            }
        }
        self
    }
}

impl Attempt {
    /// Returns the mandate under which it charges.
    pub fn charged_under(&self) -> Option<&ChargedUnder> {
        let recurring = self.recurring.as_deref();
        recurring.and_then(Recurring::charged_under)
    }

    /// Returns the mandate that it charges, or has set up or changed.
    pub fn mandate(&self) -> Option<&MandateId> {
        let made = self.mandate_id.as_ref();
        made.or_else(|| Some(&self.charged_under()?.mandate_id))
    }
}
