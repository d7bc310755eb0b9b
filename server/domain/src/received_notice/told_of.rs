//! Which operation of ours a notice tells of.

use crate::connector::{About, DisputeNews, OperationKind};
use crate::ids::{ConnectorAccountId, ProcessorKey};
use crate::operation::Operation;
use crate::payment::{Attempt, Payment};
use crate::refund::Refund;

/// What of a payment or refund a notice tells of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToldOf {
    /// The operation of this key.
    Operation(ProcessorKey),
    /// Something that wasn't asked for here.
    NotAskedFor,
    /// It was asked for through another account, which has no say.
    AnotherAccount,
}

/// What of a payment a notice to this account tells of. A refund is an object of its own: see [`of_refunds`].
pub fn of_payment(payment: &Payment, account: &ConnectorAccountId, about: &About) -> ToldOf {
    let of_account = |attempt: &&Attempt| {
        attempt.brought.is_none() && attempt.merchant_connector_id.as_ref() == Some(account)
    };
    let attempts: Vec<&Attempt> = payment.attempts.iter().filter(of_account).collect();
    if attempts.is_empty() {
        return ToldOf::AnotherAccount;
    }
    let operation = named(&of_kind(&attempts, about.kind), about).or_else(|| {
        let mut attempts = attempts;
        attempts.retain(|attempt| is_authorized_as(attempt, about));
        only_open(&of_kind(&attempts, about.kind), about)
    });
    told_of(operation)
}

/// The attempt of a payment whose money a dispute is about that this account tells of.
pub fn disputed_attempt(
    payment: &Payment,
    account: &ConnectorAccountId,
    news: &DisputeNews,
) -> Option<u32> {
    let about = news.about();
    let mut attempts = payment.attempts.iter();
    let attempt = attempts.find(|attempt| {
        attempt.brought.is_none()
            && attempt.merchant_connector_id.as_ref() == Some(account)
            && is_authorized_as(attempt, &about)
    })?;
    Some(attempt.number)
}

/// Of which of these refunds, one or all of a payment, a notice to this account tells.
pub fn of_refunds(refunds: &[Refund], account: &ConnectorAccountId, about: &About) -> ToldOf {
    let of_account = |refund: &&Refund| {
        let charge = &refund.charge;
        charge.brought.is_none() && charge.merchant_connector_id.as_ref() == Some(account)
    };
    let refunds = refunds.iter().filter(of_account);
    let operations: Vec<&Operation> = refunds.map(|refund| &refund.operation).collect();
    if operations.is_empty() {
        return ToldOf::AnotherAccount;
    }
    let operation = named(&operations, about).or_else(|| only_open(&operations, about));
    told_of(operation.filter(|_| about.kind == OperationKind::Refund))
}

fn told_of(operation: Option<&Operation>) -> ToldOf {
    operation.map_or(ToldOf::NotAskedFor, |operation| {
        ToldOf::Operation(operation.key.clone())
    })
}

fn of_kind<'a>(attempts: &[&'a Attempt], kind: OperationKind) -> Vec<&'a Operation> {
    let all = attempts.iter().flat_map(|attempt| attempt.operations());
    all.filter(|(own, _)| *own == kind)
        .map(|(_, operation)| operation)
        .collect()
}

/// The operation that a notice names: by our key, else by the processor's reference.
fn named<'a>(operations: &[&'a Operation], about: &About) -> Option<&'a Operation> {
    let mut all = operations.iter().copied();
    let by_key = all.find(|operation| about.key.as_ref() == Some(&operation.key));
    by_key.or_else(|| {
        let mut all = operations.iter().copied();
        all.find(|operation| about.reference.is_some() && operation.reference == about.reference)
    })
}

/// The attempt is the one whose authorization the notice names.
fn is_authorized_as(attempt: &Attempt, about: &About) -> bool {
    let by_reference = about.authorization_reference.as_deref();
    let by_key = about.authorization_key.as_ref();
    let authorization = attempt.authorization.as_ref();
    (by_reference.is_some() && attempt.connector_transaction_id() == by_reference)
        || (by_key.is_some() && authorization.map(|one| &one.key) == by_key)
}

/// The only operation that may still become something, where the notice names none. One that somebody asked for at the
/// processor itself has names, and is none of ours.
fn only_open<'a>(operations: &[&'a Operation], about: &About) -> Option<&'a Operation> {
    if about.key.is_some() || about.reference.is_some() {
        return None;
    }
    let mut open = operations
        .iter()
        .copied()
        .filter(|operation| operation.progress.is_open());
    let first = open.next();
    first.filter(|_| open.next().is_none())
}
