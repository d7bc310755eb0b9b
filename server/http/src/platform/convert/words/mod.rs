//! Words of the wire as words of the domain, and back. Both sides are matched exhaustively, so the compiler names a word that
//! one of them lacks.

use multirail_kernel::country::CountryCode;
use multirail_kernel::currency::Currency;
use multirail_kernel::event::{EventClass, EventType};
use multirail_kernel::refusal::Refusal;
use multirail_types as types;

/// A word of the domain that has a word on the wire.
pub trait ToWire<W>: Copy {
    /// Returns the word of the wire.
    fn to_wire(self) -> W;
}

/// A word of the wire that the domain has too.
pub trait ToDomain<D> {
    /// Returns the word of the domain, unless the document lacks this word.
    fn to_domain(&self) -> Option<D>;
}

/// A word of an open wire enumeration as the domain knows it.
pub(crate) fn word<T>(word: &impl ToDomain<T>, member: &str) -> Result<T, Refusal> {
    word.to_domain().ok_or_else(|| Refusal::Malformed {
        member: member.to_owned(),
        why: "has a word that this version doesn't know".to_owned(),
    })
}

/// A list of such words.
pub(crate) fn words<T>(list: &[impl ToDomain<T>], member: &str) -> Result<Vec<T>, Refusal> {
    list.iter().map(|item| word(item, member)).collect()
}

/// A word that may be absent.
pub(crate) fn maybe_word<T>(
    given: Option<impl ToDomain<T>>,
    member: &str,
) -> Result<Option<T>, Refusal> {
    given.map(|given| word(&given, member)).transpose()
}

/// Pairs enumerations of the document with enumerations of the domain: `Wire <=> Domain` both ways, `Wire => Domain` and
/// `Wire <= Domain` one way. The traits `ToWire` and `ToDomain` are those in scope: a satellite has its own, because it owns
/// neither the words nor ours. The words are those of the document, each with the name that [`multirail_api::with_words`]
/// gives it, or listed.
#[doc(hidden)]
#[macro_export]
macro_rules! words {
    () => {};
    ($wire:ident <=> $domain:ident $(: $($word:ident = $own:ident),+)?; $($rest:tt)*) => {
        words! { @one to_wire $wire $domain $($($word = $own,)+)? }
        words! { @one to_domain $wire $domain $($($word = $own,)+)? }
        words! { $($rest)* }
    };
    ($wire:ident <= $domain:ident $(: $($word:ident = $own:ident),+)?; $($rest:tt)*) => {
        words! { @one to_wire $wire $domain $($($word = $own,)+)? }
        words! { $($rest)* }
    };
    ($wire:ident => $domain:ident; $($rest:tt)*) => {
        words! { @one to_domain $wire $domain }
        words! { $($rest)* }
    };
    (@one $way:ident $wire:ident $domain:ident) => {
        multirail_api::with_words! { $wire => $way! { $wire $domain } }
    };
    (@one $way:ident $wire:ident $domain:ident $($listed:tt)+) => {
        $way! { $wire $domain $($listed)+ }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! to_wire {
    ($wire:ident $domain:ident $($word:ident = $own:ident,)+) => {
        impl ToWire<types::$wire> for $domain {
            fn to_wire(self) -> types::$wire {
                match self { $($domain::$own => types::$wire::$word,)+ }
            }
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! to_domain {
    ($wire:ident $domain:ident $($word:ident = $own:ident,)+) => {
        impl ToDomain<$domain> for types::$wire {
            fn to_domain(&self) -> Option<$domain> {
                match self {
                    $(types::$wire::$word => Some($domain::$own),)+
                    types::$wire::Unknown(_) => None,
                }
            }
        }
    };
}

pub(crate) mod sdk;

words! {
    Currency <=> Currency;
}

// One side has other names than the other, or more words.
words! {
    EventClass <= EventClass:
        Payments = Payments,
        Refunds = Refunds,
        Disputes = Disputes,
        Mandates = Mandates,
        Subscriptions = Subscriptions;
    EventType <= EventType:
        PaymentSucceeded = PaymentSucceeded,
        PaymentFailed = PaymentFailed,
        PaymentProcessing = PaymentProcessing,
        PaymentCancelled = PaymentCancelled,
        PaymentCancelledPostCapture = PaymentCancelledPostCapture,
        PaymentAuthorized = PaymentAuthorized,
        PaymentPartiallyAuthorized = PaymentPartiallyAuthorized,
        PaymentCaptured = PaymentCaptured,
        PaymentExpired = PaymentExpired,
        ActionRequired = ActionRequired,
        RefundSucceeded = RefundSucceeded,
        RefundFailed = RefundFailed,
        DisputeOpened = DisputeOpened,
        DisputeExpired = DisputeExpired,
        DisputeAccepted = DisputeAccepted,
        DisputeCancelled = DisputeCancelled,
        DisputeChallenged = DisputeChallenged,
        DisputeWon = DisputeWon,
        DisputeLost = DisputeLost,
        MandateActive = MandateActive,
        MandateRevoked = MandateRevoked,
        InvoicePaid = InvoicePaid;
}

// Countries are no enumeration of the domain.
impl ToWire<types::CountryCode> for CountryCode {
    fn to_wire(self) -> types::CountryCode {
        self.as_str().into()
    }
}

impl ToDomain<CountryCode> for types::CountryCode {
    fn to_domain(&self) -> Option<CountryCode> {
        self.as_str().parse().ok()
    }
}

#[cfg(test)]
mod tests;
