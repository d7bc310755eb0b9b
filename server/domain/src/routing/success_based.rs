//! Ordering by success rate: the account whose authorizations were approved most often lately is tried first, and now and
//! then another one, so that what has become better is found out.
//!
//! Authorizations whose end is known are counted by intervals of the clock (blocks), one count for each profile, values of
//! the payment (`params`), account and block. An account of which too little is known has the rate that the configuration
//! supposes. None is ever lost.

use std::cmp::Reverse;

use multirail_kernel::ids::{ConnectorAccountId, RoutingId};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use serde::{Deserialize, Serialize};

use super::chance::Chance;
use super::evaluate::Facts;
use super::params::{DynamicParam, in_order, parameters};
use crate::accounts::connector_account::Candidate;

/// The blocks that count where nothing is said, and how long one is.
const BLOCKS: u64 = 8;
const BLOCK_MINUTES: u64 = 15;
/// In how many blocks an account was tried before its own rate counts, where nothing is said.
const LEAST_BLOCKS: u64 = 1;
/// The rate that is supposed, in percent, and the share of payments that explore.
const SUPPOSED: f64 = 100.0;
const EXPLORATION: f64 = 20.0;
const SIZES: std::ops::RangeInclusive<u64> = 1..=100;
const MINUTES: std::ops::RangeInclusive<u64> = 1..=1_440;
const MICROS_A_MINUTE: i64 = 60_000_000;
/// 100 percent, in the unit of rates.
const WHOLE: i64 = 10_000;

/// What a configuration of success rates says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SuccessBasedConfig {
    /// In the order of [`DynamicParam`], none twice; all payments of a profile are counted together where there are none.
    pub params: Vec<DynamicParam>,
    /// In how many blocks an account was decided on before its own rate counts: 1 to `max_aggregates_size`.
    pub min_aggregates_size: u64,
    /// The rate of the others, 0 to 100 percent.
    pub default_success_rate: f64,
    /// How many blocks count, with the one that is under way: 1 to 100.
    pub max_aggregates_size: u64,
    /// How long a block is: 1 to 1,440 minutes.
    pub block_minutes: u64,
    /// Of how many payments the first account is drawn: 0 to 100 percent.
    pub exploration_percent: f64,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// What a caller says; `None` is what the configuration before says, or what holds where nobody says anything.
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
    /// Checks each number by itself.
    ///
    /// # Errors
    /// [`Refusal::InvalidValue`] for a number out of its bounds; it names the member.
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
    /// The configuration with what the caller says.
    ///
    /// # Errors
    /// [`Refusal::InvalidValue`] for a number out of its bounds, and for more blocks that are needed than count; it names the
    /// member.
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

    /// When the block began in which a time lies: what was decided is counted by it.
    pub fn block_start(&self, now: Timestamp) -> Timestamp {
        let block = self.block_micros();
        Timestamp::from_micros(now.as_micros().div_euclid(block).saturating_mul(block))
    }

    /// The start of the oldest block that still counts.
    pub fn window_start(&self, now: Timestamp) -> Timestamp {
        let earlier = (self.max_aggregates_size as i64 - 1) * self.block_micros();
        let start = self.block_start(now).as_micros().saturating_sub(earlier);
        Timestamp::from_micros(start)
    }

    /// When a block doesn't count any more.
    pub fn counts_until(&self, block_start: Timestamp) -> Timestamp {
        let whole = self.max_aggregates_size as i64 * self.block_micros();
        Timestamp::from_micros(block_start.as_micros().saturating_add(whole))
    }
}

/// How an account did in the blocks that count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    pub parameters: String,
    pub account: ConnectorAccountId,
    /// Blocks in which something was decided.
    pub blocks: i64,
    /// Authorizations whose end is known, and those of them that were approved.
    pub decided: i64,
    pub approved: i64,
}

impl Counted {
    /// In hundredths of a percent, to the nearest.
    fn rate(&self) -> u32 {
        let decided = self.decided.max(1);
        let rate = (self.approved.saturating_mul(WHOLE) + decided / 2) / decided;
        u32::try_from(rate.clamp(0, WHOLE)).unwrap_or(0)
    }
}

/// What a confirm knows of the success rates of its profile.
#[derive(Clone, Debug, PartialEq)]
pub struct SuccessRates {
    /// The configuration that is active.
    pub routing_id: RoutingId,
    pub config: SuccessBasedConfig,
    pub counted: Vec<Counted>,
}

/// An account with its rate, in hundredths of a percent.
pub(super) type Rated<'a> = (u32, &'a Candidate);

impl SuccessRates {
    /// The accounts with their rates, the best first; those that are equal as they stood.
    pub(super) fn order<'a>(&self, facts: &Facts<'_>, order: Vec<&'a Candidate>) -> Vec<Rated<'a>> {
        let parameters = parameters(&self.config.params, facts);
        let counted = self.counted.iter();
        let least = i64::try_from(self.config.min_aggregates_size).unwrap_or(i64::MAX);
        let known: Vec<&Counted> = counted
            .filter(|one| one.parameters == parameters && one.blocks >= least)
            .collect();
        let supposed = (self.config.default_success_rate * 100.0).round() as u32;
        let rated = order.into_iter().map(|candidate| {
            let id = &candidate.account.merchant_connector_id;
            let known = known.iter().find(|one| one.account == *id);
            (known.map_or(supposed, |known| known.rate()), candidate)
        });
        let mut rated: Vec<_> = rated.collect();
        rated.sort_by_key(|(rate, _)| Reverse(*rate));
        rated
    }

    /// Puts one of several accounts first by chance, for the share of payments that explores. Answers whether it did.
    pub(super) fn explore(&self, draw: u32, order: &mut [&Candidate]) -> bool {
        let share = (self.config.exploration_percent * 100.0).round() as u64;
        let explores = Chance::Explores.of(draw, WHOLE.unsigned_abs()) < share;
        if !explores || order.len() < 2 {
            return false;
        }
        let drawn = Chance::Explored.of(draw, order.len() as u64) as usize;
        order[..=drawn].rotate_right(1);
        true
    }
}

#[cfg(test)]
mod tests;
