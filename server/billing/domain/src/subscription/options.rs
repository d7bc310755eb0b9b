//! The options for pausing, resuming and cancelling. (Facts 1.17)

use serde::{Deserialize, Serialize};

use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::words::words;

words! {
    /// The time at which a request takes effect (`pause_option`, `cancel_option`, `resume_option`). A resumption can't
    /// happen at the end of the term.
    pub enum Moment {
        Immediately = "immediately",
        EndOfTerm = "end_of_term",
        SpecificDate = "specific_date",
    }
}

words! {
    /// The handling of the charge for the period that begins with a resumption.
    pub enum ChargesHandling {
        InvoiceImmediately = "invoice_immediately",
        /// The next period's invoice has the charge.
        AddToUnbilledCharges = "add_to_unbilled_charges",
    }
}

words! {
    /// The handling, at a resumption, of invoices that were not paid before the pause.
    pub enum UnpaidInvoicesHandling {
        /// The invoices stay open and aren't charged.
        NoAction = "no_action",
        SchedulePaymentCollection = "schedule_payment_collection",
    }
}

words! {
    /// The handling, at a cancellation, of charges that are on no invoice yet.
    pub enum UnbilledChargesOption {
        Invoice = "invoice",
        Delete = "delete",
    }
}

words! {
    /// The handling, at a cancellation, of unpaid invoices.
    pub enum ReceivablesHandling {
        NoAction = "no_action",
        SchedulePaymentCollection = "schedule_payment_collection",
        WriteOff = "write_off",
    }
}

words! {
    /// The handling, at a cancellation, of the credit that remains after settlement.
    pub enum RefundableCreditsHandling {
        /// The credit stays.
        NoAction = "no_action",
        /// The credit is refunded to the payments that paid the invoices.
        ScheduleRefund = "schedule_refund",
    }
}

/// The time at which a request takes effect. A date is checked to lie ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum When {
    Now,
    EndOfTerm,
    At(Timestamp),
}

impl When {
    /// Combines the option and the date of a request. `date_member` is the name of the date's member.
    ///
    /// # Errors
    /// A date that is missing, not wanted, or not in the future.
    pub fn read(
        moment: Moment,
        date: Option<Timestamp>,
        date_member: &str,
        now: Timestamp,
    ) -> Result<When, Refusal> {
        match (moment, date) {
            (Moment::Immediately, None) => Ok(When::Now),
            (Moment::EndOfTerm, None) => Ok(When::EndOfTerm),
            (Moment::Immediately | Moment::EndOfTerm, Some(_)) => Err(Refusal::invalid_value(
                format!("{date_member} can be given with the option specific_date alone"),
            )),
            (Moment::SpecificDate, None) => Err(Refusal::missing(date_member)),
            (Moment::SpecificDate, Some(date)) if date <= now => Err(Refusal::invalid_value(
                format!("{date_member} has to lie in the future"),
            )),
            (Moment::SpecificDate, Some(date)) => Ok(When::At(date)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_goes_with_specific_date_and_lies_ahead() {
        let now = Timestamp::EPOCH;
        let later = now.plus_seconds(1).expect("in range");
        let read = |moment, date| When::read(moment, date, "resume_date", now);
        assert_eq!(read(Moment::Immediately, None), Ok(When::Now));
        assert_eq!(read(Moment::EndOfTerm, None), Ok(When::EndOfTerm));
        assert_eq!(read(Moment::SpecificDate, Some(later)), Ok(When::At(later)));
        let missing = Refusal::missing("resume_date");
        assert_eq!(read(Moment::SpecificDate, None), Err(missing));
        for (moment, date) in [
            (Moment::SpecificDate, now),
            (Moment::Immediately, later),
            (Moment::EndOfTerm, later),
        ] {
            let refused = read(moment, Some(date)).expect_err("no such combination");
            assert!(refused.to_string().starts_with("resume_date "), "{refused}");
        }
    }
}
