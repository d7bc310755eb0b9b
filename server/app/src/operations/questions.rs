//! Questions to processors on behalf of requests: one at a time about an object, with pauses between those of payers.
//!
//! A payer needs no secret key to ask. Without a bound, one payer could occupy a processor account with questions about
//! one payment. Each server counts for itself. Workers ask independently, under a lease of each operation.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use multirail_kernel::ids::MerchantId;
use multirail_kernel::refusal::Object;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::platform::ports::Actor;

/// The pause after a question that payers ask about one object. Until it ends, payers get the stored answer.
pub const PAUSE: Duration = Duration::from_secs(5);

/// The longest wait for a turn.
const PATIENCE: Duration = Duration::from_secs(30);

/// The number of objects above which idle ones are looked for.
const FEW: usize = 64;

/// The object that a question is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct About {
    /// The name that [`Object::name`] returns.
    object: &'static str,
    merchant_id: MerchantId,
    id: String,
}

/// The kind of caller that asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asker {
    /// Holders of secret keys, users and the service itself. They wait for an open question.
    Merchant,
    /// A payer's client that repeats a question.
    Client,
    /// A payer who came back from the processor.
    Visitor {
        /// The number of the attempt that the payer comes from.
        attempt: u32,
    },
    /// A payer who brings the processor's data, without which the processor may not answer. They wait for their turn.
    Bringer,
}

/// The answer to a caller who wants to ask.
enum Turn<'a> {
    Ask(Question<'a>),
    /// Use the stored answer.
    Stored,
    /// Wait for the open question, then use its answer or take the next turn.
    WaitFor(watch::Receiver<()>),
    /// Wait for the next turn.
    WaitUntil(Instant),
}

impl Asker {
    /// Returns the kind of asker for an actor.
    pub(crate) fn from_actor(actor: &Actor) -> Self {
        match actor {
            Actor::Client => Asker::Client,
            Actor::Payer => Asker::Visitor { attempt: 0 },
            Actor::Admin
            | Actor::ApiKey(_)
            | Actor::Platform { .. }
            | Actor::User(_)
            | Actor::Worker(_)
            | Actor::Startup => Asker::Merchant,
        }
    }
}

/// The questions of one server.
#[derive(Default)]
pub struct Questions(Mutex<Asked>);

#[derive(Default)]
struct Asked {
    objects: HashMap<About, Standing>,
    /// The number of objects at which idle ones are removed.
    full_at: usize,
}

/// The state of the questions about one object.
#[derive(Default)]
struct Standing {
    /// Closes when the open question has its answer.
    open: Option<watch::Receiver<()>>,
    client_asked_at: Option<Instant>,
    /// The attempt that the visitor came from, and the time. Another attempt has an outcome of its own.
    visitor_asked_at: Option<(u32, Instant)>,
    bringer_asked_at: Option<Instant>,
}

/// The only question about its object, until it is dropped.
pub(crate) struct Question<'a> {
    all: &'a Questions,
    about: About,
    asker: Asker,
    _open: watch::Sender<()>,
}

impl About {
    pub(crate) fn new(object: Object, merchant_id: &MerchantId, id: &str) -> Self {
        About {
            object: object.name(),
            merchant_id: merchant_id.clone(),
            id: id.to_owned(),
        }
    }
}

impl Questions {
    /// Returns the turn to ask about an object, or `None` where the stored answer is recent because others have just
    /// asked.
    pub(crate) async fn turn(&self, about: About, asker: Asker) -> Option<Question<'_>> {
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            match self.begin(&about, asker) {
                Turn::Ask(question) => return Some(question),
                Turn::Stored => return None,
                Turn::WaitFor(mut open) => {
                    // The sender sends nothing: the end of the channel is the signal.
                    let _ = open.changed().await;
                    if asker == Asker::Merchant {
                        return None;
                    }
                }
                Turn::WaitUntil(then) => tokio::time::sleep_until(then).await,
            }
        }
        None
    }

    fn begin(&self, about: &About, asker: Asker) -> Turn<'_> {
        let now = Instant::now();
        let mut asked = self.asked();
        asked.make_room(now);
        let standing = asked.objects.entry(about.clone()).or_default();
        let asked_at = standing.asked_at(asker);
        let recently = asked_at.filter(|at| is_recent(Some(*at), now));
        match (&standing.open, recently, asker) {
            (Some(open), _, Asker::Merchant | Asker::Bringer) => Turn::WaitFor(open.clone()),
            (None, Some(at), Asker::Bringer) => Turn::WaitUntil(at + PAUSE),
            (Some(_), _, Asker::Client | Asker::Visitor { .. }) | (None, Some(_), _) => {
                Turn::Stored
            }
            (None, None, _) => {
                let (sender, open) = watch::channel(());
                standing.open = Some(open);
                Turn::Ask(Question {
                    all: self,
                    about: about.clone(),
                    asker,
                    _open: sender,
                })
            }
        }
    }

    fn asked(&self) -> MutexGuard<'_, Asked> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Asked {
    fn make_room(&mut self, now: Instant) {
        if self.objects.len() >= self.full_at {
            self.objects.retain(|_, standing| standing.matters(now));
            self.full_at = FEW.max(2 * self.objects.len());
        }
    }
}

impl Standing {
    /// Returns when an asker of this kind last had an answer, where they have to pause.
    fn asked_at(&self, asker: Asker) -> Option<Instant> {
        match asker {
            Asker::Merchant => None,
            Asker::Client => self.client_asked_at,
            Asker::Visitor { attempt } => {
                let last = self.visitor_asked_at.filter(|(of, _)| *of == attempt);
                last.map(|(_, at)| at)
            }
            Asker::Bringer => self.bringer_asked_at,
        }
    }

    fn note_asked(&mut self, asker: Asker, now: Instant) {
        match asker {
            Asker::Merchant => {}
            Asker::Client => self.client_asked_at = Some(now),
            Asker::Visitor { attempt } => self.visitor_asked_at = Some((attempt, now)),
            Asker::Bringer => self.bringer_asked_at = Some(now),
        }
    }

    fn matters(&self, now: Instant) -> bool {
        let recent = [
            self.client_asked_at,
            self.visitor_asked_at.map(|(_, at)| at),
            self.bringer_asked_at,
        ];
        self.open.is_some() || recent.into_iter().any(|at| is_recent(at, now))
    }
}

fn is_recent(at: Option<Instant>, now: Instant) -> bool {
    at.is_some_and(|at| now.duration_since(at) < PAUSE)
}

impl Drop for Question<'_> {
    fn drop(&mut self) {
        let now = Instant::now();
        let mut asked = self.all.asked();
        let Some(standing) = asked.objects.get_mut(&self.about) else {
            return;
        };
        standing.open = None;
        standing.note_asked(self.asker, now);
        if !standing.matters(now) {
            asked.objects.remove(&self.about);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(id: &str) -> About {
        let merchant_id = MerchantId::parse("bookshop").expect("an id");
        About::new(Object::Payment, &merchant_id, id)
    }

    #[tokio::test(start_paused = true)]
    async fn payers_pause_between_questions_and_merchants_do_not() {
        let questions = Questions::default();
        let turn = |asker| questions.turn(about("pay_1"), asker);
        let first = turn(Asker::Client).await.expect("a turn");
        assert!(turn(Asker::Client).await.is_none(), "one at a time");
        assert!(
            turn(Asker::Visitor { attempt: 1 }).await.is_none(),
            "one at a time"
        );
        drop(first);
        assert!(turn(Asker::Client).await.is_none(), "the pause");
        assert!(
            turn(Asker::Visitor { attempt: 1 }).await.is_some(),
            "may know more"
        );
        assert!(
            turn(Asker::Visitor { attempt: 1 }).await.is_none(),
            "the pause"
        );
        assert!(
            turn(Asker::Visitor { attempt: 2 }).await.is_some(),
            "another outcome"
        );
        assert!(turn(Asker::Merchant).await.is_some());
        assert!(turn(Asker::Merchant).await.is_some());
        assert!(
            questions
                .turn(about("pay_2"), Asker::Client)
                .await
                .is_some()
        );
        tokio::time::advance(PAUSE).await;
        assert!(turn(Asker::Client).await.is_some());
    }

    /// Only their question may get an answer.
    #[tokio::test(start_paused = true)]
    async fn whoever_brings_something_waits_for_their_turn() {
        let questions = Questions::default();
        let turn = |asker| questions.turn(about("pay_1"), asker);
        drop(turn(Asker::Visitor { attempt: 1 }).await.expect("a turn"));
        let began = Instant::now();
        let first = turn(Asker::Bringer).await.expect("a turn");
        assert_eq!(began.elapsed(), Duration::ZERO);
        let answers = async {
            tokio::time::sleep(Duration::from_secs(3)).await;
            drop(first);
        };
        let (second, ()) = tokio::join!(turn(Asker::Bringer), answers);
        assert!(second.is_some());
        assert_eq!(began.elapsed(), Duration::from_secs(3) + PAUSE);
    }

    #[tokio::test(start_paused = true)]
    async fn a_merchant_waits_for_the_question_that_is_open() {
        let questions = Questions::default();
        let turn = || questions.turn(about("pay_1"), Asker::Merchant);
        let first = turn().await.expect("a turn");
        let answers = async {
            tokio::time::sleep(Duration::from_secs(3)).await;
            drop(first);
        };
        let began = Instant::now();
        let (second, third, ()) = tokio::join!(turn(), turn(), answers);
        assert!(second.is_none() && third.is_none(), "they share its answer");
        assert_eq!(began.elapsed(), Duration::from_secs(3));
        assert!(questions.asked().objects.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn idle_objects_are_forgotten() {
        let questions = Questions::default();
        for number in 0..10_000 {
            let id = format!("pay_{number}");
            assert!(questions.turn(about(&id), Asker::Client).await.is_some());
            tokio::time::advance(Duration::from_secs(1)).await;
        }
        assert!(questions.asked().objects.len() <= FEW);
    }
}
