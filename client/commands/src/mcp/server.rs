//! Answers the requests of the tool's client.

use std::sync::Arc;

use multirail_client::Client;
use rmcp::ErrorData;
use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    JsonObject, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::Value;
use tokio::sync::Semaphore;

use super::operation::{Key, Operation, Parameter, Place};
use crate::raw_call::{RawCall, path_segment};

/// The number of tools on a page of their list.
const PAGE: usize = 20;
/// The maximum size of an answer. A longer one would crowd out the rest of a conversation.
const LONGEST_RESULT: usize = 256 * 1024;
/// The maximum number of calls at the same time.
const MOST_CALLS: usize = 8;
const INSTRUCTIONS: &str = "\
Operations of a multirail payment service. Amounts are integers in the minor unit of their currency. A declined card is \
an ordinary answer with the status `failed`.";

/// The tools, and the clients that call their operations.
pub(super) struct ToolServer {
    operations: Vec<Operation>,
    merchant: Client,
    operator: Option<Client>,
    calls: Arc<Semaphore>,
}

impl ToolServer {
    pub(super) fn new(
        operations: Vec<Operation>,
        merchant: Client,
        operator: Option<Client>,
    ) -> Self {
        Self {
            operations,
            merchant,
            operator,
            calls: Arc::new(Semaphore::new(MOST_CALLS)),
        }
    }

    /// Calls an operation; returns its answer as text.
    ///
    /// # Errors
    /// The reason for the reader of the conversation.
    async fn call(&self, operation: &Operation, arguments: JsonObject) -> Result<String, String> {
        let client = match operation.key {
            Key::Merchant => &self.merchant,
            Key::Operator => self.operator.as_ref().ok_or("there is no operator's key")?,
        };
        let call = operation.fill(arguments)?;
        let _turn = self
            .calls
            .acquire()
            .await
            .map_err(|error| error.to_string())?;
        let answer = call.send(client).await?;
        if answer.is_refusal() {
            return Err(answer.refusal());
        }
        let text = answer.body.to_string();
        if text.len() > LONGEST_RESULT {
            return Err(format!(
                "the answer has {} bytes, more than {LONGEST_RESULT}: ask for less, such as with `limit`",
                text.len()
            ));
        }
        Ok(text)
    }
}

impl ServerHandler for ToolServer {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("multirail", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        page(&self.operations, cursor.as_deref())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let mut operations = self.operations.iter();
        let operation = operations.find(|one| one.tool.name == request.name);
        let operation = operation.ok_or_else(|| {
            let unknown = format!(
                "there is no tool {}; those that change something need --write",
                request.name
            );
            ErrorData::invalid_params(unknown, None)
        })?;
        let arguments = request.arguments.unwrap_or_default();
        let result = match self.call(operation, arguments).await {
            Ok(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
            Err(why) => CallToolResult::error(vec![ContentBlock::text(why)]),
        };
        Ok(result.into())
    }
}

/// Returns a page of the tools. The cursor is the number of the tools before it.
pub(super) fn page(
    operations: &[Operation],
    cursor: Option<&str>,
) -> Result<ListToolsResult, ErrorData> {
    let start = match cursor {
        None => 0,
        Some(cursor) => cursor
            .parse::<usize>()
            .ok()
            .filter(|start| *start < operations.len())
            .ok_or_else(|| ErrorData::invalid_params("cursor: it is none of this list", None))?,
    };
    let rest = operations.iter().skip(start);
    let tools: Vec<_> = rest.take(PAGE).map(|one| one.tool.clone()).collect();
    let next = start + tools.len();
    let mut page = ListToolsResult::with_all_items(tools);
    page.next_cursor = (next < operations.len()).then(|| next.to_string());
    Ok(page)
}

impl Operation {
    /// Fills in the request.
    ///
    /// # Errors
    /// The argument that is missing, surplus or of the wrong kind.
    pub(super) fn fill(&self, mut arguments: JsonObject) -> Result<RawCall, String> {
        let body = match self.has_body {
            true => arguments.remove("body"),
            false => None,
        };
        if body.is_none() && self.requires_body {
            return Err("body: it is missing".to_owned());
        }
        let mut call = RawCall {
            method: self.method.clone(),
            path: self.path.clone(),
            query: Vec::new(),
            body,
            headers: Vec::new(),
        };
        for parameter in &self.parameters {
            let name = &parameter.name;
            let Some(text) = text_of(parameter, arguments.remove(name))? else {
                continue;
            };
            match parameter.place {
                Place::Path => {
                    let segment = path_segment(&text).map_err(|why| format!("{name}: {why}"))?;
                    call.path = call.path.replace(&format!("{{{name}}}"), &segment);
                }
                Place::Query => call.query.push((name.clone(), text)),
                Place::Header => call.headers.push((name.clone(), text)),
            }
        }
        match arguments.keys().next() {
            Some(surplus) => Err(format!("{surplus}: there is no such argument")),
            None => Ok(call),
        }
    }
}

/// Returns the text of a parameter's argument, if there is one.
fn text_of(parameter: &Parameter, argument: Option<Value>) -> Result<Option<String>, String> {
    let name = &parameter.name;
    match argument {
        None | Some(Value::Null) if parameter.is_required => Err(format!("{name}: it is missing")),
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(value @ (Value::Number(_) | Value::Bool(_))) => Ok(Some(value.to_string())),
        Some(Value::Array(_) | Value::Object(_)) => Err(format!(
            "{name}: it has to be a text, a number, true or false"
        )),
    }
}
