//! Declares stored objects with optional members.

/// Declares an object of a record with its required and optional members. Unset members aren't written, and members of
/// a later version are preserved (`unread.rs`).
#[macro_export]
macro_rules! record_object {
    ($(#[$meta:meta])* pub struct $name:ident {
        $($(#[$always_meta:meta])* $always:ident: $always_type:ty,)*
    } and maybe {
        $($(#[$maybe_meta:meta])* $maybe:ident: $maybe_type:ty,)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, ::serde::Serialize, ::serde::Deserialize)]
        pub struct $name {
            $($(#[$always_meta])* pub $always: $always_type,)*
            $($(#[$maybe_meta])* #[serde(skip_serializing_if = "Option::is_none")] pub $maybe: Option<$maybe_type>,)*
            #[serde(flatten)]
            pub unread: $crate::unread::UnreadMembers,
        }
    };
}
pub use record_object;

/// Declares a record with a second form for writing, in which a member can be replaced. `$written` borrows the members
/// with the same names and order.
#[macro_export]
macro_rules! written_apart {
    ($(#[$meta:meta])* pub struct $name:ident, written as $written:ident {
        $($(#[$member_meta:meta])* pub $member:ident: $type:ty,)*
    }) => {
        $(#[$meta])*
        pub struct $name {
            $($(#[$member_meta])* pub $member: $type,)*
        }

        #[derive(::serde::Serialize)]
        #[allow(dead_code, reason = "members that are stored elsewhere are skipped")]
        pub struct $written<'a> {
            $($(#[$member_meta])* pub $member: &'a $type,)*
        }

        impl<'a> $written<'a> {
            pub fn new($name { $($member),* }: &'a $name) -> Self {
                $written { $($member),* }
            }
        }
    };
}
pub use written_apart;

/// Returns whether a number has its type's default, so that `skip_serializing_if` leaves it out.
pub fn is_zero<T: Default + PartialEq>(number: &T) -> bool {
    *number == T::default()
}

/// Returns whether a flag is false, so that `skip_serializing_if` leaves it out.
pub fn is_false(said: &bool) -> bool {
    !said
}
