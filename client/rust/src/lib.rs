//! Typed client of the multirail API.
//!
//! [`Connection`] takes an address and a key and makes a [`Client`], whose methods are the operations of the API. Each
//! method returns a builder: fill it in, [`send`](builder::PaymentsConfirm::send) it, and use `?` with [`Error`].
//!
//! `events_follow` has no method, because its answer is a stream: read `GET /user/changes` as server-sent events.
//! `notices_receive` has none either: only processors call it.
//!
//! ```no_run
//! use multirail_client::types::{Currency, PaymentConfirmRequest, PaymentCreateRequest, PaymentStatus};
//! use multirail_client::{Connection, Error, PaysWith, requests};
//!
//! # async fn pay() -> Result<(), Box<dyn std::error::Error>> {
//! let client = Connection::new("http://127.0.0.1:8080")
//!     .secret_key(std::env::var("MULTIRAIL_API_KEY")?)
//!     .build()?;
//!
//! let order = PaymentCreateRequest::new(6540, Currency::Usd).description("Two books");
//! let payment = client.payments_create().body(order).send().await?;
//!
//! let confirm = PaymentConfirmRequest::new().pays_with(requests::card_of("4111111111111111", "10", "2035", "123"));
//! let answer = client.payments_confirm().payment_id(&payment.payment_id).body(confirm).send().await;
//! match answer.map_err(Error::from) {
//!     Ok(payment) if payment.status == PaymentStatus::Succeeded => println!("paid"),
//!     // A declined card is an answer too: the status is `failed`, and the payment says why.
//!     Ok(payment) => println!("{}: {:?}", payment.status, payment.error_message),
//!     Err(error) if error.is_outcome_unknown() => println!("retrieve the payment before you repeat the call: {error}"),
//!     Err(error) => println!("refused: {error}"),
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Overview
//!
//! - **Keys** never print: not with the connection, the client or an error.
//! - **Words** may be added to the enumerations of answers. Each enumeration has a variant `Unknown` that preserves such
//!   a word, so an older client reads the answers of a newer server.
//! - **Errors** have a code for the program and a request id for the operator: [`Error`].
//! - **Retries** are automatic where they are harmless. Calls that change something for a merchant carry an idempotency
//!   key from the first try on, so that the service executes them once ([`Connection::tries`]). If a call still fails,
//!   [`Error::is_retryable`] says whether a repetition may help, and [`Error::is_outcome_unknown`] whether the call may
//!   have taken effect. To repeat it from another process or after a crash, give it a key that you have stored: each
//!   builder of such a call has `idempotency_key`. [`is_replayed`] distinguishes a repeated answer from a first one.
//! - **Webhooks** are verified and read by [`webhooks::Verifier`].
//! - **Requests** have `new` with the required members, and a setter for every member. An [`Instrument`] is a card or
//!   another means of payment; [`PaysWith`] sets its members.
//! - **Lists** fetch their pages themselves: fill in the call of a list and `stream` it, such as
//!   [`client.customers_list().email("ada@shopper.example").stream()`](builder::CustomersList::stream).
//!   [`Client::payments`] lists payments. Lists with a filter in the body are [`Client::filtered_payments`],
//!   [`Client::refunds`] and [`Client::events`].
//!
//! The README lists the examples: whole programs, one for each of payments, refunds, disputes, saved cards, mandates,
//! subscriptions, routing, wallets, 3-D Secure and webhooks.

mod answers;
mod builders;
mod calls;
mod connect;
mod error;
mod instruments;
mod lists;
mod pages;
mod payer_method;
mod recurring;
pub mod requests;
mod retries;
mod retry;

#[rustfmt::skip]
#[allow(clippy::all, unused_imports, rustdoc::bare_urls, rustdoc::broken_intra_doc_links, rustdoc::invalid_html_tags)]
mod generated;

pub use answers::{is_replayed, request_id};
pub use connect::{ConnectError, Connection};
pub use error::Error;
/// The error of a builder's `send`; `?` turns it into [`Error`].
pub use generated::client::Error as SendError;
pub use generated::client::{ByteStream, Client, ClientInfo, ResponseValue, builder};
pub use instruments::{Instrument, PaysWith};
pub use multirail_types as types;
pub use multirail_webhooks as webhooks;
pub use pages::PaymentQuery;
pub use payer_method::PayerMethod;
pub use recurring::{KeptElsewhere, SeriesCard};
pub use retries::Retries;
