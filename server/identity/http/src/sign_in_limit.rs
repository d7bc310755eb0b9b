//! Limits the tries to sign in at one server, which slows down password guessing before the database is asked.
//!
//! The tries for one account are also counted for all servers together (`identity/app/tries.rs`), by the same limits.
//! The tries from one place for all accounts are counted by each server alone.

use std::net::IpAddr;
use std::time::{Duration, Instant};

use multirail_http::platform::rate_limit::{Asker, RateLimit};
use multirail_identity::app::TrySubject;
use multirail_kernel::try_limit::TryLimit;

/// The pause between tries and the burst, for one place and all accounts.
const PLACE: (Duration, u32) = (Duration::from_secs(2), 60);

/// The limit that a try exceeds, with the time until the next try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// The tries from this place.
    Place(Duration),
    /// The tries for this account from everywhere. Places where its user signed in before may continue.
    Account(Duration),
}

/// The tries at one server.
pub struct SignInLimit {
    account_from_place: RateLimit,
    account: RateLimit,
    place: RateLimit,
}

impl SignInLimit {
    pub fn new(now: Instant) -> Self {
        let limit = |(pause, burst)| RateLimit::every(pause, burst, now);
        let of_account = |of: TryLimit| {
            let pause = Duration::from_secs(of.pause_seconds.unsigned_abs());
            limit((pause, of.at_once as u32))
        };
        Self {
            account_from_place: of_account(TryLimit::ACCOUNT_FROM_PLACE),
            account: of_account(TryLimit::ACCOUNT),
            place: limit(PLACE),
        }
    }

    /// Counts a visit from a place that names no account yet.
    ///
    /// # Errors
    /// Too many visits; contains the time until the next one.
    pub fn take_visit(&self, address: IpAddr, now: Instant) -> Result<(), Duration> {
        self.place.take(Asker::place(address), now)
    }

    /// Counts a try before its result is known.
    ///
    /// # Errors
    /// Too many tries.
    pub fn take(&self, about: TrySubject<'_>, address: IpAddr, now: Instant) -> Result<(), Full> {
        let key = about.key();
        let from_place = Asker::account_from(&key, address);
        self.take_visit(address, now).map_err(Full::Place)?;
        let taken = self.account_from_place.take(from_place, now);
        taken.map_err(Full::Place)?;
        let taken = self.account.take(Asker::account(&key), now);
        taken.map_err(Full::Account)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tries_about_one_account_and_from_one_place_are_few() {
        let start = Instant::now();
        let limit = SignInLimit::new(start);
        let place = |n: u8| IpAddr::from([203, 0, 113, n]);
        let tries = |about: &str, place| {
            let tries =
                (0..100).map(|_| limit.take(TrySubject::SignIn(about), place, start).is_ok());
            tries.take_while(|is_let| *is_let).count()
        };
        assert_eq!(tries("ada@books.example", place(1)), 10);
        assert_eq!(tries(" ADA@books.example", place(1)), 0, "the same account");
        // The owner can still sign in from elsewhere.
        assert_eq!(tries("ada@books.example", place(2)), 10);
        // A place can't try a few passwords on each of many accounts.
        let many = (0..100).map(|n| {
            let about = n.to_string();
            limit
                .take(TrySubject::SignIn(&about), place(3), start)
                .is_ok()
        });
        assert_eq!(many.take_while(|is_let| *is_let).count(), 60);
        // Many places together get no further with one account.
        let all = (10..30).map(|n| tries("grace@books.example", place(n)));
        assert_eq!(all.sum::<usize>(), 50);
        let grace = "grace@books.example";
        let from = |n| limit.take(TrySubject::SignIn(grace), place(n), start);
        assert_eq!(from(40), Err(Full::Account(Duration::from_secs(10))));
        assert_eq!(from(10), Err(Full::Place(Duration::from_secs(30))));
        // The owner can still ask for mail.
        assert_eq!(
            limit.take(TrySubject::PasswordMail(grace), place(40), start),
            Ok(())
        );
    }
}
