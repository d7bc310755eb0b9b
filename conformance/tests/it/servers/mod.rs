//! Several servers on one PostgreSQL: they share their state, and work is done once.

pub mod damage;
mod elimination;
mod keys;
pub mod site;
mod start;
mod stop;
pub mod stored;
mod webhooks;
