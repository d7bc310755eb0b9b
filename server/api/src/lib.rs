//! The API of multirail in Rust: traits, matcher, dispatcher and operation table generated from the document, and the
//! frame around them.
//!
//! A server implements the traits and [`Hooks`]. Each crate makes the [`arms`] of its tags, and [`register`] takes them
//! all. For each request, the frame takes these steps:
//!
//! 1. the matcher finds the operation; unknown paths and wrong methods are answered here, requests with ambiguous
//!    headers, and those that [`Hooks::admit`] refuses;
//! 2. [`Hooks::authenticate`] reads the key, before any of the body is read;
//! 3. path, query and body are read within limits and checked against the document's own schemas, so that errors name
//!    the member;
//! 4. a payer's client is bound to its payment, and members that clients may not send are refused;
//! 5. a request with an idempotency key, of an operation that takes one, goes to [`Hooks::claim`], which may return a
//!    stored answer;
//! 6. the typed method runs in a boxed future; a panic becomes an ordinary 500;
//! 7. the answer to a claimed request goes through [`Hooks::conclude`];
//! 8. [`Hooks::finish`] sees the result; the rest of the body is read and dropped after the answer.

mod api_trait;
mod arguments;
mod body;
mod call;
mod console_path;
mod dispatch;
mod error;
mod event_stream;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod hooks;
mod idempotency;
mod input;
mod json;
mod json_answer;
mod logged_call;
mod member_names;
mod operation;
mod path;
mod plain_text;
mod prepare;
pub mod principal;
mod published;
mod query;
mod raw_body;
mod read;
mod rest;
mod schema;
mod similar_name;
mod single;
mod unused;
mod validate;
mod violation;

#[rustfmt::skip]
#[allow(clippy::all, rustdoc::bare_urls, rustdoc::broken_intra_doc_links, rustdoc::invalid_html_tags)]
mod generated;

pub use arguments::{Path, Query, TypedBody};
pub use call::Call;
pub use console_path::is_console_call;
pub use dispatch::{Route, path_parameter, path_template, register, route};
pub use error::{API, ApiError, INVALID_REQUEST};
pub use event_stream::EventStream;
pub use generated::arms::{self, Arms};
pub use generated::keyed::Keyed;
pub use generated::operations::{Mutation, OPERATIONS, Op, Tag};
pub use generated::routes::RESERVED;
pub use generated::*;
pub use hooks::{
    Authenticated, Begun, Finished, Hooks, Limits, Other, Presented, RecordedRequest, Session,
    Ticket,
};
pub use idempotency::{Answers, IDEMPOTENCY_KEY, IdempotentRequest, KeyState};
pub use json_answer::{Answer, JsonAnswer};
pub use logged_call::{LoggedCall, SharedAnswer};
pub use member_names::{is_coded, is_free, is_member, is_term};
pub use multirail_types as types;
pub use operation::{OpInfo, Origin, Role, Scheme};
pub use plain_text::PlainText;
pub use principal::{
    ActsBy, Admin, AdminOrMerchant, AdminOrUser, Caller, Client, Customer, Merchant,
    MerchantOrClient, MerchantOrCustomer, MerchantOrPayer, MerchantOrSubscriber, Principal,
    Subscriber, User,
};
pub use published::{document_json, document_yaml};
pub use raw_body::RawBody;
pub use schema::{answer_schema, error_schema, is_secret};

#[cfg(test)]
mod tests;
