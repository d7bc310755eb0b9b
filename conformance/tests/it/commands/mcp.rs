//! `multirail mcp`, spoken to line by line.

use std::io::{BufRead, BufReader, Write};
use std::process::Command;

use serde_json::{Value, json};

use super::{Developer, ended};

/// The maximum size of a message.
const LONGEST: usize = 1024 * 1024;

/// Sends messages, one a line, after the handshake; returns the answers in the order of their ids. Messages beyond the
/// bound have none.
async fn converses(developer: &Developer, options: &[&str], messages: &[Value]) -> Vec<Value> {
    let handshake = [
        json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": { "name": "scenario", "version": "1" },
        } }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
    ];
    let lines = handshake.iter().chain(messages).map(Value::to_string);
    let lines: Vec<String> = lines.collect();
    let asked = lines
        .iter()
        .filter(|line| line.len() < LONGEST && line.contains("\"id\""));
    let expected = asked.count();
    let command = developer.command_with_keys(&[&["mcp"][..], options].concat());
    let talk = tokio::task::spawn_blocking(move || talk(command, &lines, expected));
    let mut answers = talk.await.expect("it ends").expect("it runs");
    answers.sort_by_key(|answer| answer["id"].as_i64());
    answers
}

/// Sends the lines, and waits for so many answers before it ends the input.
fn talk(mut command: Command, lines: &[String], expected: usize) -> std::io::Result<Vec<Value>> {
    let mut child = command.spawn()?;
    let mut input = child.stdin.take().expect("a pipe");
    let output = BufReader::new(child.stdout.take().expect("a pipe"));
    for line in lines {
        writeln!(input, "{line}")?;
    }
    let answers = output.lines().map_while(Result::ok).take(expected);
    let answers = answers.map(|line| serde_json::from_str(&line).expect("JSON"));
    let answers: Vec<Value> = answers.collect();
    drop(input);
    let ended = child.wait()?;
    assert!(ended.success(), "{ended}: {answers:?}");
    Ok(answers)
}

fn call(id: i64, name: &str, arguments: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {
        "name": name, "arguments": arguments,
    } })
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"]
        .as_str()
        .expect("a text")
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_are_listed_and_called() {
    let developer = Developer::at_sandbox().await;
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let answers = converses(
        &developer,
        &["--tags", "Payments"],
        &[
            list,
            call(2, "payments_list", json!({ "limit": 1 })),
            call(3, "payments_retrieve", json!({ "payment_id": "nothing" })),
            call(4, "payments_retrieve", json!({})),
            call(
                5,
                "payments_create",
                json!({ "body": { "amount": 1, "currency": "USD" } }),
            ),
            json!({ "jsonrpc": "2.0", "id": 6, "method": "resources/list" }),
            call(
                7,
                "describe_operation",
                json!({ "operation": "payments_list" }),
            ),
        ],
    )
    .await;
    assert_eq!(answers[0]["result"]["serverInfo"]["name"], "multirail");
    let tools = answers[1]["result"]["tools"].as_array().expect("tools");
    let names: Vec<&str> = tools
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    assert_eq!(
        names,
        [
            "describe_operation",
            "payments_list",
            "payments_filter",
            "payments_retrieve"
        ]
    );
    assert_eq!(text(&answers[2]), r#"{"size":0,"data":[]}"#);
    assert_eq!(answers[3]["result"]["isError"], true);
    assert!(text(&answers[3]).contains("HE_02"), "{}", answers[3]);
    assert_eq!(text(&answers[4]), "payment_id: it is missing");
    assert_eq!(answers[5]["error"]["code"], -32602, "{}", answers[5]);
    assert!(
        answers[6]["error"].is_object() || answers[6]["result"]["resources"] == json!([]),
        "{}",
        answers[6]
    );
    assert!(text(&answers[7]).contains("minimum"), "{}", answers[7]);
    let made = developer
        .server
        .wire
        .call("payments_list")
        .key(&developer.key());
    assert_eq!(made.await.ok()["size"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn with_write_a_payment_is_made() {
    let developer = Developer::at_sandbox().await;
    let body = json!({ "payment_id": "by_tool", "amount": 6540, "currency": "USD" });
    let made = call(1, "payments_create", json!({ "body": body }));
    let clock = call(
        2,
        "sandbox_clock_advance",
        json!({ "body": { "advance_seconds": 0 } }),
    );
    let answers = converses(&developer, &["--write"], &[made, clock]).await;
    assert!(
        text(&answers[1]).contains("requires_payment_method"),
        "{}",
        answers[1]
    );
    let payment: Value = serde_json::from_str(text(&answers[1])).expect("JSON");
    assert_eq!(payment["client_secret"], "", "{payment}");
    assert!(
        text(&answers[2]).contains("advanced_seconds"),
        "{}",
        answers[2]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn secrets_are_shown_only_on_request() {
    let developer = Developer::at_sandbox().await;
    let body = json!({ "amount": 6540, "currency": "USD" });
    let made = call(1, "payments_create", json!({ "body": body }));
    let answers = converses(&developer, &["--write", "--show-secrets"], &[made]).await;
    let payment: Value = serde_json::from_str(text(&answers[1])).expect("JSON");
    let secret = payment["client_secret"].as_str().expect("a text");
    assert!(secret.contains("_secret_"), "{payment}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_beyond_the_bound_does_not_end_the_conversation() {
    let developer = Developer::at_sandbox().await;
    let long = call(
        1,
        "payments_retrieve",
        json!({ "payment_id": "x".repeat(2_000_000) }),
    );
    let short = call(2, "payments_list", json!({}));
    let answers = converses(&developer, &[], &[long, short]).await;
    let last = answers.last().expect("an answer");
    assert_eq!(last["id"], 2);
    assert!(text(last).contains("size"), "{last}");
    let unknown = ended(
        developer.command_with_keys(&["mcp", "--tags", "Nothing"]),
        "",
    )
    .await;
    assert_eq!(unknown.code, Some(2), "{unknown:?}");
}
