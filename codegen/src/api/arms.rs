//! The dispatcher's arms: one boxed future an operation, so that no caller's stack holds all of them.

use quote::quote;

use crate::api::{parameters, traits::Group};
use crate::document::Operation;
use crate::{Error, names, render};

/// The file of the arms.
///
/// # Errors
/// The tokens aren't Rust, which is a fault of the generator.
pub fn emit(groups: &[Group<'_>]) -> Result<String, Error> {
    let bounds: Vec<_> = groups
        .iter()
        .map(|group| {
            let name = names::ident(&group.name);
            quote!(#name<Context = C>)
        })
        .collect();
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
    render::file(quote! {
        use super::operations::Op;
        #(#imports)*
        use crate::{ApiError, call::Call, hooks::Hooks};
        use dropshot::{Body, ServerContext};
        #[allow(unused_imports)]
        use dropshot::{Path, Query, TypedBody};
        use futures::future::BoxFuture;
        use http::Response;

        /// Every trait of the document at once: what a server implements.
        pub trait Apis<C: ServerContext>: #(#bounds)+* {}

        impl<C: ServerContext, S> Apis<C> for S where S: #(#bounds)+* {}

        /// Reads what the operation takes, calls its method, and writes what the method answers.
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
    })
}

fn arm(group: &Group<'_>, operation: &Operation) -> proc_macro2::TokenStream {
    let op = super::op(operation);
    let module = names::ident(&names::module(group.tag));
    let (api, method) = (
        names::ident(&group.name),
        names::ident(&names::snake(&operation.id)),
    );
    let mut reads = Vec::new();
    let mut arguments = Vec::new();
    if !operation.path_parameters().is_empty() {
        let name = parameters::path_struct(operation);
        reads.push(quote!(let path: super::#module::#name = call.path()?;));
        arguments.push(quote!(Path::from(path)));
    }
    if !operation.query_parameters().is_empty() {
        let name = parameters::query_struct(operation);
        reads.push(quote!(let query: super::#module::#name = call.query()?;));
        arguments.push(quote!(Query::from(query)));
    }
    if let Some(request) = &operation.request {
        let request = names::ident(request);
        reads.push(quote!(let body: Box<multirail_types::#request> = call.body().await?;));
        arguments.push(quote!(TypedBody::from(body)));
    }
    if operation.raw_body_bytes.is_some() {
        reads.push(quote!(let body = call.raw_body().await?;));
        arguments.push(quote!(body));
    }
    let answer = if operation.security.is_empty() {
        quote!(call.answer_anyone(|rqctx| <S as #api>::#method(rqctx, #(#arguments),*)))
    } else {
        quote!(call.answer(|rqctx, caller| <S as #api>::#method(rqctx, caller, #(#arguments),*)))
    };
    quote! {
        #op => Box::pin(async move {
            #(#reads)*
            #answer.await
        }),
    }
}
