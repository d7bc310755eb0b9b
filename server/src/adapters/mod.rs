//! What the ports are filled in with. Adapters know the domain and their own library, never each other.

pub mod clock;
pub mod connectors;
pub mod random;
pub mod seal;
pub mod store;
