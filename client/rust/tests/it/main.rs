//! The client against servers with given answers. All in one program, since each would link the whole client.

mod answers;
mod connection;
mod errors;
mod instruments;
mod lists;
mod retries;
mod streams;
mod support;
