//! The macro that defines the builders of calls.

/// Defines the builder of a call: its parameters, `new`, and a setter for each parameter.
///
/// `builder! { refunds_list => RefundsList(merchant_id: String) { limit: i32 } }` is the builder that
/// `Client::refunds_list` returns. Its call needs the merchant, and takes a limit.
macro_rules! builder {
    (
        $method:ident => $name:ident($($needed:ident: $needed_type:ty),* $(,)?) {
            $($optional:ident: $optional_type:ty),* $(,)?
        }
    ) => {
        #[doc = concat!("Builder for [`Client::", stringify!($method), "`](crate::Client::", stringify!($method), ")")]
        #[derive(Clone)]
        pub struct $name<'a> {
            pub(super) client: &'a super::client::Client,
            $(pub(super) $needed: Result<$needed_type, String>,)*
            $(pub(super) $optional: Result<Option<$optional_type>, String>,)*
        }

        /// Parameters are not shown, because a client secret can be one.
        impl ::std::fmt::Debug for $name<'_> {
            fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                formatter.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }

        impl<'a> $name<'a> {
            /// Returns a builder without parameters.
            pub fn new(client: &'a super::client::Client) -> Self {
                Self {
                    client,
                    $($needed: Err(concat!(stringify!($needed), " was not initialized").to_owned()),)*
                    $($optional: Ok(None),)*
                }
            }

            $(
                #[doc = concat!("Sets the parameter `", stringify!($needed), "`, which the call needs.")]
                pub fn $needed<V: TryInto<$needed_type>>(mut self, value: V) -> Self {
                    let unfit = |_| $crate::builders::unfit(stringify!($needed), stringify!($needed_type));
                    self.$needed = value.try_into().map_err(unfit);
                    self
                }
            )*

            $(
                #[doc = concat!("Sets the parameter `", stringify!($optional), "`.")]
                pub fn $optional<V: TryInto<$optional_type>>(mut self, value: V) -> Self {
                    let unfit = |_| $crate::builders::unfit(stringify!($optional), stringify!($optional_type));
                    self.$optional = value.try_into().map(Some).map_err(unfit);
                    self
                }
            )*
        }
    };
}

pub(crate) use builder;

/// Returns the refusal of a value that isn't what the parameter takes.
pub(crate) fn unfit(parameter: &str, wanted: &str) -> String {
    format!("conversion to `{wanted}` for {parameter} failed")
}
