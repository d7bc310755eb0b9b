//! Users: people who sign in. It is a satellite: the program plugs it in, and the core doesn't depend on it.

pub mod app;
#[cfg(test)]
mod fixture;
pub mod ports;
pub mod store;
pub mod workers;
