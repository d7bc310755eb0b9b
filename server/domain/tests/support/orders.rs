//! The news of one operation in every order: what the processor answers, what a look-up finds and what notices tell, each
//! lost, once or several times.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use multirail_domain::payments::payment::{Announcement, Operation};
use multirail_sdk::connector::Outcome;

use super::outcomes::words;

/// The longest row of news.
const LONGEST: usize = 5;

/// Whether an outcome is the processor's decision.
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

/// An object that hears of one of its operations.
pub trait Hearer: Clone + Debug + PartialEq {
    fn operation(&self) -> &Operation;

    /// What is announced because of it.
    fn hear(&mut self, outcome: Outcome) -> Vec<Announcement>;

    /// Where it stands, without what only some of the news bring.
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

/// What one order of news leads to.
struct End<S> {
    object: S,
    announced: Vec<Announcement>,
    /// Of these, how many when the processor's decision had been heard for the first time.
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
            // As the driver does it: a question that came to nothing tells nothing.
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

/// All rows of up to [`LONGEST`] out of so many news.
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

/// In whatever order the news come in which the processor's decision is heard at least once, the object stands alike in the
/// end, the last that is announced is the same, nothing is announced twice or after the decision; and whoever has heard the
/// same news has the same object, member for member. Answers what the decision comes to, in words.
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
