//! The arguments of the generated methods that come from the request: path, query and body.
//!
//! Only tests need dropshot's types of the same names, which ask for a schema of every argument. The program has no
//! use for schemas, and they are code for every type.

#[cfg(not(test))]
pub use of_program::{Path, Query, TypedBody};

#[cfg(not(test))]
mod of_program {
    /// Defines an argument that holds a checked value.
    macro_rules! argument {
        ($(#[doc = $about:literal] $name:ident)*) => {
            $(
                #[doc = $about]
                #[derive(Debug)]
                pub struct $name<T>(T);

                impl<T> $name<T> {
                    /// Returns the value.
                    pub fn into_inner(self) -> T {
                        self.0
                    }
                }

                impl<T> From<T> for $name<T> {
                    fn from(value: T) -> Self {
                        Self(value)
                    }
                }
            )*
        };
    }

    argument! {
        /// The variables of the path.
        Path
        /// The parameters of the query.
        Query
        /// The body.
        TypedBody
    }
}

#[cfg(test)]
pub use dropshot::{Path, Query, TypedBody};
