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
pub fn until<T: Display>(
    awaited: impl Display,
    mut look: impl AsyncFnMut() -> T,
    is_so: impl Fn(&T) -> bool,
) -> impl Future<Output = T> {
    until_found(awaited, async move || {
        let seen = look().await;
        match is_so(&seen) {
            true => Ok(seen),
            false => Err(seen),
        }
    })
}

/// Looks until it finds what is wanted, and returns that. A look that doesn't find it says what it saw instead.
///
/// # Panics
/// Where nothing is found within [`PATIENCE`]: with who waited, what was awaited, and what was seen last.
#[track_caller]
pub fn until_found<T, S: Display>(
    awaited: impl Display,
    mut look: impl AsyncFnMut() -> Result<T, S>,
) -> impl Future<Output = T> {
    let who = Location::caller();
    async move {
        let limit = Instant::now() + PATIENCE;
        loop {
            // The last look begins after the limit: a machine that stood still meanwhile hasn't looked in vain.
            let is_last = Instant::now() >= limit;
            match look().await {
                Ok(found) => return found,
                Err(seen) if is_last => {
                    panic!("{who}: not in {PATIENCE:?}: {awaited}; seen last: {seen}")
                }
                Err(_) => sleep(PAUSE).await,
            }
        }
    }
}

#[cfg(test)]
mod tests;
