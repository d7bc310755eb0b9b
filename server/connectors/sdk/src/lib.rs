//! The interface between multirail and its connectors: requests, outcomes, and the instruments that
//! connectors charge. It knows nothing of payments, merchants or storage.

pub mod bank_account;
pub mod bank_name;
pub mod banks;
pub mod browser;
pub mod card;
pub mod charge;
pub mod connector;
pub mod consent;
pub mod evidence;
pub mod instrument;
pub mod order_item;
pub mod payer_method;
pub mod payment_method;
pub mod required_field;
pub mod wallet;
