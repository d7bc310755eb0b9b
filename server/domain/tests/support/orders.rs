//! The news of one operation in every order. Answers, look-ups and notices are each lost, or arrive once or several times.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use multirail_domain::payments::payment::{Announcement, Operation};
use multirail_sdk::connector::Outcome;

use super::outcomes::words;

/// The longest sequence of news.
const LONGEST: usize = 5;

/// Returns whether an outcome is the processor's decision.
pub type Decides = fn(&Outcome) -> bool;

pub fn is_done(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Done(_))
}

pub fn is_declined(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Declined(_))
}

pub fn is_taken_back(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Declined(decline) if decline.takes_back)
}

pub fn never_was(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::NeverHappened { .. })
}

/// An object that receives news of one of its operations.
pub trait Hearer: Clone + Debug + PartialEq {
    fn operation(&self) -> &Operation;

    /// Applies an outcome, and returns the announcements.
    fn hear(&mut self, outcome: Outcome) -> Vec<Announcement>;

    /// Returns the state, without members that only some of the news have.
    fn stands(&self) -> String;
}

#[derive(Clone, Debug)]
pub enum News {
    Answer(Outcome),
    Finding(Outcome),
    Notice(Outcome),
}

impl News {
    fn outcome(&self) -> &Outcome {
        match self {
            News::Answer(outcome) | News::Finding(outcome) | News::Notice(outcome) => outcome,
        }
    }

    fn words(&self) -> String {
        match self {
            News::Answer(outcome) => format!("answer: {}", words(outcome)),
            News::Finding(outcome) => format!("finding: {}", words(outcome)),
            News::Notice(outcome) => format!("notice: {}", words(outcome)),
        }
    }
}

/// The end after one order of news.
struct End<S> {
    object: S,
    announced: Vec<Announcement>,
    /// Number of announcements until the processor's decision was first applied.
    with_decision: usize,
}

fn end<S: Hearer>(begin: &S, news: &[&News], decides: Decides) -> End<S> {
    let mut end = End {
        object: begin.clone(),
        announced: Vec::new(),
        with_decision: 0,
    };
    let mut is_decided = false;
    for one in news {
        let outcome = one.outcome().clone();
        let heard = match one {
            // Like the driver: a question without a result adds nothing.
            News::Finding(_) => end.object.operation().answered(outcome),
            News::Answer(_) | News::Notice(_) => Some(outcome),
        };
        let Some(outcome) = heard else { continue };
        let is_decision = decides(&outcome);
        end.announced.extend(end.object.hear(outcome));
        if is_decision && !is_decided {
            end.with_decision = end.announced.len();
        }
        is_decided |= is_decision;
    }
    end
}

/// Returns all sequences of up to [`LONGEST`] of so many news.
fn rows(count: usize) -> impl Iterator<Item = Vec<usize>> {
    (1..=LONGEST as u32).flat_map(move |length| {
        (0..count.pow(length)).map(move |mut row| {
            let digit = |_| {
                let digit = row % count;
                row /= count;
                digit
            };
            (0..length).map(digit).collect()
        })
    })
}

/// Checks all orders of the news that include the processor's decision. The final state and the last announcement are the same,
/// and nothing is announced twice or after the decision. Objects that received the same news are equal. Returns the end in
/// words.
pub fn ends_alike<S: Hearer>(begin: &S, news: &[News], decides: Decides) -> String {
    let mut ends: Option<String> = None;
    let mut by_heard: BTreeMap<BTreeSet<usize>, S> = BTreeMap::new();
    for row in rows(news.len()) {
        let told: Vec<&News> = row.iter().map(|index| &news[*index]).collect();
        if !told.iter().any(|one| decides(one.outcome())) {
            continue;
        }
        let End {
            object,
            announced,
            with_decision,
        } = end(begin, &told, decides);
        let in_words = || told.iter().map(|one| one.words()).collect::<Vec<_>>();
        let named = announced
            .iter()
            .map(|one| (one.event_type.as_str(), &one.about));
        let once: BTreeSet<_> = named.collect();
        assert_eq!(
            once.len(),
            announced.len(),
            "{announced:?} by {:?}",
            in_words()
        );
        assert_eq!(
            announced.len(),
            with_decision,
            "{announced:?} by {:?}",
            in_words()
        );
        let last = announced.last().map(|one| format!(" +{}", one.event_type));
        let stands = format!("{}{}", object.stands(), last.unwrap_or_default());
        match &ends {
            Some(first) => assert_eq!(*first, stands, "by {:?}", in_words()),
            None => ends = Some(stands),
        }
        match by_heard.get(&row.into_iter().collect()) {
            Some(same) => assert_eq!(*same, object, "by {:?}", in_words()),
            None => {
                let heard = told.iter().map(|one| index_of(news, one)).collect();
                by_heard.insert(heard, object);
            }
        }
    }
    ends.expect("a row with the decision")
}

fn index_of(news: &[News], one: &News) -> usize {
    let index = news.iter().position(|known| std::ptr::eq(known, one));
    index.expect("one of the news")
}
