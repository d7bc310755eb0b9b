//! The builders of the client's calls, shortened.
//!
//! progenitor writes out each builder's struct, its setters, and how its request is sent. They differ only in their names
//! and types, so the client has a macro and a function for them. Builders of another form, such as one with raw bytes, stay
//! as progenitor wrote them.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{Fields, ImplItem, Item, ItemImpl, ItemMod, Pat, Stmt, Type, parse_quote};

use crate::types::{argument, short};
use crate::{names, render};

/// Shortens the builders of a module, and returns the file with the ones that left it.
pub fn shorten(module: &mut ItemMod) -> String {
    let Some((_, items)) = &mut module.content else {
        return file("");
    };
    let builders: Vec<Builder> = items.iter().filter_map(Builder::from_item).collect();
    let mut moved: Vec<&Builder> = Vec::new();
    for item in items.iter_mut() {
        let Item::Impl(item) = item else { continue };
        let owner = builders.iter().find(|builder| builder.owns(item));
        if let Some(builder) = owner.filter(|builder| builder.strip(item)) {
            moved.push(builder);
        }
        item.items.iter_mut().for_each(shorten_end);
    }
    let is_moved = |item: &Item| match item {
        Item::Struct(item) => moved.iter().any(|builder| builder.name == item.ident),
        _ => false,
    };
    items.retain(|item| !is_moved(item));
    items.insert(
        0,
        parse_quote!(
            #[allow(unused_imports)]
            pub use crate::generated::builders::*;
        ),
    );
    let texts: String = moved.into_iter().map(Builder::invocation).collect();
    file(&texts)
}

fn file(texts: &str) -> String {
    format!(
        "{}
#[allow(unused_imports)]
use crate::builders::builder;
#[allow(unused_imports)]
use chrono::{{DateTime, offset::Utc}};
#[allow(unused_imports)]
use multirail_types::*;
{texts}",
        render::HEADER
    )
}

/// A builder in the form that the macro writes.
struct Builder {
    name: Ident,
    /// The method of the client that makes it.
    method: String,
    parameters: Vec<Parameter>,
}

struct Parameter {
    name: Ident,
    kind: Type,
    is_needed: bool,
}

impl Builder {
    /// Reads a struct, unless it is another one than the macro would write.
    fn from_item(item: &Item) -> Option<Self> {
        let Item::Struct(own) = item else {
            return None;
        };
        let Fields::Named(fields) = &own.fields else {
            return None;
        };
        let parameters = fields.named.iter().skip(1).map(|field| {
            let kind = argument(&field.ty, "Result")?;
            let inner = argument(kind, "Option");
            Some(Parameter {
                name: field.ident.clone()?,
                kind: inner.unwrap_or(kind).clone(),
                is_needed: inner.is_none(),
            })
        });
        let builder = Self {
            method: names::snake(&own.ident.to_string()),
            name: own.ident.clone(),
            parameters: parameters.collect::<Option<_>>()?,
        };
        is_same(&builder.declaration(), item).then_some(builder)
    }

    fn declaration(&self) -> Item {
        let name = &self.name;
        let method = format!("Client::{}", self.method);
        let about = format!("Builder for [`{method}`]\n\n[`{method}`]: super::{method}");
        let parameters = self.parameters.iter().map(|parameter| {
            let Parameter { name, kind, .. } = parameter;
            match parameter.is_needed {
                true => quote!(#name: Result<#kind, String>),
                false => quote!(#name: Result<Option<#kind>, String>),
            }
        });
        parse_quote! {
            #[doc = #about]
            #[derive(Debug, Clone)]
            pub struct #name<'a> {
                client: &'a super::Client,
                #(#parameters,)*
            }
        }
    }

    fn owns(&self, item: &ItemImpl) -> bool {
        let name = &self.name;
        let own = quote!(#name<'a>).to_string();
        item.trait_.is_none() && item.self_ty.to_token_stream().to_string() == own
    }

    /// Removes the methods that the macro writes, or nothing and returns false if one differs.
    fn strip(&self, item: &mut ItemImpl) -> bool {
        let methods = self.methods();
        let first = item.items.iter().take(methods.len());
        let is_written = is_same(
            &parse_quote!(impl Any { #(#methods)* }),
            &parse_quote!(impl Any { #(#first)* }),
        );
        if is_written {
            item.items.drain(..methods.len());
        }
        is_written
    }

    fn methods(&self) -> Vec<ImplItem> {
        let values = self.parameters.iter().map(
            |Parameter {
                 name, is_needed, ..
             }| {
                let missing = format!("{name} was not initialized");
                match is_needed {
                    true => quote!(#name: Err(#missing.to_string())),
                    false => quote!(#name: Ok(None)),
                }
            },
        );
        let new = parse_quote! {
            pub fn new(client: &'a super::Client) -> Self {
                Self { client: client, #(#values,)* }
            }
        };
        let setters = self.parameters.iter().map(
            |Parameter {
                 name,
                 kind,
                 is_needed,
             }| {
                let failed = format!(
                    "conversion to `{}` for {name} failed",
                    kind.to_token_stream()
                );
                let map = (!is_needed).then(|| quote!(.map(Some)));
                parse_quote! {
                    pub fn #name<V>(mut self, value: V) -> Self
                    where
                        V: std::convert::TryInto<#kind>,
                    {
                        self.#name = value.try_into() #map .map_err(|_| #failed.to_string());
                        self
                    }
                }
            },
        );
        std::iter::once(new).chain(setters).collect()
    }

    fn invocation(&self) -> String {
        let list = |is_needed| {
            let own = self
                .parameters
                .iter()
                .filter(move |one| one.is_needed == is_needed);
            own.map(|one| format!("{}: {}", one.name, short(one.kind.to_token_stream())))
        };
        let head = format!("{} => {}", self.method, self.name);
        let head = render::call(4, &head, list(true));
        let optional: Vec<String> = list(false).collect();
        match optional.is_empty() {
            true => format!("\nbuilder! {{\n    {head} {{}}\n}}\n"),
            false => {
                let optional = render::columns(8, optional.into_iter());
                format!("\nbuilder! {{\n    {head} {{\n{optional}    }}\n}}\n")
            }
        }
    }
}

/// Replaces the statements that send a request and read its answer, if they are the ones of the client's function.
fn shorten_end(method: &mut ImplItem) {
    let ImplItem::Fn(method) = method else { return };
    let statements = &mut method.block.stmts;
    let Some(start) = statements.len().checked_sub(END) else {
        return;
    };
    let Some(id) = operation_id(&statements[start]) else {
        return;
    };
    let answered = [
        (
            quote!(ResponseValue::from_response(response).await),
            quote!(answer),
        ),
        (quote!(Ok(ResponseValue::stream(response))), quote!(stream)),
    ];
    for (reading, function) in answered {
        let (own, known) = (&statements[start..], end(&id, &reading));
        if !is_same(
            &parse_quote!(fn any() { #(#own)* }),
            &parse_quote!(fn any() { #(#known)* }),
        ) {
            continue;
        }
        statements.truncate(start);
        if let Some(Stmt::Local(request)) = statements.last_mut()
            && let Pat::Ident(name) = &mut request.pat
        {
            // The function changes it now.
            request.attrs.clear();
            name.mutability = None;
        }
        statements.push(Stmt::Expr(
            parse_quote!(crate::calls::#function(client, #id, request).await),
            None,
        ));
        return;
    }
}

/// Checks whether two items are the same in one layout, which has no stray commas.
fn is_same(one: &Item, other: &Item) -> bool {
    let [one, other] = [one, other].map(|item| prettyplease::unparse(&parse_quote!(#item)));
    one == other
}

/// Number of statements in `end`.
const END: usize = 6;

/// Returns what progenitor writes behind the making of a request.
fn end(id: &str, reading: &TokenStream) -> Vec<Stmt> {
    let block: syn::Block = parse_quote!({
        let info = OperationInfo { operation_id: #id, };
        client.pre(&mut request, &info).await?;
        let result = client.exec(request, &info).await;
        client.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200u16 => #reading,
            400u16..=499u16 => Err(Error::ErrorResponse(ResponseValue::from_response(response).await?)),
            500u16..=599u16 => Err(Error::ErrorResponse(ResponseValue::from_response(response).await?)),
            _ => Err(Error::UnexpectedResponse(response)),
        }
    });
    block.stmts
}

/// Returns the id in `let info = OperationInfo { operation_id: "payments_create" };`.
fn operation_id(statement: &Stmt) -> Option<String> {
    let Stmt::Local(statement) = statement else {
        return None;
    };
    let syn::Expr::Struct(info) = statement.init.as_ref()?.expr.as_ref() else {
        return None;
    };
    match &info.fields.first()?.expr {
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(id),
            ..
        }) => Some(id.value()),
        _ => None,
    }
}
