//! The processor simulator: a durable ledger, pages where a payer approves or rejects, notices,
//! scripted faults, and an HTTP server in a process of its own. It shares with multirail only the
//! domain's words and the wire requests of [`multirail_simulator_wire`].

mod in_process;
pub mod notice;
pub mod pages;
pub mod processor;
pub mod scripted;
mod send_notices;
pub mod serve;

pub use in_process::InProcess;
pub use send_notices::send_notices;
