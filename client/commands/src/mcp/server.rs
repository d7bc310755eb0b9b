//! Answers the requests of the tool's client.

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

use super::describe::{DESCRIBE, describe, describing_tool};
use super::operation::{Key, Operation, Parameter, Place};
use super::secret::hide_secrets;
use crate::raw_call::{RawCall, path_segment};

/// The maximum size of an answer. A longer one would crowd out the rest of a conversation.
const LONGEST_RESULT: usize = 256 * 1024;
const INSTRUCTIONS: &str = "\
Operations of a multirail payment service. Amounts are integers in the minor unit of their currency. A declined card is \
an ordinary answer with the status `failed`. The tools show the types of their arguments; `describe_operation` has their \
meaning, and the members of members. Secrets and the addresses of payers' pages are hidden in answers.";

/// The tools, and the clients that call their operations.
pub(super) struct ToolServer {
    pub(super) document: Value,
    pub(super) operations: Vec<Operation>,
    pub(super) merchant: Client,
    pub(super) operator: Option<Client>,
    /// True if answers keep their secrets.
    pub(super) shows_secrets: bool,
    /// The permits of calls at the same time.
    pub(super) calls: Semaphore,
}

impl ToolServer {
    /// Uses a tool; returns its answer as text.
    ///
    /// # Errors
    /// The reason, for the client if there is no such tool, and otherwise for the reader of the conversation.
    async fn use_tool(
        &self,
        name: &str,
        arguments: JsonObject,
    ) -> Result<Result<String, String>, ErrorData> {
        if name == DESCRIBE {
            return Ok(describe(&self.document, &self.operations, arguments));
        }
        let operation = self.operations.iter().find(|one| one.tool.name == name);
        let operation = operation.ok_or_else(|| {
            let unknown =
                format!("there is no tool {name}; those that change something need --write");
            ErrorData::invalid_params(unknown, None)
        })?;
        Ok(self.call(operation, arguments).await)
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
        let mut answer = call.send(client).await?;
        if answer.is_refusal() {
            return Err(answer.refusal());
        }
        if !self.shows_secrets {
            hide_secrets(&mut answer.body);
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
        match request.and_then(|request| request.cursor) {
            None => Ok(list(&self.operations)),
            Some(_) => Err(ErrorData::invalid_params(
                "cursor: the list has one page",
                None,
            )),
        }
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let result = match self.use_tool(&request.name, arguments).await? {
            Ok(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
            Err(why) => CallToolResult::error(vec![ContentBlock::text(why)]),
        };
        Ok(result.into())
    }
}

/// Returns all tools. Clients may not ask for a second page.
pub(super) fn list(operations: &[Operation]) -> ListToolsResult {
    let tools = operations.iter().map(|one| one.tool.clone());
    ListToolsResult::with_all_items([describing_tool()].into_iter().chain(tools).collect())
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
