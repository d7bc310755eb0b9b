//! The matcher: finds the operations of a path by its segments.

use std::collections::BTreeMap;

use quote::quote;

use crate::api::traits::is_literal_sibling;
use crate::document::{Operation, variables};
use crate::{Error, names, render};

/// Returns the file of the matcher.
///
/// # Errors
/// Fails when the tokens aren't Rust, which is a fault of the generator.
pub fn emit(operations: &[Operation]) -> Result<String, Error> {
    let arms = by_path(operations).into_iter().map(|(path, operations)| {
        let segments = path
            .split('/')
            .filter(|segment| !segment.is_empty())
            .map(|segment| {
                match segment
                    .strip_prefix('{')
                    .and_then(|rest| rest.strip_suffix('}'))
                {
                    Some(name) => {
                        let name = names::ident(&names::snake(name));
                        quote!(#name)
                    }
                    None => quote!(#segment),
                }
            });
        let values = variables(path)
            .into_iter()
            .map(|name| names::ident(&names::snake(name)));
        let operations = operations.into_iter().map(super::op);
        quote!([#(#segments),*] => Some((&[#(#operations),*], vec![#(#values),*])),)
    });
    let reserved = reserved(operations)
        .into_iter()
        .map(|(parameter, words)| quote!((#parameter, &[#(#words),*])));
    render::file(quote! {
        use super::operations::Op;

        /// Returns the operations of a path, one a method, and the values of its variables from left to right.
        /// A literal segment wins over a variable one.
        pub fn resource<'a>(segments: &[&'a str]) -> Option<(&'static [Op], Vec<&'a str>)> {
            match *segments {
                #(#arms)*
                _ => None,
            }
        }

        /// Literal segments beside a path parameter. An identifier that a caller chooses may be none of them,
        /// because its object could not be reached.
        pub const RESERVED: &[(&str, &[&str])] = &[#(#reserved),*];
    })
}

/// Groups operations by path, literal segments before variable ones.
fn by_path(operations: &[Operation]) -> Vec<(&str, Vec<&Operation>)> {
    let mut paths: Vec<(&str, Vec<&Operation>)> = Vec::new();
    for operation in operations {
        match paths.iter_mut().find(|(path, _)| *path == operation.path) {
            Some((_, own)) => own.push(operation),
            None => paths.push((&operation.path, vec![operation])),
        }
    }
    paths.sort_by_key(|(path, _)| {
        path.split('/')
            .map(|segment| (segment.starts_with('{'), segment.to_owned()))
            .collect::<Vec<_>>()
    });
    paths
}

/// Returns literal siblings by the name of the path parameter beside them.
pub fn reserved(operations: &[Operation]) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for one in operations {
        for other in operations
            .iter()
            .filter(|other| is_literal_sibling(&one.path, &other.path))
        {
            for (mine, theirs) in one.path.split('/').zip(other.path.split('/')) {
                if mine == theirs {
                    continue;
                }
                if let Some(parameter) = theirs
                    .strip_prefix('{')
                    .and_then(|rest| rest.strip_suffix('}'))
                {
                    let words = found.entry(parameter.to_owned()).or_default();
                    if !words.iter().any(|word| word == mine) {
                        words.push(mine.to_owned());
                    }
                }
                break;
            }
        }
    }
    found
}
