//! The facts about a payment that routing uses.

use multirail_kernel::ids::ConnectorAccountId;
use multirail_sdk::instrument::{Instrument, InstrumentDetails};
use serde_json::Value;

use crate::accounts::profile::Profile;
use crate::payments::payment::{Attempt, Payment};
use crate::routing::Facts;

impl Payment {
    /// Returns the facts of the newest attempt with this payment method.
    pub fn facts<'a>(&'a self, instrument: Option<&'a Instrument>) -> Facts<'a> {
        self.facts_with(self.active(), instrument)
    }

    /// Returns the facts by which a confirm under this profile would decide. An attempt has the profile's settings from its
    /// confirm on.
    pub fn facts_under<'a>(
        &'a self,
        profile: &Profile,
        instrument: Option<&'a Instrument>,
    ) -> Facts<'a> {
        Facts {
            keeps_billing_apart: profile.keeps_billing_apart(),
            ..self.facts(instrument)
        }
    }

    /// Returns the facts of an attempt.
    pub fn facts_of<'a>(&'a self, attempt: &'a Attempt) -> Facts<'a> {
        self.facts_with(attempt, attempt.instrument.as_ref())
    }

    fn facts_with<'a>(
        &'a self,
        attempt: &'a Attempt,
        instrument: Option<&'a Instrument>,
    ) -> Facts<'a> {
        let (terms, particulars) = (&self.terms, &*self.particulars);
        let recurring = attempt.recurring.as_deref();
        // Credentials of the request belong to another account, which doesn't store the payment method.
        let kept = recurring.filter(|_| attempt.brought.is_none());
        let kept = kept.and_then(|one| one.connector_mandates.as_deref());
        let experience = particulars.notes.get("payment_experience");
        let experience = experience.and_then(Value::as_str);
        let allowed = particulars.allowed_payment_method_types.as_deref();
        Facts {
            instrument,
            currency: terms.currency,
            total: terms.total(),
            amount_to_capture: terms.amount_to_capture,
            capture_method: terms.capture_method,
            authentication_type: self.authentication_type(attempt),
            setup_future_usage: terms.setup_future_usage,
            routing: terms.routing.as_ref(),
            consent: self.payer.consent.as_deref().map(|consent| consent.kind),
            business_country: particulars.business_country,
            business_label: particulars.business_label.as_deref(),
            knows_payer: true,
            billing: self.payer.billing.as_deref(),
            keeps_billing_apart: attempt.wishes.keeps_billing_apart,
            metadata: particulars.notes.get("metadata"),
            experience: experience.and_then(|word| word.parse().ok()),
            allowed_types: allowed.unwrap_or_default(),
            is_off_session: particulars.off_session == Some(true),
            recurs: self.recurs(),
            wants_longer: self.wants_longer(),
            wants_overcapture: self.wants_overcapture(),
            unknown_of_browser: self.unknown_of_browser(),
            is_under_mandate: recurring.is_some_and(|one| one.charged_under().is_some()),
            kept: kept.unwrap_or_default(),
            is_bound: recurring.is_some_and(|one| one.is_bound == Some(true)),
            agreed_through: recurring.and_then(|one| one.agreed_through.as_ref()),
            offered_through: instrument.and_then(|one| self.offered_for(one)),
        }
    }

    /// Returns the account that offered the paying wallet in the checkout, if any.
    fn offered_for(&self, instrument: &Instrument) -> Option<&ConnectorAccountId> {
        match &instrument.details {
            InstrumentDetails::Wallet(details) => self.offered_through(details.wallet),
            InstrumentDetails::Card(_)
            | InstrumentDetails::NetworkToken(_)
            | InstrumentDetails::Kept(_)
            | InstrumentDetails::Payer(_)
            | InstrumentDetails::BankDebit(_) => None,
        }
    }
}
