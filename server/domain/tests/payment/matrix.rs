//! A table for people: the effect of each command and answer on a payment in each status.

pub mod rows;

use std::fmt::Write;

use multirail_domain::payments::payment::{
    AtHand, Command, Effect, Fact, Input, Payment, PaymentStatus,
};
use multirail_kernel::notes::Metadata;
use multirail_kernel::refusal::Refusal;
use multirail_sdk::connector::Outcome;
use rows::{Row, rows};

use crate::support::outcomes::*;
use crate::support::story::{AUTHORIZE, About, CAPTURE, Story, VOID};
use crate::support::{AMOUNT, with_card};

const LEGEND: &str = "\
What every input does to a payment in every status.

status +event !call   the next status, what is announced, and what is asked of the processor
.                     nothing changes
(Kind)                refused; the kind names the error
-                     the payment has no such operation

Where a row's payment has captures or voids that never happened, the answers about them are late ones: to the first
capture and the first void. The profile allows retries, the confirm brings a card, the capture takes 100, the raise
wants 7000 in all.
";

type Column = (&'static str, fn(&Story) -> Option<Input>);

fn fact(story: &Story, about: About, outcome: Outcome) -> Option<Input> {
    let about = about.key(&story.payment)?;
    Some(Input::Fact(Fact { about, outcome }))
}

const COMMANDS: [Column; 12] = [
    ("update", |_| {
        Some(Input::Command(Command::Update(Box::new(with_card()))))
    }),
    ("confirm", |story| {
        Some(Input::Command(story.confirm_command(with_card())))
    }),
    ("capture", |_| {
        let amount_to_capture = Some(100);
        Some(Input::Command(Command::Capture {
            amount_to_capture,
            credentials: AtHand::default(),
        }))
    }),
    ("cancel", |_| {
        Some(Input::Command(Command::Cancel {
            reason: None,
            credentials: AtHand::default(),
        }))
    }),
    ("complete", |story| {
        Some(Input::Command(story.complete_command()))
    }),
    ("approve", |_| {
        let credentials = AtHand::default();
        Some(Input::Command(Command::Approve { credentials }))
    }),
    ("reject", |_| {
        let credentials = AtHand::default();
        Some(Input::Command(Command::Reject { credentials }))
    }),
    ("cancel post capture", |_| {
        Some(Input::Command(Command::CancelPostCapture {
            reason: None,
            credentials: AtHand::default(),
        }))
    }),
    ("raise", |story| {
        Some(Input::Command(story.raise_command(7000)))
    }),
    ("metadata", |_| {
        let metadata = Metadata::default();
        Some(Input::Command(Command::UpdateMetadata { metadata }))
    }),
    ("session", |_| {
        let offers = Vec::new();
        Some(Input::Command(Command::NoteOffers { offers }))
    }),
    ("sync", |_| {
        Some(Input::Command(Command::Sync { about: None }))
    }),
];

const AUTHORIZATION: [Column; 10] = [
    ("authorized", |story| fact(story, AUTHORIZE, done())),
    ("held", |story| fact(story, AUTHORIZE, held_for(AMOUNT))),
    ("redirect", |story| fact(story, AUTHORIZE, redirect())),
    ("device data", |story| fact(story, AUTHORIZE, device_data())),
    ("declined", |story| fact(story, AUTHORIZE, declined())),
    ("auth failed", |story| {
        fact(story, AUTHORIZE, not_authenticated())
    }),
    ("pending", |story| fact(story, AUTHORIZE, pending())),
    ("never happened", |story| {
        fact(story, AUTHORIZE, never_happened())
    }),
    ("unknown", |story| fact(story, AUTHORIZE, unknown())),
    ("taken back", |story| fact(story, AUTHORIZE, taken_back())),
];

const CAPTURES_AND_VOIDS: [Column; 7] = [
    ("captured", |story| fact(story, CAPTURE.nth(1), done())),
    ("capture declined", |story| {
        fact(story, CAPTURE.nth(1), declined())
    }),
    ("capture gone", |story| fact(story, CAPTURE.nth(1), gone())),
    ("capture pending", |story| {
        fact(story, CAPTURE.nth(1), pending())
    }),
    ("voided", |story| fact(story, VOID.nth(1), done())),
    ("void declined", |story| {
        fact(story, VOID.nth(1), declined())
    }),
    ("void pending", |story| fact(story, VOID.nth(1), pending())),
];

const TAKEN_BACK: [Column; 3] = [
    ("last capture", |story| fact(story, CAPTURE, taken_back())),
    ("first capture", |story| {
        fact(story, CAPTURE.nth(1), taken_back())
    }),
    ("last void", |story| fact(story, VOID, taken_back())),
];

fn cell(story: &mut Story, input: Option<Input>) -> String {
    let Some(input) = input else {
        return "-".to_owned();
    };
    let before = story.payment.clone();
    match story.try_input(input) {
        Ok(step) => {
            let effects = step.effects.iter().filter_map(effect).collect::<String>();
            if effects.is_empty() && is_same(&before, &step.payment) {
                ".".to_owned()
            } else {
                format!("{}{effects}", step.payment.status)
            }
        }
        Err(refusal) => format!("({})", kind(&refusal)),
    }
}

/// Compares the members that the table shows.
fn is_same(before: &Payment, after: &Payment) -> bool {
    before.status == after.status && before.amounts() == after.amounts()
}

fn effect(effect: &Effect) -> Option<String> {
    match effect {
        Effect::Announce(announcement) => Some(format!(" +{}", announcement.event_type)),
        Effect::Call(call) => Some(format!(" !{}", call.kind)),
        Effect::LookUp(call) => Some(format!(" !look up {}", call.kind)),
        Effect::Method(_)
        | Effect::Mandate(_)
        | Effect::DeleteCard
        | Effect::ReturnExcess(_)
        | Effect::DeleteCredentials { .. } => None,
    }
}

fn kind(refusal: &Refusal) -> String {
    let shown = format!("{refusal:?}");
    shown
        .split([' ', '{', '('])
        .next()
        .unwrap_or_default()
        .to_owned()
}

fn table(title: &str, columns: &[Column]) -> String {
    let mut lines = vec![vec![title.to_owned()]];
    lines[0].extend(columns.iter().map(|(name, _)| (*name).to_owned()));
    for Row { name, mut story } in rows() {
        // By now a call counts as interrupted.
        story.now = story.now.plus_seconds(60).expect("a moment");
        story.manual_retry_enabled = true;
        let mut line = vec![name.to_owned()];
        for (_, input) in columns {
            let input = input(&story);
            line.push(cell(&mut story, input));
        }
        lines.push(line);
    }
    let widths: Vec<usize> = (0..=columns.len())
        .map(|column| {
            lines
                .iter()
                .map(|line| line[column].len())
                .max()
                .unwrap_or(0)
        })
        .collect();
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
    let page = [
        LEGEND.to_owned(),
        table("ASKED OF US", &COMMANDS),
        table("TOLD ABOUT THE AUTHORIZATION", &AUTHORIZATION),
        table("TOLD ABOUT A CAPTURE OR A VOID", &CAPTURES_AND_VOIDS),
        table("TOLD AS NOT DONE IN THE END", &TAKEN_BACK),
    ];
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("status_by_input", page.join("\n"));
    });
}

#[test]
fn every_status_has_a_row_that_is_in_it() {
    let mut seen: Vec<PaymentStatus> = Vec::new();
    for Row { name, story } in rows() {
        let status = name.split(':').next().unwrap_or_default();
        assert_eq!(story.payment.status.as_str(), status, "{}", story.page());
        seen.push(story.payment.status);
    }
    for status in PaymentStatus::ALL {
        assert!(seen.contains(status), "{status} has no row");
    }
}
