//! Quantiles of times.

/// Statistics of many times, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quantiles {
    pub p50: f64,
    pub p95: f64,
    pub p99: f64,
    pub max: f64,
}

impl Quantiles {
    /// Takes microseconds in any order.
    pub fn from_times(mut times: Vec<u32>) -> Self {
        times.sort_unstable();
        let at = |per_mille: usize| {
            let index = (times.len() * per_mille).div_ceil(1000).saturating_sub(1);
            times
                .get(index)
                .map_or(0.0, |time| f64::from(*time) / 1000.0)
        };
        Self {
            p50: at(500),
            p95: at(950),
            p99: at(990),
            max: at(1000),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_in_the_middle() {
        let all = Quantiles::from_times((1..=1000).rev().map(|n| n * 1000).collect());
        assert_eq!(
            all,
            Quantiles {
                p50: 500.0,
                p95: 950.0,
                p99: 990.0,
                max: 1000.0
            }
        );
        assert_eq!(
            Quantiles::from_times(vec![2000]),
            Quantiles {
                p50: 2.0,
                p95: 2.0,
                p99: 2.0,
                max: 2.0
            }
        );
        assert_eq!(Quantiles::from_times(Vec::new()), Quantiles::default());
    }
}
