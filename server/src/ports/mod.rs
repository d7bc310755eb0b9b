//! What the use cases need of the outside, as traits. `startup` is the only place that fills them in.

pub mod clock;
pub mod connector;
pub mod metric;
pub mod payer_pages;
pub mod payment_search;
pub mod seal;
pub mod store;

pub use clock::Clock;
pub use connector::Connector;
pub use payer_pages::PayerPages;
pub use payment_search::PaymentSearch;
pub use seal::Seal;
pub use store::{Actor, Change, ChangeSet, CommitError, Store, StoreFailure};
