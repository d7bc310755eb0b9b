//! Card numbers: their networks, and their detection in texts.

mod leak;
mod network;
mod number;
mod ranges;

pub use leak::{TextKind, holds_card_number};
pub use network::Network;
pub use number::{CardNumber, InvalidCardNumber};
