//! News in any order leads to the same end.

use multirail_domain::payments::dispute::{DisputeStage, DisputeStatus};
use multirail_sdk::connector::DisputeNews;
use proptest::prelude::*;

use crate::story::{Disputes, news};
use crate::support::{AMOUNT, start};

/// A dispute's life: some stages in order, each opened, perhaps challenged, and perhaps ended.
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

/// All news at least once, in any order.
fn in_any_order(
    life: Vec<DisputeNews>,
) -> impl Strategy<Value = (Vec<DisputeNews>, Vec<DisputeNews>)> {
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
    fn news_in_any_order((life, told) in life().prop_filter("something is told", |life| !life.is_empty()).prop_flat_map(in_any_order)) {
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

/// Several reports for one stage and status, at two moments, each with or without further members. The moment and then the rank
/// distinguish them.
fn words() -> impl Strategy<Value = Vec<DisputeNews>> {
    let stage = prop::sample::select(DisputeStage::ALL);
    let status = prop::sample::select(DisputeStatus::ALL);
    let said = (0..2_i64, prop::bool::ANY, prop::bool::ANY, 1..AMOUNT);
    let said = prop::collection::vec(said, 2..5);
    (stage, status, said).prop_map(|(stage, status, said)| {
        let words = said.into_iter().zip(0..);
        let words = words.map(|((seconds, has_reason, has_end, amount), rank)| {
            let moment = start().plus_seconds(seconds).expect("a moment");
            let end = start().plus_seconds(604_800);
            let whole = news(stage, status, amount);
            DisputeNews {
                processor_status: format!("word {rank}"),
                rank,
                reason: whole.reason.filter(|_| has_reason),
                challenge_required_by: end.filter(|_| has_end),
                updated_at: Some(moment),
                ..whole
            }
        });
        words.collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn words_of_one_moment_in_any_order((words, told) in words().prop_flat_map(in_any_order)) {
        let mut story = Disputes::of_a_purchase();
        story.raise(told[0].clone());
        for one in &told[1..] {
            story.hear(1, one.clone());
        }
        let last = words.iter().max_by_key(|one| (one.updated_at, one.rank)).expect("words");
        let dispute = &story.disputes[0];
        prop_assert_eq!(&dispute.processor_status, &last.processor_status, "{}", story.page());
        prop_assert_eq!((dispute.amount, dispute.processor_updated_at), (last.money.amount_minor, last.updated_at));
        let anybody = |says: &dyn Fn(&DisputeNews) -> bool| words.iter().any(says);
        prop_assert_eq!(dispute.reason.is_some(), anybody(&|one| one.reason.is_some()));
        let has_end = anybody(&|one| one.challenge_required_by.is_some());
        prop_assert_eq!(dispute.challenge_required_by.is_some(), has_end);
        prop_assert_eq!(story.announced.len(), 1, "{}", story.page());
    }
}

/// A later word of the processor's list turns a lost dispute into a won one, in whichever order both arrive.
#[test]
fn a_win_of_a_higher_rank_overturns_a_loss() {
    let word = |status, rank| DisputeNews {
        rank,
        ..news(DisputeStage::PreArbitration, status, AMOUNT)
    };
    let lost = || word(DisputeStatus::Lost, 11);
    let won = || word(DisputeStatus::Won, 16);
    for told in [
        vec![lost(), won()],
        vec![won(), lost()],
        vec![lost(), won(), lost()],
    ] {
        let mut story = Disputes::of_a_purchase();
        story.raise(told[0].clone());
        for one in &told[1..] {
            story.hear(1, one.clone());
        }
        assert_eq!(
            story.disputes[0].status,
            DisputeStatus::Won,
            "{}",
            story.page()
        );
    }
    let mut story = Disputes::of_a_purchase();
    story.raise(lost());
    story.hear(1, word(DisputeStatus::Won, 11));
    assert_eq!(story.disputes[0].status, DisputeStatus::Lost);
}
