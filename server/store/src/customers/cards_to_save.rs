//! Cards and bank accounts that are saved as soon as the attempt that they pay is approved. A row holds everything that the
//! saved method will have, so whichever request learns of the approval only moves rows.

use multirail_app::customers::ports::saved_methods::CardToSave;
use multirail_app::platform::ports::StoreFailure;
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Sealing;
use multirail_sdk::payment_method::PaymentMethod;

use super::method_columns;
use crate::engine::{Engine, Value, Write, values};
use crate::platform::record;

const TABLE: &str = "cards_to_save";

const HOLD: &str = "insert into cards_to_save (merchant_id, payment_id, attempt_number, customer_id, payment_method_id, \
     payment_method_type, card_fingerprint, key_id, sealed, created_at, is_agreed, card_details, holder_name, nick_name, \
     particulars, holder_name_sealed, nick_name_sealed, particulars_sealed, payment_method) \
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19) \
     on conflict (merchant_id, payment_id, attempt_number) do nothing";

/// Locks the held row. A deletion of the method at the same time waits for this commit and then deletes what it saved. If the
/// deletion came first, there is no row, and the later statements save nothing.
const LOCK: &str = "update cards_to_save set created_at = created_at \
     where merchant_id = $1 and payment_id = $2 and attempt_number = $3";

const SAVE_CARD: &str = "insert into vault_cards (merchant_id, card_fingerprint, key_id, sealed, created_at) \
     select h.merchant_id, h.card_fingerprint, h.key_id, h.sealed, $4 from cards_to_save h \
     where h.merchant_id = $1 and h.payment_id = $2 and h.attempt_number = $3 and h.card_fingerprint is not null \
     and not exists (select 1 from customers c \
     where c.merchant_id = h.merchant_id and c.customer_id = h.customer_id and c.status = 'redacted') \
     on conflict (merchant_id, card_fingerprint) do nothing";

/// Keeps the latest text of a name. A name is stored either in plaintext or sealed, never both.
macro_rules! said_last {
    ($clear:literal, $sealed:literal) => {
        concat!(
            said_last!($clear, $clear, $sealed),
            ", ",
            said_last!($sealed, $clear, $sealed)
        )
    };
    ($column:literal, $clear:literal, $sealed:literal) => {
        concat!(
            $column,
            " = case when (excluded.",
            $clear,
            " is null and excluded.",
            $sealed,
            " is null) \
             or (payment_methods.modified_at > excluded.modified_at \
             and (payment_methods.",
            $clear,
            " is not null or payment_methods.",
            $sealed,
            " is not null)) \
             then payment_methods.",
            $column,
            " else excluded.",
            $column,
            " end"
        )
    };
}

/// Takes the particulars of an account from the payment, unless they were set after it was confirmed. The particulars of a
/// card stay.
macro_rules! of_account {
    ($column:literal) => {
        concat!(
            $column,
            " = case when excluded.card_fingerprint is null \
             and payment_methods.modified_at <= excluded.modified_at \
             then excluded.",
            $column,
            " else payment_methods.",
            $column,
            " end"
        )
    };
}

/// Keeps earlier details of the card where this payment has none, and details that were set after this payment was
/// confirmed. `modified_at` is therefore the time of the confirm, not of the approval. The scheme's reference of a payment
/// without the payer's consent replaces no other. Consent holds whatever the order of the outcomes, so it has columns of
/// its own. A payment whose payer consented before a revocation doesn't restore the consent that the revocation ended.
const SAVE_METHOD: &str = concat!(
    "insert into payment_methods (merchant_id, payment_method_id, version, customer_id, status, \
     payment_method, payment_method_type, card_fingerprint, card_details, holder_name, nick_name, particulars, \
     holder_name_sealed, nick_name_sealed, particulars_sealed, created_at, \
     modified_at, last_used_at, agreed_by, consented_at, network_transaction_id, consent_sealed) \
     select h.merchant_id, h.payment_method_id, 1, h.customer_id, 'active', coalesce(h.payment_method, 'card'), \
     h.payment_method_type, \
     h.card_fingerprint, h.card_details, h.holder_name, h.nick_name, h.particulars, \
     h.holder_name_sealed, h.nick_name_sealed, h.particulars_sealed, $4, h.created_at, $4, \
     case when h.is_agreed then h.payment_id else null end, $6, $5, $7 from cards_to_save h \
     where h.merchant_id = $1 and h.payment_id = $2 and h.attempt_number = $3 and not exists (select 1 from customers c \
     where c.merchant_id = h.merchant_id and c.customer_id = h.customer_id and c.status = 'redacted') \
     on conflict (merchant_id, payment_method_id) do update set version = payment_methods.version + 1, status = 'active', \
     card_details = case when payment_methods.modified_at > excluded.modified_at then payment_methods.card_details \
     else excluded.card_details end, ",
    said_last!("holder_name", "holder_name_sealed"),
    ", ",
    said_last!("nick_name", "nick_name_sealed"),
    ", ",
    of_account!("particulars"),
    ", ",
    of_account!("particulars_sealed"),
    ", modified_at = case when payment_methods.modified_at > excluded.modified_at then payment_methods.modified_at \
     else excluded.modified_at end, \
     last_used_at = excluded.last_used_at, agreed_by = case \
     when excluded.agreed_by is null or excluded.consented_at <= payment_methods.consent_ended_at then payment_methods.agreed_by \
     else excluded.agreed_by end, \
     consent_sealed = case when payment_methods.consented_at > excluded.consented_at then payment_methods.consent_sealed \
     else coalesce(excluded.consent_sealed, payment_methods.consent_sealed) end, \
     consented_at = case when payment_methods.consented_at > excluded.consented_at then payment_methods.consented_at \
     else excluded.consented_at end, \
     network_transaction_id = case when payment_methods.network_transaction_id is not null and (excluded.agreed_by is null \
     or (payment_methods.agreed_by is not null and payment_methods.consented_at > excluded.consented_at)) \
     then payment_methods.network_transaction_id \
     else coalesce(excluded.network_transaction_id, payment_methods.network_transaction_id) end"
);

const FORGET: &str =
    "delete from cards_to_save where merchant_id = $1 and payment_id = $2 and attempt_number = $3";

/// Takes merchant and customer.
pub(crate) const DELETE_OF_CUSTOMER: &str =
    "delete from cards_to_save where merchant_id = $1 and customer_id = $2";

/// Takes merchant, customer and method.
pub(crate) const DELETE_OF_METHOD: &str = "delete from cards_to_save \
     where merchant_id = $1 and customer_id = $2 and payment_method_id = $3";

/// Deletes old cards, except those of payments that are still being asked about or that wait for their merchant's decision.
const PURGE: &str = "delete from cards_to_save where (merchant_id, payment_id, attempt_number) in \
     (select h.merchant_id, h.payment_id, h.attempt_number from cards_to_save h where h.created_at < $1 \
     and not exists (select 1 from payments p where p.merchant_id = h.merchant_id and p.payment_id = h.payment_id \
     and (p.status = 'requires_merchant_action' or (p.status = 'processing' and p.sync_at is not null))) \
     order by h.created_at limit $2)";

pub(crate) fn hold(
    card: &CardToSave,
    keys: &dyn Sealing,
    at: Timestamp,
) -> Result<Write, StoreFailure> {
    let CardToSave {
        payment_id,
        attempt,
        is_agreed,
        method,
        entry,
    } = card;
    let mut parameters = values![
        method.merchant_id.as_str(),
        payment_id.as_str(),
        i64::from(*attempt),
        method.customer_id.as_str(),
        method.payment_method_id.as_str(),
        method.payment_method_type.map(|kind| kind.as_str()),
        entry.as_ref().map(|entry| entry.fingerprint.as_str()),
        entry.as_ref().map(|entry| entry.key_id.as_str()),
        entry.as_ref().map(|entry| entry.sealed.clone()),
        at.as_micros(),
        *is_agreed
    ];
    parameters.extend(method_columns::values(method, keys)?);
    // Older servers know cards alone.
    let other = Some(method.payment_method).filter(|family| *family != PaymentMethod::Card);
    parameters.push(Value::from(other.map(|family| family.as_str().to_owned())));
    Ok(Write::new(HOLD, parameters).on(TABLE))
}

/// Saves the card or account, unless the customer was redacted meanwhile.
pub(crate) fn save(
    (merchant_id, payment_id, attempt): (&MerchantId, &PaymentId, u32),
    (consented_at, consent): (Timestamp, Option<Vec<u8>>),
    network_transaction_id: Option<&str>,
    at: Timestamp,
) -> Vec<Write> {
    let dated = || {
        let mut parameters = key(merchant_id, payment_id, attempt);
        parameters.push(Value::from(at.as_micros()));
        parameters
    };
    let mut method = dated();
    method.push(Value::from(network_transaction_id.map(str::to_owned)));
    method.push(Value::from(consented_at.as_micros()));
    method.push(Value::from(consent));
    vec![
        Write::new(LOCK, key(merchant_id, payment_id, attempt)).any_rows(),
        Write::new(SAVE_CARD, dated()).any_rows(),
        Write::new(SAVE_METHOD, method).any_rows(),
        // Without [`Write::on`], because it has to come after the statements that read the row.
        Write::new(FORGET, key(merchant_id, payment_id, attempt)).any_rows(),
    ]
}

pub(crate) fn forget(merchant_id: &MerchantId, payment_id: &PaymentId, attempt: u32) -> Write {
    Write::new(FORGET, key(merchant_id, payment_id, attempt))
        .on(TABLE)
        .any_rows()
}

pub(crate) async fn purge(
    engine: &Engine,
    held_before: Timestamp,
    at_most: i64,
) -> Result<u64, StoreFailure> {
    record::purge(engine, PURGE, held_before, at_most).await
}

fn key(merchant_id: &MerchantId, payment_id: &PaymentId, attempt: u32) -> Vec<Value> {
    values![
        merchant_id.as_str(),
        payment_id.as_str(),
        i64::from(attempt)
    ]
}
