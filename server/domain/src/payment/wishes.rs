//! What a profile wishes of every authorization that only reserves, where the payment says nothing of it. A wish is no condition:
//! where the connector offers no such thing, nothing is asked for. (Specification 2.10)

use serde::{Deserialize, Serialize};

use crate::connector::Capabilities;
use crate::payment::{Attempt, CaptureMethod, Payment};
use crate::profile::Profile;
use crate::unread::UnreadMembers;

/// Of a profile, all that it wishes; of an attempt, what was asked of its processor for that reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileWishes {
    /// It is to stand longer than usual.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stands_longer: bool,
    /// The capture may take more than it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may_be_exceeded: bool,
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
    /// `always_request_extended_authorization` and `always_enable_overcapture`.
    pub fn wishes(&self) -> ProfileWishes {
        let is_set = |member| self.notes.get(member) == Some(&true.into());
        ProfileWishes {
            stands_longer: is_set("always_request_extended_authorization"),
            may_be_exceeded: is_set("always_enable_overcapture"),
            unread: UnreadMembers::default(),
        }
    }
}

impl Payment {
    /// What of the profile's wishes is asked of this connector: what the payment says itself wins, a `false` included.
    pub(super) fn grant(&self, wishes: &ProfileWishes, able: &Capabilities) -> ProfileWishes {
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

    /// What is asked of the processor of this attempt.
    pub(super) fn asks_longer(&self, attempt: &Attempt) -> bool {
        (self.wants_longer() || attempt.wishes.stands_longer) && !attempt.captures_at_once
    }

    /// The same.
    pub(super) fn asks_for_more(&self, attempt: &Attempt) -> bool {
        (self.wants_overcapture() || attempt.wishes.may_be_exceeded) && !attempt.captures_at_once
    }
}
