//! The interface of all stand-ins, independent of the processor's language.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::Value;
use url::Url;

use crate::{Notice, Processor};

/// A processor in memory, as tests see and control it.
pub trait StandIn: Processor {
    /// Returns valid credentials, in the form of `connector_account_details`.
    fn credentials(&self) -> Value;

    /// Returns credentials with a key that the processor refuses.
    fn refused_credentials(&self) -> Value;

    /// Returns the `metadata` of an account whose processor is at this address. The address has no
    /// slash at its end.
    fn metadata(&self, origin: &str) -> Value;

    fn card(&self, wanted: CardThat) -> TestCard;

    /// Returns the books.
    fn keeper(&self) -> &Mutex<dyn Bookkeeper>;

    /// Lists every requested authorization, in its order.
    fn all_books(&self) -> Vec<Booked> {
        lock(self.keeper()).all_books()
    }

    /// Returns the books of all authorizations with this key of ours together, so that a payment which
    /// was made twice shows. They are empty for unknown keys.
    fn books(&self, authorization: &str) -> Books {
        Books::with_key(&self.all_books(), authorization)
    }

    /// Approves or rejects at this page on the payer's behalf. Returns the page to which the payer
    /// returns, or `None` for an unknown page.
    fn decide(&self, page: &str, approves: bool) -> Option<String> {
        lock(self.keeper()).decide(page, approves)
    }

    /// Performs an operation in the processor's back office, which also sends a notice.
    fn does_by_hand(&self, authorization: &str, what: ByHand) {
        lock(self.keeper()).does_by_hand(authorization, what);
    }

    /// Lets time pass until the processor releases the uncaptured rest of this authorization, and
    /// sends a notice. Returns false if nothing was left.
    fn lapse(&self, authorization: &str) -> bool {
        lock(self.keeper()).lapse(authorization)
    }

    /// Disputes the captured money of this authorization on the payer's behalf. Returns the
    /// processor's id of the dispute, or `None` if nothing was captured.
    fn dispute(&self, authorization: &str) -> Option<String> {
        lock(self.keeper()).raise_dispute(authorization)
    }

    /// Returns the merchant's actions on a dispute.
    fn dispute_books(&self, dispute: &str) -> DisputeBooks {
        lock(self.keeper()).dispute_books(dispute)
    }

    /// Decides a dispute on behalf of the payer's bank.
    fn decide_dispute(&self, dispute: &str, is_won: bool) {
        lock(self.keeper()).decide_dispute(dispute, is_won);
    }

    /// Returns the number of stored instruments.
    fn stored_instruments(&self) -> usize {
        lock(self.keeper()).stored_instruments()
    }

    /// Returns name and e-mail of each stored customer.
    fn customers(&self) -> Vec<(String, String)> {
        lock(self.keeper()).customers()
    }

    /// Returns the secret that verifies the notices.
    fn notice_secret(&self) -> &str;

    /// Returns all notices so far, in their order, signed now.
    fn notices(&self) -> Vec<Notice>;
}

/// The books of a stand-in. Its methods have the same names in [`StandIn`].
pub trait Bookkeeper: Send {
    fn all_books(&self) -> Vec<Booked>;
    fn decide(&mut self, page: &str, approves: bool) -> Option<String>;
    fn does_by_hand(&mut self, authorization: &str, what: ByHand);
    fn lapse(&mut self, authorization: &str) -> bool;
    fn raise_dispute(&mut self, authorization: &str) -> Option<String>;
    fn dispute_books(&self, dispute: &str) -> DisputeBooks;
    fn decide_dispute(&mut self, dispute: &str, is_won: bool);

    /// By default nothing is stored.
    fn stored_instruments(&self) -> usize {
        0
    }

    /// By default there are no customers.
    fn customers(&self) -> Vec<(String, String)> {
        Vec::new()
    }
}

fn lock(books: &Mutex<dyn Bookkeeper>) -> MutexGuard<'_, dyn Bookkeeper + 'static> {
    books.lock().expect("no test panics within")
}

/// An operation in the back office, in the currency's minor units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByHand {
    /// A single capture of this amount; the rest is released.
    Captures(i64),
    Refunds(i64),
    Cancels,
    /// A new authorized total.
    Adjusts(i64),
}

/// The behavior of a test card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardThat {
    IsApproved,
    IsDeclined,
    /// Approved or declined, as the payer decides.
    AsksThePayer,
}

/// A card of a processor's test mode, and its holder.
#[derive(Clone, Copy, Debug)]
pub struct TestCard {
    pub number: &'static str,
    pub code: &'static str,
    pub holder: &'static str,
}

/// An authorization in a processor's books.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Booked {
    /// Our key.
    pub key: String,
    /// The processor's reference.
    pub reference: String,
    pub books: Books,
}

/// The totals of one authorization, in the currency's minor units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Books {
    /// Authorized, including amounts that were captured or released later.
    pub authorized: i64,
    /// Captured, including amounts that were refunded later.
    pub captured: i64,
    /// Released without capture.
    pub released: i64,
    /// Returned to the payer by any operation.
    pub given_back: i64,
}

impl Books {
    /// Adds up the books with this key of ours.
    fn with_key(all: &[Booked], key: &str) -> Self {
        let own = all.iter().filter(|booked| booked.key == key);
        own.fold(Self::default(), |sum, booked| Self {
            authorized: sum.authorized + booked.books.authorized,
            captured: sum.captured + booked.books.captured,
            released: sum.released + booked.books.released,
            given_back: sum.given_back + booked.books.given_back,
        })
    }
}

/// A merchant's actions on a dispute, in the processor's books.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DisputeBooks {
    /// The number of acceptances.
    pub accepted: usize,
    /// The number of submissions of evidence.
    pub challenged: usize,
    /// The evidence by the processor's names: texts, and contents of files.
    pub evidence: BTreeMap<String, String>,
}

/// Adds these pairs to the query of an address.
pub(crate) fn with_query(address: &str, pairs: &[(&str, &str)]) -> Option<String> {
    let mut url = Url::parse(address).ok()?;
    url.query_pairs_mut().extend_pairs(pairs);
    Some(url.into())
}

/// Returns the machine's clock in seconds since 1970, for stand-ins whose clients use this clock
/// too.
pub fn system_time() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = since.expect("a clock after 1970").as_secs();
    i64::try_from(seconds).expect("in range")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payment_that_was_made_twice_shows_in_the_books() {
        let booked = |key: &str, captured| Booked {
            key: key.to_owned(),
            reference: format!("ref_{captured}"),
            books: Books {
                authorized: 100,
                captured,
                ..Books::default()
            },
        };
        let all = [booked("mrk_1", 60), booked("mrk_2", 7), booked("mrk_1", 40)];
        let both = Books {
            authorized: 200,
            captured: 100,
            ..Books::default()
        };
        assert_eq!(Books::with_key(&all, "mrk_1"), both);
        assert_eq!(Books::with_key(&all, "mrk_3"), Books::default());
    }
}
