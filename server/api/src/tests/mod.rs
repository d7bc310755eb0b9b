//! Tests of the frame and of the generated code.

mod api;
mod bodies;
mod clients;
mod described;
mod description;
mod document;
mod idempotency_keys;
mod matcher;
mod recording;
mod refused_json;
mod routing;
mod server;
mod small_stack;
mod unknown;
mod whole;
