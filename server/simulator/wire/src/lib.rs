//! The API of the simulated processor: HTTP with JSON bodies.
//!
//! | Request | Body | Answer (200) |
//! |---|---|---|
//! | `POST /{connector}/authorizations` | [`AuthorizeBody`] | [`AuthorizationAnswer`] |
//! | `POST /{connector}/authorizations/{key}/device_data` | [`DeviceDataBody`] | [`AuthorizationAnswer`] |
//! | `POST /{connector}/increments` | [`IncrementBody`] | [`CaptureAnswer`] |
//! | `POST /{connector}/captures` | [`CaptureBody`] | [`CaptureAnswer`] |
//! | `POST /{connector}/voids` | [`VoidBody`] | [`VoidAnswer`] |
//! | `POST /{connector}/refunds` | [`RefundBody`] | [`RefundAnswer`] |
//! | `GET /{connector}/{authorizations,increments,captures,voids,refunds}/{key}` | none | the same |
//! | `GET /{connector}/disputes/{reference}` | none | [`DisputeAnswer`] |
//! | `POST /{connector}/disputes` | [`DisputeListBody`] | [`DisputeListAnswer`] |
//! | `POST /{connector}/disputes/{reference}/accept` | none | the same |
//! | `POST /{connector}/disputes/{reference}/challenge` | [`ChallengeBody`] | the same |
//! | `POST /{connector}/sessions` | [`SessionBody`] | [`SessionAnswer`] |
//! | `GET /{connector}/account` | none | [`AccountAnswer`] |
//! | `POST /{connector}/account/notices` | [`NoticeEndpointBody`] | [`AccountAnswer`] |
//!
//! `{connector}` is one of [`NAMES`]. Every request carries an `api-key`. Every POST of an
//! operation carries an `idempotency-key`, under which the processor files it. A repeated key gets
//! the current answer of its operation and does nothing else; with other terms it is refused (409).
//! Refusals have a status of 400 to 409 and an [`ErrorAnswer`]. They are filed too, so a look-up
//! finds them as `declined`. Amounts are in minor units.

mod answers;
mod asked;
mod debits;
mod disputes;
pub mod errors;
mod message;
mod notices;
mod payer_methods;
mod transport;

pub use answers::*;
pub use asked::*;
pub use debits::*;
pub use disputes::*;
pub use message::*;
pub use notices::*;
pub use payer_methods::{PAYER_METHODS, PayerMethod, Step};
pub use transport::{Transport, TransportError};

/// The simulated processors. One simulator has several names, so that routing has a choice.
pub const NAMES: [&str; 7] = [
    "stripe_test",
    "adyen_test",
    "checkout_test",
    "paypal_test",
    "fauxpay",
    "pretendpay",
    "phonypay",
];

/// The key that the processor refuses. Every other key has an account of its own.
pub const REFUSED_API_KEY: &str = "refused_key";

/// The header with the merchant's key.
pub const API_KEY_HEADER: &str = "api-key";
/// The header with the key of the operation.
pub const KEY_HEADER: &str = "idempotency-key";
/// The header with a notice's signature: the HMAC-SHA256 of its body in hex, made with the
/// merchant's secret.
pub const NOTICE_SIGNATURE_HEADER: &str = "simulator-signature";
