//! The processor's side of the simulator: a processor with a durable ledger of its own, pages where a payer approves or
//! rejects, notices of what is decided late, faults by script, and all of it over HTTP in a process of its own. It knows nothing of multirail beyond the
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
