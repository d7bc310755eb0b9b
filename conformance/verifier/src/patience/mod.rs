//! Waits for asynchronous work: of a server's workers, of the processor, on the network.
//!
//! A story names what it awaits and how to look. This doesn't fit events that must *not* happen or must happen soon;
//! such a story has its own time limit.

use std::fmt::Display;
use std::panic::Location;
use std::time::Duration;

use tokio::time::{Instant, sleep};

/// The longest wait: far longer than anything takes on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The pause between two looks.
const PAUSE: Duration = Duration::from_millis(20);

/// Looks until the value is as wanted, and returns it.
///
/// # Panics
/// Panics after [`PATIENCE`], with the caller, the awaited event, and the last value.
#[track_caller]
pub fn until<T: Display, Look: Future<Output = T>>(
    awaited: impl Display,
    look: impl FnMut() -> Look,
    is_so: impl Fn(&T) -> bool,
) -> impl Future<Output = T> {
    let judge = move |seen| match is_so(&seen) {
        true => Ok(seen),
        false => Err(seen),
    };
    patiently(Location::caller(), awaited, look, judge)
}

/// Looks until a look succeeds, and returns its value. A look that fails returns what it saw instead.
///
/// # Panics
/// Panics after [`PATIENCE`], with the caller, the awaited event, and what was seen last.
#[track_caller]
pub fn until_found<T, S: Display, Look: Future<Output = Result<T, S>>>(
    awaited: impl Display,
    look: impl FnMut() -> Look,
) -> impl Future<Output = T> {
    patiently(Location::caller(), awaited, look, |found| found)
}

/// A look is a function that returns a future, not an `AsyncFnMut`, so that spawned tasks can wait too: the compiler
/// can't prove that an `AsyncFnMut`'s future is `Send`.
async fn patiently<Seen, T, S: Display, Look: Future<Output = Seen>>(
    who: &Location<'_>,
    awaited: impl Display,
    mut look: impl FnMut() -> Look,
    judge: impl Fn(Seen) -> Result<T, S>,
) -> T {
    let limit = Instant::now() + PATIENCE;
    loop {
        // The last look begins after the limit, in case the machine stood still meanwhile.
        let is_last = Instant::now() >= limit;
        match judge(look().await) {
            Ok(found) => return found,
            Err(seen) if is_last => {
                panic!("{who}: not in {PATIENCE:?}: {awaited}; seen last: {seen}")
            }
            Err(_) => {}
        }
        sleep(PAUSE).await;
    }
}

#[cfg(test)]
mod tests;
