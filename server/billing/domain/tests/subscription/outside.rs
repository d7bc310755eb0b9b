//! Tests of a stored subscription that an external billing engine of an earlier version billed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use multirail_billing_domain::subscription::*;

use crate::matrix::{cell, inputs, statuses};

/// Facts and time change nothing. Every command is refused except a plain cancellation, which ends the subscription.
#[test]
fn only_a_cancellation_changes_it() {
    let mut answers: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (_, mut story) in statuses() {
        story.standing.subscription.outside = Some(Outside::default());
        for (name, input) in inputs(&story) {
            let cells = answers.entry(name).or_default();
            cells.insert(cell(&story, input));
        }
    }
    let mut table = String::new();
    for (name, cells) in answers {
        let cells: Vec<String> = cells.into_iter().collect();
        writeln!(table, "{name:<17}{}", cells.join(", ")).expect("a text");
    }
    insta::assert_snapshot!(table, @r"
    another method   no
    cancel           cancelled @-, no
    cancel at end    no
    cancel, full     no
    cancel, prorate  no
    collect          no
    confirm          no
    failed           .
    none refundable  .
    not asked        .
    paid             .
    paid after all   .
    pause            no
    pause at end     no
    pending          .
    refund           no
    refund credit    no
    refund failed    .
    refund succeeded .
    resume           no
    resume later     no
    taken back       .
    time             .
    to be reviewed   .
    torn after all   .
    untouched        .
    update           no
    void             no
    ");
}

#[test]
fn nothing_of_it_is_ever_due() {
    for (name, mut story) in statuses() {
        story.standing.subscription.has_news = true;
        story.standing.subscription.outside = Some(Outside::default());
        assert_eq!(story.standing.due(), None, "{name}");
    }
}

#[test]
fn a_cancellation_keeps_its_invoices_and_its_credit() {
    for (name, mut story) in statuses() {
        story.standing.subscription.outside = Some(Outside {
            reference: Some("sub_engine_1".to_owned()),
            ..Outside::default()
        });
        let before = story.standing.clone();
        let cancel = crate::given::cancel(When::Now);
        if story
            .takes(Input::Command(Command::Cancel(cancel)))
            .is_err()
        {
            assert!(before.subscription.status.is_final(), "{name}");
            continue;
        }
        let after = &story.standing;
        assert_eq!(after.open, before.open, "{name}");
        assert_eq!(after.subscription.credit, before.subscription.credit);
        assert_eq!(after.subscription.outside, before.subscription.outside);
        assert_eq!(after.subscription.cancelled_at, Some(story.now), "{name}");
    }
}
