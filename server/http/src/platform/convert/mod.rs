//! Wire to domain and back: the only place that names request types.

pub(crate) mod address;
pub(crate) mod consent;
pub mod moments;
pub mod words;

use multirail_kernel::ids::InvalidId;
use multirail_kernel::notes::find;
use multirail_kernel::refusal::Refusal;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Notes what was said of each of these members, by its name on the wire.
macro_rules! noted {
    ($($member:ident),+ $(,)?) => {
        $crate::platform::convert::notes([$((stringify!($member), $crate::platform::convert::value($member))),+])
    };
}
pub(crate) use noted;

/// Takes a request apart: some members become variables, all others notes.
macro_rules! take_apart {
    ($request:ident: $type:path { $($own:ident),* $(,)? } noting $notes:ident { $($noted:ident),+ $(,)? }) => {
        let $type { $($own,)* $($noted,)+ } = $request;
        let $notes = $crate::platform::convert::noted!($($noted),+);
    };
}
pub(crate) use take_apart;

/// Returns the members that say something: in requests null means absent.
pub(crate) fn notes<const N: usize>(said: [(&str, Value); N]) -> Map<String, Value> {
    let said = said.into_iter().filter(|(_, value)| !value.is_null());
    said.map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Returns a member as JSON.
pub(crate) fn value(said: impl Serialize) -> Value {
    serde_json::to_value(said).unwrap_or_default()
}

/// Reads a note back for an answer.
pub fn note<T: DeserializeOwned>(notes: &Map<String, Value>, name: &str) -> Option<T> {
    serde_json::from_value(find(notes, name)?.clone()).ok()
}

/// Refuses what an operation was asked to do and can't.
///
/// # Errors
/// [`Refusal::FlowNotSupported`] for the first member that is true.
pub(crate) fn refuse_asked(members: &[(&str, Option<bool>)]) -> Result<(), Refusal> {
    match members.iter().find(|(_, asked)| *asked == Some(true)) {
        Some((member, _)) => Err(Refusal::FlowNotSupported {
            flow: (*member).to_owned(),
        }),
        None => Ok(()),
    }
}

/// The id in `member`, if one is given.
///
/// # Errors
/// It can't be one.
pub fn id<Id>(
    given: Option<String>,
    member: &str,
    parse: impl Fn(&str) -> Result<Id, InvalidId>,
) -> Result<Option<Id>, Refusal> {
    given
        .map(|text| parse(&text).map_err(|invalid| invalid.refusal(member)))
        .transpose()
}

/// Returns whether an object asks for anything: an empty one, or one of nulls, doesn't.
pub(crate) fn asks(members: Option<&Map<String, Value>>) -> bool {
    members.is_some_and(|members| members.values().any(|value| !value.is_null()))
}
