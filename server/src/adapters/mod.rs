//! What the ports are filled in with. Adapters know the domain and their own library, never each other; what calls
//! addresses that others chose goes through `outbound`.

pub mod clock;
pub mod connectors;
pub mod outbound;
pub mod random;
pub mod seal;
pub mod store;
pub mod webhook_http;
