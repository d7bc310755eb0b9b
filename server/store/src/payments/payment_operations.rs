//! Operations of payments without a final answer.
//!
//! A payment's rows in `open_operations` are inserted by the commit after which nobody waits for the answer any more
//! ([`lower`]). There is none while the call is under way, so that a payment with an immediate answer costs no statement
//! here. Until then `payments.sync_at`, in the payment's own row, says when the call must be over.
//!
//! At that date, [`adopt`] inserts the rows of calls that were cut off and of payments that older servers left open. From
//! then on `sync_at` is [`FILED`]: older servers count the payment as open, but never as due.

use multirail_app::operations::ports::open_operations::OpenObject;
use multirail_app::payments::ports::PAYMENT;
use multirail_app::platform::ports::StoreFailure;
use multirail_domain::operations::question::{Question, Why};
use multirail_domain::payments::payment::{Attempt, Payment};
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_kernel::timestamp::Timestamp;

use crate::engine::{Engine, Read, Row, Write, WriteError, values};
use crate::operations::operation_rows;
use crate::operations::operation_rows::{Asked, ClaimTerms, nothing_is_filed};
use crate::payments;
use crate::platform::record;
use crate::platform::record::failure;

/// `payments.sync_at` of a payment whose operations all have their rows: the end of the year 9999.
pub(crate) const FILED: i64 = 253_402_300_799_000_000;

/// Finds calls that must be over by now. A date later than those of all calls under way was set by an older server.
const TO_ADOPT: &str = "select merchant_id, payment_id, sync_at from payments where sync_at <= $1 \
     union all select merchant_id, payment_id, sync_at from payments where sync_at > $2 and sync_at < $3 \
     order by sync_at, merchant_id, payment_id limit $4";

const ADOPTED: &str = "update payments set sync_at = $5 \
     where merchant_id = $1 and payment_id = $2 and version = $3 and sync_at = $4";

const PUT_OFF: &str =
    "update payments set sync_at = $4 where merchant_id = $1 and payment_id = $2 and sync_at = $3";

/// Clears the date of a payment that has no open operations.
const NOT_FILED: &str = concat!(
    "update payments set sync_at = null where merchant_id = $1 and payment_id = $2 and sync_at = $3 and ",
    nothing_is_filed!("payment")
);

/// Payments that get their rows at a time.
const ADOPTED_AT_ONCE: i64 = 100;

/// Returns the value of `payments.sync_at`.
pub(crate) fn sync_at(payment: &Payment, in_flight_seconds: i64) -> Option<i64> {
    let mut call_is_over_at = None;
    let mut has_rows = false;
    for (_, question) in payment.questions(payment.modified_at, in_flight_seconds) {
        if question.why == Why::Started {
            let over = Some(question.due_at.as_micros());
            call_is_over_at = call_is_over_at.min(over).or(over);
        } else {
            has_rows = true;
        }
    }
    call_is_over_at.or(has_rows.then_some(FILED))
}

/// Adds the rows that a change of the payment inserts, moves and deletes.
pub(crate) fn lower(
    before: &Payment,
    after: &Payment,
    in_flight_seconds: i64,
    writes: &mut Vec<Write>,
) {
    let object = OpenObject::new(PAYMENT, after.payment_id.as_str());
    let was = filed(before, in_flight_seconds);
    let is = filed(after, in_flight_seconds);
    operation_rows::lower(&after.merchant_id, &object, &was, &is, writes);
}

fn filed(payment: &Payment, in_flight_seconds: i64) -> Vec<Asked<'_>> {
    let questions = payment.questions(payment.modified_at, in_flight_seconds);
    questions
        .filter(|(_, question)| question.why != Why::Started)
        .map(|(attempt, question)| asked(attempt, question))
        .collect()
}

fn asked<'a>(attempt: &'a Attempt, question: Question<'a>) -> Asked<'a> {
    Asked {
        connector: attempt.connector.as_deref().unwrap_or_default(),
        account: attempt.merchant_connector_id.as_ref(),
        question,
    }
}

/// Returns the statement that marks a payment as having no open operations, unless it has other rows.
pub(crate) fn not_filed(merchant_id: &MerchantId, payment_id: &str) -> Write {
    let parameters = values![merchant_id.as_str(), payment_id, FILED];
    Write::new(NOT_FILED, parameters).any_rows()
}

/// Inserts the rows of calls that were cut off: see the head of this file.
pub(crate) async fn adopt(engine: &Engine, terms: &ClaimTerms) -> Result<(), StoreFailure> {
    let parameters = values![
        terms.now.as_micros(),
        terms.now.later(terms.seconds).as_micros(),
        FILED,
        ADOPTED_AT_ONCE
    ];
    let read = Read::new(TO_ADOPT, parameters);
    for row in engine.fetch(read).await.map_err(failure)? {
        let writes = adoption(engine, terms, &row).await?;
        match engine.write(writes).await {
            // A miss: the payment was changed meanwhile, and that change has set the date itself.
            Ok(_) | Err(WriteError::Miss(_)) => {}
            Err(WriteError::Store(error)) => return Err(failure(error)),
        }
    }
    Ok(())
}

async fn adoption(
    engine: &Engine,
    terms: &ClaimTerms,
    seen: &Row,
) -> Result<Vec<Write>, StoreFailure> {
    let merchant_id = MerchantId::parse(seen.str("merchant_id").map_err(failure)?);
    let payment_id = PaymentId::parse(seen.str("payment_id").map_err(failure)?);
    let (merchant_id, payment_id) = (record::id(merchant_id)?, record::id(payment_id)?);
    let sync_at = seen.int("sync_at").map_err(failure)?;
    let found = payments::payment_without_payer(engine, &merchant_id, &payment_id).await;
    let row_name = format!("{merchant_id}/{payment_id}");
    let Some(payment) = record::readable("payments", row_name, found)?.flatten() else {
        let put_off_to = terms.now.later(terms.seconds).as_micros();
        let parameters = values![
            merchant_id.as_str(),
            payment_id.as_str(),
            sync_at,
            put_off_to
        ];
        return Ok(vec![Write::new(PUT_OFF, parameters).any_rows()]);
    };
    let object = OpenObject::new(PAYMENT, payment_id.as_str());
    let mut writes = Vec::new();
    for (attempt, question) in payment.questions(payment.modified_at, terms.seconds) {
        let due_at = Timestamp::from_micros(sync_at);
        let asked = asked(attempt, question);
        writes.push(operation_rows::adopt(&merchant_id, &object, &asked, due_at));
    }
    let is_filed = !writes.is_empty();
    let parameters = values![
        merchant_id.as_str(),
        payment_id.as_str(),
        payment.version,
        sync_at,
        is_filed.then_some(FILED)
    ];
    writes.push(Write::new(ADOPTED, parameters));
    Ok(writes)
}
