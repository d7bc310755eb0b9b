//! How long what was authorized stands at its processor, how much of it can be captured, and whether it can be raised.

use multirail_kernel::record_object::record_object;
use multirail_kernel::timestamp::Timestamp;

record_object! {
    /// What a processor says of an authorization that only reserves.
    #[derive(Default, Eq)]
    pub struct Hold {
    } and maybe {
        /// Until when it can be captured.
        capture_before: Timestamp,
        /// Whether it stands longer than usual, where that was asked for.
        is_extended: bool,
        /// What captures may take in all, in minor units, where more than was authorized was asked for and granted.
        most_capturable: i64,
        /// Whether it can be raised, where that was asked for.
        may_be_raised: bool,
    }
}

impl Hold {
    /// `None` where nothing is said.
    pub fn said(self) -> Option<Box<Self>> {
        (self != Hold::default()).then(|| Box::new(self))
    }

    /// Keeps what another word for it has. What it has granted it doesn't take back, so that of two words
    /// the one that grants more holds, whichever is heard of first.
    pub fn fill(&mut self, told: &Hold) {
        self.capture_before = self.capture_before.max(told.capture_before);
        self.is_extended = self.is_extended.max(told.is_extended);
        self.most_capturable = self.most_capturable.max(told.most_capturable);
        self.may_be_raised = self.may_be_raised.max(told.may_be_raised);
    }
}
