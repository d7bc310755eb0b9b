//! Schemas of the document for schemars.

use schemars::schema::Schema;

/// Parses a schema of the document for schemars.
///
/// # Panics
/// If the text isn't a schema. The generator only writes valid ones.
#[doc(hidden)]
pub fn quoted(text: &str) -> Schema {
    serde_json::from_str(text).expect("the generator quotes valid schemas")
}

/// Implements `JsonSchema` for the type of a component: its name, the components that its schema refers to, and the
/// schema's own text.
///
/// `schema! { Refund(Currency) r#"{"type":"object"}"# }` is named `Refund` and has the schema of `Currency` listed too.
macro_rules! schema {
    ($name:ident($($needed:ident),* $(,)?) $text:literal) => {
        impl ::schemars::JsonSchema for $name {
            fn schema_name() -> String {
                stringify!($name).to_owned()
            }

            #[allow(unused_variables)]
            fn json_schema(
                generator: &mut ::schemars::r#gen::SchemaGenerator,
            ) -> ::schemars::schema::Schema {
                $(generator.subschema_for::<$needed>();)*
                $crate::quoted($text)
            }
        }
    };
}

pub(crate) use schema;
