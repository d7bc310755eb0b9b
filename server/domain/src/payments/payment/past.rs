//! Stored payments, as estimates of routing see them.

use multirail_kernel::timestamp::Timestamp;

use crate::payments::payment::{Attempt, Payment};
use crate::routing::{Facts, FirstTry, PastPayment, TryResult};

impl PastPayment for Payment {
    fn created_at(&self) -> Timestamp {
        self.created_at
    }

    fn first_try(&self) -> Option<FirstTry<'_>> {
        let attempt = self.attempts.first()?;
        let facts = self.facts_of(attempt);
        // A redacted payment has lost its payer's data, so no account can miss any of it.
        let knows_payer = self.tells_of_somebody();
        Some(FirstTry {
            facts: Facts {
                knows_payer,
                unknown_of_browser: facts.unknown_of_browser.filter(|_| knows_payer),
                ..facts
            },
            instrument: attempt.instrument.as_ref()?,
            connector: attempt.connector.as_deref()?,
            account: attempt.merchant_connector_id.as_ref()?,
            result: result(attempt),
        })
    }
}

/// Returns the result of an attempt. Voids and refunds after an approval don't matter.
fn result(attempt: &Attempt) -> TryResult {
    match attempt.authorized_amount {
        Some(_) => TryResult::Approved,
        None if attempt.may_be_retried() => TryResult::Declined,
        None => TryResult::Undecided,
    }
}
