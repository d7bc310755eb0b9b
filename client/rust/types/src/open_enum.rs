//! The macro that defines the open enumerations.

/// Defines an enumeration from its variants and their words on the wire, with text, parsing and serde.
///
/// `open_enum! { Flavour { Sweet = "sweet", Sour = "sour" } }` has the variants `Sweet`, `Sour` and `Unknown`, which
/// holds any other word. The words stand in the order of the document, which is also the order of `Ord`.
macro_rules! open_enum {
    ($(#[$about:meta])* $name:ident { $($variant:ident = $word:literal),* $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $(
                #[doc = concat!(" `", $word, "`")]
                $variant,
            )*
            /// A word that this version doesn't know. The server refuses such words in requests.
            Unknown(String),
        }

        impl $name {
            /// Every known word, in the order of the document.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The word on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $word,)*
                    Self::Unknown(word) => word,
                }
            }

            fn known(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                formatter.write_str(self.as_str())
            }
        }

        impl ::std::convert::AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl ::std::convert::From<&str> for $name {
            fn from(word: &str) -> Self {
                Self::known(word).unwrap_or_else(|| Self::Unknown(word.to_owned()))
            }
        }

        impl ::std::convert::From<String> for $name {
            fn from(word: String) -> Self {
                Self::known(&word).unwrap_or(Self::Unknown(word))
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = ::std::convert::Infallible;

            fn from_str(word: &str) -> Result<Self, Self::Err> {
                Ok(Self::from(word))
            }
        }

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                <String as ::serde::Deserialize>::deserialize(deserializer).map(Self::from)
            }
        }
    };
}

pub(crate) use open_enum;
