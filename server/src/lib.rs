//! multirail: one API in front of many payment processors. See ARCHITECTURE.md for the map.

pub mod cli;
pub mod config;
pub mod sandbox_keys;
pub mod startup;
pub mod telemetry;
pub mod webhook_listener;
pub mod workers;
