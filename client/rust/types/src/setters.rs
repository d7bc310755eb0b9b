//! The macro that defines the setters.

/// Defines `new`, which takes the required members of a struct, and a setter of the same name for every member.
///
/// `setters! { Refund(amount: i64) { reason: String } }` is for a struct with the members `amount: i64` and
/// `reason: Option<String>`: `Refund::new(100).reason("broken")`.
macro_rules! setters {
    ($name:ident($($needed:ident: $needed_type:ty),* $(,)?) { $($optional:ident: $optional_type:ty),* $(,)? }) => {
        impl $name {
            #[doc = setters!(@about $($needed)*)]
            pub fn new($($needed: impl Into<$needed_type>),*) -> Self {
                Self { $($needed: $needed.into(),)* $($optional: None,)* }
            }

            $(
                #[doc = setters!(@sets $name $needed)]
                #[must_use]
                pub fn $needed(mut self, $needed: impl Into<$needed_type>) -> Self {
                    self.$needed = $needed.into();
                    self
                }
            )*

            $(
                #[doc = setters!(@sets $name $optional)]
                #[must_use]
                pub fn $optional(mut self, $optional: impl Into<$optional_type>) -> Self {
                    self.$optional = Some($optional.into());
                    self
                }
            )*
        }
    };
    (@about) => {
        " With no member set."
    };
    (@about $($needed:ident)+) => {
        " With the required members set."
    };
    (@sets $name:ident $member:ident) => {
        concat!(" Sets [`", stringify!($name), "::", stringify!($member), "`](field@Self::", stringify!($member), ").")
    };
}

pub(crate) use setters;
