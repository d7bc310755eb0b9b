//! Cases of look-ups.

use multirail_connector_kit::stories;
use multirail_sdk::connector::{Finding, OperationKind, Recovery};

use crate::suite::bench::{Bench, agrees, done, done_for};

pub async fn every_kind_is_found(bench: Bench) {
    for asked in bench.one_of_each().await {
        match bench.recovery(asked.kind()) {
            Recovery::LookUp(_) => {}
            Recovery::Repeat { .. } | Recovery::Notice | Recovery::GiveUp { .. } => continue,
        }
        let reference = done(bench.finish(&asked).await).reference;
        // By our key alone, as after a lost answer, and by the processor's reference.
        for reference in [None, reference] {
            match bench.look_up(&asked, reference, None).await {
                Finding::Outcome(outcome) => done_for(outcome, asked.money),
                Finding::Absent { reason } => panic!("{asked:?}: {reason}"),
            };
        }
    }
}

pub async fn an_unknown_operation_is_absent(bench: Bench) {
    if matches!(
        bench.recovery(OperationKind::Authorize),
        Recovery::LookUp(_)
    ) {
        agrees(stories::unknown_key(&bench).await);
    }
    for asked in bench.one_of_each().await {
        match bench.recovery(asked.kind()) {
            Recovery::LookUp(_) => {}
            Recovery::Repeat { .. } | Recovery::Notice | Recovery::GiveUp { .. } => continue,
        }
        match bench.look_up(&asked, None, None).await {
            Finding::Absent { reason } => assert!(!reason.is_empty()),
            Finding::Outcome(outcome) => panic!("{asked:?}: {outcome:?}"),
        }
        bench.assert_done(&asked, false).await;
    }
}
