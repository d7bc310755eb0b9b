//! The terms of a mandate: how often, how much, and between which dates. (Facts, appendix A: MandateType)

use serde_json::{Map, Value};

use multirail_kernel::currency::Currency;
use multirail_kernel::money::MAX_AMOUNT_MINOR;
use multirail_kernel::record_object::record_object;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;

record_object! {
    /// `mandate_type`: exactly one of the two members, see [`MandateTerms::check`].
    #[derive(Default)]
    pub struct MandateTerms {
    } and maybe {
        /// May be charged once.
        single_use: Box<MandateLimits>,
        /// May be charged any number of times.
        multi_use: Box<MandateLimits>,
    }
}

record_object! {
    /// The limits of each charge. Absent members limit nothing.
    #[derive(Default)]
    pub struct MandateLimits {
    } and maybe {
        /// The largest amount of one charge, in minor units of the currency.
        amount: i64,
        currency: Currency,
        /// RFC 3339.
        start_date: String,
        /// RFC 3339.
        end_date: String,
        /// The merchant's own notes.
        metadata: Map<String, Value>,
    }
}

const TYPE: &str = "mandate_data.mandate_type";

impl MandateTerms {
    /// Returns whether the mandate may be charged only once.
    pub fn is_single_use(&self) -> bool {
        self.single_use.is_some()
    }

    /// Returns the limits of each charge.
    pub fn limits(&self) -> Option<&MandateLimits> {
        self.single_use.as_deref().or(self.multi_use.as_deref())
    }

    /// Refuses terms that are ambiguous or that permit nothing.
    ///
    /// # Errors
    /// Refusals for:
    ///
    /// - neither or both kinds,
    /// - an amount without a currency or a currency without an amount,
    /// - an amount that can't be charged,
    /// - a single use without an amount,
    /// - dates that can't be read, that leave no time between them, or that leave no time from now on.
    pub fn check(&self, now: Timestamp) -> Result<(), Refusal> {
        let (path, limits) = match (&self.single_use, &self.multi_use) {
            (Some(limits), None) => ("single_use", limits),
            (None, Some(limits)) => ("multi_use", limits),
            (None, None) | (Some(_), Some(_)) => {
                return Err(Refusal::invalid_value(format!(
                    "{TYPE} takes exactly one of single_use and multi_use; multi_use {{}} is one without limits"
                )));
            }
        };
        let path = format!("{TYPE}.{path}");
        match (limits.amount, limits.currency) {
            (Some(amount), Some(_)) if (1..=MAX_AMOUNT_MINOR).contains(&amount) => {}
            (Some(_), Some(_)) => {
                return Err(Refusal::invalid_format(
                    format!("{path}.amount"),
                    format!("an amount from 1 to {MAX_AMOUNT_MINOR}"),
                ));
            }
            (Some(_), None) => return Err(Refusal::missing(format!("{path}.currency"))),
            (None, Some(_)) => return Err(Refusal::missing(format!("{path}.amount"))),
            (None, None) if self.is_single_use() => {
                return Err(Refusal::missing(format!("{path}.amount")));
            }
            (None, None) => {}
        }
        let date = |member: &str, text: &Option<String>| {
            let read = text.as_deref().map(Timestamp::parse_rfc3339).transpose();
            read.map_err(|_| Refusal::invalid_format(format!("{path}.{member}"), "a date-time"))
        };
        let start = date("start_date", &limits.start_date)?;
        let end = date("end_date", &limits.end_date)?;
        if start.zip(end).is_some_and(|(start, end)| start >= end) {
            return Err(Refusal::precondition(format!(
                "{path}.end_date has to be after {path}.start_date"
            )));
        }
        if end.is_some_and(|end| end <= now) {
            return Err(Refusal::invalid_value(format!(
                "{path}.end_date is over: nothing could be charged"
            )));
        }
        Ok(())
    }
}

impl MandateLimits {
    /// Returns the moment from which the mandate may be charged.
    pub fn starts_at(&self) -> Option<Timestamp> {
        let text = self.start_date.as_deref()?;
        Timestamp::parse_rfc3339(text).ok()
    }

    /// Returns the moment until which the mandate may be charged.
    pub fn ends_at(&self) -> Option<Timestamp> {
        let text = self.end_date.as_deref()?;
        Timestamp::parse_rfc3339(text).ok()
    }
}
