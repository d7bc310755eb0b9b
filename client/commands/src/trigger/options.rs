//! The options of `multirail trigger`.

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::{Story, produced};
use crate::options::SandboxOptions;

#[derive(Args, Debug)]
pub(crate) struct TriggerOptions {
    /// The type of the event, or a story: a debit that is returned, or what a payer does
    #[arg(value_name = "EVENT", value_parser = PossibleValuesParser::new(triggered()))]
    pub(crate) event: String,
    #[command(flatten)]
    pub(crate) sandbox: SandboxOptions,
}

/// Returns the words of everything that can be triggered.
fn triggered() -> impl Iterator<Item = &'static str> {
    produced().chain(Story::ALL.into_iter().map(Story::as_str))
}
