//! Structs for path and query parameters, with their schemas quoted from the document.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use serde_json::{Map, Value, json};

use crate::document::{Document, Operation, Parameter, is_enumeration, referred};
use crate::{names, render, schemas};

/// Returns `PaymentsConfirmPath`.
pub fn path_struct(operation: &Operation) -> Ident {
    names::ident(&format!("{}Path", names::pascal(&operation.id)))
}

/// Returns `PaymentsListQuery`.
pub fn query_struct(operation: &Operation) -> Ident {
    names::ident(&format!("{}Query", names::pascal(&operation.id)))
}

/// Returns the structs of an operation: none, one or two.
pub fn structs(document: &Document, operation: &Operation) -> Vec<TokenStream> {
    let mut output = Vec::new();
    let path = operation.path_parameters();
    if !path.is_empty() {
        let note = format!("Path parameters of `{}`.", operation.id);
        output.push(one(document, &path_struct(operation), &note, &path));
    }
    let query = operation.query_parameters();
    if !query.is_empty() {
        let note = format!("Query parameters of `{}`.", operation.id);
        output.push(one(document, &query_struct(operation), &note, &query));
    }
    output
}

fn one(document: &Document, name: &Ident, note: &str, parameters: &[&Parameter]) -> TokenStream {
    let fields = parameters
        .iter()
        .map(|parameter| field(document, parameter));
    let default = parameters
        .iter()
        .all(|parameter| !parameter.required)
        .then(|| quote!(Default,));
    let schema = schema(parameters);
    let needed: Vec<_> = schemas::references(&schema)
        .into_iter()
        .map(|name| schemas::foreign_path(document, &name))
        .collect();
    let generator = if needed.is_empty() {
        quote!(_)
    } else {
        quote!(generator)
    };
    let documentation = render::docs(note);
    let (text, schema_name) = (render::raw(&schema.to_string()), name.to_string());
    quote! {
        #documentation
        #[derive(Clone, Debug, #default PartialEq, serde::Serialize, serde::Deserialize)]
        pub struct #name {
            #(#fields)*
        }

        #[cfg(test)]
        impl schemars::JsonSchema for #name {
            fn schema_name() -> String {
                #schema_name.to_owned()
            }

            fn json_schema(#generator: &mut schemars::r#gen::SchemaGenerator) -> schemars::schema::Schema {
                #(generator.subschema_for::<#needed>();)*
                types::quoted(#text)
            }
        }
    }
}

fn field(document: &Document, parameter: &Parameter) -> TokenStream {
    let documentation = render::docs(&parameter.description);
    let field = names::snake(&parameter.name);
    let wire = &parameter.name;
    let rename = (field != *wire).then(|| quote!(#[serde(rename = #wire)]));
    let field = names::ident(&field);
    let plain = rust_type(document, &parameter.schema);
    if parameter.required {
        quote! { #documentation #rename pub #field: #plain, }
    } else {
        quote! {
            #documentation
            #rename
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub #field: Option<#plain>,
        }
    }
}

/// Returns the Rust type of a flat parameter.
fn rust_type(document: &Document, schema: &Value) -> TokenStream {
    if let Some((name, target)) =
        referred(schema).and_then(|name| Some((name, document.schema(name)?)))
    {
        if is_enumeration(target) {
            let name = names::ident(name);
            return quote!(types::#name);
        }
        return rust_type(document, target);
    }
    match (schema["type"].as_str(), schema["format"].as_str()) {
        (Some("integer"), Some("int32")) => quote!(i32),
        (Some("integer"), _) => quote!(i64),
        (Some("number"), _) => quote!(f64),
        (Some("boolean"), _) => quote!(bool),
        (_, Some("date-time")) => quote!(chrono::DateTime<chrono::Utc>),
        _ => quote!(String),
    }
}

/// Returns the parameters as members of one object, as dropshot takes them.
fn schema(parameters: &[&Parameter]) -> Value {
    let mut members = Map::new();
    let mut required = Vec::new();
    for parameter in parameters {
        let mut schema = parameter.schema.clone();
        if schema.get("$ref").is_some() {
            schema = json!({ "allOf": [schema] });
        }
        schema["description"] = Value::String(parameter.description.clone());
        members.insert(parameter.name.clone(), schema);
        if parameter.required {
            required.push(Value::String(parameter.name.clone()));
        }
    }
    json!({ "type": "object", "properties": members, "required": required })
}
