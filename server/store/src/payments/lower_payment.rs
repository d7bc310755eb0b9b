//! Translates changes of payments to statements: the payment's row, and the attempts and captures that changed.

use std::sync::Arc;

use multirail_app::payments::ports::PaymentChange;
use multirail_app::platform::ports::StoreFailure;
use multirail_app::platform::ports::failure::duplicate;
use multirail_app::platform::ports::seal::DataKey;
use multirail_domain::payments::payment::{Attempt, Capture, Payment, PersonalOf};
use multirail_kernel::audit::Named;
use multirail_kernel::secret::SecretText;
use multirail_platform::{Change, Invalidates, PayerKey, SealedFor, Sealing, Writing};

use super::payment_operations;
use crate::engine::{Value, Write, values};
use crate::payments;
use crate::platform::lower::Stored;
use crate::platform::record;

const PAYMENTS: &str = "payments";
const ATTEMPTS: &str = "attempts";
const CAPTURES: &str = "captures";

/// Bytes that the sealed personal data is padded to a multiple of. The payment's row is then mostly as long after the
/// confirm, which adds the card holder: on SQLite, a row that outgrows its page rewrites the neighbouring pages. The
/// padding also hides the length.
const PERSONAL_STEP: usize = 128;

const INSERT_PAYMENT: &str = "insert into payments (merchant_id, payment_id, version, profile_id, status, amount, currency, \
     customer_id, authentication_type, merchant_order_reference_id, connector, merchant_connector_id, payment_method, \
     payment_method_type, card_network, attempt_count, capture_count, record, modified_at, sync_at, is_unresolved, \
     card_discovery, created_at, personal) \
     values ($1, $2, 1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23) \
     on conflict (merchant_id, payment_id) do nothing";

/// Leaves out `created_at`, which never changes. `$also` adds further columns.
macro_rules! update_payment {
    ($also:literal) => {
        concat!(
            "update payments set version = version + 1, profile_id = $3, status = $4, amount = $5, \
             currency = $6, customer_id = $7, authentication_type = $8, merchant_order_reference_id = $9, connector = $10, \
             merchant_connector_id = $11, payment_method = $12, payment_method_type = $13, card_network = $14, \
             attempt_count = $15, capture_count = $16, record = $17, modified_at = $18, sync_at = $19, \
             is_unresolved = $20, card_discovery = $21",
            $also,
            " where merchant_id = $1 and payment_id = $2 and version = $22"
        )
    };
}

const UPDATE_PAYMENT: &str = update_payment!(", personal = $23");

/// Leaves the personal data as stored.
const UPDATE_PAYMENT_ALONE: &str = update_payment!("");

/// Locks the payment: another change waits for this commit and then sees the later version.
const UNCHANGED: &str = "update payments set version = version \
     where merchant_id = $1 and payment_id = $2 and version = $3";

const DELETE_PAYMENT: &str =
    "delete from payments where merchant_id = $1 and payment_id = $2 and version = $3";

const DELETE_ATTEMPTS: &str = "delete from attempts where merchant_id = $1 and payment_id = $2";

/// The version moves, because a use case that has read the payment would write its attempts with plaintext.
const PART_PAYMENT: &str = "update payments set version = version + 1, record = $4, personal = $5 \
     where merchant_id = $1 and payment_id = $2 and version = $3 and personal is null";

const PART_ATTEMPT: &str = "update attempts set record = $4 \
     where merchant_id = $1 and payment_id = $2 and attempt_number = $3";

const INSERT_ATTEMPT: &str = "insert into attempts (merchant_id, payment_id, attempt_number, status, authorized_amount, \
     capturable_limit, captured_amount, pending_capture_amount, voided_amount, record, modified_at, is_open, \
     authorization_key, connector_transaction_id, created_at) \
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)";

/// `$also` adds the indexed columns that change.
macro_rules! update_attempt {
    ($also:literal) => {
        concat!(
            "update attempts set status = $4, authorized_amount = $5, capturable_limit = $6, captured_amount = $7, \
             pending_capture_amount = $8, voided_amount = $9, record = $10, modified_at = $11",
            $also,
            " where merchant_id = $1 and payment_id = $2 and attempt_number = $3"
        )
    };
}

/// Returns the statement for the columns of [`indexed`] that change. SQLite rewrites an index if an update names its
/// column, whatever the value.
const fn update_attempt(change: [bool; 3]) -> &'static str {
    match change {
        [false, false, false] => update_attempt!(""),
        [true, false, false] => update_attempt!(", is_open = $12"),
        [false, true, false] => update_attempt!(", authorization_key = $12"),
        [false, false, true] => update_attempt!(", connector_transaction_id = $12"),
        [true, true, false] => update_attempt!(", is_open = $12, authorization_key = $13"),
        [true, false, true] => {
            update_attempt!(", is_open = $12, connector_transaction_id = $13")
        }
        [false, true, true] => {
            update_attempt!(", authorization_key = $12, connector_transaction_id = $13")
        }
        [true, true, true] => update_attempt!(
            ", is_open = $12, authorization_key = $13, connector_transaction_id = $14"
        ),
    }
}

const INSERT_CAPTURE: &str = "insert into captures (merchant_id, payment_id, attempt_number, capture_sequence, status, \
     amount, processor_key, record) values ($1, $2, $3, $4, $5, $6, $7, $8)";

const UPDATE_CAPTURE: &str = "update captures set status = $5, amount = $6, processor_key = $7, record = $8 \
     where merchant_id = $1 and payment_id = $2 and attempt_number = $3 and capture_sequence = $4";

impl Change for Stored<PaymentChange> {
    fn write(&self, with: &Writing<'_>, writes: &mut Vec<Write>) -> Result<(), StoreFailure> {
        match &self.0 {
            PaymentChange::Insert(payment) => insert(payment, with, writes),
            PaymentChange::Update { before, after } => update(before, after, with, writes),
            PaymentChange::Unchanged {
                merchant_id,
                payment_id,
                version,
            } => {
                let parameters = values![merchant_id.as_str(), payment_id.as_str(), *version];
                writes.push(Write::new(UNCHANGED, parameters).on(PAYMENTS));
                Ok(())
            }
            PaymentChange::Delete(payment) => {
                let (merchant_id, payment_id) =
                    (payment.merchant_id.as_str(), payment.payment_id.as_str());
                let parameters = values![merchant_id, payment_id, payment.version];
                writes.push(Write::new(DELETE_PAYMENT, parameters).on(PAYMENTS));
                let parameters = values![merchant_id, payment_id];
                writes.push(Write::new(DELETE_ATTEMPTS, parameters).any_rows());
                Ok(())
            }
        }
    }

    fn invalidates(&self) -> Invalidates {
        Invalidates::Nothing
    }

    fn sealed_for(&self) -> SealedFor<'_> {
        match &self.0 {
            PaymentChange::Insert(payment) | PaymentChange::Update { after: payment, .. } => {
                SealedFor::Payer(&payment.merchant_id, payment.terms.customer_id.as_ref())
            }
            PaymentChange::Unchanged { .. } | PaymentChange::Delete(_) => SealedFor::Nobody,
        }
    }

    fn audited(&self) -> Option<Named> {
        match &self.0 {
            PaymentChange::Insert(payment)
            | PaymentChange::Update { after: payment, .. }
            | PaymentChange::Delete(payment) => {
                Some(Named::new("payment", payment.payment_id.as_str()))
            }
            PaymentChange::Unchanged { .. } => None,
        }
    }
}

/// The place of the payer's personal data.
enum Payer<'a> {
    /// In the records.
    InRecords,
    /// Sealed in a column, outside of the records.
    Sealed(&'a Arc<dyn DataKey>),
    /// Not at all: the customer was redacted.
    Forgotten,
}

impl<'a> Payer<'a> {
    fn from_payment(payment: &Payment, keys: &'a dyn Sealing) -> Self {
        match keys.of_payer(&payment.merchant_id, payment.terms.customer_id.as_ref()) {
            PayerKey::Key(key) => Payer::Sealed(key),
            PayerKey::Destroyed => Payer::Forgotten,
            PayerKey::None => Payer::InRecords,
        }
    }

    /// Returns the text of the payment's record.
    fn record(&self, payment: &Payment) -> Result<String, StoreFailure> {
        match self {
            Payer::InRecords => record::text(&payment.record()),
            Payer::Sealed(_) | Payer::Forgotten => record::text(&payment.redacted_record()),
        }
    }

    /// Returns the record of one of the payment's attempts, as text.
    fn attempt_record(&self, attempt: &Attempt) -> Result<String, StoreFailure> {
        match self {
            Payer::InRecords => record::text(&attempt.record()),
            Payer::Sealed(_) | Payer::Forgotten => record::text(&attempt.redacted_record()),
        }
    }

    /// Returns the sealed personal data.
    fn sealed(&self, payment: &Payment) -> Option<Vec<u8>> {
        match self {
            Payer::InRecords | Payer::Forgotten => None,
            Payer::Sealed(key) => Some(seal(payment, &payment.personal()?, key)),
        }
    }

    /// Returns whether the data that was sealed for `before` is still right.
    fn stays(&self, before: &Payment, after: &Payment) -> bool {
        match self {
            Payer::InRecords | Payer::Forgotten => false,
            Payer::Sealed(_) => after.tells_as(before),
        }
    }
}

fn seal(payment: &Payment, personal: &PersonalOf<'_>, key: &Arc<dyn DataKey>) -> Vec<u8> {
    let place = payments::place(&payment.merchant_id, &payment.payment_id);
    let text = SecretText::of_json_in_steps(personal, PERSONAL_STEP);
    key.seal(&place, &text)
}

/// Returns statements that seal the personal data of a payment with plaintext records. They miss if the payment was changed
/// meanwhile.
pub(crate) fn part(
    payment: &Payment,
    personal: &PersonalOf<'_>,
    key: &Arc<dyn DataKey>,
) -> Result<Vec<Write>, StoreFailure> {
    let parameters = values![
        payment.merchant_id.as_str(),
        payment.payment_id.as_str(),
        payment.version,
        record::text(&payment.redacted_record())?,
        seal(payment, personal, key)
    ];
    let mut writes = vec![Write::new(PART_PAYMENT, parameters)];
    for attempt in &payment.attempts {
        if attempt.tells_of_somebody() {
            let parameters = values![
                payment.merchant_id.as_str(),
                payment.payment_id.as_str(),
                i64::from(attempt.number),
                record::text(&attempt.redacted_record())?
            ];
            writes.push(Write::new(PART_ATTEMPT, parameters));
        }
    }
    Ok(writes)
}

fn insert(
    payment: &Payment,
    with: &Writing<'_>,
    writes: &mut Vec<Write>,
) -> Result<(), StoreFailure> {
    let payer = Payer::from_payment(payment, with.sealing);
    let record = payer.record(payment)?;
    let mut parameters = payment_values(payment, record, with.in_flight_seconds);
    parameters.extend(values![
        payment.created_at.as_micros(),
        payer.sealed(payment)
    ]);
    writes.push(
        Write::new(INSERT_PAYMENT, parameters)
            .on(PAYMENTS)
            .or_duplicate(duplicate::PAYMENT),
    );
    for attempt in &payment.attempts {
        insert_attempt(payment, attempt, &payer, writes)?;
    }
    Ok(())
}

fn update(
    before: &Payment,
    after: &Payment,
    with: &Writing<'_>,
    writes: &mut Vec<Write>,
) -> Result<(), StoreFailure> {
    let payer = Payer::from_payment(after, with.sealing);
    let in_flight_seconds = with.in_flight_seconds;
    let mut parameters = payment_values(after, payer.record(after)?, in_flight_seconds);
    parameters.push(Value::from(before.version));
    let sql = if payer.stays(before, after) {
        UPDATE_PAYMENT_ALONE
    } else {
        parameters.push(Value::from(payer.sealed(after)));
        UPDATE_PAYMENT
    };
    writes.push(Write::new(sql, parameters).on(PAYMENTS));
    payment_operations::lower(before, after, in_flight_seconds, writes);
    // An attempt that closes has to be written before the one that opens: only one may be open at any moment.
    for attempt in &after.attempts {
        let Some(was) = before.attempts.iter().find(|a| a.number == attempt.number) else {
            insert_attempt(after, attempt, &payer, writes)?;
            continue;
        };
        if was == attempt {
            continue;
        }
        let mut parameters = attempt_values(after, attempt, payer.attempt_record(attempt)?);
        let (stood, stands) = (indexed(before, was), indexed(after, attempt));
        let change: [bool; 3] = std::array::from_fn(|at| stood[at] != stands[at]);
        let changed = stands.into_iter().zip(change).filter(|(_, change)| *change);
        parameters.extend(changed.map(|(value, _)| value));
        writes.push(Write::new(update_attempt(change), parameters).on(ATTEMPTS));
        for capture in &attempt.captures {
            match was.captures.iter().find(|c| c.sequence == capture.sequence) {
                Some(same) if same == capture => {}
                Some(_) => {
                    let parameters = capture_values(after, attempt, capture)?;
                    writes.push(Write::new(UPDATE_CAPTURE, parameters).on(CAPTURES));
                }
                None => insert_capture(after, attempt, capture, writes)?,
            }
        }
    }
    Ok(())
}

fn insert_attempt(
    payment: &Payment,
    attempt: &Attempt,
    payer: &Payer<'_>,
    writes: &mut Vec<Write>,
) -> Result<(), StoreFailure> {
    let mut parameters = attempt_values(payment, attempt, payer.attempt_record(attempt)?);
    parameters.extend(indexed(payment, attempt));
    parameters.push(Value::from(attempt.created_at.as_micros()));
    writes.push(Write::new(INSERT_ATTEMPT, parameters).on(ATTEMPTS));
    for capture in &attempt.captures {
        insert_capture(payment, attempt, capture, writes)?;
    }
    Ok(())
}

fn insert_capture(
    payment: &Payment,
    attempt: &Attempt,
    capture: &Capture,
    writes: &mut Vec<Write>,
) -> Result<(), StoreFailure> {
    let parameters = capture_values(payment, attempt, capture)?;
    writes.push(Write::new(INSERT_CAPTURE, parameters).on(CAPTURES));
    Ok(())
}

fn payment_values(payment: &Payment, record: String, in_flight_seconds: i64) -> Vec<Value> {
    let terms = &payment.terms;
    let attempt = payment.active();
    let instrument = attempt.instrument.as_ref();
    let card = instrument.and_then(|instrument| instrument.details.card());
    values![
        payment.merchant_id.as_str(),
        payment.payment_id.as_str(),
        payment.profile_id.as_str(),
        payment.status.as_str(),
        terms.amount,
        terms.currency.as_str(),
        terms.customer_id.as_ref().map(|id| id.as_str()),
        payment.authentication_type(attempt).as_str(),
        payment.particulars.order_reference.as_deref(),
        attempt.connector.as_deref(),
        attempt.merchant_connector_id.as_ref().map(|id| id.as_str()),
        instrument.map(|i| i.payment_method.as_str()),
        instrument.and_then(|i| i.payment_method_type.map(|t| t.as_str())),
        card.and_then(|card| card.network.map(|network| network.as_str())),
        payment.attempts.len() as i64,
        payment
            .attempts
            .iter()
            .map(|a| a.captures.len())
            .sum::<usize>() as i64,
        record,
        payment.modified_at.as_micros(),
        payment_operations::sync_at(payment, in_flight_seconds),
        payment.is_open_at_processor(),
        attempt.token().map(|_| attempt.card_discovery().as_str())
    ]
}

/// Returns all columns but those of [`indexed`].
fn attempt_values(payment: &Payment, attempt: &Attempt, record: String) -> Vec<Value> {
    values![
        payment.merchant_id.as_str(),
        payment.payment_id.as_str(),
        i64::from(attempt.number),
        attempt.status.as_str(),
        attempt.authorized_amount.unwrap_or(0),
        attempt.capturable_limit(),
        attempt.captured_amount(),
        attempt.pending_capture_amount(),
        attempt.voided_amount(),
        record,
        attempt.modified_at.as_micros()
    ]
}

/// Returns the columns that attempts are found by: whether it is open, the key of its authorization, the processor's
/// reference.
fn indexed(payment: &Payment, attempt: &Attempt) -> [Value; 3] {
    // A superseded attempt is never the open one, whatever its status.
    let is_active = attempt.number == payment.active().number;
    [
        Value::from(is_active && !attempt.status.payment_status().is_terminal()),
        Value::from(attempt.authorization.as_ref().map(|a| a.key.as_str())),
        Value::from(attempt.connector_transaction_id()),
    ]
}

fn capture_values(
    payment: &Payment,
    attempt: &Attempt,
    capture: &Capture,
) -> Result<Vec<Value>, StoreFailure> {
    Ok(values![
        payment.merchant_id.as_str(),
        payment.payment_id.as_str(),
        i64::from(attempt.number),
        i64::from(capture.sequence),
        capture.status().as_str(),
        capture.operation.amount,
        capture.operation.key.as_str(),
        record::write(capture)?
    ])
}
