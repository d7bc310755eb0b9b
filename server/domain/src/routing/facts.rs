//! The facts about a payment by which routing decides.

use std::borrow::Cow;

use multirail_kernel::address::Address;
use multirail_kernel::country::CountryCode;
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::ConnectorAccountId;
use multirail_sdk::charge::{AuthenticationType, CaptureMethod, FutureUsage};
use multirail_sdk::connector::AccountMandate;
use multirail_sdk::consent::ConsentKind;
use multirail_sdk::instrument::Instrument;
use multirail_sdk::payment_method::{PaymentExperience, PaymentMethodType};
use serde_json::Value;

use super::key::PaymentType;
use super::straight_through::StraightThrough;

/// The facts about a payment that routing uses.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    pub instrument: Option<&'a Instrument>,
    pub currency: Currency,
    /// The payment's total, in minor units.
    pub total: i64,
    pub amount_to_capture: Option<i64>,
    pub capture_method: CaptureMethod,
    pub authentication_type: AuthenticationType,
    pub setup_future_usage: Option<FutureUsage>,
    /// The accounts that the request names.
    pub routing: Option<&'a StraightThrough>,
    pub consent: Option<ConsentKind>,
    pub business_country: Option<CountryCode>,
    pub business_label: Option<&'a str>,
    /// True if the payment has its payer's data. A trial has none.
    pub knows_payer: bool,
    /// The payment's own billing address; the payment method can have another one.
    pub billing: Option<&'a Address>,
    /// True if the payment's address doesn't complete that of the payment method.
    pub keeps_billing_apart: bool,
    pub metadata: Option<&'a Value>,
    /// The payment method types that the payment allows; empty means any.
    pub allowed_types: &'a [PaymentMethodType],
    /// The payer's way through the payment, if the request names one.
    pub experience: Option<PaymentExperience>,
    /// True if the payer is absent.
    pub is_off_session: bool,
    /// True if it charges without the payer, or makes later charges possible.
    pub recurs: bool,
    /// True if the authorization is to be valid longer than usual.
    pub wants_longer: bool,
    pub wants_overcapture: bool,
    /// The first member of `browser_info` that an authentication of the payer would need and that is missing.
    pub unknown_of_browser: Option<&'static str>,
    pub is_under_mandate: bool,
    /// The accounts whose processors store the payment method, for a charge without the payer.
    pub kept: &'a [AccountMandate],
    /// True if a charge without the payer has to use an account that stores the payment method, or the one of the payer's
    /// agreement.
    pub is_bound: bool,
    /// The account of the payer's agreement, if known.
    pub agreed_through: Option<&'a ConnectorAccountId>,
    /// The account that offered the paying wallet in the checkout.
    pub offered_through: Option<&'a ConnectorAccountId>,
}

impl<'a> Facts<'a> {
    /// Returns the billing address that goes with the payment method, to its processor too: its own, completed by that of the
    /// payment unless the profile keeps them apart.
    pub fn payer_address(&self) -> Option<Cow<'a, Address>> {
        let own = self
            .instrument
            .and_then(|one| one.holder.billing.as_deref());
        Address::of_instrument(own, self.billing, self.keeps_billing_apart)
    }

    /// Returns the country of the payer's address.
    pub fn payer_country(&self) -> Option<CountryCode> {
        self.payer_address()?.country()
    }

    /// Returns whether the payment only verifies the payment method, with a zero amount.
    pub fn only_verifies(&self) -> bool {
        self.total == 0
    }

    /// Returns how the payment relates to later ones.
    pub fn payment_type(&self) -> PaymentType {
        if self.is_off_session {
            return PaymentType::RecurringMandate;
        }
        match self.setup_future_usage {
            Some(FutureUsage::OffSession) if self.only_verifies() => PaymentType::SetupMandate,
            Some(FutureUsage::OffSession) => PaymentType::NewMandate,
            Some(FutureUsage::OnSession) | None => PaymentType::NonMandate,
        }
    }
}
