//! The form of the generated traits in the program and in the tests.
//!
//! Only tests need dropshot's description of a trait. It is code for every operation and every type, so the program is
//! built without it: its traits have the signatures that dropshot would give them, and nothing else.

/// Leaves the trait to dropshot, which adds a description of it.
#[cfg(test)]
macro_rules! api_trait {
    ($($text:tt)*) => {
        $($text)*
    };
}

/// Declares the trait as dropshot would: futures that can go to another thread, and no routes.
#[cfg(not(test))]
macro_rules! api_trait {
    (
        $(#[doc = $about:literal])*
        #[dropshot::api_description]
        pub trait $name:ident {
            $(#[doc = $state:literal])*
            type Context;
            $(
                $(#[doc = $text:literal])*
                #[endpoint $route:tt]
                async fn $method:ident($($argument:ident: $kind:ty),* $(,)?) -> $answer:ty;
            )*
        }
    ) => {
        $(#[doc = $about])*
        pub trait $name: Sized + 'static {
            $(#[doc = $state])*
            type Context: dropshot::ServerContext;
            $(
                $(#[doc = $text])*
                fn $method($($argument: $kind),*) -> impl Future<Output = $answer> + Send + 'static;
            )*
        }
    };
}

pub(crate) use api_trait;
