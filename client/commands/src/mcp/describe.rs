//! The tool that describes the arguments of the others, whose list has only types.

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

use super::operation::{Operation, Reader};
use super::schema::{Detail, Outliner};

/// The name of the tool.
pub(super) const DESCRIBE: &str = "describe_operation";
/// The levels of members below a member that is described.
const LEVELS_OF_MEMBER: usize = 2;
/// The most names that lead to a member.
const DEEPEST: usize = 16;

/// Returns the tool.
pub(super) fn describing_tool() -> Tool {
    let text = |about: &str| json!({ "type": "string", "description": about });
    let member = "A member to describe instead, such as body.payment_method_data.card";
    let mut input = Map::new();
    input.insert("type".to_owned(), json!("object"));
    let properties = json!({ "operation": text("The name of a tool"), "member": text(member) });
    input.insert("properties".to_owned(), properties);
    input.insert("required".to_owned(), json!(["operation"]));
    input.insert("additionalProperties".to_owned(), json!(false));
    let about = "Describes an operation: its rules, and the arguments of its tool with their meaning and bounds. \
                 Members of members are described with `member`.";
    Tool::new(DESCRIBE, about, input).annotate(ToolAnnotations::new().read_only(true))
}

/// Describes an operation, or a member of its body, as JSON.
///
/// # Errors
/// The argument that is missing or unknown.
pub(super) fn describe(
    document: &Value,
    operations: &[Operation],
    mut arguments: JsonObject,
) -> Result<String, String> {
    let mut text = |name: &str| match arguments.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
            Err(format!("{name}: it has to be a text"))
        }
    };
    let name = text("operation")?.ok_or("operation: it is missing")?;
    let member = text("member")?;
    if let Some(surplus) = arguments.keys().next() {
        return Err(format!("{surplus}: there is no such argument"));
    }
    let operation = operations.iter().find(|one| one.tool.name == name);
    let operation = operation.ok_or_else(|| format!("operation: there is no tool {name}"))?;
    let reader = operation.reader(document);
    let described = match member {
        Some(member) => described_member(reader, &member)?,
        None => json!({
            "operation": name, "method": operation.method.as_str(), "path": operation.path,
            "description": reader.whole_description(),
            "input": reader.input(Detail::Everything)?,
        }),
    };
    Ok(described.to_string())
}

fn described_member(reader: Reader<'_>, member: &str) -> Result<Value, String> {
    let outliner = Outliner {
        document: reader.document,
        detail: Detail::Everything,
    };
    let unknown = || format!("member: the operation has no {member}");
    let mut names = member.split('.');
    let body = reader
        .body_schema()?
        .filter(|_| names.next() == Some("body"));
    let mut schema = body.ok_or_else(unknown)?;
    for (depth, name) in names.enumerate() {
        let found = match depth < DEEPEST {
            true => outliner.member(schema, name)?,
            false => None,
        };
        schema = found.ok_or_else(unknown)?;
    }
    let outline = outliner.outline(schema, LEVELS_OF_MEMBER)?;
    Ok(json!({ "member": member, "schema": outline }))
}
