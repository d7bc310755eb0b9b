//! All that a connector knows of multirail: what it is asked and may answer, and the instruments that it charges. It knows
//! nothing of payments, merchants or what is stored.

pub mod browser;
pub mod card;
pub mod charge;
pub mod connector;
pub mod consent;
pub mod evidence;
pub mod instrument;
pub mod order_item;
pub mod payment_method;
pub mod wallet;
