//! Matching a notice with a payment's operations, and the trust in its sender.

use multirail_kernel::ids::ConnectorAccountId;
use multirail_sdk::connector::{About, Approval, DisputeNews, Fact, OperationKind, Outcome};

use crate::operations::operation::Operation;
use crate::operations::received_notice::{Sender, ToldOf};
use crate::payments::payment::{Attempt, Payment};

/// Returns the content of a notice as far as it concerns a payment's attempts. Refunds are other objects, see
/// [`of_refunds`](crate::payments::refund::notice::of_refunds).
pub fn of_payment(
    payment: &Payment,
    sender: Sender<'_>,
    about: &About,
    outcome: Option<&Outcome>,
) -> ToldOf {
    let attempts = |is_own: &dyn Fn(&Attempt) -> bool| {
        let attempts = payment.attempts.iter();
        attempts
            .filter(|attempt| is_own(attempt))
            .collect::<Vec<_>>()
    };
    let stored = attempts(&|attempt| {
        let account = attempt.merchant_connector_id.as_ref();
        attempt.brought.is_none() && account == Some(sender.account)
    });
    let brought = attempts(&|attempt| {
        attempt.brought.is_some() && attempt.connector.as_deref() == Some(sender.connector)
    });
    if let Some(operation) = of_attempts(&stored, about) {
        fact_or_hint(operation, outcome)
    } else if let Some((authorization, outcome)) = taken_at_once(&stored, about, outcome) {
        fact_or_hint(authorization, Some(&outcome))
    } else if let Some(operation) = of_attempts(&brought, about) {
        let is_own = payment.profile_id == *sender.profile;
        fact_if_proven(operation, about, outcome, is_own)
    } else if let Some((authorization, _)) = taken_at_once(&brought, about, outcome) {
        // The capture has its own reference, which is unknown here.
        hint_of_brought(authorization, outcome)
    } else {
        unmatched(stored.is_empty())
    }
}

/// Returns the attempt whose money a dispute concerns, if this account may report it. `deleted` are the payment's deleted
/// accounts.
///
/// An account reports disputes of its own attempts. An attempt whose account was deleted, or that used credentials of the
/// request, has no account of its own. Another account of the same profile and connector may report its disputes with the
/// processor's reference of the authorization.
pub fn disputed_attempt(
    payment: &Payment,
    sender: Sender<'_>,
    deleted: &[ConnectorAccountId],
    news: &DisputeNews,
) -> Option<u32> {
    let about = news.about();
    let through = |attempt: &Attempt, account: &ConnectorAccountId| {
        attempt.brought.is_none() && attempt.merchant_connector_id.as_ref() == Some(account)
    };
    let took_it =
        |attempt: &&Attempt| through(attempt, sender.account) && is_authorized_as(attempt, &about);
    let speaks_for_it = |attempt: &&Attempt| {
        let mut deleted = deleted.iter();
        let is_nobodys =
            attempt.brought.is_some() || deleted.any(|account| through(attempt, account));
        let key = attempt.authorization.as_ref().map(|one| &one.key);
        is_nobodys
            && payment.profile_id == *sender.profile
            && attempt.connector.as_deref() == Some(sender.connector)
            && about.reference.is_some()
            && attempt.connector_transaction_id() == about.reference.as_deref()
            && (about.key.is_none() || about.key.as_ref() == key)
    };
    let attempts = || payment.attempts.iter();
    let attempt = attempts()
        .find(took_it)
        .or_else(|| attempts().find(speaks_for_it))?;
    Some(attempt.number)
}

pub(crate) fn unmatched(is_anothers: bool) -> ToldOf {
    if is_anothers {
        ToldOf::AnotherAccount
    } else {
        ToldOf::NotAskedFor
    }
}

pub(crate) fn fact_or_hint(operation: &Operation, outcome: Option<&Outcome>) -> ToldOf {
    let about = operation.key.clone();
    match outcome.cloned() {
        Some(outcome) => ToldOf::Fact(Fact { about, outcome }),
        None => ToldOf::Hint(about),
    }
}

/// Returns a fact only if the notice has the processor's own reference of the operation. The server's key is no proof: whoever
/// knows the key could put it into a notice of another account. A notice of another profile (`is_own` is false) proves nothing
/// either, because the holder of that profile's secret can sign anything.
pub(crate) fn fact_if_proven(
    operation: &Operation,
    about: &About,
    outcome: Option<&Outcome>,
    is_own: bool,
) -> ToldOf {
    let has_its_reference = about.reference.is_some() && about.reference == operation.reference;
    let is_of_its_key = about.key.as_ref().is_none_or(|key| *key == operation.key);
    match outcome {
        Some(_) if is_own && has_its_reference && is_of_its_key => fact_or_hint(operation, outcome),
        Some(_) | None => hint_of_brought(operation, outcome),
    }
}

fn hint_of_brought(operation: &Operation, said: Option<&Outcome>) -> ToldOf {
    ToldOf::HintOfBrought {
        key: operation.key.clone(),
        said: said.cloned(),
    }
}

fn of_attempts<'a>(attempts: &[&'a Attempt], about: &About) -> Option<&'a Operation> {
    named(&of_kind(attempts, about.kind), about).or_else(|| {
        let mut attempts = attempts.to_vec();
        attempts.retain(|attempt| is_authorized_as(attempt, about));
        only_open(&of_kind(&attempts, about.kind), about)
    })
}

/// Returns the authorization of an automatic capture that the notice is about, with the outcome for it. The processor gave the
/// capture its own reference, which differs from the authorization's.
fn taken_at_once<'a>(
    attempts: &[&'a Attempt],
    about: &About,
    outcome: Option<&Outcome>,
) -> Option<(&'a Operation, Outcome)> {
    if about.kind != OperationKind::Capture {
        return None;
    }
    let mut at_once = attempts
        .iter()
        .filter(|attempt| attempt.captures_at_once)
        .filter_map(|attempt| Some((attempt, attempt.authorization.as_ref()?)));
    let (_, authorization) = at_once.find(|(attempt, authorization)| match &about.key {
        Some(key) => *key == authorization.key,
        None => is_authorized_as(attempt, about),
    })?;
    let outcome = match outcome?.clone() {
        Outcome::Done(approval) => Outcome::Done(Approval {
            reference: None,
            ..approval
        }),
        Outcome::Declined(decline) if decline.takes_back => Outcome::Declined(decline),
        // The notice may be about another capture, requested directly at the processor, of money that is captured already.
        Outcome::Declined(_)
        | Outcome::CustomerMustAct { .. }
        | Outcome::DeviceDataNeeded { .. }
        | Outcome::Pending { .. }
        | Outcome::NeverHappened { .. }
        | Outcome::Unknown(_) => return None,
    };
    Some((authorization, outcome))
}

fn of_kind<'a>(attempts: &[&'a Attempt], kind: OperationKind) -> Vec<&'a Operation> {
    let all = attempts.iter().flat_map(|attempt| attempt.operations());
    all.filter(|(own, _)| *own == kind)
        .map(|(_, operation)| operation)
        .collect()
}

/// Returns the operation that a notice names, by the server's key or else by the processor's reference.
pub(crate) fn named<'a>(operations: &[&'a Operation], about: &About) -> Option<&'a Operation> {
    let mut all = operations.iter().copied();
    let by_key = all.find(|operation| about.key.as_ref() == Some(&operation.key));
    by_key.or_else(|| {
        let mut all = operations.iter().copied();
        all.find(|operation| about.reference.is_some() && operation.reference == about.reference)
    })
}

/// Returns whether the notice names this attempt's authorization.
fn is_authorized_as(attempt: &Attempt, about: &About) -> bool {
    let by_reference = about.authorization_reference.as_deref();
    let by_key = about.authorization_key.as_ref();
    let authorization = attempt.authorization.as_ref();
    (by_reference.is_some() && attempt.connector_transaction_id() == by_reference)
        || (by_key.is_some() && authorization.map(|one| &one.key) == by_key)
}

/// Returns the only open operation, if the notice names none. A notice with a key or reference is about an operation of another
/// program.
pub(crate) fn only_open<'a>(operations: &[&'a Operation], about: &About) -> Option<&'a Operation> {
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
