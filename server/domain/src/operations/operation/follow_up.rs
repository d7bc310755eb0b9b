//! The next request about an operation that has no final answer.

use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{
    Absence, FollowUp, KeptAnswers, OperationKind, Recoveries, Recovery, UnknownReason, WaitsFor,
};

use crate::operations::operation::{Operation, Progress};

impl Operation {
    /// Returns whether the operation is sent again if a look-up doesn't find it. Repeats are sent only in the first half of the
    /// time after which absence is a proof, so that none is under way when it becomes one.
    pub fn repeats_absent(&self, kept: &KeptAnswers, recovery: Recovery, now: Timestamp) -> bool {
        let proven_after = match recovery {
            Recovery::LookUp(Absence::ProvesAfter { seconds }) => seconds,
            Recovery::LookUp(Absence::Proves)
            | Recovery::Repeat { .. }
            | Recovery::Notice
            | Recovery::GiveUp { .. } => return false,
        };
        let age = now.seconds_since(self.started_at);
        let reason = self.unknown.unwrap_or(UnknownReason::Interrupted);
        self.may_be_missing() && age < (proven_after / 2).min(kept.seconds) && kept.cover(reason)
    }

    /// Returns the next request at `now` while the operation has no final answer. Only an operation that may never have arrived
    /// is repeated, and only if all of its input is still there.
    pub fn follow_up(&self, recovery: Recovery, is_repeatable: bool, now: Timestamp) -> FollowUp {
        let age = now.seconds_since(self.started_at);
        match recovery {
            Recovery::LookUp(_) => FollowUp::LookUp,
            Recovery::Repeat { within_seconds } => {
                if is_repeatable && self.may_be_missing() && age < within_seconds {
                    FollowUp::Repeat
                } else {
                    FollowUp::Nothing
                }
            }
            Recovery::Notice => FollowUp::Nothing,
            Recovery::GiveUp { after_seconds } => {
                if self.may_be_missing() && age >= after_seconds {
                    FollowUp::GiveUp
                } else {
                    FollowUp::Nothing
                }
            }
        }
    }

    /// Returns the next request for an operation of this kind. An authorization is never repeated: part of the payment method's
    /// data is gone by then.
    pub fn follow_up_of(
        &self,
        kind: OperationKind,
        recoveries: &Recoveries,
        now: Timestamp,
    ) -> FollowUp {
        let is_repeatable = match kind {
            OperationKind::Authorize => false,
            OperationKind::Increment
            | OperationKind::Capture
            | OperationKind::Void
            | OperationKind::Refund => true,
        };
        self.follow_up(recoveries.for_operation(kind), is_repeatable, now)
    }

    /// Returns what an operation of this kind waits for when no call is under way or due.
    pub fn waits_for(
        &self,
        kind: OperationKind,
        recoveries: &Recoveries,
        now: Timestamp,
    ) -> WaitsFor {
        self.waits_after(self.follow_up_of(kind, recoveries, now))
    }

    /// Returns what the operation waits for if this request is sent next.
    pub fn waits_after(&self, follow_up: FollowUp) -> WaitsFor {
        match self.progress {
            Progress::AwaitingCustomer => WaitsFor::Payer,
            Progress::NeverHappened | Progress::Done | Progress::Declined => WaitsFor::Call,
            Progress::Started | Progress::Pending | Progress::Unknown => match follow_up {
                FollowUp::LookUp => WaitsFor::LookUp,
                FollowUp::Repeat => WaitsFor::Repeat,
                FollowUp::Nothing | FollowUp::GiveUp => WaitsFor::Notice,
            },
        }
    }

    /// Returns whether the operation may never have arrived. An operation without a record at the processor is reported as
    /// failed, so it must not be sent again.
    fn may_be_missing(&self) -> bool {
        match self.progress {
            Progress::Started | Progress::Unknown => true,
            Progress::NeverHappened
            | Progress::AwaitingCustomer
            | Progress::Pending
            | Progress::Done
            | Progress::Declined => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use multirail_kernel::ids::ProcessorKey;

    #[test]
    fn what_is_sent_follows_from_kind_progress_and_age() {
        let repeat = Recoveries::all(Recovery::Repeat { within_seconds: 60 });
        let sent = |recoveries: Recoveries, kind, progress, age| {
            let mut operation = Operation::start(key(), 6540, Timestamp::EPOCH);
            operation.progress = progress;
            let now = Timestamp::EPOCH.plus_seconds(age).expect("in range");
            let waits_for = operation.waits_for(kind, &recoveries, now);
            format!(
                "{:?}, waits for {waits_for}",
                operation.follow_up_of(kind, &recoveries, now)
            )
        };
        let mut lines = Vec::new();
        for kind in OperationKind::ALL {
            let told = sent(repeat, *kind, Progress::Unknown, 59);
            lines.push(format!("repeat, {kind} unknown: {told}"));
        }
        for progress in Progress::ALL {
            let told = sent(repeat, OperationKind::Capture, *progress, 59);
            lines.push(format!("repeat, capture {progress}: {told}"));
        }
        let told = sent(repeat, OperationKind::Capture, Progress::Unknown, 60);
        lines.push(format!("repeat, capture after a minute: {told}"));
        let give_up = Recoveries::all(Recovery::GiveUp { after_seconds: 60 });
        for progress in Progress::ALL {
            let kind = OperationKind::Authorize;
            let (early, late) = (
                sent(give_up, kind, *progress, 59),
                sent(give_up, kind, *progress, 60),
            );
            lines.push(format!(
                "give up, authorize {progress}: {early}; then {late}"
            ));
        }
        for recovery in [Recovery::LookUp(Absence::Proves), Recovery::Notice] {
            let told = sent(
                Recoveries::all(recovery),
                OperationKind::Refund,
                Progress::Pending,
                0,
            );
            lines.push(format!("{recovery:?}, refund pending: {told}"));
        }
        insta::assert_snapshot!(lines.join("\n"), @"
        repeat, authorize unknown: Nothing, waits for notice
        repeat, increment unknown: Repeat, waits for repeat
        repeat, capture unknown: Repeat, waits for repeat
        repeat, void unknown: Repeat, waits for repeat
        repeat, refund unknown: Repeat, waits for repeat
        repeat, capture started: Repeat, waits for repeat
        repeat, capture awaiting_customer: Nothing, waits for payer
        repeat, capture pending: Nothing, waits for notice
        repeat, capture unknown: Repeat, waits for repeat
        repeat, capture never_happened: Nothing, waits for call
        repeat, capture done: Nothing, waits for call
        repeat, capture declined: Nothing, waits for call
        repeat, capture after a minute: Nothing, waits for notice
        give up, authorize started: Nothing, waits for notice; then GiveUp, waits for notice
        give up, authorize awaiting_customer: Nothing, waits for payer; then Nothing, waits for payer
        give up, authorize pending: Nothing, waits for notice; then Nothing, waits for notice
        give up, authorize unknown: Nothing, waits for notice; then GiveUp, waits for notice
        give up, authorize never_happened: Nothing, waits for call; then Nothing, waits for call
        give up, authorize done: Nothing, waits for call; then Nothing, waits for call
        give up, authorize declined: Nothing, waits for call; then Nothing, waits for call
        LookUp(Proves), refund pending: LookUp, waits for look_up
        Notice, refund pending: Nothing, waits for notice
        ");
    }

    #[test]
    fn what_is_absent_is_sent_again_while_no_absence_proves_anything() {
        let lagging = Recovery::LookUp(Absence::ProvesAfter { seconds: 300 });
        let proving = Recovery::LookUp(Absence::Proves);
        let repeated = |recovery, failures_too, unknown, progress, age| {
            let mut operation = Operation::start(key(), 6540, Timestamp::EPOCH);
            operation.progress = progress;
            operation.unknown = unknown;
            let kept = KeptAnswers {
                seconds: 86_400,
                failures_too,
            };
            let now = Timestamp::EPOCH.plus_seconds(age).expect("in range");
            operation.repeats_absent(&kept, recovery, now)
        };
        let timeout = Some(UnknownReason::Timeout);
        let failure = Some(UnknownReason::ProcessorError);
        assert!(repeated(lagging, false, timeout, Progress::Unknown, 149));
        assert!(!repeated(lagging, false, timeout, Progress::Unknown, 150));
        assert!(repeated(lagging, false, None, Progress::Started, 60));
        assert!(!repeated(lagging, false, failure, Progress::Unknown, 0));
        assert!(repeated(lagging, true, failure, Progress::Unknown, 0));
        assert!(!repeated(proving, true, timeout, Progress::Unknown, 0));
        for progress in [Progress::Pending, Progress::NeverHappened, Progress::Done] {
            assert!(!repeated(lagging, true, None, progress, 0), "{progress}");
        }
    }

    fn key() -> ProcessorKey {
        ProcessorKey::parse("mrk_1").expect("a key")
    }
}
