//! Fuzzes the answers of processors to every request of a connector.

use std::sync::Arc;

use multirail_kernel::currency::Currency;
use multirail_kernel::ids::PaymentId;
use multirail_kernel::money::Money;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::Connector;
use multirail_sdk::connector::{
    AcceptDisputeRequest, AccountCheck, CaptureRequest, ChallengeDisputeRequest,
    CompleteAuthorizationRequest, Descriptor, Details, DisputeAt, DisputeStage, EvidenceInFull,
    Finding, IncrementRequest, ListDisputesRequest, LookUpRequest, OpenSessionRequest,
    OperationKind, Outcome, RefundRequest, SessionOpening, VoidRequest,
};
use multirail_sdk::wallet::Wallet;

use super::{KEY, access, connector, judge, judge_dispute, key, money};
use crate::canned::Canned;
use crate::fixture;

/// The processor's reference of the payment.
const REFERENCE: &str = "pi_1";

/// Gives the same answers to every request that the connector can make. An answer is a line with
/// the status, and a body. Where a request takes several answers, `===` separates them.
///
/// # Panics
/// If no connector has this name, or if a connector breaks a rule.
pub fn answers(name: &str, input: &[u8]) {
    thread_local! {
        static RUNTIME: tokio::runtime::Runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .expect("a runtime");
    }
    RUNTIME.with(|runtime| runtime.block_on(ask(name, &Canned::read(input))));
}

async fn ask(name: &str, canned: &Canned) {
    let is_trouble = canned.are_troubles();
    // Each request starts with the first answer.
    let connector = || connector(name, canned.restarted());
    let mut outcomes = Vec::new();
    let details = Details::default;
    let authorize = fixture::authorize(KEY, money(), details());
    let check = fixture::authorize(KEY, Money::new(0, Currency::USD), details());
    for mut request in [authorize, check] {
        request.access = access();
        outcomes.push(connector().authorize(request).await);
    }
    for reference in [Some(REFERENCE.to_owned()), None] {
        outcomes.extend(changes(&connector, reference.clone()).await);
        for kind in OperationKind::ALL {
            let request = look_up(*kind, reference.clone());
            match connector().look_up(request).await {
                Finding::Outcome(outcome) => outcomes.push(outcome),
                Finding::Absent { reason } => {
                    // Without a reference the payment may never have been sent, so no look-up is
                    // made.
                    let is_proved = !is_trouble || reference.is_none();
                    assert!(is_proved, "trouble proves nothing: {reason}");
                }
            }
        }
    }
    outcomes.extend(of_disputes(&connector, is_trouble).await);
    for outcome in &outcomes {
        judge(outcome);
        let is_open = matches!(outcome, Outcome::Unknown(_) | Outcome::NeverHappened { .. });
        assert!(
            !is_trouble || is_open,
            "trouble decides nothing: {outcome:?}"
        );
    }
    let check = connector().check(access()).await;
    assert!(
        !is_trouble || matches!(check, AccountCheck::NotKnown(_)),
        "{check:?}"
    );
    if let Some(opens) = connector().able(|able| able.wallets.sessions.map(|it| it.0)) {
        let session = opens.open_session(OpenSessionRequest {
            access: access(),
            wallet: Wallet::Klarna,
            payment_id: PaymentId::parse("pay_1").expect("an id"),
            money: money(),
            country: None,
        });
        let is_opened = matches!(session.await, SessionOpening::Opened { .. });
        assert!(!is_trouble || !is_opened);
    }
}

/// Judges the outcomes of changes of a payment.
async fn changes(
    connector: &impl Fn() -> Arc<dyn Connector>,
    reference: Option<String>,
) -> Vec<Outcome> {
    let void = |captured_at_once| VoidRequest {
        key: key(),
        access: access(),
        authorization_key: key(),
        authorization_reference: reference.clone(),
        captured_at_once,
        reason: None,
    };
    let increment = IncrementRequest {
        key: key(),
        access: access(),
        authorization_key: key(),
        authorization_reference: reference.clone(),
        money: money(),
        reason: None,
    };
    let capture = CaptureRequest {
        key: key(),
        access: access(),
        authorization_key: key(),
        authorization_reference: reference.clone(),
        money: money(),
        is_final: true,
        descriptor: Descriptor::default(),
    };
    let refund = RefundRequest {
        key: key(),
        access: access(),
        authorization_key: key(),
        authorization_reference: reference.clone(),
        money: money(),
        of_excess: false,
        reason: None,
    };
    let complete = CompleteAuthorizationRequest {
        key: key(),
        access: access(),
        reference: reference.clone(),
        device_data_collected: None,
        shipping: None,
    };
    let mut outcomes = vec![
        connector().capture(capture).await,
        connector().void(void(false)).await,
        connector().void(void(true)).await,
        connector().refund(refund).await,
    ];
    if let Some(completes) = connector().able(|able| able.completes_authorizations) {
        outcomes.push(completes.complete_authorization(complete).await);
    }
    if let Some(raises) = connector().able(|able| able.raises_authorizations) {
        outcomes.push(raises.increment(increment).await);
    }
    if let Some(voids) = connector().able(|able| able.voids_captured) {
        outcomes.push(voids.void_captured(void(true)).await);
    }
    outcomes
}

fn look_up(kind: OperationKind, reference: Option<String>) -> LookUpRequest {
    LookUpRequest {
        kind,
        key: key(),
        access: access(),
        authorization_key: key(),
        authorization_reference: reference.clone(),
        reference,
        money: money(),
        started_at: Timestamp::EPOCH,
        returned_with: Some("redirectResult=abc".to_owned()),
    }
}

/// Judges the outcomes of dispute actions, and the disputes that are found.
async fn of_disputes(
    connector: &impl Fn() -> Arc<dyn Connector>,
    is_trouble: bool,
) -> Vec<Outcome> {
    let dispute = || DisputeAt {
        access: access(),
        reference: "dp_1".to_owned(),
        stage: DisputeStage::Dispute,
        authorization_key: key(),
        authorization_reference: Some(REFERENCE.to_owned()),
        money: money(),
        reason: None,
        reason_code: None,
    };
    let accept = AcceptDisputeRequest {
        key: key(),
        dispute: dispute(),
    };
    let challenge = ChallengeDisputeRequest {
        key: key(),
        dispute: dispute(),
        evidence: EvidenceInFull::default(),
    };
    let list = ListDisputesRequest {
        access: access(),
        from: Timestamp::EPOCH,
        until: Timestamp::EPOCH,
        page: None,
    };
    if let Some(finds) = connector().able(|able| able.disputes.finds) {
        let found = finds.find_dispute(dispute()).await;
        assert!(!is_trouble || found.is_err());
        found.iter().for_each(judge_dispute);
    }
    if let Some(lists) = connector().able(|able| able.disputes.lists) {
        let listed = lists.list_disputes(list).await;
        assert!(!is_trouble || listed.is_err());
        let all = listed.iter().flat_map(|page| &page.disputes);
        all.for_each(judge_dispute);
    }
    let mut outcomes = Vec::new();
    if let Some(accepts) = connector().able(|able| able.disputes.accepts.map(|it| it.0)) {
        outcomes.push(accepts.accept_dispute(accept).await);
    }
    if let Some(challenges) = connector().able(|able| able.disputes.challenges.map(|it| it.0)) {
        outcomes.push(challenges.challenge_dispute(challenge).await);
    }
    outcomes
}
