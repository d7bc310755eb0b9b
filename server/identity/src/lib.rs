//! Users: people who sign in. A satellite: nothing of the core knows it, and the program plugs it in.

pub mod app;
#[cfg(test)]
mod fixture;
pub mod ports;
pub mod store;
pub mod workers;
