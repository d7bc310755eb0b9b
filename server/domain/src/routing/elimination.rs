//! Elimination: accounts whose processor fails repeatedly are tried last for a while. (Specification 4.5)
//!
//! Each failure of a processor is a drop in a leaky bucket. There is one bucket for each profile, set of payment values
//! (`params`), account and kind of failure. One drop leaks every interval. While a bucket is full, the account moves to the end
//! of the order but stays eligible. Only the full bucket counts: earlier approvals don't outweigh present failures.

use multirail_kernel::ids::ConnectorAccountId;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use serde::{Deserialize, Serialize};

use super::params::{DynamicParam, in_order};

/// Default size of a bucket, in drops.
const SIZE: u64 = 5;
/// Default interval in which one drop leaks, in seconds.
const LEAK_SECONDS: u64 = 60;
/// Default threshold.
const THRESHOLD: f64 = 0.35;
/// Ranges of the size in drops and of the interval in seconds.
const SIZES: std::ops::RangeInclusive<u64> = 1..=10_000;
const LEAKS: std::ops::RangeInclusive<u64> = 1..=604_800;
const MICROS: i64 = 1_000_000;

/// The settings of an elimination configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EliminationConfig {
    /// 0 to 1. For an outside decision engine: stored and returned, but not used here.
    pub threshold: f64,
    /// Sorted in the order of [`DynamicParam`], without duplicates. If empty, all payments of a profile share a bucket.
    pub params: Vec<DynamicParam>,
    /// 1 to 10,000 drops.
    pub bucket_size: u64,
    /// 1 to 604,800 seconds.
    pub bucket_leak_interval_in_secs: u64,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// A caller's input; `None` takes the value of the previous configuration, or else the default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EliminationInput {
    pub threshold: Option<f64>,
    pub params: Option<Vec<DynamicParam>>,
    pub bucket_size: Option<u64>,
    pub bucket_leak_interval_in_secs: Option<u64>,
}

impl Default for EliminationConfig {
    fn default() -> Self {
        EliminationConfig {
            threshold: THRESHOLD,
            params: vec![DynamicParam::PaymentMethod],
            bucket_size: SIZE,
            bucket_leak_interval_in_secs: LEAK_SECONDS,
            unread: UnreadMembers::default(),
        }
    }
}

impl EliminationInput {
    /// Checks each number on its own.
    ///
    /// # Errors
    /// [`Refusal::InvalidValue`] for a number out of bounds; it names the member.
    pub fn check(&self) -> Result<(), Refusal> {
        let is_rate = |threshold| (0.0..=1.0).contains(&threshold);
        if self.threshold.is_some_and(|threshold| !is_rate(threshold)) {
            return Err(Refusal::invalid_value(
                "decision_engine_configs.threshold has to lie between 0 and 1",
            ));
        }
        let leak = self.bucket_leak_interval_in_secs;
        check("bucket_size", self.bucket_size, SIZES)?;
        check("bucket_leak_interval_in_secs", leak, LEAKS)
    }
}

impl EliminationConfig {
    /// Returns the configuration with the caller's input applied.
    ///
    /// # Errors
    /// [`Refusal::InvalidValue`] for a number out of bounds; it names the member.
    pub fn with(&self, input: EliminationInput) -> Result<Self, Refusal> {
        input.check()?;
        let mut config = self.clone();
        if let Some(params) = input.params {
            config.params = in_order(&params);
        }
        if let Some(threshold) = input.threshold {
            config.threshold = threshold;
        }
        if let Some(size) = input.bucket_size {
            config.bucket_size = size;
        }
        if let Some(seconds) = input.bucket_leak_interval_in_secs {
            config.bucket_leak_interval_in_secs = seconds;
        }
        Ok(config)
    }

    /// Returns the interval in which one drop leaks, in microseconds.
    pub fn leak_micros(&self) -> i64 {
        self.bucket_leak_interval_in_secs as i64 * MICROS
    }

    /// Returns the limit for full buckets: a bucket is full if it will be empty only after this moment.
    pub fn full_while_empty_after(&self, now: Timestamp) -> Timestamp {
        let kept = (self.bucket_size as i64 - 1) * self.leak_micros();
        Timestamp::from_micros(now.as_micros().saturating_add(kept))
    }

    /// Returns the start of the clock interval of a moment. Outcomes are counted by these intervals.
    pub fn slot_start(&self, now: Timestamp) -> Timestamp {
        let leak = self.leak_micros();
        Timestamp::from_micros(now.as_micros().div_euclid(leak).saturating_mul(leak))
    }

    /// Returns the start of the oldest interval that still counts. With the present one, as many intervals count as a bucket
    /// has drops.
    pub fn window_start(&self, now: Timestamp) -> Timestamp {
        let whole = (self.bucket_size as i64 - 1) * self.leak_micros();
        let start = self.slot_start(now).as_micros().saturating_sub(whole);
        Timestamp::from_micros(start)
    }

    /// Returns the moment from which an interval no longer counts.
    pub fn counts_until(&self, slot_start: Timestamp) -> Timestamp {
        let whole = self.bucket_size as i64 * self.leak_micros();
        Timestamp::from_micros(slot_start.as_micros().saturating_add(whole))
    }
}

fn check(
    member: &str,
    given: Option<u64>,
    range: std::ops::RangeInclusive<u64>,
) -> Result<(), Refusal> {
    if given.is_none_or(|given| range.contains(&given)) {
        return Ok(());
    }
    Err(Refusal::invalid_value(format!(
        "elimination_analyser_config.{member} has to lie between {} and {}",
        range.start(),
        range.end()
    )))
}

/// A leaky bucket, exact to the given clock. Its only state is the moment at which it will be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bucket {
    pub empty_at: Timestamp,
}

impl Bucket {
    /// A bucket without drops.
    pub const EMPTY: Bucket = Bucket {
        empty_at: Timestamp::EPOCH,
    };

    /// Returns the bucket with one more drop; a full bucket overflows.
    #[must_use]
    pub fn with_drop(self, now: Timestamp, config: &EliminationConfig) -> Self {
        if self.is_full(now, config) {
            return self;
        }
        let from = self.empty_at.max(now).as_micros();
        Bucket {
            empty_at: Timestamp::from_micros(from.saturating_add(config.leak_micros())),
        }
    }

    /// Returns the number of drops in the bucket.
    pub fn drops(self, now: Timestamp, config: &EliminationConfig) -> u64 {
        let left = self.empty_at.as_micros() - now.as_micros();
        let leak = config.leak_micros();
        u64::try_from((left + leak - 1).div_euclid(leak)).unwrap_or(0)
    }

    /// Returns whether the bucket is full.
    pub fn is_full(self, now: Timestamp, config: &EliminationConfig) -> bool {
        self.empty_at > config.full_while_empty_after(now)
    }
}

/// An account with a full bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Full {
    pub parameters: String,
    pub account: ConnectorAccountId,
}

/// The content of a bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filled {
    pub parameters: String,
    pub account: ConnectorAccountId,
    /// The kind of failure, as its name.
    pub category: String,
    pub bucket: Bucket,
}

/// The outcomes of an account's authorizations, in the intervals that count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcomes {
    pub parameters: String,
    pub account: ConnectorAccountId,
    /// Number of authorizations that ended or timed out without news, and of approvals among them.
    pub decided: i64,
    pub approved: i64,
}

/// The counts of a profile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Sorted with the fullest first.
    pub buckets: Vec<Filled>,
    pub outcomes: Vec<Outcomes>,
}

/// The state of a profile's buckets at a confirm.
#[derive(Clone, Debug, PartialEq)]
pub struct Elimination {
    pub config: EliminationConfig,
    /// The full buckets.
    pub full: Vec<Full>,
}

#[cfg(test)]
mod tests;
