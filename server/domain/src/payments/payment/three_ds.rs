//! The decision whether the payer authenticates: by the merchant's setting, or else by the profile's rules.

use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::browser::Browser;

use crate::payments::payment::{Attempt, AuthenticationType, InstrumentDetails, Payment};
use crate::routing::{Algorithm, RoutingRecord, RoutingStrategy, ThreeDsDecided};

impl Payment {
    /// Applies the profile's active rules for 3-D Secure to the active attempt. They don't apply if the merchant decided or the
    /// payer can't authenticate. They also skip wallets and network tokens, which have their own proof.
    pub fn decide_three_ds(
        &mut self,
        rules: Option<&RoutingRecord>,
        routing: &dyn RoutingStrategy,
    ) {
        let decided = rules.and_then(|rules| self.decided_by(rules, routing));
        self.active_mut().three_ds = decided.map(Box::new);
    }

    fn decided_by(
        &self,
        rules: &RoutingRecord,
        routing: &dyn RoutingStrategy,
    ) -> Option<ThreeDsDecided> {
        let is_said = self.terms.authentication_type_given
            || self.terms.authentication_type == AuthenticationType::ThreeDs;
        let program = match &rules.algorithm {
            Algorithm::ThreeDsDecisionRule(program) => program,
            Algorithm::Single(_)
            | Algorithm::Priority(_)
            | Algorithm::VolumeSplit(_)
            | Algorithm::Advanced(_)
            | Algorithm::Dynamic(_) => return None,
        };
        let instrument = self.instrument()?;
        let is_card = match &instrument.details {
            InstrumentDetails::Card(_) => true,
            InstrumentDetails::NetworkToken(_)
            | InstrumentDetails::Wallet(_)
            | InstrumentDetails::Kept(_)
            | InstrumentDetails::Payer(_)
            | InstrumentDetails::BankDebit(_) => false,
        };
        if is_said || !is_card || self.is_merchant_initiated() || !self.payer_can_authenticate() {
            return None;
        }
        let (decision, rule) = routing.three_ds(program, &self.facts(Some(instrument)));
        Some(ThreeDsDecided {
            routing_id: rules.routing_id.clone(),
            decision,
            rule: rule.map(str::to_owned),
            unread: UnreadMembers::default(),
        })
    }

    /// Returns the missing member of `browser_info`, if the payer is to authenticate and the processor needs all members.
    pub(crate) fn unknown_of_browser(&self) -> Option<&'static str> {
        let wanted = self.authentication_type(self.active()) == AuthenticationType::ThreeDs
            || self.particulars.force_challenge == Some(true);
        if !wanted || self.is_merchant_initiated() || !self.payer_can_authenticate() {
            return None;
        }
        match self.payer.browser.as_deref() {
            Some(browser) => browser.lacks(),
            None => Browser::default().lacks(),
        }
    }

    /// Returns the attempt's authentication type: the one decided for the attempt, or else the payment's.
    pub fn authentication_type(&self, attempt: &Attempt) -> AuthenticationType {
        let decided = attempt.three_ds.as_ref();
        match decided.and_then(|decided| decided.decision.authentication_type()) {
            _ if attempt.is_stepped_up => AuthenticationType::ThreeDs,
            Some(decided) => decided,
            None => self.terms.authentication_type,
        }
    }

    /// Returns whether the payer is present.
    pub(crate) fn payer_can_authenticate(&self) -> bool {
        let channel = self.particulars.payment_channel.as_deref();
        self.particulars.off_session != Some(true)
            && !matches!(channel, Some("mail_order" | "telephone_order"))
    }
}
