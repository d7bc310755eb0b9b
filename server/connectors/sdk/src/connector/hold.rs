//! The limits of an authorization: expiry, capturable amount, and increments.

use multirail_kernel::record_object::record_object;
use multirail_kernel::timestamp::Timestamp;

record_object! {
    /// A processor's statement about an uncaptured authorization.
    #[derive(Default, Eq)]
    pub struct Hold {
    } and maybe {
        /// The deadline for a capture.
        capture_before: Timestamp,
        /// True if a requested extension was granted.
        is_extended: bool,
        /// The maximum of all captures, in minor units, if a requested overcapture was granted.
        most_capturable: i64,
        /// True if requested increments were granted.
        may_be_raised: bool,
    }
}

impl Hold {
    /// Returns `None` if every member is unset.
    pub fn unless_empty(self) -> Option<Box<Self>> {
        (self != Hold::default()).then(|| Box::new(self))
    }

    /// Merges another statement of the same processor. Granted limits are never withdrawn, so the
    /// more generous value wins, in whichever order the statements arrive.
    pub fn fill(&mut self, told: &Hold) {
        self.capture_before = self.capture_before.max(told.capture_before);
        self.is_extended = self.is_extended.max(told.is_extended);
        self.most_capturable = self.most_capturable.max(told.most_capturable);
        self.may_be_raised = self.may_be_raised.max(told.may_be_raised);
    }
}
