//! Finds the payments of a merchant that hold money or are open at their processor.

use multirail_app::platform::ports::StoreFailure;
use multirail_domain::payments::payment::Payment;
use multirail_kernel::ids::{MerchantId, PaymentId};

use crate::engine::{Engine, Read, values};
use crate::payments;
use crate::platform::record;
use crate::platform::record::failure;
use crate::platform::subject_keys::SubjectKeys;

/// Four look-ups, each in an index of its own: the list's index has the status, and few payments have something open. The
/// domain decides whether a conflict reserves money.
const HELD_OR_OPEN: &str = "select payment_id from payments where merchant_id = $1 and payment_id > $2 and status in \
     ('requires_merchant_action', 'requires_capture', 'partially_authorized_and_requires_capture', 'partially_captured_and_capturable', \
     'partially_captured_and_processing', 'conflicted') \
     union select payment_id from payments where merchant_id = $1 and payment_id > $2 and sync_at is not null \
     and is_unresolved union select r.payment_id as payment_id from open_operations o join refunds r \
     on r.merchant_id = o.merchant_id and r.refund_id = o.object_id where o.merchant_id = $1 \
     and o.object_class = 'refund' and o.is_unresolved and r.payment_id > $2 \
     union select d.payment_id as payment_id from open_operations o join disputes d \
     on d.merchant_id = o.merchant_id and d.dispute_id = o.object_id where o.merchant_id = $1 \
     and o.object_class = 'dispute' and o.is_unresolved and d.payment_id > $2 order by payment_id limit $3";

pub(crate) async fn payments(
    engine: &Engine,
    keys: &SubjectKeys,
    merchant_id: &MerchantId,
    after: Option<&PaymentId>,
    limit: i64,
) -> Result<Vec<Payment>, StoreFailure> {
    let after = after.map_or("", PaymentId::as_str);
    let read = Read::new(HELD_OR_OPEN, values![merchant_id.as_str(), after, limit]).long();
    let mut found = Vec::new();
    for row in engine.fetch(read).await.map_err(failure)? {
        let named = PaymentId::parse(row.str("payment_id").map_err(failure)?);
        let payment = payments::payment(engine, keys, merchant_id, &record::id(named)?).await?;
        found.extend(payment);
    }
    Ok(found)
}
