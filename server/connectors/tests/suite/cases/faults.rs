//! Cases of faults during each kind of operation: the immediate outcome, and the outcome that is
//! learned later.

use futures::future::join_all;
use multirail_sdk::connector::{Finding, OperationKind, Outcome, Recovery, UnknownReason};

use crate::suite::bench::{Asked, Bench, PRICE, SOON, done_for, never_happened, unknown};
use crate::suite::mishaps::Operation;
use crate::suite::peer::Fault;
use crate::suite::subject::CardThat;

async fn meets(bench: &Bench, fault: Fault, reason: UnknownReason) {
    for asked in bench.one_of_each().await {
        bench.subject.peer().faults().next(fault);
        let told = unknown(bench.ask(&asked).await);
        assert_eq!(told, reason, "{fault:?}: {asked:?}");
        settles(bench, fault, &asked).await;
    }
}

/// Tests the faults that only the deadline ends, for all kinds at once.
async fn is_given_up(bench: &Bench, fault: Fault) {
    let impatient = bench.subject.connector(SOON);
    let asked = bench.one_of_each().await;
    // Opens the connection first, so that the deadline measures only the calls.
    let first = bench.authorize(CardThat::IsApproved, PRICE, true);
    let access = || bench.subject.access();
    done_for(bench.ask_by(&*impatient, access(), &first).await, PRICE);
    for _ in &asked {
        bench.subject.peer().faults().next(fault);
    }
    let ask = |asked| bench.ask_by(&*impatient, access(), asked);
    for told in join_all(asked.iter().map(ask)).await {
        let timeout = Outcome::Unknown(UnknownReason::Timeout);
        assert_eq!(told, timeout, "{fault:?}");
    }
    for asked in &asked {
        settles(bench, fault, asked).await;
    }
}

/// Asserts that the true outcome is learned.
async fn settles(bench: &Bench, fault: Fault, asked: &Asked) {
    let is_done = fault.is_done();
    let repeats = bench
        .subject
        .description()
        .capabilities
        .repeats_authorizations;
    if repeats && asked.kind() == OperationKind::Authorize {
        done_for(bench.finish(asked).await, asked.money);
        bench.assert_done(asked, true).await;
        bench.stood(Operation::Authorize, fault);
        return;
    }
    bench.assert_done(asked, is_done).await;
    match (bench.recovery(asked.kind()), bench.learn(asked).await) {
        (Recovery::LookUp(_), Some(outcome)) if !is_done => {
            never_happened(outcome);
            bench.assert_done(asked, false).await;
        }
        (Recovery::Notice | Recovery::GiveUp { .. }, None) => {
            assert!(!is_done, "{fault:?}: nothing tells of {asked:?}")
        }
        (
            Recovery::LookUp(_)
            | Recovery::Repeat { .. }
            | Recovery::Notice
            | Recovery::GiveUp { .. },
            Some(outcome),
        ) => {
            done_for(outcome, asked.money);
            bench.assert_done(asked, true).await;
        }
        (recovery, None) => panic!("{recovery:?} told nothing of {asked:?}"),
    }
    bench.stood(Operation::of_kind(asked.kind()), fault);
}

pub async fn a_lost_request(bench: Bench) {
    meets(&bench, Fault::LosesRequest, UnknownReason::ConnectionLost).await;
}

pub async fn a_lost_answer(bench: Bench) {
    meets(&bench, Fault::LosesAnswer, UnknownReason::ConnectionLost).await;
}

pub async fn silence_before(bench: Bench) {
    is_given_up(&bench, Fault::StaysSilent).await;
}

pub async fn silence_after(bench: Bench) {
    is_given_up(&bench, Fault::AnswersNever).await;
}

pub async fn half_an_answer(bench: Bench) {
    is_given_up(&bench, Fault::AnswersHalf).await;
}

pub async fn nonsense(bench: Bench) {
    meets(
        &bench,
        Fault::AnswersNonsense,
        UnknownReason::UnreadableAnswer,
    )
    .await;
}

pub async fn a_huge_answer(bench: Bench) {
    meets(&bench, Fault::AnswersHuge, UnknownReason::UnreadableAnswer).await;
}

pub async fn trouble_before(bench: Bench) {
    for status in [500, 502, 503] {
        meets(
            &bench,
            Fault::Gateway(status),
            UnknownReason::ProcessorError,
        )
        .await;
    }
}

pub async fn trouble_after(bench: Bench) {
    for status in [500, 504] {
        meets(
            &bench,
            Fault::GatewayAfter(status),
            UnknownReason::ProcessorError,
        )
        .await;
    }
}

/// Only the processor's own "no" is a decline.
pub async fn a_refusal_on_the_way(bench: Bench) {
    for status in [400, 404, 413, 302] {
        meets(
            &bench,
            Fault::Gateway(status),
            UnknownReason::UnreadableAnswer,
        )
        .await;
    }
}

pub async fn too_many_requests(bench: Bench) {
    for asked in bench.one_of_each().await {
        bench.subject.peer().faults().next(Fault::ThrottlesForLong);
        never_happened(bench.ask(&asked).await);
        bench.assert_done(&asked, false).await;
        done_for(bench.finish(&asked).await, asked.money);
        bench.assert_done(&asked, true).await;
    }
}

/// The same call repeats a request that was turned away, under its key.
pub async fn too_many_requests_for_now(bench: Bench) {
    let asked = bench.one_of_each().await;
    for _ in &asked {
        bench.subject.peer().faults().next(Fault::Throttles);
    }
    let access = || bench.subject.access();
    let ask = |asked| bench.ask_by(&*bench.connector, access(), asked);
    let told = join_all(asked.iter().map(ask)).await;
    for (asked, told) in asked.iter().zip(told) {
        assert!(
            !matches!(
                told,
                Outcome::NeverHappened { .. } | Outcome::Unknown(_) | Outcome::Declined(_)
            ),
            "{asked:?}: {told:?}"
        );
        done_for(bench.finish(asked).await, asked.money);
        bench.assert_done(asked, true).await;
    }
}

/// A failed look-up says nothing about the operation.
pub async fn a_look_up_that_fails(bench: Bench) {
    let faults = [
        (Fault::LosesAnswer, UnknownReason::ConnectionLost),
        (Fault::AnswersNonsense, UnknownReason::UnreadableAnswer),
        (Fault::AnswersHuge, UnknownReason::UnreadableAnswer),
        (Fault::Gateway(404), UnknownReason::UnreadableAnswer),
        (Fault::Gateway(503), UnknownReason::ProcessorError),
        (Fault::ThrottlesForLong, UnknownReason::ProcessorError),
    ];
    for asked in bench.one_of_each().await {
        match bench.recovery(asked.kind()) {
            Recovery::LookUp(_) => {}
            Recovery::Repeat { .. } | Recovery::Notice | Recovery::GiveUp { .. } => continue,
        }
        for (fault, reason) in faults {
            bench.subject.peer().faults().next(fault);
            let found = bench.look_up(&asked, None, None).await;
            let unknown = Finding::Outcome(Outcome::Unknown(reason));
            assert_eq!(found, unknown, "{fault:?}: {asked:?}");
        }
    }
}

pub async fn connections_are_reused(bench: Bench) {
    for asked in bench.one_of_each().await {
        done_for(bench.finish(&asked).await, asked.money);
    }
    let peer = bench.subject.peer();
    assert!(peer.requests() > 4);
    assert_eq!(peer.connections(), 1);
}

/// The processor closes the connection after each kind of request, and no request is lost.
pub async fn a_processor_that_closes_its_connections(bench: Bench) {
    for asked in bench.one_of_each().await {
        bench.subject.peer().faults().next(Fault::AnswersAndLeaves);
        done_for(bench.finish(&asked).await, asked.money);
        bench.assert_done(&asked, true).await;
    }
    bench.sold().await;
    assert!(bench.subject.peer().connections() > 4);
}
