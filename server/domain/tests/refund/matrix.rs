//! A table for people: the effect of each command and answer on a refund in each state.

use std::fmt::Write;

use multirail_domain::payments::refund::{Command, Effect, Input, RefundStatus};
use multirail_sdk::connector::Outcome;

use crate::story::Refunds;
use crate::support::outcomes::*;

const LEGEND: &str = "\
What every input does to a refund of 4000 of a payment of 6540, in every state that the refund can be in.

status taken +event !call   the next status, what all refunds of the payment take from it then, what is announced, and what is
                            asked of the processor
.                           nothing changes

Where a row says beside another one, a second refund of 4000 has succeeded since the first one failed.
";

struct Row {
    name: &'static str,
    story: Refunds,
}

/// Builds a first refund that failed in this way, and a second one that refunded its amount.
fn after_another_one(first: Outcome) -> Refunds {
    let mut story = Refunds::with_one(4000, first);
    story.refund(Some(4000));
    story.answer(2, done());
    story
}

fn then(mut story: Refunds, outcome: Outcome) -> Refunds {
    story.answer(1, outcome);
    story
}

/// Returns the rows; the first refund of each story is the row's.
fn rows() -> Vec<Row> {
    let mut sent = Refunds::of_a_purchase();
    sent.refund(Some(4000));
    let mut scheduled = Refunds::of_a_purchase();
    scheduled.schedule(4000);
    let rows = [
        ("pending: sent", sent),
        ("pending: scheduled", scheduled),
        (
            "pending: the processor takes its time",
            Refunds::with_one(4000, pending()),
        ),
        (
            "pending: the payer is to act",
            Refunds::with_one(4000, redirect()),
        ),
        ("pending: no answer", Refunds::with_one(4000, unknown())),
        ("succeeded", Refunds::with_one(4000, done())),
        ("failed: declined", Refunds::with_one(4000, declined())),
        (
            "failed: declined, beside another one",
            after_another_one(declined()),
        ),
        (
            "failed: never happened",
            Refunds::with_one(4000, never_happened()),
        ),
        (
            "failed: never happened, beside another one",
            after_another_one(never_happened()),
        ),
        (
            "review: another amount",
            Refunds::with_one(4000, done_for(4001)),
        ),
        (
            "review: under way beside another one",
            then(after_another_one(never_happened()), pending()),
        ),
        (
            "review: done beside another one",
            then(after_another_one(declined()), done()),
        ),
    ];
    rows.map(|(name, story)| Row { name, story }).into()
}

type Column = (&'static str, fn(&Refunds) -> Input);

const COLUMNS: [Column; 11] = [
    ("update", |_| {
        Input::Command(Command::Update {
            reason: None,
            metadata: None,
        })
    }),
    ("sync", |_| Input::Command(Command::Sync)),
    ("done", |story| fact(story, done())),
    ("done for 3999", |story| fact(story, done_for(3999))),
    ("done in EUR", |story| fact(story, done_in(4000, "EUR"))),
    ("declined", |story| fact(story, declined())),
    ("taken back", |story| fact(story, taken_back())),
    ("pending", |story| fact(story, pending())),
    ("payer must act", |story| fact(story, redirect())),
    ("never happened", |story| fact(story, never_happened())),
    ("unknown", |story| fact(story, unknown())),
];

fn fact(story: &Refunds, outcome: Outcome) -> Input {
    Input::Fact(story.fact(1, outcome))
}

fn cell(story: &mut Refunds, input: Input) -> String {
    let before = (story.refunds[0].status, story.payment.refunds_amount());
    let step = story.try_input(1, input);
    let effects: String = step.effects.iter().map(effect).collect();
    let after = (step.refund.status, step.payment.refunds_amount());
    if before == after && effects.is_empty() {
        ".".to_owned()
    } else {
        format!("{} {}{effects}", after.0, after.1)
    }
}

fn effect(effect: &Effect) -> String {
    match effect {
        Effect::Call(_) => " !refund".to_owned(),
        Effect::LookUp(_) => " !look up".to_owned(),
        Effect::Announce(announcement) => format!(" +{}", announcement.event_type),
        Effect::DeleteCredentials => " !forget".to_owned(),
    }
}

fn table(columns: &[Column]) -> String {
    let mut lines = vec![vec![String::new()]];
    lines[0].extend(columns.iter().map(|(name, _)| (*name).to_owned()));
    for Row { name, mut story } in rows() {
        // By now a call counts as interrupted.
        story.wait(60);
        let mut line = vec![name.to_owned()];
        for (_, input) in columns {
            let input = input(&story);
            line.push(cell(&mut story, input));
        }
        lines.push(line);
    }
    let width = |column: usize| lines.iter().map(|line| line[column].len()).max();
    let widths: Vec<usize> = (0..=columns.len()).filter_map(width).collect();
    let mut page = String::new();
    for line in lines {
        let cells = line.iter().zip(&widths);
        let text: Vec<String> = cells
            .map(|(cell, width)| format!("{cell:<width$}"))
            .collect();
        let _ = writeln!(page, "{}", text.join(" | ").trim_end());
    }
    page
}

#[test]
fn every_status_against_every_input() {
    let (asked, told) = COLUMNS.split_at(5);
    let page = [LEGEND.to_owned(), table(asked), table(told)];
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("status_by_input", page.join("\n"));
    });
}

#[test]
fn every_status_has_a_row_that_is_in_it() {
    let mut seen: Vec<RefundStatus> = Vec::new();
    for Row { name, story } in rows() {
        let status = name.split(':').next().unwrap_or_default();
        assert_eq!(story.refunds[0].status.as_str(), status, "{}", story.page());
        seen.push(story.refunds[0].status);
    }
    for status in RefundStatus::ALL {
        assert!(seen.contains(status), "{status} has no row");
    }
}
