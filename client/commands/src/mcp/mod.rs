//! `multirail mcp`: the API's operations as tools of the Model Context Protocol, over standard input and output.

mod describe;
mod operation;
mod schema;
mod secret;
mod server;

use rmcp::ServiceExt;
use rmcp::transport::async_rw::AsyncRwTransport;
use serde_json::Value;
use tokio::io::{stdin, stdout};
use tokio::sync::Semaphore;

use crate::access::Access;
use crate::failure::Failure;
use crate::options::McpOptions;
use operation::{Offer, read_operations};
use server::ToolServer;

/// The maximum size of a message from the tool's client.
const LONGEST_MESSAGE: usize = 1024 * 1024;
/// The maximum number of calls at the same time.
const MOST_CALLS: usize = 8;

/// Serves until standard input ends.
pub(crate) async fn run(options: McpOptions, document: &str) -> Result<(), Failure> {
    let access = Access::find_with_operator(&options.access, &options.operator)?;
    let offer = Offer {
        writes: options.write,
        tags: options.tags,
        has_operator: access.admin_key.is_some(),
    };
    let document: Value = serde_json::from_str(document)
        .map_err(|error| Failure::Unexpected(format!("the interface document: {error}")))?;
    let operations = read_operations(&document, &offer).map_err(Failure::Usage)?;
    let tools = ToolServer {
        document,
        operations,
        merchant: access.client(None)?,
        operator: access.operator()?,
        shows_secrets: options.show_secrets,
        calls: Semaphore::new(MOST_CALLS),
    };
    let transport =
        AsyncRwTransport::new_server(stdin(), stdout()).with_max_line_length(LONGEST_MESSAGE);
    let broken = |error: String| Failure::Unexpected(format!("the conversation broke: {error}"));
    let running = tools.serve(transport).await;
    let running = running.map_err(|error| broken(error.to_string()))?;
    let ended = running.waiting().await;
    ended.map(drop).map_err(|error| broken(error.to_string()))
}

#[cfg(test)]
mod tests;
