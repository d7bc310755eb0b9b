//! Independent random decisions from the one random number of a confirm. Equal numbers give equal decisions, so that retries of
//! the payment find the same order.

/// The random decisions, apart from volume splits, which use the number directly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chance {
    /// Applies dynamic routing to the payment or not.
    Share = 1,
    /// Explores or not: a payment that explores tries one account first regardless of its success rate.
    Explores = 2,
    /// Selects the account to explore.
    Explored = 3,
}

impl Chance {
    /// Returns a number in `0..below` for this decision, independent of the other decisions of the draw. It is 0 if `below` is
    /// 0.
    pub(crate) fn pick(self, draw: u32, below: u64) -> u64 {
        mixed(u64::from(draw) | (self as u64) << 32) % below.max(1)
    }
}

/// Mixes a number with SplitMix64 by Steele, Lea and Flood: every bit of the result depends on every bit of the input.
fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
