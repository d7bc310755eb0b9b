//! Elimination: accounts whose processor fails again and again are tried last for a while. (Specification 4.5)
//!
//! Every failure that is the processor's own is a drop in a leaky bucket, one for each profile, values of the payment
//! (`params`), account and kind of failure. A drop leaks every interval. While a bucket is full and the account's success
//! rate is below the threshold, the account goes to the end of the order; none is ever lost.

use serde::{Deserialize, Serialize};

use super::choose::Candidate;
use crate::connector::UnknownReason;
use crate::error_mapping::ErrorCategory;
use crate::ids::{ConnectorAccountId, ProcessorKey};
use crate::payment::{Attempt, Instrument, Payment, Progress};
use crate::refusal::Refusal;
use crate::timestamp::Timestamp;
use crate::unread::UnreadMembers;
use crate::words::words;

words! {
    /// What of a payment tells its bucket from others.
    pub enum EliminationParam {
        PaymentMethod = "PaymentMethod",
        PaymentMethodType = "PaymentMethodType",
        AuthenticationType = "AuthenticationType",
        Currency = "Currency",
        Country = "Country",
        CardNetwork = "CardNetwork",
        CardBin = "CardBin",
    }
}

words! {
    /// What elimination does.
    pub enum EliminationFeature {
        /// It counts, and moves nothing.
        Metrics = "metrics",
        /// Accounts whose bucket is full are tried last.
        DynamicConnectorSelection = "dynamic_connector_selection",
        /// Nothing.
        None = "none",
    }
}

/// The drops of a bucket where nothing is said.
const SIZE: u64 = 5;
/// The seconds in which one leaks where nothing is said.
const LEAK_SECONDS: u64 = 60;
/// The success rate under which an account is moved where nothing is said.
const THRESHOLD: f64 = 0.35;
/// The largest bucket, and the slowest.
const SIZES: std::ops::RangeInclusive<u64> = 1..=10_000;
const LEAKS: std::ops::RangeInclusive<u64> = 1..=604_800;
const MICROS: i64 = 1_000_000;

/// What a configuration of elimination says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EliminationConfig {
    /// 0 to 1.
    pub threshold: f64,
    /// In the order of [`EliminationParam`], none twice; all payments of a profile share a bucket where there are none.
    pub params: Vec<EliminationParam>,
    /// 1 to 10,000 drops.
    pub bucket_size: u64,
    /// 1 to 604,800 seconds.
    pub bucket_leak_interval_in_secs: u64,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// What a caller says; `None` is what the configuration before says, or what holds where nobody says anything.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EliminationInput {
    pub threshold: Option<f64>,
    pub params: Option<Vec<EliminationParam>>,
    pub bucket_size: Option<u64>,
    pub bucket_leak_interval_in_secs: Option<u64>,
}

impl Default for EliminationConfig {
    fn default() -> Self {
        EliminationConfig {
            threshold: THRESHOLD,
            params: vec![EliminationParam::PaymentMethod],
            bucket_size: SIZE,
            bucket_leak_interval_in_secs: LEAK_SECONDS,
            unread: UnreadMembers::default(),
        }
    }
}

impl EliminationConfig {
    /// The configuration with what the caller says.
    ///
    /// # Errors
    /// [`Refusal::InvalidValue`] for a number out of its bounds; it names the member.
    pub fn with(&self, input: EliminationInput) -> Result<Self, Refusal> {
        let mut config = self.clone();
        if let Some(threshold) = input.threshold {
            if !(0.0..=1.0).contains(&threshold) {
                return Err(Refusal::invalid_value(
                    "decision_engine_configs.threshold has to lie between 0 and 1",
                ));
            }
            config.threshold = threshold;
        }
        if let Some(params) = input.params {
            let all = EliminationParam::ALL.iter().copied();
            config.params = all.filter(|param| params.contains(param)).collect();
        }
        let analyser = "elimination_analyser_config";
        if let Some(size) = input.bucket_size {
            check(&format!("{analyser}.bucket_size"), size, SIZES)?;
            config.bucket_size = size;
        }
        if let Some(seconds) = input.bucket_leak_interval_in_secs {
            let member = format!("{analyser}.bucket_leak_interval_in_secs");
            check(&member, seconds, LEAKS)?;
            config.bucket_leak_interval_in_secs = seconds;
        }
        Ok(config)
    }

    /// In how many microseconds one drop leaks.
    pub fn leak_micros(&self) -> i64 {
        self.bucket_leak_interval_in_secs as i64 * MICROS
    }

    /// A bucket is full at a time while it will be empty later than this.
    pub fn full_while_empty_after(&self, now: Timestamp) -> Timestamp {
        let kept = (self.bucket_size as i64 - 1) * self.leak_micros();
        Timestamp::from_micros(now.as_micros().saturating_add(kept))
    }

    /// When the interval of the clock began in which a time lies: what was decided is counted by it.
    pub fn slot_start(&self, now: Timestamp) -> Timestamp {
        let leak = self.leak_micros();
        Timestamp::from_micros(now.as_micros().div_euclid(leak).saturating_mul(leak))
    }

    /// The start of the oldest interval that still counts: with the one that is under way there are as many as a bucket has
    /// drops.
    pub fn window_start(&self, now: Timestamp) -> Timestamp {
        let whole = (self.bucket_size as i64 - 1) * self.leak_micros();
        let start = self.slot_start(now).as_micros().saturating_sub(whole);
        Timestamp::from_micros(start)
    }

    /// When an interval doesn't count any more.
    pub fn counts_until(&self, slot_start: Timestamp) -> Timestamp {
        let whole = self.bucket_size as i64 * self.leak_micros();
        Timestamp::from_micros(slot_start.as_micros().saturating_add(whole))
    }

    /// The values of a payment that tell its bucket from others. What it has none of is a hyphen.
    pub fn parameters(&self, payment: &Payment, attempt: &Attempt) -> String {
        let instrument = attempt.instrument.as_ref();
        let values = self.params.iter().map(|param| {
            let value = value_of(*param, payment, attempt, instrument);
            value.unwrap_or_else(|| "-".to_owned())
        });
        values.collect::<Vec<_>>().join(":")
    }
}

fn value_of(
    param: EliminationParam,
    payment: &Payment,
    attempt: &Attempt,
    instrument: Option<&Instrument>,
) -> Option<String> {
    let card = instrument.and_then(|instrument| instrument.details.card());
    match param {
        EliminationParam::PaymentMethod => Some(instrument?.payment_method.to_string()),
        EliminationParam::PaymentMethodType => Some(instrument?.payment_method_type?.to_string()),
        EliminationParam::AuthenticationType => {
            Some(payment.authentication_type(attempt).to_string())
        }
        EliminationParam::Currency => Some(payment.terms.currency.to_string()),
        EliminationParam::Country => {
            let own = instrument.and_then(|instrument| instrument.billing.as_deref());
            let billing = own.or(payment.particulars.billing.as_deref())?;
            Some(billing.country()?.to_string())
        }
        EliminationParam::CardNetwork => Some(card?.network?.to_string()),
        EliminationParam::CardBin => Some(card?.isin.clone()?),
    }
}

fn check(member: &str, value: u64, range: std::ops::RangeInclusive<u64>) -> Result<(), Refusal> {
    if range.contains(&value) {
        return Ok(());
    }
    Err(Refusal::invalid_value(format!(
        "{member} has to lie between {} and {}",
        range.start(),
        range.end()
    )))
}

/// A leaky bucket, exact on the clock that is handed in: all that is kept of it is when it will be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bucket {
    pub empty_at: Timestamp,
}

impl Bucket {
    /// One without a drop.
    pub const EMPTY: Bucket = Bucket {
        empty_at: Timestamp::EPOCH,
    };

    /// With one more drop; what comes to a full one runs over.
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

    /// How many drops it holds.
    pub fn drops(self, now: Timestamp, config: &EliminationConfig) -> u64 {
        let left = self.empty_at.as_micros() - now.as_micros();
        let leak = config.leak_micros();
        u64::try_from((left + leak - 1).div_euclid(leak)).unwrap_or(0)
    }

    /// It has no place for another one.
    pub fn is_full(self, now: Timestamp, config: &EliminationConfig) -> bool {
        self.empty_at > config.full_while_empty_after(now)
    }
}

/// An account with a full bucket, and how it did since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Full {
    pub parameters: String,
    pub account: ConnectorAccountId,
    /// Authorizations of the window whose end is known, and those of them that were approved.
    pub decided: i64,
    pub approved: i64,
}

/// What a confirm knows of the buckets of its profile.
#[derive(Clone, Debug, PartialEq)]
pub struct Elimination {
    pub config: EliminationConfig,
    /// Those that are full.
    pub full: Vec<Full>,
}

impl Elimination {
    /// Whether the account is to be tried last: its bucket is full, and of what was decided too little was approved. Where
    /// nothing was decided nothing was approved.
    pub fn moves(&self, parameters: &str, account: &ConnectorAccountId) -> bool {
        let mut full = self.full.iter();
        full.any(|one| {
            let rate = one.approved as f64 / one.decided.max(1) as f64;
            one.parameters == parameters && one.account == *account && rate < self.config.threshold
        })
    }

    /// The same accounts, those that are moved behind the others. Answers which were moved.
    pub fn apply<'a>(
        &self,
        payment: &Payment,
        order: &mut Vec<&'a Candidate>,
    ) -> Vec<&'a Candidate> {
        if self.full.is_empty() {
            return Vec::new();
        }
        let parameters = self.config.parameters(payment, payment.active());
        let (moved, stay): (Vec<_>, Vec<_>) = order.drain(..).partition(|candidate| {
            self.moves(&parameters, &candidate.account.merchant_connector_id)
        });
        order.extend(stay);
        order.extend(moved.iter().copied());
        moved
    }
}

/// What a change of a payment says about an account at its processor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observed {
    /// The authorization that says it.
    pub key: ProcessorKey,
    pub parameters: String,
    pub account: ConnectorAccountId,
    /// A drop for this bucket.
    pub drop: Option<ErrorCategory>,
    /// It is decided, and whether it was approved.
    pub approved: Option<bool>,
}

impl EliminationConfig {
    /// What is to be counted of a change: of every authorization its end once, and the first fact that its processor is at
    /// fault, when that fact arrives, not when the payment ends.
    pub fn observed(&self, before: &Payment, after: &Payment) -> Vec<Observed> {
        let attempts = after.attempts.iter();
        let observed = attempts.filter_map(|attempt| {
            let mut earlier = before.attempts.iter();
            let was = earlier.find(|was| was.number == attempt.number)?;
            self.observed_of(after, was, attempt)
        });
        observed.collect()
    }

    fn observed_of(&self, payment: &Payment, was: &Attempt, attempt: &Attempt) -> Option<Observed> {
        let was = was.authorization.as_ref()?.progress;
        let authorization = attempt.authorization.as_ref()?;
        let account = attempt.merchant_connector_id.clone()?;
        let is_decided = |progress| match progress {
            Progress::Done | Progress::Declined | Progress::NeverHappened => true,
            Progress::Started
            | Progress::AwaitingCustomer
            | Progress::Pending
            | Progress::Unknown => false,
        };
        let now = authorization.progress;
        if was == now {
            return None;
        }
        let approved = (is_decided(now) && !is_decided(was)).then(|| now == Progress::Done);
        let had_dropped = is_decided(was) || was == Progress::Unknown;
        let drop = fault(authorization).filter(|_| !had_dropped);
        if approved.is_none() && drop.is_none() {
            return None;
        }
        Some(Observed {
            key: authorization.key.clone(),
            parameters: self.parameters(payment, attempt),
            account,
            drop,
            approved,
        })
    }
}

/// Why the processor is at fault, if it is.
fn fault(authorization: &crate::payment::Operation) -> Option<ErrorCategory> {
    match authorization.progress {
        Progress::NeverHappened => Some(ErrorCategory::ProcessorDowntime),
        Progress::Unknown => match authorization.unknown? {
            UnknownReason::Timeout
            | UnknownReason::ConnectionLost
            | UnknownReason::ProcessorError
            | UnknownReason::UnreadableAnswer => Some(ErrorCategory::ProcessorDowntime),
            // That was us.
            UnknownReason::CredentialsGone | UnknownReason::Interrupted => None,
        },
        Progress::Declined => {
            let advice = authorization.decline.as_ref()?.advice.as_deref()?;
            advice
                .error_category
                .filter(|category| category.is_the_processors())
        }
        Progress::Started | Progress::AwaitingCustomer | Progress::Pending | Progress::Done => None,
    }
}

#[cfg(test)]
mod tests;
