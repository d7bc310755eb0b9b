//! Tables for people: the effect of each processor's news, and of each command and answer, on a dispute in each state.

use std::collections::BTreeMap;
use std::fmt::Write;

use multirail_domain::payments::dispute::{
    Command, DisputeStage, DisputeStatus, EvidenceFile, EvidenceItem, FileType, Input,
};
use multirail_kernel::ids::FileId;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::unread::UnreadMembers;

use crate::story::{Disputes, effect_words, news};
use crate::support::AMOUNT;
use crate::support::outcomes::*;

const TOLD: &str = "\
What a processor's word does to a dispute that stands so. A column is a stage and status that is told; five groups, one for each
stage, of seven letters, one for each status: Opened, Expired, Accepted, Cancelled, cHallenged, Won, Lost.

letter  the dispute comes to that, and merchants are told
=       it stands so already
.       it is from before what is known: nothing changes
";

const ASKED: &str = "\
What a command, or the answer to one, does to a dispute that stands so. Answers are those to an accept that was begun before, or in
the last columns to a challenge: what was begun, was begun in the same stage (before a reversal, in the arbitration) while the
dispute was open. A dispute that is told as lost after an accept was begun counts as accepted.

status +event !call   what it comes to, what is announced, and what is asked of the processor
HE_03                 refused: the state doesn't allow it
.                     nothing changes
";

fn states() -> impl Iterator<Item = (DisputeStage, DisputeStatus)> {
    let of = |stage: &DisputeStage| {
        let stage = *stage;
        DisputeStatus::ALL
            .iter()
            .map(move |status| (stage, *status))
    };
    DisputeStage::ALL.iter().flat_map(of)
}

fn letter(status: DisputeStatus) -> char {
    match status {
        DisputeStatus::Opened => 'O',
        DisputeStatus::Expired => 'E',
        DisputeStatus::Accepted => 'A',
        DisputeStatus::Cancelled => 'C',
        DisputeStatus::Challenged => 'H',
        DisputeStatus::Won => 'W',
        DisputeStatus::Lost => 'L',
    }
}

#[test]
fn every_state_against_every_word_of_a_processor() {
    let mut page = format!("{TOLD}\n{:<35}", "");
    for stage in DisputeStage::ALL {
        let short: String = stage.as_str().chars().take(7).collect();
        let _ = write!(page, " {short:<7}");
    }
    page.push('\n');
    for (stage, status) in states() {
        let mut line = format!("{:<35}", format!("{stage} {status}"));
        for (told_stage, told) in states() {
            if told == DisputeStatus::Opened {
                line.push(' ');
            }
            let mut story = Disputes::with_one(stage, status);
            let before = story.disputes[0].clone();
            let input = Input::News(Box::new(news(told_stage, told, AMOUNT)));
            let step = story.try_input(1, input).expect("never refused");
            let after = (step.dispute.stage, step.dispute.status);
            line.push(if after == (told_stage, told) && step.effects.len() == 1 {
                letter(told)
            } else {
                assert_eq!(after, (stage, status));
                assert!(step.effects.is_empty());
                assert_eq!(step.dispute, before);
                if after == (told_stage, told) {
                    '='
                } else {
                    '.'
                }
            });
        }
        let _ = writeln!(page, "{line}");
    }
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("state_by_word_of_the_processor", page);
    });
}

/// The action that begins before the dispute reaches the row's state.
#[derive(Clone, Copy)]
enum Begun {
    Nothing,
    Accept,
    Challenge,
}

type Column = (&'static str, Begun, fn(&Disputes) -> Input);

const COLUMNS: [Column; 12] = [
    ("accept", Begun::Nothing, |_| {
        Input::Command(Command::Accept)
    }),
    ("challenge", Begun::Nothing, |_| Input::Command(challenge())),
    ("attach", Begun::Nothing, |_| {
        Input::Command(Command::Attach { file: file() })
    }),
    ("accept again", Begun::Accept, |_| {
        Input::Command(Command::Accept)
    }),
    ("sync", Begun::Accept, |_| Input::Command(Command::Sync)),
    ("done", Begun::Accept, |story| {
        Input::Fact(story.fact(1, done()))
    }),
    ("declined", Begun::Accept, |story| {
        Input::Fact(story.fact(1, declined()))
    }),
    ("pending", Begun::Accept, |story| {
        Input::Fact(story.fact(1, pending()))
    }),
    ("never happened", Begun::Accept, |story| {
        Input::Fact(story.fact(1, never_happened()))
    }),
    ("unknown", Begun::Accept, |story| {
        Input::Fact(story.fact(1, unknown()))
    }),
    ("challenge done", Begun::Challenge, |story| {
        Input::Fact(story.fact(1, done()))
    }),
    ("challenge declined", Begun::Challenge, |story| {
        Input::Fact(story.fact(1, declined()))
    }),
];

fn challenge() -> Command {
    let text = (
        EvidenceItem::UncategorizedText,
        "it was delivered".to_owned(),
    );
    Command::Challenge {
        given: BTreeMap::from([text]),
    }
}

pub fn file() -> EvidenceFile {
    EvidenceFile {
        item: EvidenceItem::Receipt,
        file_id: FileId::parse("file_1").expect("an id"),
        file_type: FileType::Pdf,
        bytes: 1_024,
        attached_at: crate::support::start(),
        unread: UnreadMembers::default(),
    }
}

/// Builds a dispute in this state. An action, if any, began while the dispute was an open inquiry or, for a row of that stage,
/// opened.
fn in_state(stage: DisputeStage, status: DisputeStatus, begun: Begun) -> Disputes {
    let command = match begun {
        Begun::Nothing => return Disputes::with_one(stage, status),
        Begun::Accept => Command::Accept,
        Begun::Challenge => challenge(),
    };
    let begins_in = match stage {
        DisputeStage::DisputeReversal => DisputeStage::Arbitration,
        DisputeStage::PreDispute
        | DisputeStage::Dispute
        | DisputeStage::PreArbitration
        | DisputeStage::Arbitration => stage,
    };
    let mut story = Disputes::with_one(begins_in, DisputeStatus::Opened);
    story.command("", 1, command);
    story.hear(1, news(stage, status, AMOUNT));
    story
}

fn cell((stage, status): (DisputeStage, DisputeStatus), column: &Column) -> String {
    let (_, begun, input) = column;
    let mut story = in_state(stage, status, *begun);
    // By now a call counts as interrupted.
    story.wait(61);
    let before = story.disputes[0].clone();
    let given = input(&story);
    match story.try_input(1, given) {
        Err(Refusal::DisputeNotInState { .. }) => "HE_03".to_owned(),
        Err(refusal) => panic!("{refusal}"),
        Ok(step) if step.dispute == before && step.effects.is_empty() => ".".to_owned(),
        Ok(step) => {
            let mut said = step.dispute.status.as_str().replace("dispute_", "");
            for effect in &step.effects {
                let _ = write!(said, " {}", effect_words(effect).replace("dispute_", ""));
            }
            said
        }
    }
}

#[test]
fn every_state_against_every_command_and_answer() {
    let (asked, answered) = COLUMNS.split_at(5);
    let pages = [asked, answered].map(table);
    let page = [ASKED.to_owned(), pages.join("\n")].join("\n");
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("state_by_command_and_answer", page);
    });
}

fn table(columns: &[Column]) -> String {
    let mut lines = vec![vec![String::new()]];
    lines[0].extend(columns.iter().map(|(name, ..)| (*name).to_owned()));
    for state in states() {
        let mut line = vec![format!("{} {}", state.0, state.1)];
        line.extend(columns.iter().map(|column| cell(state, column)));
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
