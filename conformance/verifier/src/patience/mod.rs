//! Patience with what happens elsewhere: at a server's workers, at the processor, on the way.
//!
//! A story says what it awaits and where it looks. What must *not* happen, or must happen soon, is no matter of patience: such a
//! story has a time limit of its own.

use std::fmt::Display;
use std::panic::Location;
use std::time::Duration;

use tokio::time::{Instant, sleep};

/// How long something that is awaited may take: far longer than it does on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The pause between two looks.
const PAUSE: Duration = Duration::from_millis(20);

/// Looks until what is seen is as wanted, and returns that.
///
/// # Panics
/// Where it isn't within [`PATIENCE`]: with who waited, what was awaited, and what was seen last.
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

/// Looks until it finds what is wanted, and returns that. A look that doesn't find it says what it saw instead.
///
/// # Panics
/// Where nothing is found within [`PATIENCE`]: with who waited, what was awaited, and what was seen last.
#[track_caller]
pub fn until_found<T, S: Display, Look: Future<Output = Result<T, S>>>(
    awaited: impl Display,
    look: impl FnMut() -> Look,
) -> impl Future<Output = T> {
    patiently(Location::caller(), awaited, look, |found| found)
}

/// A look is a function that makes a future, and no `AsyncFnMut`, so that tasks can wait too: the compiler finds no future of
/// an `AsyncFnMut` to be `Send`.
async fn patiently<Seen, T, S: Display, Look: Future<Output = Seen>>(
    who: &Location<'_>,
    awaited: impl Display,
    mut look: impl FnMut() -> Look,
    judge: impl Fn(Seen) -> Result<T, S>,
) -> T {
    let limit = Instant::now() + PATIENCE;
    loop {
        // The last look begins after the limit: a machine that stood still meanwhile hasn't looked in vain.
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
