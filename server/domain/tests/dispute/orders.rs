//! Every order of news ends the same.

use multirail_domain::connector::DisputeNews;
use multirail_domain::dispute::{DisputeStage, DisputeStatus};
use proptest::prelude::*;

use crate::story::{Disputes, news};
use crate::support::AMOUNT;

/// A dispute's life: through some stages in their order, in each opened, perhaps challenged, and perhaps ended in one way.
fn life() -> impl Strategy<Value = Vec<DisputeNews>> {
    let ends = [
        DisputeStatus::Expired,
        DisputeStatus::Accepted,
        DisputeStatus::Cancelled,
        DisputeStatus::Won,
        DisputeStatus::Lost,
    ];
    let stage = (
        prop::bool::ANY,
        prop::bool::ANY,
        prop::option::of(prop::sample::select(ends.to_vec())),
    );
    prop::collection::vec(prop::option::of(stage), DisputeStage::ALL.len()).prop_map(|stages| {
        let mut all = Vec::new();
        for (stage, said) in DisputeStage::ALL.iter().zip(stages) {
            let Some((opened, challenged, ended)) = said else {
                continue;
            };
            let statuses = [
                opened.then_some(DisputeStatus::Opened),
                challenged.then_some(DisputeStatus::Challenged),
                ended,
            ];
            let told = statuses.into_iter().flatten();
            all.extend(told.map(|status| news(*stage, status, AMOUNT)));
        }
        all
    })
}

/// Each at least once, in any order.
fn told(life: Vec<DisputeNews>) -> impl Strategy<Value = (Vec<DisputeNews>, Vec<DisputeNews>)> {
    let again = prop::sample::subsequence(life.clone(), 0..=life.len());
    let all = again.prop_flat_map({
        let life = life.clone();
        move |again| {
            let told: Vec<_> = life.iter().cloned().chain(again).collect();
            Just(told).prop_shuffle()
        }
    });
    (Just(life), all)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn news_in_any_order((life, told) in life().prop_filter("something is told", |life| !life.is_empty()).prop_flat_map(told)) {
        let mut story = Disputes::of_a_purchase();
        for (nth, one) in told.into_iter().enumerate() {
            if nth == 0 {
                story.raise(one);
            } else {
                story.hear(1, one);
            }
        }
        let last = life.last().expect("something was told");
        let dispute = &story.disputes[0];
        prop_assert_eq!((dispute.stage, dispute.status), (last.stage, last.status), "{}", story.page());
        let of_last = story.announced.iter().filter(|one| Some(one.event_type) == Some(last.status.event()));
        let about = format!("dp_1_{}", last.stage);
        prop_assert_eq!(of_last.filter(|one| one.about == about).count(), 1, "{}", story.page());
        let mut told: Vec<_> = story.announced.iter().map(|one| (one.event_type, one.about.clone())).collect();
        let all = told.len();
        told.sort();
        told.dedup();
        prop_assert_eq!(told.len(), all, "told twice: {}", story.page());
    }
}
