//! Several chances out of the one random number of a confirm: the same number decides the same, so that an attempt that
//! follows another one finds the same order.

/// What is left to chance beside the shares of a split, which take the number as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chance {
    /// Whether dynamic routing applies to the payment.
    Share = 1,
    /// Whether an account is tried first whatever its success rate.
    Explores = 2,
    /// Which one that is.
    Explored = 3,
}

impl Chance {
    /// A number of `0..below` that says nothing about the other chances of the draw. 0 where `below` is.
    pub(super) fn of(self, draw: u32, below: u64) -> u64 {
        mixed(u64::from(draw) | (self as u64) << 32) % below.max(1)
    }
}

/// Steele, Lea and Flood's SplitMix64: every bit of the answer depends on every bit of the number.
fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
