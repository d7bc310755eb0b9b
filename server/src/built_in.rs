//! The parts that a program is built with.

use multirail_connector_kit::ConnectorSet;
use multirail_domain::routing::RoutingStrategy;

/// The parts that the program chooses. This crate names none of them, so a change of one compiles the part and links the
/// program.
#[derive(Clone, Copy)]
pub struct BuiltIn {
    /// The connectors to processors.
    pub connectors: &'static dyn ConnectorSet,
    /// The rules that choose connector accounts.
    pub routing: &'static dyn RoutingStrategy,
}
