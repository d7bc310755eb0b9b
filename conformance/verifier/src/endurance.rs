//! How long a run bears a server that doesn't answer: one call so long, all of them so long, and so many in a row in vain.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::time::Instant;

/// After so many calls in a row without an answer nothing is hoped for: none of them can be told from the next.
const IN_VAIN: usize = 5;

/// The bounds of one run, and what is left of them. Clones share that.
#[derive(Clone, Debug)]
pub struct Endurance {
    answer: Duration,
    whole: Duration,
    /// `None` where that is further than time can be told.
    end: Option<Instant>,
    spent: Arc<Spent>,
}

#[derive(Debug, Default)]
struct Spent {
    in_vain: AtomicUsize,
    ended: OnceLock<String>,
}

impl Endurance {
    /// Bounds for one answer and for a run that begins now.
    pub fn new(answer: Duration, whole: Duration) -> Self {
        Self {
            answer,
            whole,
            end: Instant::now().checked_add(whole),
            spent: Arc::default(),
        }
    }

    /// How long the next call may wait.
    ///
    /// # Errors
    /// No further call is made, for this reason.
    pub fn patience(&self) -> Result<Duration, String> {
        match self.ended() {
            Some(why) => Err(why.to_owned()),
            None => Ok(self
                .left()
                .map_or(self.answer, |left| left.min(self.answer))),
        }
    }

    /// Takes note of a call that was answered.
    pub fn answered(&self) {
        self.spent.in_vain.store(0, Ordering::Relaxed);
    }

    /// Takes note of a call that was made and got no answer.
    ///
    /// # Errors
    /// The end of the run cut it off, which says nothing of the server.
    pub fn unanswered(&self) -> Result<(), String> {
        if let Some(why) = self.ended() {
            return Err(why.to_owned());
        }
        if self.spent.in_vain.fetch_add(1, Ordering::Relaxed) + 1 == IN_VAIN {
            self.end(format!(
                "the run ended early, as {IN_VAIN} calls in a row got no answer"
            ));
        }
        Ok(())
    }

    /// Why no further call is made; `None` while they are.
    pub fn ended(&self) -> Option<&str> {
        if self.left().is_some_and(|left| left.is_zero()) {
            self.end(format!(
                "the run ended early, as its time was over after {:?} (--max-time)",
                self.whole
            ));
        }
        self.spent.ended.get().map(String::as_str)
    }

    fn left(&self) -> Option<Duration> {
        let end = self.end?;
        Some(end.saturating_duration_since(Instant::now()))
    }

    /// The first reason stays.
    fn end(&self, why: String) {
        self.spent.ended.get_or_init(|| why);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minutes(count: u64) -> Duration {
        Duration::from_secs(60 * count)
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_waits_no_longer_than_the_run_lasts() {
        let endurance = Endurance::new(minutes(2), minutes(3));
        assert_eq!(endurance.patience(), Ok(minutes(2)));
        tokio::time::advance(minutes(2)).await;
        assert_eq!(endurance.patience(), Ok(minutes(1)));
        tokio::time::advance(minutes(1)).await;
        let why = endurance.patience().expect_err("it is over");
        assert!(why.contains("180s (--max-time)"), "{why}");
        let endless = Endurance::new(minutes(2), Duration::MAX);
        assert_eq!(endless.patience(), Ok(minutes(2)));
    }

    #[tokio::test(start_paused = true)]
    async fn only_calls_in_a_row_are_in_vain() {
        let endurance = Endurance::new(minutes(1), minutes(9));
        for _ in 1..IN_VAIN {
            assert_eq!(endurance.unanswered(), Ok(()));
        }
        endurance.answered();
        for _ in 0..IN_VAIN {
            assert_eq!(endurance.ended(), None);
            assert_eq!(endurance.clone().unanswered(), Ok(()));
        }
        let why = endurance.patience().expect_err("it has ended");
        assert!(why.contains("5 calls in a row"), "{why}");
    }

    #[tokio::test(start_paused = true)]
    async fn what_the_end_cut_off_is_not_in_vain() {
        let endurance = Endurance::new(minutes(1), minutes(1));
        tokio::time::advance(minutes(1)).await;
        let why = endurance.unanswered().expect_err("it has ended");
        assert!(why.contains("--max-time"), "{why}");
    }
}
