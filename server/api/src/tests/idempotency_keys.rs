//! The frame looks up an idempotency key before the method runs and concludes it afterwards, for every operation that
//! takes one.

use serde_json::Value;

use super::server::TestServer;
use crate::tests::whole::{document, resolve};
use crate::{OPERATIONS, OpInfo, Scheme};

/// This method panics in these tests, and a panic leaves its key to a repeat.
const PANICS: &str = "payments_cancel";

/// Sends the document's own example of a request, as a merchant's server, the operator or a signed-in user.
async fn send(server: &TestServer, info: &OpInfo, idempotency_key: &str) -> String {
    let path = info.path.replace(['{', '}'], "");
    let operation = &document()["paths"][info.path][info.method.as_str().to_lowercase()];
    let media = &operation["requestBody"]["content"]["application/json"];
    let examples = media["examples"].as_object().into_iter().flatten();
    let bodies = examples.map(|(_, example)| &resolve(example)["value"]);
    let body = bodies.map(Value::to_string).next().unwrap_or_default();
    let keys = [(Scheme::ApiKey, "secret"), (Scheme::AdminApiKey, "admin")];
    let key = keys.iter().find(|(scheme, _)| info.accepts(*scheme));
    let key = key.map_or("user", |(_, key)| key);
    let line = format!("{} {path}{}", info.method, required_query(operation));
    let header = format!("idempotency-key: {idempotency_key}\r\n");
    server.call_with(&line, key, &header, &body).await.body
}

/// Returns every required query parameter with its first word or its smallest number.
fn required_query(operation: &Value) -> String {
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let required = parameters
        .map(resolve)
        .filter(|parameter| parameter["in"] == "query" && parameter["required"] == true);
    let pairs = required.filter_map(|parameter| {
        let schema = resolve(&parameter["schema"]);
        let name = parameter["name"].as_str()?;
        match schema["enum"][0].as_str() {
            Some(word) => Some(format!("{name}={word}")),
            None => Some(format!("{name}={}", schema["minimum"].as_i64()?)),
        }
    });
    let pairs: Vec<String> = pairs.collect();
    match pairs.is_empty() {
        true => String::new(),
        false => format!("?{}", pairs.join("&")),
    }
}

/// Returns the notes about keys and methods, in the order of their calls.
fn reached(server: &TestServer) -> Vec<String> {
    let notes = server.take_notes().into_iter();
    let notes = notes.filter(|note| !note.starts_with("finished"));
    notes
        .map(|note| {
            let is_of_hooks = note.starts_with("claimed") || note.starts_with("concluded");
            let method = note.split(' ').next().unwrap_or_default();
            if is_of_hooks {
                note
            } else {
                format!("ran {method}")
            }
        })
        .collect()
}

#[tokio::test]
async fn a_method_runs_between_the_claim_and_the_conclusion_of_its_key() {
    let server = TestServer::start().await;
    let takers = OPERATIONS
        .iter()
        .filter(|info| info.keyed.is_some() && info.id != PANICS);
    let mut count = 0;
    for info in takers {
        let id = info.id;
        let answer = send(&server, info, "new").await;
        let wanted = [
            format!("claimed {id}"),
            format!("ran {id}"),
            format!("concluded {id} 200"),
        ];
        assert_eq!(reached(&server), wanted, "{answer}");
        assert_eq!(
            send(&server, info, "answered").await,
            format!("{id} was answered before")
        );
        assert_eq!(reached(&server), [""; 0], "a repeat of {id} runs nothing");
        count += 1;
    }
    assert!(count > 10, "the document says which operations take a key");
}

#[tokio::test]
async fn a_key_that_an_operation_does_not_take_is_never_looked_up() {
    let server = TestServer::start().await;
    let others = OPERATIONS.iter().filter(|info| info.keyed.is_none());
    for info in others {
        let answer = send(&server, info, "answered").await;
        let notes = reached(&server);
        assert!(
            notes.iter().all(|note| note.starts_with("ran")),
            "{notes:?} {answer}"
        );
    }
}
