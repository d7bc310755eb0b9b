//! Leases: the time for which claimed work belongs to one server. The whole policy is in this module.
//!
//! A lease is a point of wall time, until which no other server claims the same work. Business time can be moved, so
//! leases don't use it. Servers on one database need clocks that agree within a second or two. The leases of a dead
//! server expire. With SQLite, which no other server can use, the next start ends them all at once.
//!
//! A fence counts the claims of one piece of work. Every write that ends a claim checks its fence: a server whose lease
//! expired, and whose work another server claimed, changes nothing. Answers of processors and merchants are facts, and
//! are recorded all the same. An idempotency key is claimed once and has no fence: a repeat that frees the key names
//! the lease that it found, and a renewal never shortens a lease.
//!
//! | Claimed work | Lease | Renewed | When the server stops |
//! |---|---|---|---|
//! | a sync of an operation | as long as a call may be in flight | never | the question is finished and ends its lease |
//! | a notice of a processor | as long as a call may be in flight | never | the notice is finished and ends its lease |
//! | the payments of a redacted customer | the same, for a portion of them | with each portion | the portion is finished, and the lease expires |
//! | a deletion at a processor | as long as a call may be in flight | never | the call is finished and ends its lease |
//! | an idempotency key without an answer | as long as a call may be in flight | by the commit before each further call | the request is finished and stores its answer |
//! | a due subscription | the same, for all its due work | never | the current work is finished, and the lease expires or is released |
//! | mail that is being sent | a minute, twice the longest time of sending | never | the mail is finished and ends its lease |
//! | a webhook | ten seconds; the whole exchange where no other server can use the database | every three seconds | unsent ones are released |

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
    /// A notice of a processor that is worked on. The worker may ask the processor.
    Notice,
    /// A redacted customer's payments that are being redacted.
    Redaction,
    /// A deletion that a processor is asked for.
    ProcessorDeletion,
    /// A subscription whose invoices are being charged.
    Subscription,
    /// Mail that is being handed over.
    Mail,
    /// A webhook on its way.
    Delivery,
}

/// The time between two renewals of a webhook's lease.
const DELIVERY_RENEWAL: Duration = Duration::from_secs(3);
/// A renewed webhook lease: three renewals, and a second for clocks that differ. Another server claims a dead server's
/// webhooks within this time, however long the exchange may take.
const RENEWED_DELIVERY: Duration = Duration::from_secs(10);
/// Twice the longest time of handing over mail.
const MAIL_SECONDS: i64 = 60;
/// The time after the exchange that an unrenewed webhook lease covers.
const DELIVERY_MARGIN: Duration = Duration::from_secs(15);

/// Returns the longest time of a call to a processor with this deadline, in seconds, with a margin for the work before
/// and after.
pub fn in_flight_seconds(processor_deadline: Duration) -> i64 {
    let deadline = processor_deadline.as_secs().max(1) as i64;
    deadline + (deadline / 3).max(1)
}

/// Returns whether work with this lease still belongs to its holder alone.
pub fn is_held(lease_until: Timestamp, wall: Timestamp) -> bool {
    wall < lease_until
}

/// The leases of one deployment.
#[derive(Clone, Copy, Debug)]
pub struct Leases {
    pub processor_deadline: Duration,
    pub webhook_timeout: Duration,
    /// The business time of this server's start, where no other server can use the database.
    pub alone_since: Option<Timestamp>,
}

impl Leases {
    /// Returns the longest time of a call to a processor, in seconds.
    pub fn in_flight_seconds(&self) -> i64 {
        in_flight_seconds(self.processor_deadline)
    }

    /// Returns the length of a lease that begins or is renewed now.
    pub fn seconds(&self, work: Leased) -> i64 {
        match work {
            // After this time no call that was begun can still be under way.
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

    /// Returns the end of a lease that begins or is renewed now.
    pub fn until(&self, work: Leased, wall: Timestamp) -> Timestamp {
        wall.plus_seconds(self.seconds(work)).unwrap_or(wall)
    }

    /// Returns how often the holder renews its lease, if at all.
    pub(crate) fn renew_every(&self, work: Leased) -> Option<Duration> {
        match work {
            // The lease covers the longest call already. Before another call, a request renews the lease of its key
            // with the commit.
            Leased::Sync | Leased::IdempotencyKey | Leased::Notice | Leased::Subscription => None,
            // The holder stores its progress, which begins a new lease.
            Leased::Redaction | Leased::ProcessorDeletion | Leased::Mail => None,
            // A shorter lease has no use where no other server can claim the work.
            Leased::Delivery => self.alone_since.is_none().then_some(DELIVERY_RENEWAL),
        }
    }

    /// Returns the business time up to which all calls that were begun are over.
    pub fn calls_over_until(&self, now: Timestamp) -> Timestamp {
        let oldest = now.plus_seconds(-self.in_flight_seconds()).unwrap_or(now);
        // Without other servers, calls from before this start ended with the earlier run.
        self.alone_since.map_or(oldest, |since| since.max(oldest))
    }
}

#[cfg(test)]
mod tests;
