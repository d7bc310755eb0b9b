//! Examples of refunds. Every struct is written out, so that a new member has to be shown here.

use multirail_domain::payments::payment::{BroughtCredentials, Progress};
use multirail_domain::payments::refund::{Charge, Refund, RefundStatus, RefundType};
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{PaymentId, ProcessorKey, RefundId};
use multirail_kernel::unread::UnreadMembers;
use serde_json::json;

use super::payment::{
    EACH, account_id, decline, merchant_id, moment, object, operation, profile_id,
};

/// One in each status.
pub(super) fn refunds() -> Vec<Refund> {
    let [unknown, done, declined] = EACH;
    vec![
        refund(RefundStatus::Pending, unknown),
        refund(RefundStatus::Succeeded, done),
        refund(RefundStatus::Failed, declined),
        refund(RefundStatus::Review, done),
    ]
}

fn refund(status: RefundStatus, progress: Progress) -> Refund {
    let is_full = status == RefundStatus::Review;
    Refund {
        merchant_id: merchant_id(),
        refund_id: RefundId::parse("ref_example").expect("an id"),
        payment_id: PaymentId::parse("pay_example").expect("an id"),
        profile_id: profile_id(),
        version: 3,
        status,
        refund_type: if is_full {
            RefundType::Scheduled
        } else {
            RefundType::Instant
        },
        currency: Currency::USD,
        reason: is_full.then(|| "returned".to_owned()),
        metadata: is_full.then(|| object(json!({"order": 42}))),
        charge: Charge {
            attempt: 1,
            connector: "stripe_test".to_owned(),
            merchant_connector_id: (!is_full).then(account_id),
            brought: is_full.then(|| BroughtCredentials {
                identifier: "theirs".to_owned(),
                are_held: true,
                unread: UnreadMembers::default(),
            }),
            authorization_key: ProcessorKey::parse("mrk_authorize").expect("a key"),
            authorization_reference: is_full.then(|| "ref-1".to_owned()),
            unread: UnreadMembers::default(),
        },
        sent_at: Some(moment(1)),
        is_of_excess: is_full,
        operation: operation("mrk_refund", progress),
        conflict: is_full.then(decline),
        created_at: moment(1),
        modified_at: moment(2),
        unread: UnreadMembers::default(),
    }
}
