//! An estimate: the accounts that the newest payments of a profile would try first under other rules.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;

use multirail_kernel::ids::ConnectorAccountId;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::instrument::Instrument;

use super::facts::Facts;
use super::strategy::{RoutingInput, RoutingStrategy};

/// A rate of one, in hundredths of a percent.
const WHOLE: i64 = 10_000;

/// The routing view of a stored payment. The payments module implements it, because it has a payment's facts.
pub trait PastPayment: fmt::Debug + Send + Sync {
    /// Returns the time of its creation.
    fn created_at(&self) -> Timestamp;

    /// Returns its first attempt; `None` if that was sent to no account.
    fn first_try(&self) -> Option<FirstTry<'_>>;
}

/// The first attempt of a payment.
#[derive(Clone, Copy, Debug)]
pub struct FirstTry<'a> {
    pub facts: Facts<'a>,
    pub instrument: &'a Instrument,
    /// The account that was tried, and its connector.
    pub connector: &'a str,
    pub account: &'a ConnectorAccountId,
    pub result: TryResult,
}

/// The result of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TryResult {
    Approved,
    Declined,
    /// It is under way, or nobody knows its outcome.
    Undecided,
}

/// The counted effect of rules on past payments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Estimate {
    /// Number of payments that count.
    pub sample_size: u32,
    /// Number of payments that were sent to no account, so that they don't count.
    pub not_counted: u32,
    /// The creation of the oldest payment that counts.
    pub oldest_created_at: Option<Timestamp>,
    /// Number of payments that would try another account first.
    pub moved: u32,
    /// Number of payments that no account could take.
    pub without_account: u32,
    /// The accounts of both orders, the one with the most first choices first.
    pub accounts: Vec<EstimatedAccount>,
}

/// The payments of one account in an estimate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EstimatedAccount {
    pub connector: String,
    pub merchant_connector_id: ConnectorAccountId,
    /// Number of payments that would try it first.
    pub first_choice: u32,
    /// Number of payments that tried it first.
    pub used: u32,
    /// Number of those that it approved, and that it declined. The others are undecided.
    pub approved: u32,
    pub declined: u32,
}

impl EstimatedAccount {
    /// Returns the share of approvals in the decided attempts, in hundredths of a percent. `None` if none is decided.
    pub fn approval_rate(&self) -> Option<i64> {
        let (approved, declined) = (i64::from(self.approved), i64::from(self.declined));
        (approved * WHOLE).checked_div(approved + declined)
    }
}

/// Counts the accounts that these payments would try first. Each payment's own random number replaces the one of `input`.
pub fn estimate(
    payments: &[(Box<dyn PastPayment>, u32)],
    strategy: &dyn RoutingStrategy,
    input: RoutingInput<'_>,
) -> Estimate {
    let mut estimate = Estimate::default();
    let mut accounts = Accounts::default();
    for (payment, draw) in payments {
        let Some(tried) = payment.first_try() else {
            estimate.not_counted += 1;
            continue;
        };
        estimate.sample_size += 1;
        let created_at = payment.created_at();
        let oldest = estimate.oldest_created_at.unwrap_or(created_at);
        estimate.oldest_created_at = Some(oldest.min(created_at));
        let input = RoutingInput {
            draw: *draw,
            ..input
        };
        let routed = strategy.consider(&tried.facts, tried.instrument, input);
        match routed.eligible.first() {
            None => estimate.without_account += 1,
            Some(candidate) => {
                let chosen = &candidate.account.merchant_connector_id;
                estimate.moved += u32::from(chosen != tried.account);
                let connector = &candidate.account.connector_name;
                accounts.entry(connector, chosen).first_choice += 1;
            }
        }
        let used = accounts.entry(tried.connector, tried.account);
        used.used += 1;
        match tried.result {
            TryResult::Approved => used.approved += 1,
            TryResult::Declined => used.declined += 1,
            TryResult::Undecided => {}
        }
    }
    estimate.accounts = accounts.in_order();
    estimate
}

/// The counts of accounts by id.
#[derive(Default)]
struct Accounts(BTreeMap<ConnectorAccountId, EstimatedAccount>);

impl Accounts {
    fn entry(&mut self, connector: &str, id: &ConnectorAccountId) -> &mut EstimatedAccount {
        let of_account = self.0.entry(id.clone());
        of_account.or_insert_with(|| EstimatedAccount {
            connector: connector.to_owned(),
            merchant_connector_id: id.clone(),
            first_choice: 0,
            used: 0,
            approved: 0,
            declined: 0,
        })
    }

    /// Returns the accounts by their first choices, then by their use. Ids decide between equals.
    fn in_order(self) -> Vec<EstimatedAccount> {
        let mut accounts: Vec<EstimatedAccount> = self.0.into_values().collect();
        accounts.sort_by_key(|one| Reverse((one.first_choice, one.used)));
        accounts
    }
}
