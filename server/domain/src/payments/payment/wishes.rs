//! A profile's wishes for the authorizations of its payments, where a payment says nothing of it. A wish for more than usual is no
//! condition: where the connector offers no such thing, nothing is asked for. (Specification 2.10)

use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::Capabilities;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::accounts::profile::Profile;
use crate::payments::payment::{Attempt, AuthenticationType, CaptureMethod, Payment};

/// Of a profile, all that it wishes; of an attempt, what was asked of its processor for that reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileWishes {
    /// It is to stand longer than usual.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stands_longer: bool,
    /// The capture may take more than it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may_be_exceeded: bool,
    /// An authentication is to challenge the payer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forces_challenge: bool,
    /// The payment's billing address doesn't stand in for that of the instrument.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keeps_billing_apart: bool,
    /// The merchant's trade, as four digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category_code: Option<String>,
    /// A charge without the payer stays with the accounts through which the payer agreed to it. Decided at the confirm, not kept.
    #[serde(skip)]
    pub binds_charges: bool,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl ProfileWishes {
    /// Whether nothing is wished.
    pub fn is_empty(&self) -> bool {
        *self == ProfileWishes::default()
    }
}

impl Profile {
    /// Returns what the profile wishes of the authorizations of its payments.
    pub fn wishes(&self) -> ProfileWishes {
        let is_set = |member| self.notes.get(member) == Some(&true.into());
        let code = self.notes.get("merchant_category_code");
        ProfileWishes {
            stands_longer: is_set("always_request_extended_authorization"),
            may_be_exceeded: is_set("always_enable_overcapture"),
            forces_challenge: is_set("force_3ds_challenge"),
            keeps_billing_apart: self.notes.get("use_billing_as_payment_method_billing")
                == Some(&false.into()),
            category_code: code.and_then(Value::as_str).map(str::to_owned),
            binds_charges: !is_set("is_connector_agnostic_mit_enabled"),
            unread: UnreadMembers::default(),
        }
    }
}

impl Payment {
    /// What of the profile's wishes is asked of this connector: what the payment says itself wins, a `false` included.
    pub(crate) fn grant(&self, wishes: &ProfileWishes, able: &Capabilities) -> ProfileWishes {
        let terms = &self.terms;
        let is_unsaid = self.particulars.request_extended_authorization.is_none();
        let only_reserves = !terms.captures_at_once();
        let captures_once = terms.capture_method != CaptureMethod::ManualMultiple;
        ProfileWishes {
            stands_longer: wishes.stands_longer
                && is_unsaid
                && only_reserves
                && able.extends_authorizations,
            may_be_exceeded: wishes.may_be_exceeded
                && terms.enable_overcapture.is_none()
                && only_reserves
                && captures_once
                && self.may_be_exceeded(able),
            forces_challenge: wishes.forces_challenge && self.particulars.force_challenge.is_none(),
            keeps_billing_apart: wishes.keeps_billing_apart,
            category_code: wishes.category_code.clone(),
            binds_charges: false,
            unread: UnreadMembers::default(),
        }
    }

    /// `request_extended_authorization`: whether a longer time was asked for, or is to be.
    pub fn requests_longer(&self) -> Option<bool> {
        let said = self.particulars.request_extended_authorization;
        said.or(self.active().wishes.stands_longer.then_some(true))
    }

    /// `enable_overcapture`: the same of a capture that takes more.
    pub fn enables_overcapture(&self) -> Option<bool> {
        let said = self.terms.enable_overcapture;
        said.or(self.active().wishes.may_be_exceeded.then_some(true))
    }

    /// Returns whether an authentication in this attempt is to challenge the payer. The profile's wish is for payments with 3-D Secure.
    pub(crate) fn forces_challenge(&self, attempt: &Attempt) -> Option<bool> {
        let is_wished = attempt.wishes.forces_challenge
            && self.authentication_type(attempt) == AuthenticationType::ThreeDs;
        let said = self.particulars.force_challenge;
        said.or(is_wished.then_some(true))
    }

    /// What is asked of the processor of this attempt.
    pub(crate) fn asks_longer(&self, attempt: &Attempt) -> bool {
        (self.wants_longer() || attempt.wishes.stands_longer) && !attempt.captures_at_once
    }

    /// The same.
    pub(crate) fn asks_for_more(&self, attempt: &Attempt) -> bool {
        (self.wants_overcapture() || attempt.wishes.may_be_exceeded) && !attempt.captures_at_once
    }
}
