//! The only place where amounts are divided. A share is rounded half up to a whole minor unit, once. A sum that belongs
//! to several lines is rounded as a whole and then spread over them by largest remainder, so that no unit is lost or
//! added.

/// The number of millionths in the whole: four decimals of a percent.
pub const WHOLE_MILLIONTHS: i64 = 1_000_000;

/// The number of basis points in the whole.
pub const WHOLE_BASIS_POINTS: i64 = 10_000;

/// Returns `part` of `whole` of an amount, rounded half up: 5 of 10 of 1 is 1. Negative amounts and parts count as 0,
/// and a part above the whole counts as the whole.
pub fn share(amount_minor: i64, part: i64, whole: i64) -> i64 {
    let amount = i128::from(amount_minor.max(0));
    let whole = i128::from(whole.max(1));
    let part = i128::from(part).clamp(0, whole);
    let share = (amount * part * 2 + whole) / (whole * 2);
    i64::try_from(share).unwrap_or(amount_minor)
}

/// Spreads a total over weights in whole minor units. The shares add up to the total, and none exceeds its weight.
///
/// Units that remain after rounding down go to the shares that lost most by it; the first one wins a tie. Negative
/// numbers count as 0, and a total above the sum of the weights counts as that sum.
pub fn spread(total_minor: i64, weights: &[i64]) -> Vec<i64> {
    let weights: Vec<i128> = weights
        .iter()
        .map(|weight| i128::from(*weight).max(0))
        .collect();
    let sum: i128 = weights.iter().sum();
    let total = i128::from(total_minor).clamp(0, sum);
    if sum == 0 {
        return vec![0; weights.len()];
    }
    let mut shares: Vec<i128> = weights.iter().map(|weight| total * weight / sum).collect();
    let left = total - shares.iter().sum::<i128>();
    let mut by_loss: Vec<usize> = (0..weights.len()).collect();
    by_loss.sort_by_key(|index| std::cmp::Reverse(total * weights[*index] % sum));
    for index in by_loss.into_iter().take(usize::try_from(left).unwrap_or(0)) {
        shares[index] += 1;
    }
    // A share is at most its weight, which is an i64.
    shares
        .into_iter()
        .map(|share| i64::try_from(share).unwrap_or(i64::MAX))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn halves_are_rounded_up() {
        let table = [
            (1, 1, 2, 1),
            (1, 49, 100, 0),
            (1, 50, 100, 1),
            (999, 1, 3, 333),
            (1_000, 2, 3, 667),
            (999_999_999, 9_999, 10_000, 999_899_999),
            (100, 20, 10, 100),
            (100, -1, 10, 0),
            (-5, 1, 2, 0),
            (i64::MAX, i64::MAX, i64::MAX, i64::MAX),
        ];
        for (amount, part, whole, expected) in table {
            assert_eq!(
                share(amount, part, whole),
                expected,
                "{part}/{whole} of {amount}"
            );
        }
    }

    #[test]
    fn the_rest_goes_to_those_that_lost_most() {
        assert_eq!(spread(10, &[1, 1, 1]), [1, 1, 1], "no more than there is");
        assert_eq!(spread(100, &[333, 333, 334]), [33, 33, 34]);
        assert_eq!(
            spread(1, &[5, 5]),
            [1, 0],
            "the first where they lost alike"
        );
        assert_eq!(spread(0, &[5, 5]), [0, 0]);
        assert_eq!(spread(7, &[0, 0]), [0, 0]);
        assert_eq!(spread(7, &[]), [0_i64; 0]);
    }

    proptest! {
        #[test]
        fn shares_add_up_to_the_total(weights in proptest::collection::vec(0_i64..1_000_000_000, 0..8), part in 0_i64..=10_000) {
            let sum: i64 = weights.iter().sum();
            let total = share(sum, part, WHOLE_BASIS_POINTS);
            let shares = spread(total, &weights);
            prop_assert_eq!(shares.iter().sum::<i64>(), total);
            for (share, weight) in shares.iter().zip(&weights) {
                prop_assert!((0..=*weight).contains(share));
            }
        }

        #[test]
        fn charged_and_returned_shares_add_up_to_the_whole(amount in 0_i64..1_000_000_000, whole in 1_i64..100_000_000_000, part in 0_i64..100_000_000_000) {
            let returned = share(amount, part.min(whole), whole);
            prop_assert!((0..=amount).contains(&returned));
        }
    }
}
