//! The one type of statement parameters and column values.
//!
//! Five kinds are enough, because the schema stores timestamps as `bigint` microseconds and JSON as `text` (see
//! `migrations/README.md`).

use std::borrow::Cow;
use std::fmt;

/// The kind of a value, also of an absent one.
///
/// PostgreSQL fixes the type of every parameter when it parses a statement, so a NULL has to have a kind. A `text` NULL is
/// refused for a `bigint` column, and `$1 is null or amount = $1` alone gives the server nothing to infer a type from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `boolean`
    Bool,
    /// `bigint`
    Int,
    /// `text`
    Text,
    /// `bytea` on PostgreSQL, `blob` on SQLite
    Bytes,
}

/// A statement parameter or a column value.
///
/// Its `Debug` form shows kind and length, never the content: parameters hold card data.
#[derive(Clone, PartialEq, Eq)]
pub enum Value {
    /// NULL of the given kind. Rows read from SQLite don't have it and use [`Kind::Text`].
    Null(Kind),
    /// A boolean. SQLite stores it as 0 or 1.
    Bool(bool),
    /// Any whole number, including amounts in minor units and microseconds since 1970.
    Int(i64),
    /// Text, including identifiers and JSON.
    Text(String),
    /// Sealed secrets and hashes.
    Bytes(Vec<u8>),
}

impl Value {
    /// Returns the kind, known for NULL as well.
    pub fn kind(&self) -> Kind {
        match self {
            Value::Null(kind) => *kind,
            Value::Bool(_) => Kind::Bool,
            Value::Int(_) => Kind::Int,
            Value::Text(_) => Kind::Text,
            Value::Bytes(_) => Kind::Bytes,
        }
    }

    /// Returns whether this is NULL.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null(_))
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null(kind) => write!(f, "Null({kind:?})"),
            Value::Bool(_) => f.write_str("Bool(..)"),
            Value::Int(_) => f.write_str("Int(..)"),
            Value::Text(text) => write!(f, "Text({} bytes)", text.len()),
            Value::Bytes(bytes) => write!(f, "Bytes({} bytes)", bytes.len()),
        }
    }
}

/// Types whose absence has a known [`Kind`], so that `Option<T>` becomes a typed NULL.
pub trait Bindable: Into<Value> {
    /// The kind of `None`.
    const KIND: Kind;
}

impl<T: Bindable> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null(T::KIND), Into::into)
    }
}

macro_rules! bindable {
    ($($type:ty => $kind:ident, |$value:ident| $convert:expr;)*) => {$(
        impl From<$type> for Value {
            fn from($value: $type) -> Self {
                Value::$kind($convert)
            }
        }

        impl Bindable for $type {
            const KIND: Kind = Kind::$kind;
        }
    )*};
}

bindable! {
    bool => Bool, |value| value;
    i64 => Int, |value| value;
    i32 => Int, |value| i64::from(value);
    i16 => Int, |value| i64::from(value);
    u32 => Int, |value| i64::from(value);
    u16 => Int, |value| i64::from(value);
    u8 => Int, |value| i64::from(value);
    String => Text, |value| value;
    &String => Text, |value| value.clone();
    &str => Text, |value| value.to_owned();
    Cow<'_, str> => Text, |value| value.into_owned();
    Vec<u8> => Bytes, |value| value;
    &Vec<u8> => Bytes, |value| value.clone();
    &[u8] => Bytes, |value| value.to_vec();
}

impl<const N: usize> From<[u8; N]> for Value {
    fn from(value: [u8; N]) -> Self {
        Value::Bytes(value.to_vec())
    }
}

impl<const N: usize> Bindable for [u8; N] {
    const KIND: Kind = Kind::Bytes;
}

/// `values![id, amount, None::<i64>]`: a parameter list, each element by its `Into<Value>`.
#[macro_export]
macro_rules! values {
    ($($value:expr),* $(,)?) => {
        ::std::vec::Vec::<_>::from([
            $(::std::convert::Into::<$crate::Value>::into($value)),*
        ])
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absence_keeps_its_kind() {
        assert_eq!(Value::from(None::<i64>), Value::Null(Kind::Int));
        assert_eq!(Value::from(None::<&str>), Value::Null(Kind::Text));
        assert_eq!(Value::from(None::<bool>), Value::Null(Kind::Bool));
        assert_eq!(Value::from(None::<Vec<u8>>), Value::Null(Kind::Bytes));
        assert_eq!(Value::from(Some("a")), Value::Text("a".to_owned()));
    }

    #[test]
    fn debug_shows_no_content() {
        let values = [
            Value::from("4111111111111111"),
            Value::from(vec![7_u8; 4]),
            Value::from(6540_i64),
        ];
        assert_eq!(
            format!("{values:?}"),
            "[Text(16 bytes), Bytes(4 bytes), Int(..)]"
        );
    }
}
