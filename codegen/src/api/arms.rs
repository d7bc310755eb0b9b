//! The dispatcher's arms: one boxed future an operation, so that no caller's stack holds all of them.

use proc_macro2::TokenStream;
use quote::quote;

use crate::api::{parameters, traits::Group};
use crate::document::Operation;
use crate::{Error, names, render};

/// Returns the file of the arms.
///
/// # Errors
/// Fails when the tokens aren't Rust, which is a fault of the generator.
pub fn emit(groups: &[Group<'_>]) -> Result<String, Error> {
    // The traits of a tag follow each other.
    let types = groups
        .chunk_by(|one, next| one.tag == next.tag)
        .map(|of_tag| {
            let tag = names::ident(&names::pascal(of_tag[0].tag));
            let bounds = of_tag.iter().map(|group| {
                let name = names::ident(&group.name);
                quote!(#name<Context = C>)
            });
            quote!(type #tag: #(#bounds)+*;)
        });
    let imports = groups.iter().map(|group| {
        let (module, name) = (
            names::ident(&names::module(group.tag)),
            names::ident(&group.name),
        );
        quote!(use super::#module::#name;)
    });
    let arms = groups.iter().flat_map(|group| {
        group
            .operations
            .iter()
            .map(|operation| arm(group, operation))
    });
    let takes = || {
        groups.iter().flat_map(|group| {
            let operations = group.operations.iter();
            operations.map(|operation| {
                (
                    super::op(operation),
                    Takes::from_operation(group, operation),
                )
            })
        })
    };
    let addresses = takes().map(|(op, Takes { path, query, .. })| {
        let path = path.map(|path| quote!(given.path::<#path>()?;));
        let query = query.map(|query| quote!(given.query::<#query>()?;));
        quote!(#op => { #path #query })
    });
    let bodies = takes().map(|(op, Takes { body, .. })| {
        let body = body.map(|body| quote!(given.body::<#body>()?;));
        quote!(#op => { #body })
    });
    render::file(quote! {
        use super::operations::Op;
        #(#imports)*
        use crate::{ApiError, call::Call, hooks::Hooks};
        use dropshot::{Body, ServerContext};
        #[allow(unused_imports)]
        use dropshot::{Path, Query, TypedBody};
        use futures::future::BoxFuture;
        use http::Response;

        /// The types that implement the traits of the document, one for each tag. A server names them once, so that a
        /// crate can bring along the operations of its tags.
        pub trait Apis<C: ServerContext>: 'static {
            #(#types)*
        }

        /// Reads the operation's parameters and body, calls its method, and writes the answer.
        pub(crate) fn run<C, H, S>(op: Op, mut call: Call<C, H>) -> BoxFuture<'static, Result<Response<Body>, ApiError>>
        where
            C: ServerContext,
            H: Hooks<C>,
            S: Apis<C>,
        {
            match op {
                #(#arms)*
            }
        }

        /// Reads an operation's path and query into their types, and drops them.
        #[cfg(any(test, fuzzing))]
        pub(crate) fn fits_address(op: Op, given: &crate::fuzz::Given<'_>) -> Result<(), ApiError> {
            match op {
                #(#addresses)*
            }
            Ok(())
        }

        /// Reads an operation's body into its type, and drops it.
        #[cfg(any(test, fuzzing))]
        pub(crate) fn fits_body(op: Op, given: &crate::fuzz::Given<'_>) -> Result<(), ApiError> {
            match op {
                #(#bodies)*
            }
            Ok(())
        }
    })
}

/// The types of an operation's path, query and body, if it has them.
struct Takes {
    path: Option<TokenStream>,
    query: Option<TokenStream>,
    body: Option<TokenStream>,
}

impl Takes {
    fn from_operation(group: &Group<'_>, operation: &Operation) -> Self {
        let module = names::ident(&names::module(group.tag));
        let of_module = |name| quote!(super::#module::#name);
        let has_path = !operation.path_parameters().is_empty();
        let has_query = !operation.query_parameters().is_empty();
        Self {
            path: has_path.then(|| of_module(parameters::path_struct(operation))),
            query: has_query.then(|| of_module(parameters::query_struct(operation))),
            body: operation.request.as_ref().map(|request| {
                let request = names::ident(request);
                quote!(Box<multirail_types::#request>)
            }),
        }
    }
}

fn arm(group: &Group<'_>, operation: &Operation) -> TokenStream {
    let op = super::op(operation);
    let (tag, api, method) = (
        names::ident(&names::pascal(group.tag)),
        names::ident(&group.name),
        names::ident(&names::snake(&operation.id)),
    );
    let Takes { path, query, body } = Takes::from_operation(group, operation);
    let mut reads = Vec::new();
    let mut arguments = Vec::new();
    if let Some(path) = path {
        reads.push(quote!(let path: #path = call.path()?;));
        arguments.push(quote!(Path::from(path)));
    }
    if let Some(query) = query {
        reads.push(quote!(let query: #query = call.query()?;));
        arguments.push(quote!(Query::from(query)));
    }
    if let Some(body) = body {
        reads.push(quote!(let body: #body = call.body().await?;));
        arguments.push(quote!(TypedBody::from(body)));
    }
    if operation.raw_body_bytes.is_some() {
        reads.push(quote!(let body = call.raw_body().await?;));
        arguments.push(quote!(body));
    }
    let answer = if operation.security.is_empty() {
        quote!(call.answer_anyone(|rqctx| <S::#tag as #api>::#method(rqctx, #(#arguments),*)))
    } else {
        quote!(call.answer(|rqctx, caller| <S::#tag as #api>::#method(rqctx, caller, #(#arguments),*)))
    };
    quote! {
        #op => Box::pin(async move {
            #(#reads)*
            #answer.await
        }),
    }
}
