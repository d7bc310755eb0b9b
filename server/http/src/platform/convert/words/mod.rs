//! Words of the wire and of the domain. Both sides are matched exhaustively, so the compiler finds a word that one of
//! them lacks.

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

/// Converts a word of an open wire enumeration to the domain.
pub(crate) fn word<T>(word: &impl ToDomain<T>, member: &str) -> Result<T, Refusal> {
    word.to_domain().ok_or_else(|| Refusal::Malformed {
        member: member.to_owned(),
        why: "has a word that this version doesn't know".to_owned(),
    })
}

/// Converts a list of such words.
pub(crate) fn words<T>(list: &[impl ToDomain<T>], member: &str) -> Result<Vec<T>, Refusal> {
    list.iter().map(|item| word(item, member)).collect()
}

/// Converts an optional word.
pub(crate) fn maybe_word<T>(
    given: Option<impl ToDomain<T>>,
    member: &str,
) -> Result<Option<T>, Refusal> {
    given.map(|given| word(&given, member)).transpose()
}

/// Reads a text that has to be a word of the document's enumeration `W`, such as a piece of a list in a query.
pub(crate) fn text_word<W, D>(word: &str) -> Option<D>
where
    W: for<'a> From<&'a str> + ToDomain<D>,
{
    W::from(word).to_domain()
}

/// Pairs enumerations of the document with enumerations of the domain: `Wire <=> Domain` both ways, `Wire => Domain`
/// and `Wire <= Domain` one way.
///
/// The macro uses the traits `ToWire` and `ToDomain` in scope. A satellite has its own traits, because it owns neither
/// the words nor our traits. The words are those of the document, with the names of [`multirail_api::with_words`] or as
/// listed.
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

// These pairs differ in names or in number.
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

// The domain has no enumeration of countries.
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
