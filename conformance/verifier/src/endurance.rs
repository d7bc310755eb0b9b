//! Limits of a run against a server that doesn't answer: the time for one call, the time for all, and unanswered
//! calls in a row.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::time::Instant;

/// After this many unanswered calls in a row the run ends.
const IN_VAIN: usize = 5;

/// The limits of one run, and how much of them is used. Clones share the counts.
#[derive(Clone, Debug)]
pub struct Endurance {
    answer: Duration,
    whole: Duration,
    /// `None` if the end is too far away to represent.
    end: Option<Instant>,
    spent: Arc<Spent>,
}

#[derive(Debug, Default)]
struct Spent {
    in_vain: AtomicUsize,
    ended: OnceLock<String>,
}

impl Endurance {
    /// Creates limits for one answer, and for a run that starts now.
    pub fn new(answer: Duration, whole: Duration) -> Self {
        Self {
            answer,
            whole,
            end: Instant::now().checked_add(whole),
            spent: Arc::default(),
        }
    }

    /// Returns how long the next call may wait.
    ///
    /// # Errors
    /// Fails with the reason when the run has ended.
    pub fn patience(&self) -> Result<Duration, String> {
        match self.ended() {
            Some(why) => Err(why.to_owned()),
            None => Ok(self
                .left()
                .map_or(self.answer, |left| left.min(self.answer))),
        }
    }

    /// Records that a call was answered.
    pub fn answered(&self) {
        self.spent.in_vain.store(0, Ordering::Relaxed);
    }

    /// Records that a call got no answer.
    ///
    /// # Errors
    /// Fails with the reason when the run's end cut the call off, which isn't the server's fault.
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

    /// Returns why the run has ended; `None` while it goes on.
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

    /// Ends the run; the first reason stays.
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
    async fn calls_cut_off_by_the_end_do_not_count_as_unanswered() {
        let endurance = Endurance::new(minutes(1), minutes(1));
        tokio::time::advance(minutes(1)).await;
        let why = endurance.unanswered().expect_err("it has ended");
        assert!(why.contains("--max-time"), "{why}");
    }
}
