//! What is the same of every stand-in, whatever its processor's language.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::Value;

use crate::{Notice, Processor};

/// A processor in memory, with what a test has to know of it and may do to it.
pub trait StandIn: Processor {
    /// Credentials that it knows, as `connector_account_details` has them.
    fn credentials(&self) -> Value;

    /// The same with a key that it refuses.
    fn refused_credentials(&self) -> Value;

    /// What an account's `metadata` says, beside its address.
    fn metadata(&self) -> Value;

    fn card(&self, wanted: CardThat) -> TestCard;

    /// What was done for the authorization that we named so. Nothing for one that it doesn't know.
    fn books(&self, authorization: &str) -> Books;

    /// The payer at this address decides. The query with which the processor sends the payer back; none where nobody waits.
    fn decide(&self, page: &str, approves: bool) -> Option<String>;

    /// What its notices are verified by.
    fn notice_secret(&self) -> &str;

    /// Everything that it has told so far, in its order, signed now.
    fn notices(&self) -> Vec<Notice>;
}

/// What a card does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardThat {
    IsApproved,
    IsDeclined,
    /// Approved or declined as the payer decides.
    AsksThePayer,
}

/// A card of a processor's test mode, and who holds it.
#[derive(Clone, Copy, Debug)]
pub struct TestCard {
    pub number: &'static str,
    pub code: &'static str,
    pub holder: &'static str,
}

/// What was done for one authorization, in the currency's minor units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Books {
    /// Reserved, whatever became of it.
    pub authorized: i64,
    /// Ever taken.
    pub captured: i64,
    /// Let go without having been taken.
    pub released: i64,
    /// Given back, by whatever operation.
    pub given_back: i64,
}

/// Seconds since 1970 by this machine's clock, for stand-ins whose callers have it too.
pub fn system_time() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = since.expect("a clock after 1970").as_secs();
    i64::try_from(seconds).expect("in range")
}
