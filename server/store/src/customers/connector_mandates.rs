//! The processors' references of saved methods, one for each connector account that can charge the method.

use multirail_app::platform::ports::StoreFailure;
use multirail_kernel::ids::{ConnectorAccountId, MerchantId, PaymentId, PaymentMethodId};
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::{AccountMandate, ConnectorMandate, KnownBy};

use super::connector_customers;
use super::connector_customers::consent_counts;
use crate::accounts::merchants::deleted_merchants;
use crate::engine::{Engine, Read, Row, Write, values};
use crate::platform::record;
use crate::platform::record::failure;

/// Requires the method's row: a method whose customer was redacted was never saved, and gets no reference. Neither does a
/// payment whose payer has revoked their consent since give one, even if a later payment has a new consent. A reference of
/// a later consent stays, in whatever order they become known.
const KEEP: &str = concat!(
    "insert into connector_mandates (merchant_id, payment_method_id, merchant_connector_id, \
     connector_mandate_id, connector_customer_id, created_at, consented_at) \
     select m.merchant_id, m.payment_method_id, $3, $4, $5, $6, $7 from payment_methods m \
     where m.merchant_id = $1 and m.payment_method_id = $2 and ",
    consent_counts!(),
    " on conflict (merchant_id, payment_method_id, merchant_connector_id) do update \
     set connector_mandate_id = excluded.connector_mandate_id, connector_customer_id = excluded.connector_customer_id, \
     created_at = excluded.created_at, consented_at = excluded.consented_at \
     where connector_mandates.consented_at is null or connector_mandates.consented_at <= excluded.consented_at"
);

/// The reference of a payment without the payer's consent replaces no other. That of an earlier consent doesn't replace the
/// reference of a later one.
const KNOW: &str = "update payment_methods set network_transaction_id = $3 where merchant_id = $1 and payment_method_id = $2 \
     and (network_transaction_id is null or ($4 and (agreed_by is null or agreed_by = $5 or consented_at is null \
     or consented_at <= $6)))";

const OF_METHOD: &str = "select merchant_connector_id, connector_mandate_id, connector_customer_id from connector_mandates \
     where merchant_id = $1 and payment_method_id = $2 \
     order by coalesce(consented_at, created_at) desc, merchant_connector_id";

pub(crate) const DELETE: &str =
    "delete from connector_mandates where merchant_id = $1 and payment_method_id = $2";

/// Takes merchant and customer.
pub(crate) const DELETE_OF_CUSTOMER: &str = "delete from connector_mandates where merchant_id = $1 and payment_method_id in \
     (select m.payment_method_id from payment_methods m where m.merchant_id = $1 and m.customer_id = $2)";

pub(crate) const PURGE_OF_DELETED: &str = concat!(
    "delete from connector_mandates where \
     (merchant_id, payment_method_id, merchant_connector_id) in \
     (select k.merchant_id, k.payment_method_id, k.merchant_connector_id from connector_mandates k where k.merchant_id in ",
    deleted_merchants!(),
    " limit $1)"
);

/// Stores a processor's reference, and cancels its deletion if one was scheduled. Schedules its deletion if a revocation has
/// ended the consent, or if the payer has consented again since. `consented_at` is the time of the payment's consent.
pub(crate) fn keep(
    merchant_id: &MerchantId,
    payment_method_id: &PaymentMethodId,
    known_by: &KnownBy,
    consented_at: Timestamp,
    at: Timestamp,
) -> Vec<Write> {
    let Some(kept) = known_by.mandate.as_deref() else {
        return Vec::new();
    };
    let AccountMandate {
        merchant_connector_id,
        mandate,
        unread: _,
    } = kept;
    let (merchant, method) = (merchant_id, payment_method_id);
    let replaced = connector_customers::file_replaced(merchant, method, kept, consented_at, at);
    let parameters = values![
        merchant_id.as_str(),
        payment_method_id.as_str(),
        merchant_connector_id.as_str(),
        mandate.connector_mandate_id.as_str(),
        mandate.connector_customer_id.as_deref(),
        at.as_micros(),
        consented_at.as_micros()
    ];
    let keep = Write::new(KEEP, parameters).any_rows();
    let take_back = connector_customers::take_back(merchant, method, kept);
    let unwanted = connector_customers::file_unwanted(merchant, method, kept, at);
    vec![replaced, keep, take_back, unwanted]
}

/// Stores the scheme's reference of a payment with the method.
pub(crate) fn know(
    (merchant_id, payment_id): (&MerchantId, &PaymentId),
    payment_method_id: &PaymentMethodId,
    known_by: &KnownBy,
    is_agreed: bool,
    consented_at: Timestamp,
) -> Option<Write> {
    let reference = known_by.network_transaction_id.as_deref()?;
    let parameters = values![
        merchant_id.as_str(),
        payment_method_id.as_str(),
        reference,
        is_agreed,
        payment_id.as_str(),
        consented_at.as_micros()
    ];
    Some(Write::new(KNOW, parameters).any_rows())
}

pub(crate) async fn of_method(
    engine: &Engine,
    merchant_id: &MerchantId,
    payment_method_id: &PaymentMethodId,
) -> Result<Vec<AccountMandate>, StoreFailure> {
    let parameters = values![merchant_id.as_str(), payment_method_id.as_str()];
    let rows = engine.fetch(Read::new(OF_METHOD, parameters)).await;
    rows.map_err(failure)?.iter().map(mandate).collect()
}

fn mandate(row: &Row) -> Result<AccountMandate, StoreFailure> {
    let text = |column: &str| row.str(column).map_err(failure);
    Ok(AccountMandate {
        merchant_connector_id: record::id(ConnectorAccountId::parse(text(
            "merchant_connector_id",
        )?))?,
        mandate: ConnectorMandate {
            connector_mandate_id: text("connector_mandate_id")?.to_owned(),
            connector_customer_id: row.opt_text("connector_customer_id").map_err(failure)?,
            unread: UnreadMembers::default(),
        },
        unread: UnreadMembers::default(),
    })
}
