//! Tests of the frame and of what is generated.

mod api;
mod bodies;
mod clients;
mod description;
mod document;
mod doorstep;
mod idempotency_keys;
mod matcher;
mod recording;
mod routing;
mod server;
mod small_stack;
mod unknown;
