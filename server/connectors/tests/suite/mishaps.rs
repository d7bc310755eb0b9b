//! The mishaps that cases bring about for each operation. The page of proof has a row for each of them, and
//! [`run`](super::run) checks that a case brings about what is listed here.

use std::collections::BTreeSet;

use multirail_peers::Fault;
use multirail_sdk::connector::OperationKind;

use super::needs::Need;
use super::subject::Subject;

/// An operation, as the page of proof names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    Authorize,
    /// An authorization of a stored card without the payer.
    ChargeStoredCard,
    Increment,
    Capture,
    Void,
    Refund,
    AcceptDispute,
    ChallengeDispute,
}

/// A fault of a request, as the page of proof names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mishap {
    RequestLost,
    AnswerLost,
    AnswerLate,
    SentTwice,
}

/// An operation that met a mishap.
pub type Met = (Operation, Mishap);

use Mishap::{AnswerLate, AnswerLost, RequestLost, SentTwice};
use Operation::{AcceptDispute, Authorize, Capture, ChallengeDispute, Increment, Refund, Void};

/// The kinds of [`Bench::one_of_each`](super::bench::Bench::one_of_each).
const KINDS: &[Operation] = &[Authorize, Increment, Capture, Void, Refund];

/// The operations of a case, and the mishaps that each of them meets.
pub const BROUGHT_ABOUT: &[(&str, &[Operation], &[Mishap])] = &[
    ("a_lost_request", KINDS, &[RequestLost]),
    ("a_lost_answer", KINDS, &[AnswerLost]),
    ("silence_after", KINDS, &[AnswerLate]),
    ("every_kind_is_done_once", KINDS, &[SentTwice]),
    (
        "a_charge_of_a_stored_card_stands_every_fault",
        &[Operation::ChargeStoredCard],
        &Mishap::ALL,
    ),
    (
        "giving_in_fails_on_the_way",
        &[AcceptDispute],
        &[RequestLost, AnswerLost],
    ),
    ("giving_in_takes_too_long", &[AcceptDispute], &[AnswerLate]),
    (
        "handing_in_evidence_fails_on_the_way",
        &[ChallengeDispute],
        &[RequestLost, AnswerLost],
    ),
    (
        "handing_in_evidence_takes_too_long",
        &[ChallengeDispute],
        &[AnswerLate],
    ),
];

/// Returns what a case brings about for this subject.
pub fn expected(case: &str, subject: &dyn Subject) -> BTreeSet<Met> {
    let rows = BROUGHT_ABOUT.iter().filter(|(own, ..)| *own == case);
    let all = rows.flat_map(|(_, operations, mishaps)| {
        let offered = operations.iter().filter(|own| own.is_offered(subject));
        offered.flat_map(|own| mishaps.iter().map(|mishap| (*own, *mishap)))
    });
    all.collect()
}

impl Operation {
    pub const ALL: [Operation; 8] = [
        Authorize,
        Operation::ChargeStoredCard,
        Increment,
        Capture,
        Void,
        Refund,
        AcceptDispute,
        ChallengeDispute,
    ];

    pub fn of_kind(kind: OperationKind) -> Self {
        match kind {
            OperationKind::Authorize => Authorize,
            OperationKind::Increment => Increment,
            OperationKind::Capture => Capture,
            OperationKind::Void => Void,
            OperationKind::Refund => Refund,
        }
    }

    pub fn is_offered(self, subject: &dyn Subject) -> bool {
        let need = match self {
            Authorize | Operation::ChargeStoredCard | Capture | Void | Refund => None,
            Increment => Some(Need::Raises),
            AcceptDispute => Some(Need::Acceptance),
            ChallengeDispute => Some(Need::Challenges),
        };
        need.is_none_or(|need| need.is_met(subject))
    }

    pub fn words(self) -> &'static str {
        match self {
            Authorize => "authorize",
            Operation::ChargeStoredCard => "charge a stored card",
            Increment => "increment",
            Capture => "capture",
            Void => "void",
            Refund => "refund",
            AcceptDispute => "accept a dispute",
            ChallengeDispute => "challenge a dispute",
        }
    }
}

impl Mishap {
    pub const ALL: [Mishap; 4] = [RequestLost, AnswerLost, AnswerLate, SentTwice];

    /// Returns the row of a fault. Other faults have no rows of their own.
    pub fn of_fault(fault: Fault) -> Option<Self> {
        match fault {
            Fault::LosesRequest => Some(RequestLost),
            Fault::LosesAnswer => Some(AnswerLost),
            Fault::AnswersNever => Some(AnswerLate),
            Fault::StaysSilent
            | Fault::AnswersHalf
            | Fault::AnswersNonsense
            | Fault::AnswersHuge
            | Fault::Gateway(_)
            | Fault::GatewayAfter(_)
            | Fault::AsksForRepeat
            | Fault::Throttles
            | Fault::ThrottlesForLong
            | Fault::AnswersAndLeaves => None,
        }
    }

    pub fn words(self) -> &'static str {
        match self {
            RequestLost => "request lost",
            AnswerLost => "answer lost",
            AnswerLate => "answer late",
            SentTwice => "request sent twice",
        }
    }
}
