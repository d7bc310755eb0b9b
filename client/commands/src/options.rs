//! The options of the commands. Those with words of events are with their commands.

mod access;
mod text;

use std::path::PathBuf;

use chrono::{DateTime, Utc};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use multirail_client::types::RequestStatusClass;

use crate::logins::Name;
pub(crate) use access::{AccessOptions, Given, OperatorOptions, SERVER_VARIABLE};
use text::Text;

// An ordinary comment on this group: clap would show a doc comment as the text of a command.
//
// The login that a command stores, removes or uses.
#[derive(Args, Debug)]
pub(crate) struct LoginName {
    /// The name of the login
    #[arg(
        long,
        value_name = "NAME",
        env = "MULTIRAIL_PROFILE",
        default_value = "default",
        value_parser = Text.try_map(|name| name.parse::<Name>())
    )]
    pub(crate) profile: Name,
}

#[derive(Args, Debug)]
pub(crate) struct LoginOptions {
    /// The server's address, such as https://pay.example.com or localhost:8080; asked for if it's missing
    #[arg(long, value_name = "URL")]
    pub(crate) server: Option<String>,
    /// Read the secret key from standard input: the first line. A second line is the operator's key
    #[arg(long)]
    pub(crate) api_key_stdin: bool,
    #[command(flatten)]
    pub(crate) login: LoginName,
}

#[derive(Args, Debug)]
pub(crate) struct SeedOptions {
    /// Another number makes another week
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) sandbox: SandboxOptions,
}

// The sandbox in which a command makes objects. This is an ordinary comment, as that on `LoginName`.
#[derive(Args, Debug)]
pub(crate) struct SandboxOptions {
    /// The business profile, if the merchant has several
    #[arg(long, value_name = "ID")]
    pub(crate) profile_id: Option<String>,
    #[command(flatten)]
    pub(crate) access: AccessOptions,
    #[command(flatten)]
    pub(crate) operator: OperatorOptions,
}

#[derive(Args, Debug)]
pub(crate) struct FixturesOptions {
    /// The JSON file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Print the whole answers
    #[arg(long)]
    pub(crate) show_answers: bool,
    #[command(flatten)]
    pub(crate) access: AccessOptions,
}

#[derive(Args, Debug)]
pub(crate) struct ReceiveOptions {
    /// Port on 127.0.0.1; 0 takes a free one and prints it
    #[arg(long, default_value_t = 4242)]
    pub(crate) port: u16,
    /// The profile's webhook secret (whsec_...), to check webhook-signature. Can be given twice while a profile changes its
    /// secret, in the variable separated by commas
    #[arg(
        long,
        value_name = "SECRET",
        env = "WEBHOOK_SECRET",
        hide_env_values = true,
        value_delimiter = ',',
        value_parser = Text
    )]
    pub(crate) secret: Vec<String>,
    /// The profile's payment_response_hash_key, to check x-webhook-signature-512
    #[arg(
        long,
        value_name = "KEY",
        env = "WEBHOOK_HASH_KEY",
        hide_env_values = true,
        value_parser = Text
    )]
    pub(crate) hash_key: Option<String>,
    /// Answer the first so many deliveries with 500
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    pub(crate) fail_next: u32,
    /// Print the whole body of each delivery
    #[arg(long)]
    pub(crate) show_body: bool,
}

#[derive(Args, Debug)]
pub(crate) struct TailOptions {
    /// Only requests that were answered with a status of this class
    #[arg(long, value_name = "CLASS", value_parser = PossibleValuesParser::new(status_classes()))]
    pub(crate) status_class: Option<String>,
    /// Only requests of this operation, such as payments_confirm
    #[arg(long, value_name = "OPERATION")]
    pub(crate) operation: Option<String>,
    /// Only requests about this payment
    #[arg(long, value_name = "ID")]
    pub(crate) payment_id: Option<String>,
    /// Only requests that arrived at this time or after, such as 2026-01-05T10:00:00Z
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<DateTime<Utc>>,
    /// The number of earlier requests to print first, at most 1000
    #[arg(long, value_name = "COUNT", default_value_t = 10, value_parser = clap::value_parser!(u16).range(0..=1000))]
    pub(crate) lines: u16,
    /// Print each request as a JSON object in one line
    #[arg(long)]
    pub(crate) json: bool,
    /// Only requests of this business profile
    #[arg(long, value_name = "ID")]
    pub(crate) profile_id: Option<String>,
    #[command(flatten)]
    pub(crate) access: AccessOptions,
}

fn status_classes() -> impl Iterator<Item = &'static str> {
    RequestStatusClass::ALL
        .iter()
        .map(RequestStatusClass::as_str)
}

#[derive(Args, Debug)]
pub(crate) struct McpOptions {
    /// Also offer operations that change something
    #[arg(long)]
    pub(crate) write: bool,
    /// Only the operations of these tags of the document, separated by commas, such as Payments,Refunds
    #[arg(long, value_name = "TAGS", value_delimiter = ',')]
    pub(crate) tags: Vec<String>,
    /// Show the secrets of answers too: client secrets, keys and the addresses of payers' pages
    #[arg(long)]
    pub(crate) show_secrets: bool,
    #[command(flatten)]
    pub(crate) access: AccessOptions,
    #[command(flatten)]
    pub(crate) operator: OperatorOptions,
}
