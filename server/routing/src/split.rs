//! Volume splits: one random number selects a share.

use multirail_domain::routing::{Choice, Share, StraightThrough};

/// Returns the choices of a request in the order of their tries; `draw` is the random number of a split.
pub(crate) fn in_order(routing: &StraightThrough, draw: u32) -> Vec<&Choice> {
    match routing {
        StraightThrough::Single(choice) => vec![choice],
        StraightThrough::Priority(choices) => choices.iter().collect(),
        StraightThrough::VolumeSplit(shares) => split(shares, draw),
    }
}

/// Returns the choice that the draw selects, followed by the others in their given order.
pub(crate) fn split(shares: &[Share], draw: u32) -> Vec<&Choice> {
    let drawn = drawn(shares, draw);
    let (first, others): (Vec<_>, Vec<_>) =
        shares.iter().enumerate().partition(|(i, _)| *i == drawn);
    let order = first.into_iter().chain(others);
    order.map(|(_, share)| &share.connector).collect()
}

/// Returns the index of the share that the draw selects.
fn drawn(shares: &[Share], draw: u32) -> usize {
    let sum: u64 = shares.iter().map(|share| u64::from(share.split)).sum();
    let mut point = u64::from(draw) % sum.max(1);
    for (i, share) in shares.iter().enumerate() {
        let split = u64::from(share.split);
        if point < split {
            return i;
        }
        point -= split;
    }
    0
}
