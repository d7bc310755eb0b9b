//! Writing stored records without what tells of a person, while the record stays as it is. A payment whose payer rests sealed
//! beside it is written so by each commit.

use serde::{Serialize, Serializer};

/// Stands where something was said of a customer who is redacted.
pub const REDACTED: &str = "Redacted";

/// A record that can be written so that it tells of nobody.
pub trait WriteRedacted {
    /// Writes what [`Redacted`] writes.
    ///
    /// # Errors
    /// Those of the serializer.
    fn write_redacted<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

/// A record as it is written when the person rests apart from it, or nowhere.
#[derive(Clone, Copy, Debug)]
pub struct Redacted<'a, T>(pub &'a T);

impl<T: WriteRedacted> Serialize for Redacted<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.write_redacted(serializer)
    }
}

/// Declares a record together with its redacted form, which has the same members in the same order. `=> (...)` behind a member is
/// the serde attribute that it has in the redacted form.
macro_rules! redacted_record {
    ($(#[$meta:meta])* pub struct $name:ident, redacted by $redacted:ident ($remote:literal) {
        $($(#[$member_meta:meta])* pub $member:ident: $type:ty $(=> ($($how:tt)*))?,)*
    }) => {
        $(#[$meta])*
        pub struct $name {
            $($(#[$member_meta])* pub $member: $type,)*
        }

        #[derive(::serde::Serialize)]
        #[serde(remote = $remote)]
        #[allow(dead_code)]
        struct $redacted {
            $($(#[$member_meta])* $(#[serde($($how)*)])? $member: $type,)*
        }

        impl $crate::redacted::WriteRedacted for $name {
            fn write_redacted<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $redacted::serialize(self, serializer)
            }
        }
    };
}
pub(crate) use redacted_record;

/// Writes a text that tells of a person: `=> (serialize_with = "redacted::text")`.
pub(crate) fn text<S: Serializer>(said: &Option<String>, serializer: S) -> Result<S::Ok, S::Error> {
    let redacted = said.as_ref().map(|_| REDACTED);
    redacted.serialize(serializer)
}

/// Writes a record within a record: `=> (serialize_with = "redacted::record")`.
pub(crate) fn record<T, S>(said: &Option<T>, serializer: S) -> Result<S::Ok, S::Error>
where
    T: WriteRedacted,
    S: Serializer,
{
    said.as_ref().map(Redacted).serialize(serializer)
}
