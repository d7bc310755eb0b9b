//! Typed client of the multirail API.
//!
//! [`Connection`] takes an address and a key and makes a [`Client`], which has one method for each operation of the
//! API. Each method answers a builder: fill it in, [`send`](builder::PaymentsConfirm::send) it, and use `?` with
//! [`Error`].
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
//!     Err(error) if error.is_outcome_unknown() => println!("ask for the payment before doing it anew: {error}"),
//!     Err(error) => println!("refused: {error}"),
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # What to know
//!
//! - **Keys** don't print: not with the connection, not with the client, not in an error.
//! - **Words** may be added to the enumerations of answers. Each enumeration has a variant `Unknown` that keeps such a
//!   word, so an older client reads the answers of a newer server.
//! - **Errors** have the code to decide by and the request id to tell the operator: [`Error`].
//! - **Repeating** is done for you where it is harmless: calls that change something for a merchant carry an idempotency
//!   key from the first try on, so that the service does them once ([`Connection::tries`]). What still fails tells by
//!   [`Error::is_retryable`] that a repetition may go better, and by [`Error::is_outcome_unknown`] that the call may have
//!   worked after all. To repeat it from another process or after a crash, give it a key that you have stored: each
//!   builder of such a call has `idempotency_key`. [`is_replayed`] tells a repeated answer from a first one.
//! - **Webhooks** are verified and read by [`webhooks::Verifier`].
//! - **Requests** have `new` with what they can't do without, and a setter for every member. What a payer pays with is an
//!   [`Instrument`]; [`PaysWith`] sets the members that go with it.
//! - **Lists** turn their own pages: fill in the call of a list and `stream` it, such as
//!   [`client.customers_list().email("ada@shopper.example").stream()`](builder::CustomersList::stream). Payments are listed by
//!   [`Client::payments`]; what is asked for with a body by [`Client::filtered_payments`], [`Client::refunds`] and
//!   [`Client::events`].
//!
//! The README lists the examples: whole programs, one for each of payments, refunds, disputes, saved cards, mandates,
//! subscriptions, routing, wallets, 3-D Secure and webhooks.

mod answers;
mod connect;
mod error;
mod instruments;
mod kept;
mod lists;
mod pages;
pub mod requests;
mod retries;
mod retry;

#[rustfmt::skip]
#[allow(clippy::all, unused_imports, rustdoc::bare_urls, rustdoc::broken_intra_doc_links, rustdoc::invalid_html_tags)]
mod generated;

pub use answers::{is_replayed, request_id};
pub use connect::{ConnectError, Connection};
pub use error::Error;
/// What a builder's `send` fails with; `?` turns it into [`Error`].
pub use generated::client::Error as SendError;
pub use generated::client::{ByteStream, Client, ClientInfo, ResponseValue, builder};
pub use instruments::{Instrument, PaysWith};
pub use kept::{KeptElsewhere, SeriesCard};
pub use multirail_types as types;
pub use multirail_webhooks as webhooks;
pub use pages::PaymentQuery;
pub use retries::Retries;
