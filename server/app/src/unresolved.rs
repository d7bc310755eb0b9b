//! What waits for a processor's word, for the operator.

use multirail_domain::connector::OperationKind;
use multirail_domain::payment::{Operation, Payment};
use multirail_domain::refusal::Refusal;
use multirail_domain::timestamp::Timestamp;

use super::{App, AppError};
use crate::ports::open_operations::UnresolvedOperation;

/// One operation without a final answer, and the payment that it belongs to.
#[derive(Clone, Debug)]
pub struct Unresolved {
    pub payment: Payment,
    pub attempt: u32,
    pub connector: String,
    pub kind: OperationKind,
    pub operation: Operation,
    pub next_question_at: Timestamp,
}

const LARGEST_PAGE: i64 = 100;

impl App {
    /// Operations of all merchants that have no final answer; the one that is asked about next comes first.
    ///
    /// # Errors
    /// A limit out of range.
    pub async fn unresolved_operations(
        &self,
        limit: Option<i64>,
        offset: Option<i64>,
    ) -> Result<Vec<Unresolved>, AppError> {
        let limit = limit.unwrap_or(LARGEST_PAGE);
        if !(1..=LARGEST_PAGE).contains(&limit) {
            let message = format!("limit has to lie between 1 and {LARGEST_PAGE}");
            return Err(Refusal::invalid_value(message).into());
        }
        let found = self.store.unresolved_operations(limit, offset.unwrap_or(0));
        Ok(found.await?.into_iter().filter_map(of_payment).collect())
    }
}

/// Nothing where the processor's answer is stored by now.
fn of_payment(found: UnresolvedOperation) -> Option<Unresolved> {
    let UnresolvedOperation {
        processor_key,
        payment,
        next_question_at,
    } = found;
    let mut unresolved = payment.unresolved();
    let (attempt, kind, operation) =
        unresolved.find(|(_, _, operation)| operation.key == processor_key)?;
    let connector = attempt.connector.clone().unwrap_or_default();
    let (attempt, operation) = (attempt.number, operation.clone());
    drop(unresolved);
    Some(Unresolved {
        attempt,
        connector,
        kind,
        operation,
        next_question_at,
        payment,
    })
}
