//! `multirail check-config`: what would hold, and whether `serve` would start.

use std::io::Write;

use super::Failure;
use crate::config::{Config, Inputs, Mode};

pub(super) fn perform(inputs: &Inputs, out: &mut dyn Write) -> Result<(), Failure> {
    let config = Config::read(inputs)?;
    write!(out, "{}", config.printout())?;
    for warning in config.warnings() {
        writeln!(out, "\nwarning: {warning}")?;
    }
    out.flush()?;
    // Problems come last, where people look.
    config.check()?;
    let kind = match config.mode {
        Mode::Production => "a production server",
        Mode::Sandbox => "a sandbox",
        Mode::PublicSandbox => "a public sandbox",
    };
    writeln!(out, "\nThese settings start {kind}.")?;
    Ok(())
}
