//! The options of `multirail listen`.

use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::options::AccessOptions;
use crate::trigger::produced;

#[derive(Args, Debug)]
pub(crate) struct ListenOptions {
    /// The receiver to which deliveries are forwarded: a port of this machine such as 3000, or an address such as
    /// localhost:3000/webhooks. They are only printed if it's missing
    #[arg(long, value_name = "URL")]
    pub(crate) forward_to: Option<String>,
    /// Only these event types, separated by commas. Others are answered 200 and not shown
    #[arg(long, value_name = "TYPES", value_delimiter = ',', value_parser = PossibleValuesParser::new(produced()))]
    pub(crate) events: Vec<String>,
    /// The business profile, if the merchant has several
    #[arg(long, value_name = "ID")]
    pub(crate) profile_id: Option<String>,
    /// Port on 127.0.0.1; 0 takes a free one
    #[arg(long, default_value_t = 0)]
    pub(crate) port: u16,
    /// Print the whole body of each delivery
    #[arg(long)]
    pub(crate) show_body: bool,
    #[command(flatten)]
    pub(crate) access: AccessOptions,
}
