//! Wire to domain and back. Only these modules name request types.

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

/// Notes the values of these members, by their names on the wire.
macro_rules! noted {
    ($($member:ident),+ $(,)?) => {
        $crate::platform::convert::notes([$((stringify!($member), $crate::platform::convert::value($member))),+])
    };
}
pub(crate) use noted;

/// Destructures a request: some members become variables, all others notes.
macro_rules! take_apart {
    ($request:ident: $type:path { $($own:ident),* $(,)? } noting $notes:ident { $($noted:ident),+ $(,)? }) => {
        let $type { $($own,)* $($noted,)+ } = $request;
        let $notes = $crate::platform::convert::noted!($($noted),+);
    };
}
pub(crate) use take_apart;

/// Returns the members that have a value: in requests null means absent.
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

/// Refuses requested capabilities that an operation lacks.
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

/// Returns the id in `member`, if one is given.
///
/// # Errors
/// An invalid id.
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
