//! Wire to domain and back, for payments.

pub(crate) mod bank_debit;
pub mod dispute;
pub mod dispute_search;
pub mod evidence;
pub(crate) mod mandate_request;
pub mod offered;
pub(crate) mod particulars;
mod payer_method;
pub mod payment_answer;
pub(crate) mod payment_instrument;
pub(crate) mod payment_members;
pub mod payment_request;
pub mod payment_search;
pub(crate) mod recurring;
pub mod refund;
pub mod refund_search;
pub mod session_tokens;
pub mod trouble;
pub(crate) mod user_payment;
pub(crate) mod wallet;
pub(crate) mod words;
