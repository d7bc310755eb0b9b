//! A profile's default settings for the authorizations of its payments. They apply where a payment has no setting, and only if
//! the connector supports them. (Specification 2.10)

use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::Capabilities;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::accounts::profile::Profile;
use crate::payments::payment::{Attempt, AuthenticationType, CaptureMethod, Payment};

/// In a profile: all settings. In an attempt: those that were sent to its processor.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileWishes {
    /// True if the authorization is to be valid longer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stands_longer: bool,
    /// True if the capture may exceed the authorization.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may_be_exceeded: bool,
    /// True if an authentication is to challenge the payer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forces_challenge: bool,
    /// True if the payment's billing address doesn't complete that of the payment method.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keeps_billing_apart: bool,
    /// The merchant's category code, four digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category_code: Option<String>,
    /// True if a charge without the payer is bound to the accounts of the payer's agreement. Decided at the confirm, not
    /// stored.
    #[serde(skip)]
    pub binds_charges: bool,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl ProfileWishes {
    /// Returns whether there are no settings.
    pub fn is_empty(&self) -> bool {
        *self == ProfileWishes::default()
    }
}

impl Profile {
    /// Returns the profile's settings for the authorizations of its payments.
    pub fn wishes(&self) -> ProfileWishes {
        let is_set = |member| self.notes.get(member) == Some(&true.into());
        let code = self.notes.get("merchant_category_code");
        ProfileWishes {
            stands_longer: is_set("always_request_extended_authorization"),
            may_be_exceeded: is_set("always_enable_overcapture"),
            forces_challenge: is_set("force_3ds_challenge"),
            keeps_billing_apart: self.keeps_billing_apart(),
            category_code: code.and_then(Value::as_str).map(str::to_owned),
            binds_charges: !is_set("is_connector_agnostic_mit_enabled"),
            unread: UnreadMembers::default(),
        }
    }

    /// Returns whether the billing address of a payment doesn't complete that of its payment method.
    pub(crate) fn keeps_billing_apart(&self) -> bool {
        self.notes.get("use_billing_as_payment_method_billing") == Some(&false.into())
    }
}

impl Payment {
    /// Returns the profile's settings that apply with this connector. The payment's own settings, also `false`, have
    /// precedence.
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

    /// Returns `request_extended_authorization`: whether a longer validity was or will be requested.
    pub fn requests_longer(&self) -> Option<bool> {
        let said = self.particulars.request_extended_authorization;
        said.or(self.active().wishes.stands_longer.then_some(true))
    }

    /// Returns `enable_overcapture`: whether a capture above the authorization was or will be requested.
    pub fn enables_overcapture(&self) -> Option<bool> {
        let said = self.terms.enable_overcapture;
        said.or(self.active().wishes.may_be_exceeded.then_some(true))
    }

    /// Returns whether an authentication in this attempt is to challenge the payer. The profile's setting applies to payments
    /// with 3-D Secure.
    pub(crate) fn forces_challenge(&self, attempt: &Attempt) -> Option<bool> {
        let is_wished = attempt.wishes.forces_challenge
            && self.authentication_type(attempt) == AuthenticationType::ThreeDs;
        let said = self.particulars.force_challenge;
        said.or(is_wished.then_some(true))
    }

    /// Returns whether this attempt requests a longer validity.
    pub(crate) fn asks_longer(&self, attempt: &Attempt) -> bool {
        (self.wants_longer() || attempt.wishes.stands_longer) && !attempt.captures_at_once
    }

    /// Returns whether this attempt requests overcapture.
    pub(crate) fn asks_for_more(&self, attempt: &Attempt) -> bool {
        (self.wants_overcapture() || attempt.wishes.may_be_exceeded) && !attempt.captures_at_once
    }
}
