//! Ordering by success rate: the account with the most approved authorizations lately is tried first. A share of payments tries
//! another account first, so that improvements are noticed.
//!
//! Finished authorizations are counted by intervals of the clock (blocks). There is one count for each profile, set of payment
//! values (`params`), account and block. An account with too few counts gets the configured default rate. No account is
//! dropped.

use multirail_kernel::ids::{ConnectorAccountId, RoutingId};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use serde::{Deserialize, Serialize};

use super::params::{DynamicParam, in_order};

/// Default number of blocks that count, and default length of one.
const BLOCKS: u64 = 8;
const BLOCK_MINUTES: u64 = 15;
/// Default number of blocks that an account needs before its own rate counts.
const LEAST_BLOCKS: u64 = 1;
/// Default success rate and share of payments that explore, in percent.
const SUPPOSED: f64 = 100.0;
const EXPLORATION: f64 = 20.0;
const SIZES: std::ops::RangeInclusive<u64> = 1..=100;
const MINUTES: std::ops::RangeInclusive<u64> = 1..=1_440;
const MICROS_A_MINUTE: i64 = 60_000_000;

/// The settings of a success rate configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SuccessBasedConfig {
    /// Sorted in the order of [`DynamicParam`], without duplicates. If empty, all payments of a profile are counted together.
    pub params: Vec<DynamicParam>,
    /// Number of blocks with outcomes that an account needs before its own rate counts: 1 to `max_aggregates_size`.
    pub min_aggregates_size: u64,
    /// The rate of accounts with fewer blocks, 0 to 100 percent.
    pub default_success_rate: f64,
    /// Number of blocks that count, with the present one: 1 to 100.
    pub max_aggregates_size: u64,
    /// Length of a block: 1 to 1,440 minutes.
    pub block_minutes: u64,
    /// Share of payments that explore: 0 to 100 percent.
    pub exploration_percent: f64,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// A caller's input; `None` takes the value of the previous configuration, or else the default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SuccessBasedInput {
    pub params: Option<Vec<DynamicParam>>,
    pub min_aggregates_size: Option<u64>,
    pub default_success_rate: Option<f64>,
    pub max_aggregates_size: Option<u64>,
    pub block_minutes: Option<u64>,
    pub exploration_percent: Option<f64>,
}

impl Default for SuccessBasedConfig {
    fn default() -> Self {
        SuccessBasedConfig {
            params: vec![DynamicParam::PaymentMethod],
            min_aggregates_size: LEAST_BLOCKS,
            default_success_rate: SUPPOSED,
            max_aggregates_size: BLOCKS,
            block_minutes: BLOCK_MINUTES,
            exploration_percent: EXPLORATION,
            unread: UnreadMembers::default(),
        }
    }
}

impl SuccessBasedInput {
    /// Checks each number on its own.
    ///
    /// # Errors
    /// [`Refusal::InvalidValue`] for a number out of bounds; it names the member.
    pub fn check(&self) -> Result<(), Refusal> {
        let percents = [
            ("default_success_rate", self.default_success_rate),
            ("exploration_percent", self.exploration_percent),
        ];
        for (member, given) in percents {
            if given.is_some_and(|given| !(0.0..=100.0).contains(&given)) {
                let message = format!("config.{member} has to lie between 0 and 100");
                return Err(Refusal::invalid_value(message));
            }
        }
        let counts = [
            ("min_aggregates_size", self.min_aggregates_size, SIZES),
            ("max_aggregates_size", self.max_aggregates_size, SIZES),
            (
                "current_block_threshold.duration_in_mins",
                self.block_minutes,
                MINUTES,
            ),
        ];
        for (member, given, range) in counts {
            if given.is_some_and(|given| !range.contains(&given)) {
                let (least, most) = (range.start(), range.end());
                let message = format!("config.{member} has to lie between {least} and {most}");
                return Err(Refusal::invalid_value(message));
            }
        }
        Ok(())
    }
}

fn set<T>(member: &mut T, given: Option<T>) {
    if let Some(given) = given {
        *member = given;
    }
}

impl SuccessBasedConfig {
    /// Returns the configuration with the caller's input applied.
    ///
    /// # Errors
    /// [`Refusal::InvalidValue`], which names the member, for a number out of bounds, or if more blocks are needed than count.
    pub fn with(&self, input: SuccessBasedInput) -> Result<Self, Refusal> {
        input.check()?;
        let mut config = self.clone();
        if let Some(params) = input.params {
            config.params = in_order(&params);
        }
        set(&mut config.min_aggregates_size, input.min_aggregates_size);
        set(&mut config.default_success_rate, input.default_success_rate);
        set(&mut config.max_aggregates_size, input.max_aggregates_size);
        set(&mut config.block_minutes, input.block_minutes);
        set(&mut config.exploration_percent, input.exploration_percent);
        if config.min_aggregates_size > config.max_aggregates_size {
            return Err(Refusal::invalid_value(
                "config.min_aggregates_size can't be above config.max_aggregates_size",
            ));
        }
        Ok(config)
    }

    fn block_micros(&self) -> i64 {
        self.block_minutes as i64 * MICROS_A_MINUTE
    }

    /// Returns the start of the block of a moment. Outcomes are counted by blocks.
    pub fn block_start(&self, now: Timestamp) -> Timestamp {
        let block = self.block_micros();
        Timestamp::from_micros(now.as_micros().div_euclid(block).saturating_mul(block))
    }

    /// Returns the start of the oldest block that still counts.
    pub fn window_start(&self, now: Timestamp) -> Timestamp {
        let earlier = (self.max_aggregates_size as i64 - 1) * self.block_micros();
        let start = self.block_start(now).as_micros().saturating_sub(earlier);
        Timestamp::from_micros(start)
    }

    /// Returns the moment from which a block no longer counts.
    pub fn counts_until(&self, block_start: Timestamp) -> Timestamp {
        let whole = self.max_aggregates_size as i64 * self.block_micros();
        Timestamp::from_micros(block_start.as_micros().saturating_add(whole))
    }
}

/// An account's outcomes in the blocks that count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    pub parameters: String,
    pub account: ConnectorAccountId,
    /// Number of blocks with outcomes.
    pub blocks: i64,
    /// Finished authorizations, and the approved ones among them.
    pub decided: i64,
    pub approved: i64,
}

/// The state of a profile's success rates at a confirm.
#[derive(Clone, Debug, PartialEq)]
pub struct SuccessRates {
    /// The active configuration.
    pub routing_id: RoutingId,
    pub config: SuccessBasedConfig,
    pub counted: Vec<Counted>,
}

#[cfg(test)]
mod tests;
