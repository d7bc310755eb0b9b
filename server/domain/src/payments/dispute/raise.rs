//! Recording a new dispute.

use multirail_kernel::context::Context;
use multirail_kernel::ids::{ConnectorAccountId, DisputeId};
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::DisputeNews;
use multirail_sdk::evidence::Evidence;

use crate::payments::dispute::{Dispute, DisputedCharge, Step};
use crate::payments::payment::{Attempt, Payment};

/// The source of a new dispute.
#[derive(Clone, Debug)]
pub struct Raise {
    pub dispute_id: DisputeId,
    /// The account whose processor reported it.
    pub account: ConnectorAccountId,
    /// The attempt that captured the money.
    pub attempt: u32,
}

impl Dispute {
    /// Records the dispute in the stage and status that the processor reports: news of its beginning may come later, or never.
    /// `None` if the payment has no such attempt, or the attempt was never sent.
    pub fn raise(
        payment: &Payment,
        raise: Raise,
        news: DisputeNews,
        context: &Context,
    ) -> Option<Step> {
        let mut attempts = payment.attempts.iter();
        let attempt = attempts.find(|attempt| attempt.number == raise.attempt)?;
        let dispute = Dispute {
            merchant_id: payment.merchant_id.clone(),
            dispute_id: raise.dispute_id,
            payment_id: payment.payment_id.clone(),
            customer_id: payment.terms.customer_id.clone(),
            profile_id: payment.profile_id.clone(),
            version: 0,
            stage: news.stage,
            status: news.status,
            processor_status: news.processor_status,
            rank: news.rank,
            amount: news.money.amount_minor.max(0),
            currency: news.money.currency,
            reason: news.reason,
            reason_code: news.reason_code,
            challenge_required_by: news.challenge_required_by,
            processor_created_at: news.opened_at,
            processor_updated_at: news.updated_at,
            charge: charge(attempt, raise.account, news.reference)?,
            actions: Vec::new(),
            evidence: Evidence::default(),
            created_at: context.now,
            modified_at: context.now,
            unread: UnreadMembers::default(),
        };
        let effects = vec![dispute.announce()];
        let mut payment = payment.clone();
        payment.count_dispute(dispute.share(), context.now);
        Some(Step {
            payment,
            dispute,
            effects,
        })
    }
}

fn charge(
    attempt: &Attempt,
    account: ConnectorAccountId,
    reference: String,
) -> Option<DisputedCharge> {
    let authorization = attempt.authorization.as_ref()?;
    Some(DisputedCharge {
        attempt: attempt.number,
        connector: attempt.connector.clone()?,
        merchant_connector_id: account,
        authorization_key: authorization.key.clone(),
        authorization_reference: attempt.connector_transaction_id().map(str::to_owned),
        reference,
        unread: UnreadMembers::default(),
    })
}
