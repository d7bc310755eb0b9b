//! Traits that dropshot describes: one a tag, and more if its router can't hold all paths.
//!
//! When it makes a description, dropshot's router refuses a literal segment beside a variable one (`/payments/list` beside
//! `/payments/{payment_id}`). The dispatcher has no such limit; only the traits are split.

use proc_macro2::TokenStream;
use quote::quote;

use crate::api::parameters;
use crate::document::{Document, Operation, SuccessBody, items};
use crate::{Error, names, render};

/// The operations of one trait.
#[derive(Debug)]
pub struct Group<'a> {
    /// Tag that the trait belongs to.
    pub tag: &'a str,
    /// Name of the trait.
    pub name: String,
    /// Operations in the order of the document.
    pub operations: Vec<&'a Operation>,
}

/// Splits the operations into traits: one for each tag, then one more for each layer of literal siblings.
pub fn groups(operations: &[Operation]) -> Vec<Group<'_>> {
    let mut groups = Vec::new();
    for tag in super::tags(operations) {
        let mut rest: Vec<&Operation> = operations
            .iter()
            .filter(|operation| operation.tag == tag)
            .collect();
        let mut layer = 0;
        while !rest.is_empty() {
            let (later, now) = split(&rest);
            let suffix = match layer {
                0 => "Api".to_owned(),
                1 => "ApiLiterals".to_owned(),
                more => format!("ApiLiterals{more}"),
            };
            groups.push(Group {
                tag,
                name: format!("{}{suffix}", names::pascal(tag)),
                operations: now,
            });
            rest = later;
            layer += 1;
        }
    }
    groups
}

/// Returns the operations for later traits, and those that fit together in this one.
fn split<'a>(operations: &[&'a Operation]) -> (Vec<&'a Operation>, Vec<&'a Operation>) {
    operations.iter().copied().partition(|one| {
        operations
            .iter()
            .any(|other| is_literal_sibling(&one.path, &other.path))
    })
}

/// Returns whether `one` has a literal segment where `other`, equal up to there, has a variable.
pub fn is_literal_sibling(one: &str, other: &str) -> bool {
    for (mine, theirs) in one.split('/').zip(other.split('/')) {
        match (mine.starts_with('{'), theirs.starts_with('{')) {
            (false, true) => return true,
            (true, false) => return false,
            (false, false) if mine != theirs => return false,
            (false, false) | (true, true) => {}
        }
    }
    false
}

/// Returns the file of one tag.
///
/// # Errors
/// Fails when the tokens aren't Rust, which is a fault of the generator.
pub fn emit(document: &Document, groups: &[&Group<'_>]) -> Result<String, Error> {
    let parameters = groups
        .iter()
        .flat_map(|group| &group.operations)
        .flat_map(|operation| parameters::structs(document, operation));
    let mut text = render::file(quote! {
        #[allow(unused_imports)]
        use crate::{
            ApiError, EventStream, JsonAnswer, Path, PlainText, Query, TypedBody,
            principal::{
                Admin, AdminOrMerchant, AdminOrUser, Caller, Client, Merchant, MerchantOrClient, MerchantOrCustomer,
                MerchantOrPayer, MerchantOrSubscriber, User,
            },
        };
        #[allow(unused_imports)]
        use dropshot::RequestContext;
        #[allow(unused_imports)]
        use multirail_types as types;
    })?;
    for group in groups {
        let item = render::macro_input("crate::api_trait::api_trait", one(document, group))?;
        text.push_str(&format!("\n{item}"));
    }
    let structs = render::items(quote!(#(#parameters)*))?;
    if !structs.is_empty() {
        text.push_str(&format!("\n{structs}"));
    }
    Ok(text)
}

fn one(document: &Document, group: &Group<'_>) -> TokenStream {
    let name = names::ident(&group.name);
    let methods = group.operations.iter().map(|operation| method(operation));
    let description = items(&document.value["tags"])
        .find(|tag| tag["name"] == group.tag)
        .and_then(|tag| tag["description"].as_str())
        .unwrap_or(group.tag);
    let documentation = render::docs(description);
    quote! {
        #documentation
        #[dropshot::api_description]
        pub trait #name {
            /// The state that all requests share.
            type Context;

            #(#methods)*
        }
    }
}

fn method(operation: &Operation) -> TokenStream {
    let name = names::ident(&names::snake(&operation.id));
    let documentation = render::docs(&format!(
        "{}\n\n{}",
        operation.summary, operation.description
    ));
    let (verb, path, tag, id) = (
        names::ident(&operation.method),
        &operation.path,
        &operation.tag,
        &operation.id,
    );
    let caller = principal(operation).map(|principal| quote!(caller: Caller<#principal>,));
    let path_argument = (!operation.path_parameters().is_empty()).then(|| {
        let name = parameters::path_struct(operation);
        quote!(path: Path<#name>,)
    });
    let query_argument = (!operation.query_parameters().is_empty()).then(|| {
        let name = parameters::query_struct(operation);
        quote!(query: Query<#name>,)
    });
    let raw_argument = operation
        .raw_body_bytes
        .map(|_| quote!(body: crate::RawBody,));
    let body_argument = operation.request.as_ref().map(|request| {
        let request = names::ident(request);
        // Boxed: a request of a payment has five kilobytes, which every future with it would copy.
        quote!(body: TypedBody<Box<types::#request>>,)
    });
    let body = super::answer(&operation.success);
    let answer = match &operation.success {
        SuccessBody::Component(_) | SuccessBody::Array(_) => quote!(JsonAnswer<#body>),
        SuccessBody::Text | SuccessBody::EventStream => body,
    };
    quote! {
        #documentation
        #[endpoint(method = #verb, path = #path, tags = [#tag], operation_id = #id)]
        async fn #name(
            rqctx: RequestContext<Self::Context>,
            #caller #path_argument #query_argument #body_argument #raw_argument
        ) -> Result<#answer, ApiError>;
    }
}

/// Returns the type of an operation's principal; none if it needs no key.
pub fn principal(operation: &Operation) -> Option<proc_macro2::Ident> {
    principal_name(&operation.security).map(names::ident)
}

/// A payer's client; its secret comes in the request.
pub const PUBLISHABLE_KEY: &str = "publishable_key";
/// The same key with the secret of a subscription.
pub const SUBSCRIPTION_CLIENT: &str = "subscription_client";
/// The same client with both in one text.
pub const SDK_AUTHORIZATION: &str = "sdk_authorization";

/// A user's token.
pub const BEARER: &str = "bearer";

/// Returns the name of the principal type for a list of schemes; none if no type stands for them.
pub fn principal_name(security: &[String]) -> Option<&'static str> {
    let mut schemes: Vec<&str> = security.iter().map(String::as_str).collect();
    schemes.sort_unstable();
    // The same caller with both in one text: it stands beside the key, never alone.
    if schemes.contains(&PUBLISHABLE_KEY) {
        schemes.retain(|scheme| *scheme != SDK_AUTHORIZATION);
    }
    // A user acts for their merchant as its server does.
    if schemes.contains(&"api_key") {
        schemes.retain(|scheme| *scheme != BEARER);
    }
    match schemes.as_slice() {
        ["admin_api_key"] => Some("Admin"),
        ["api_key"] => Some("Merchant"),
        ["publishable_key"] => Some("Client"),
        ["bearer"] => Some("User"),
        ["admin_api_key", "bearer"] => Some("AdminOrUser"),
        ["admin_api_key", "api_key"] => Some("AdminOrMerchant"),
        ["api_key", "publishable_key"] => Some("MerchantOrClient"),
        ["api_key", "subscription_client"] => Some("MerchantOrSubscriber"),
        ["api_key", "ephemeral_key"] => Some("MerchantOrCustomer"),
        ["api_key", "ephemeral_key", "publishable_key"] => Some("MerchantOrPayer"),
        _ => None,
    }
}
