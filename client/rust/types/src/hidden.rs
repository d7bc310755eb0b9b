//! The macro that defines `Debug` of types with members that never print.

/// Defines `Debug` of a type. Hidden members print as [`Secret`](crate::Secret) prints, behind those that are shown.
///
/// `hidden! { Key { [Self] Key shown(key_id) hidden(api_key) optional(old_key) } }` is for a struct with the members
/// `key_id`, `api_key` and `old_key: Option<_>`. An enumeration has such a line for each variant.
macro_rules! hidden {
    ($kind:ident { $(
        [$($path:tt)*] $name:ident
        shown($($shown:ident),* $(,)?)
        hidden($($hidden:ident),* $(,)?)
        optional($($optional:ident),* $(,)?)
    )* }) => {
        impl ::std::fmt::Debug for $kind {
            fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                match self {
                    $($($path)* { $($shown,)* $($hidden: _,)* $($optional,)* } => formatter
                        .debug_struct(stringify!($name))
                        $(.field(stringify!($shown), $shown))*
                        $(.field(stringify!($hidden), &$crate::Secret::default()))*
                        $(.field(stringify!($optional), &$optional.as_ref().map(|_| $crate::Secret::default())))*
                        .finish(),)*
                }
            }
        }
    };
}

pub(crate) use hidden;
