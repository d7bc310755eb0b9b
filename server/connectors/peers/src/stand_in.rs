//! What is the same of every stand-in, whatever its processor's language.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::Value;
use url::Url;

use crate::{Notice, Processor};

/// A processor in memory, with what a test has to know of it and may do to it.
pub trait StandIn: Processor {
    /// Credentials that it knows, as `connector_account_details` has them.
    fn credentials(&self) -> Value;

    /// The same with a key that it refuses.
    fn refused_credentials(&self) -> Value;

    /// The `metadata` of an account whose processor is at this address, without a slash at its end.
    fn metadata(&self, origin: &str) -> Value;

    fn card(&self, wanted: CardThat) -> TestCard;

    /// Its books, which tell what it did and may do more.
    fn keeper(&self) -> &Mutex<dyn Bookkeeper>;

    /// Every authorization that was asked for, in its order.
    fn all_books(&self) -> Vec<Booked> {
        kept(self.keeper()).all_books()
    }

    /// What was done for the authorization that we named so. Nothing for one that it doesn't know.
    fn books(&self, authorization: &str) -> Books {
        let all = self.all_books().into_iter();
        let mut own = all.filter(|booked| booked.key == authorization);
        own.next().map_or(Books::default(), |booked| booked.books)
    }

    /// The payer at this page decides. Where the processor sends the payer then; none where it knows no such page.
    fn decide(&self, page: &str, approves: bool) -> Option<String> {
        kept(self.keeper()).decide(page, approves)
    }

    /// Somebody does this to the authorization in the processor's back office, and the processor tells of it.
    fn does_by_hand(&self, authorization: &str, what: ByHand) {
        kept(self.keeper()).does_by_hand(authorization, what);
    }

    /// So much time passes that the processor lets go what nobody has captured of this authorization, and tells so. False where
    /// there was nothing.
    fn lapse(&self, authorization: &str) -> bool {
        kept(self.keeper()).lapse(authorization)
    }

    /// The payer has his bank claim back what was taken of this authorization. The processor's id of the dispute; none where
    /// nothing was taken.
    fn dispute(&self, authorization: &str) -> Option<String> {
        kept(self.keeper()).raise_dispute(authorization)
    }

    /// What the merchant did about a dispute.
    fn dispute_books(&self, dispute: &str) -> DisputeBooks {
        kept(self.keeper()).dispute_books(dispute)
    }

    /// The payer's bank has the last word.
    fn decide_dispute(&self, dispute: &str, is_won: bool) {
        kept(self.keeper()).decide_dispute(dispute, is_won);
    }

    /// Returns the number of instruments that it keeps for charges without their payers.
    fn kept(&self) -> usize {
        kept(self.keeper()).kept()
    }

    /// Name and e-mail of each customer that it keeps.
    fn customers(&self) -> Vec<(String, String)> {
        kept(self.keeper()).customers()
    }

    /// What its notices are verified by.
    fn notice_secret(&self) -> &str;

    /// Everything that it has told so far, in its order, signed now.
    fn notices(&self) -> Vec<Notice>;
}

/// Who keeps a stand-in's books: what [`StandIn`] asks of them has the same names there.
pub trait Bookkeeper: Send {
    fn all_books(&self) -> Vec<Booked>;
    fn decide(&mut self, page: &str, approves: bool) -> Option<String>;
    fn does_by_hand(&mut self, authorization: &str, what: ByHand);
    fn lapse(&mut self, authorization: &str) -> bool;
    fn raise_dispute(&mut self, authorization: &str) -> Option<String>;
    fn dispute_books(&self, dispute: &str) -> DisputeBooks;
    fn decide_dispute(&mut self, dispute: &str, is_won: bool);

    /// Nothing, where it isn't asked to keep anything.
    fn kept(&self) -> usize {
        0
    }

    /// Nobody, where it has none.
    fn customers(&self) -> Vec<(String, String)> {
        Vec::new()
    }
}

fn kept(books: &Mutex<dyn Bookkeeper>) -> MutexGuard<'_, dyn Bookkeeper + 'static> {
    books.lock().expect("no test panics within")
}

/// A deed in the back office, in the currency's minor units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByHand {
    /// So much is taken, once; the rest is let go.
    Captures(i64),
    Refunds(i64),
    Cancels,
    /// So much is reserved in all from now on.
    Adjusts(i64),
}

/// What a card does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardThat {
    IsApproved,
    IsDeclined,
    /// Approved or declined as the payer decides.
    AsksThePayer,
}

/// A card of a processor's test mode, and who holds it.
#[derive(Clone, Copy, Debug)]
pub struct TestCard {
    pub number: &'static str,
    pub code: &'static str,
    pub holder: &'static str,
}

/// An authorization in a processor's books.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Booked {
    /// Our name for it.
    pub key: String,
    /// The processor's.
    pub reference: String,
    pub books: Books,
}

/// What was done for one authorization, in the currency's minor units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Books {
    /// Reserved, whatever became of it.
    pub authorized: i64,
    /// Ever taken.
    pub captured: i64,
    /// Let go without having been taken.
    pub released: i64,
    /// Given back, by whatever operation.
    pub given_back: i64,
}

/// What a merchant did about a dispute, as the processor has it in its books.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DisputeBooks {
    /// How often he gave in.
    pub accepted: usize,
    /// How often he handed in evidence.
    pub challenged: usize,
    /// What stands in it, by the processor's names: texts, and what is in files.
    pub evidence: BTreeMap<String, String>,
}

/// The address with these pairs behind those that it has.
pub(crate) fn with_query(address: &str, pairs: &[(&str, &str)]) -> Option<String> {
    let mut url = Url::parse(address).ok()?;
    url.query_pairs_mut().extend_pairs(pairs);
    Some(url.into())
}

/// Seconds since 1970 by this machine's clock, for stand-ins whose callers have it too.
pub fn system_time() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = since.expect("a clock after 1970").as_secs();
    i64::try_from(seconds).expect("in range")
}
