//! Leases: for how long work that one server has claimed is that server's alone. All of their policy is here.
//!
//! A lease is a moment of wall time: until then no other server claims the same work. Business time can be moved, so no
//! lease goes by it; servers on one database need clocks that agree within a second or two. A server that dies leaves its
//! leases to lapse. Where no other server can use the database (SQLite) the next start ends them all at once.
//!
//! A fence counts the claims of one piece of work. What ends a claim is written under the fence of that claim: a server
//! whose lease lapsed, and whose work was claimed by another one, changes nothing. What it has learned meanwhile, a
//! processor's answer or a merchant's, is a fact and is recorded all the same. An idempotency key is claimed once and has no
//! fence: a repeat that frees the key names the lease that it found, and a renewal makes no lease shorter.
//!
//! | Claimed work | Lease | Renewed | When the server stops |
//! |---|---|---|---|
//! | an operation that a processor is asked about | as long as a call may be in flight | never | the question is finished and ends its lease |
//! | a notice of a processor | as long as a call may be in flight | never | the notice is finished and ends its lease |
//! | the payments of a redacted customer | the same, for a portion of them | with each portion | the portion is finished, and the lease lapses |
//! | what a processor is asked to delete | as long as a call may be in flight | never | the call is finished and ends its lease |
//! | an idempotency key without an answer | as long as a call may be in flight | by the commit before each further call | the request is finished and stores its answer |
//! | a subscription that something is due of | the same, for all that is due | never | what is done of it is finished, and the lease lapses or is given back |
//! | mail that is handed over | a minute, twice what that may take | never | it is finished and ends its lease |
//! | a webhook | ten seconds; the whole exchange where no other server can use the database | every three seconds | what was not sent is given back |

pub(crate) mod renewal;

use std::time::Duration;

use multirail_kernel::timestamp::Timestamp;

/// Work that is claimed under a lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leased {
    /// An operation that a processor is asked about.
    Sync,
    /// An idempotency key whose request has no answer yet.
    IdempotencyKey,
    /// A notice of a processor that is worked on: the processor may be asked.
    Notice,
    /// The payments of a redacted customer that are redacted.
    Redaction,
    /// A deletion that a processor is asked for.
    ProcessorDeletion,
    /// A subscription that is billed: its invoices are charged.
    Subscription,
    /// Mail that is handed over.
    Mail,
    /// A webhook on its way.
    Delivery,
}

/// From one renewal of a webhook's lease to the next.
const DELIVERY_RENEWAL: Duration = Duration::from_secs(3);
/// A webhook's lease that is renewed: three renewals, and a second for clocks that differ. What a server had on its way when
/// it died is claimed by another one within this time, however patient the exchange.
const RENEWED_DELIVERY: Duration = Duration::from_secs(10);
/// Twice what handing over mail may take.
const MAIL_SECONDS: i64 = 60;
/// What a webhook's lease that isn't renewed covers beside the exchange.
const DELIVERY_MARGIN: Duration = Duration::from_secs(15);

/// How long a call to a processor with this deadline may be in flight, in seconds: with a margin for what comes before and
/// after it.
pub fn in_flight_seconds(processor_deadline: Duration) -> i64 {
    let deadline = processor_deadline.as_secs().max(1) as i64;
    deadline + (deadline / 3).max(1)
}

/// Whether work with this lease is still the holder's alone.
pub fn is_held(lease_until: Timestamp, wall: Timestamp) -> bool {
    wall < lease_until
}

/// The leases of one deployment.
#[derive(Clone, Copy, Debug)]
pub struct Leases {
    pub processor_deadline: Duration,
    pub webhook_timeout: Duration,
    /// Business time of our start, where no other server can use the database.
    pub alone_since: Option<Timestamp>,
}

impl Leases {
    /// How long a call to a processor may be in flight.
    pub fn in_flight_seconds(&self) -> i64 {
        in_flight_seconds(self.processor_deadline)
    }

    /// How long a lease is that begins now, or is renewed now.
    pub fn seconds(&self, work: Leased) -> i64 {
        match work {
            // Only then can a call that was begun not be in flight any more.
            Leased::Sync
            | Leased::IdempotencyKey
            | Leased::Notice
            | Leased::Redaction
            | Leased::ProcessorDeletion
            | Leased::Subscription => self.in_flight_seconds(),
            Leased::Mail => MAIL_SECONDS,
            Leased::Delivery => {
                let lease = match self.renew_every(work) {
                    Some(_) => RENEWED_DELIVERY,
                    None => self.webhook_timeout + DELIVERY_MARGIN,
                };
                lease.as_secs() as i64
            }
        }
    }

    /// The end of a lease that begins now, or is renewed now.
    pub fn until(&self, work: Leased, wall: Timestamp) -> Timestamp {
        wall.plus_seconds(self.seconds(work)).unwrap_or(wall)
    }

    /// How often the holder renews its lease, if it does.
    pub(crate) fn renew_every(&self, work: Leased) -> Option<Duration> {
        match work {
            // The lease is as long as the longest call already. A request that makes another one renews the lease of its key by
            // the commit that it makes before.
            Leased::Sync | Leased::IdempotencyKey | Leased::Notice | Leased::Subscription => None,
            // Whoever holds it notes its progress, and with that begins a new one.
            Leased::Redaction | Leased::ProcessorDeletion | Leased::Mail => None,
            // Where no other server can claim the work, a shorter lease would serve nobody.
            Leased::Delivery => self.alone_since.is_none().then_some(DELIVERY_RENEWAL),
        }
    }

    /// Calls that were begun up to this moment of business time are not in flight any more.
    pub fn calls_over_until(&self, now: Timestamp) -> Timestamp {
        let oldest = now.plus_seconds(-self.in_flight_seconds()).unwrap_or(now);
        // Where no other server makes calls, those that were begun before our start died with an earlier run.
        self.alone_since.map_or(oldest, |since| since.max(oldest))
    }
}

#[cfg(test)]
mod tests;
