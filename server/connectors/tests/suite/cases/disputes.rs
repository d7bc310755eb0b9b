//! Cases of disputes.

use std::collections::BTreeSet;

use multirail_kernel::ids::ProcessorKey;
use multirail_sdk::connector::{
    DisputeActionKind, DisputeNews, DisputeStatus, ListDisputesRequest, Outcome, Recovery,
    UnknownReason,
};

use crate::suite::bench::{Bench, PRICE, SOON, declined, done, never_happened, unknown};
use crate::suite::disputes::{Disputed, RECEIPT};
use crate::suite::mishaps::Operation;
use crate::suite::needs::Need;
use crate::suite::peer::Fault;

/// Asserts the state of a dispute that the merchant hasn't answered.
fn is_open(news: &DisputeNews, disputed: &Disputed) {
    assert_eq!(news.reference, disputed.reference);
    assert_eq!(news.status, DisputeStatus::Opened, "{news:?}");
    assert_eq!(news.money, PRICE);
    assert_eq!(news.authorization_reference, disputed.sold.reference);
    assert!(news.reason_code.is_some(), "{news:?}");
}

/// Some processors have no word of their own for an accepted dispute.
fn is_given_up(status: DisputeStatus) -> bool {
    match status {
        DisputeStatus::Accepted | DisputeStatus::Lost => true,
        DisputeStatus::Opened
        | DisputeStatus::Expired
        | DisputeStatus::Challenged
        | DisputeStatus::Cancelled
        | DisputeStatus::Won => false,
    }
}

pub async fn notices_of_a_dispute(bench: Bench) {
    let disputed = bench.disputed().await;
    let told = bench.state_by_notice(&disputed).await.expect("it is told");
    is_open(&told, &disputed);
    assert!(told.challenge_required_by.is_some(), "{told:?}");
}

/// Notices that arrive twice or in another order lead to the same state.
pub async fn notices_of_a_dispute_come_twice_and_backwards(bench: Bench) {
    for is_won in [false, true] {
        let disputed = bench.disputed().await;
        if Need::Challenges.is_met(&*bench.subject) {
            done(bench.challenge(&bench.key(), &disputed).await);
        }
        bench.subject.passes_a_minute().await;
        bench
            .subject
            .decides_dispute(&disputed.reference, is_won)
            .await;
        let told = bench.notices_of(&disputed).await;
        assert!(told.len() > 1, "its beginning and its end: {told:?}");
        assert_eq!(bench.notices_of(&disputed).await, told, "told twice");
        let ids: BTreeSet<&String> = told.iter().map(|(id, _)| id).collect();
        assert_eq!(ids.len(), told.len(), "each state has an id: {told:?}");

        let states: Vec<&DisputeNews> = told.iter().map(|(_, state)| state).collect();
        let end = after(states.iter().copied());
        assert_eq!(Some(&end), states.last(), "the last one counts");
        let expected = if is_won {
            DisputeStatus::Won
        } else {
            DisputeStatus::Lost
        };
        assert_eq!(end.status, expected, "{end:?}");
        let backwards = states.iter().rev().copied();
        assert_eq!(after(backwards.clone()), end, "backwards");
        let twice = states.iter().flat_map(|state| [*state, *state]);
        assert_eq!(after(twice), end, "each of them twice");
        assert_eq!(after(backwards.chain(states.iter().copied())), end, "again");
    }
}

/// Returns the state that these reports lead to, by the rules of stages, statuses and ranks.
fn after<'a>(told: impl Iterator<Item = &'a DisputeNews>) -> &'a DisputeNews {
    let last = told.reduce(|known, next| {
        let replaces = if known.stage != next.stage {
            known.stage.may_become(next.stage)
        } else if known.status != next.status {
            let is_turn = (known.status, next.status) == (DisputeStatus::Lost, DisputeStatus::Won);
            known.status.may_become(next.status) || (is_turn && next.rank > known.rank)
        } else {
            (next.updated_at, next.rank) >= (known.updated_at, known.rank)
        };
        if replaces { next } else { known }
    });
    last.expect("a report")
}

pub async fn a_dispute_is_looked_up(bench: Bench) {
    let disputed = bench.disputed().await;
    let found = bench.find(&disputed);
    is_open(&found.await.expect("it is known"), &disputed);
}

pub async fn a_dispute_is_asked_about_in_vain(bench: Bench) {
    let invented = bench.invented_dispute().await;
    let found = bench.find(&invented);
    assert_eq!(found.await, Err(UnknownReason::UnreadableAnswer));

    let disputed = bench.disputed().await;
    for (fault, reason) in [
        (Fault::LosesAnswer, UnknownReason::ConnectionLost),
        (Fault::AnswersNonsense, UnknownReason::UnreadableAnswer),
        (Fault::AnswersHuge, UnknownReason::UnreadableAnswer),
        (Fault::Gateway(404), UnknownReason::UnreadableAnswer),
        (Fault::Gateway(503), UnknownReason::ProcessorError),
        (Fault::ThrottlesForLong, UnknownReason::ProcessorError),
    ] {
        bench.subject.peer().faults().next(fault);
        let found = bench.find(&disputed);
        assert_eq!(found.await, Err(reason), "{fault:?}");
    }
}

pub async fn a_dispute_is_accepted(bench: Bench) {
    let disputed = bench.disputed().await;
    done(bench.accept(&bench.key(), &disputed).await);
    assert_eq!(bench.dispute_books(&disputed).await.accepted, 1);
}

pub async fn an_unknown_dispute_is_not_accepted(bench: Bench) {
    let invented = bench.invented_dispute().await;
    let decline = declined(bench.accept(&bench.key(), &invented).await);
    assert!(!decline.code.is_empty() && !decline.message.is_empty());
}

pub async fn giving_in_fails_on_the_way(bench: Bench) {
    for (fault, reason) in [
        (Fault::LosesRequest, UnknownReason::ConnectionLost),
        (Fault::LosesAnswer, UnknownReason::ConnectionLost),
        (Fault::AnswersNonsense, UnknownReason::UnreadableAnswer),
        (Fault::AnswersHuge, UnknownReason::UnreadableAnswer),
        (Fault::Gateway(404), UnknownReason::UnreadableAnswer),
        (Fault::Gateway(502), UnknownReason::ProcessorError),
        (Fault::GatewayAfter(504), UnknownReason::ProcessorError),
    ] {
        let (key, disputed) = (bench.key(), bench.disputed().await);
        bench.subject.peer().faults().next(fault);
        let told = unknown(bench.accept(&key, &disputed).await);
        assert_eq!(told, reason, "{fault:?}");
        settles(&bench, fault, &key, &disputed).await;
    }
    let (key, disputed) = (bench.key(), bench.disputed().await);
    bench.subject.peer().faults().next(Fault::ThrottlesForLong);
    never_happened(bench.accept(&key, &disputed).await);
    settles(&bench, Fault::ThrottlesForLong, &key, &disputed).await;
}

pub async fn giving_in_takes_too_long(bench: Bench) {
    let impatient = bench.subject.connector(SOON);
    for fault in [Fault::StaysSilent, Fault::AnswersNever] {
        let (key, disputed) = (bench.key(), bench.disputed().await);
        bench.subject.peer().faults().next(fault);
        let told = bench.accept_by(&impatient, &key, &disputed).await;
        assert_eq!(told, Outcome::Unknown(UnknownReason::Timeout));
        settles(&bench, fault, &key, &disputed).await;
    }
}

/// Asserts that the action's true outcome is learned, by the means in the description.
async fn settles(bench: &Bench, fault: Fault, key: &ProcessorKey, disputed: &Disputed) {
    let is_done = fault.is_done();
    let accepted = || async { bench.dispute_books(disputed).await.accepted };
    assert_eq!(accepted().await, usize::from(is_done), "{fault:?}");
    let abilities = bench.subject.description().capabilities.disputes;
    let recovery = abilities.recovery(DisputeActionKind::Accept);
    match recovery.expect("it accepts") {
        Recovery::LookUp(_) => {
            let found = bench.find(disputed);
            let status = found.await.expect("it is known").status;
            assert_eq!(is_given_up(status), is_done, "{fault:?}: {status}");
        }
        Recovery::Repeat { .. } => {
            done(bench.accept(key, disputed).await);
            assert_eq!(accepted().await, 1);
        }
        Recovery::Notice | Recovery::GiveUp { .. } => {
            let told = bench.state_by_notice(disputed).await.expect("it is told");
            assert_eq!(is_given_up(told.status), is_done, "{fault:?}: {told:?}");
        }
    }
    if accepted().await == 0 {
        done(bench.accept(key, disputed).await);
        assert_eq!(accepted().await, 1);
    }
    bench.stood(Operation::AcceptDispute, fault);
}

pub async fn evidence_is_submitted(bench: Bench) {
    let disputed = bench.disputed().await;
    done(bench.challenge(&bench.key(), &disputed).await);
    let books = bench.dispute_books(&disputed).await;
    assert_eq!(books.challenged, 1);
    let said: Vec<&str> = books.evidence.values().map(String::as_str).collect();
    let length = format!("{} bytes", RECEIPT.len());
    let file = if bench.subject.keeps_files() {
        RECEIPT
    } else {
        &length
    };
    let evidence = bench.evidence();
    let texts = evidence.texts.iter().map(|text| text.text.as_str());
    for one in texts.chain([file]) {
        assert!(
            said.iter().any(|said| said.contains(one)),
            "{one}: {said:?}"
        );
    }
    let invented = bench.invented_dispute().await;
    let decline = declined(bench.challenge(&bench.key(), &invented).await);
    assert!(!decline.code.is_empty() && !decline.message.is_empty());
}

/// Evidence may take several requests. Nothing is submitted until the last one.
pub async fn handing_in_evidence_fails_on_the_way(bench: Bench) {
    let requests = || bench.subject.peer().requests();
    let (key, disputed) = (bench.key(), bench.disputed().await);
    let before = requests();
    done(bench.challenge(&key, &disputed).await);
    let steps = requests() - before;
    for (fault, reason) in [
        (Fault::LosesRequest, UnknownReason::ConnectionLost),
        (Fault::LosesAnswer, UnknownReason::ConnectionLost),
        (Fault::AnswersNonsense, UnknownReason::UnreadableAnswer),
        (Fault::Gateway(502), UnknownReason::ProcessorError),
        (Fault::GatewayAfter(504), UnknownReason::ProcessorError),
    ] {
        for step in 1..=steps {
            let (key, disputed) = (bench.key(), bench.disputed().await);
            for _ in 1..step {
                bench.subject.peer().faults().next(Fault::AnswersAndLeaves);
            }
            bench.subject.peer().faults().next(fault);
            let outcome = bench.challenge(&key, &disputed).await;
            let is_done = step == steps && fault.is_done();
            if step < steps {
                never_happened(outcome);
            } else {
                assert_eq!(unknown(outcome), reason, "{fault:?}");
            }
            is_settled(&bench, fault, &key, &disputed, is_done).await;
        }
    }
}

/// Only the deadline ends the last request, which the processor has done.
pub async fn handing_in_evidence_takes_too_long(mut bench: Bench) {
    let (key, disputed) = (bench.key(), bench.disputed().await);
    let before = bench.subject.peer().requests();
    done(bench.challenge(&key, &disputed).await);
    let steps = bench.subject.peer().requests() - before;
    let (key, disputed) = (bench.key(), bench.disputed().await);
    for _ in 1..steps {
        bench.subject.peer().faults().next(Fault::AnswersAndLeaves);
    }
    let fault = Fault::AnswersNever;
    bench.subject.peer().faults().next(fault);
    let patient = bench.loses_patience();
    let told = bench.challenge(&key, &disputed).await;
    bench.connector = patient;
    assert_eq!(told, Outcome::Unknown(UnknownReason::Timeout));
    is_settled(&bench, fault, &key, &disputed, true).await;
}

async fn is_settled(
    bench: &Bench,
    fault: Fault,
    key: &ProcessorKey,
    disputed: &Disputed,
    is_done: bool,
) {
    let challenged = || async { bench.dispute_books(disputed).await.challenged };
    assert_eq!(challenged().await, usize::from(is_done), "{fault:?}");
    let abilities = bench.subject.description().capabilities.disputes;
    let recovery = abilities.recovery(DisputeActionKind::Challenge);
    match recovery.expect("it challenges") {
        Recovery::LookUp(_) => {
            let found = bench.find(disputed);
            let status = found.await.expect("it is known").status;
            assert_eq!(status == DisputeStatus::Challenged, is_done, "{fault:?}");
        }
        Recovery::Repeat { .. } => done_once(bench, key, disputed).await,
        Recovery::Notice | Recovery::GiveUp { .. } => {
            let told = bench.state_by_notice(disputed).await.expect("it is told");
            assert_eq!(told.status == DisputeStatus::Challenged, is_done);
        }
    }
    if challenged().await == 0 {
        done_once(bench, key, disputed).await;
    }
    bench.stood(Operation::ChallengeDispute, fault);
}

async fn done_once(bench: &Bench, key: &ProcessorKey, disputed: &Disputed) {
    done(bench.challenge(key, disputed).await);
    assert_eq!(bench.dispute_books(disputed).await.challenged, 1);
}

/// The list may have several pages.
pub async fn disputes_are_listed(bench: Bench) {
    let lists = bench.connector.able(|able| able.disputes.lists);
    let lists = lists.expect("it lists");
    let mut raised = Vec::new();
    for _ in 0..12 {
        raised.push(bench.disputed().await.reference);
    }
    let now = bench.subject.now();
    let listed = async |from: i64, until: i64| {
        let at = |seconds| now.plus_seconds(seconds).expect("in range");
        let mut all = Vec::new();
        let mut page = None;
        loop {
            let request = ListDisputesRequest {
                access: bench.subject.access(),
                from: at(from),
                until: at(until),
                page,
            };
            let told = lists.list_disputes(request).await.expect("told");
            all.extend(told.disputes.into_iter().map(|news| news.reference));
            page = told.next;
            if page.is_none() {
                all.sort();
                return all;
            }
        }
    };
    raised.sort();
    assert_eq!(listed(-10, 10).await, raised);
    assert_eq!(listed(-10, -5).await, Vec::<String>::new());
    bench.subject.peer().faults().next(Fault::Gateway(503));
    let request = ListDisputesRequest {
        access: bench.subject.access(),
        from: now,
        until: now,
        page: None,
    };
    let failed = lists.list_disputes(request).await;
    assert_eq!(failed, Err(UnknownReason::ProcessorError));
}
