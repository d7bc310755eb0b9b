use std::io::Write;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tracing_subscriber::layer::SubscriberExt;

use super::*;

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Returns the JSON lines that `speak` causes at a level, without their timestamps.
fn heard(level: &str, speak: impl FnOnce(slog::Logger)) -> Vec<Value> {
    let lines = Lines::default();
    let writer = lines.clone();
    let layer = tracing_subscriber::fmt::layer()
        .json()
        .flatten_event(true)
        .with_writer(move || writer.clone());
    let subscriber = tracing_subscriber::registry()
        .with(crate::telemetry::filter(level).unwrap())
        .with(layer);
    tracing::subscriber::with_default(subscriber, || speak(slog_logger()));
    let bytes = lines.0.lock().unwrap();
    String::from_utf8_lossy(&bytes)
        .lines()
        .map(|line| {
            let mut line: Value = serde_json::from_str(line).unwrap();
            line.as_object_mut().unwrap().remove("timestamp");
            line
        })
        .collect()
}

/// Returns a logger as dropshot makes it for a request.
fn of_request(root: &slog::Logger) -> slog::Logger {
    let server = root.new(slog::o!("local_addr" => "127.0.0.1:8080"));
    server.new(slog::o!(
        "remote_addr" => "127.0.0.1:50000",
        "req_id" => "5ad0b7f2",
        "method" => "GET",
        "uri" => "/payments/pay_1?client_secret=pay_1_secret_AbCdEfGh1234567890ab",
    ))
}

#[test]
fn key_values_become_fields_and_the_query_is_gone() {
    let lines = heard("debug", |root| {
        slog::info!(of_request(&root), "request completed";
            "response_code" => 200_u16, "latency_us" => 1234_u128);
    });
    assert_eq!(
        lines,
        [json!({
            "level": "DEBUG",
            "target": "dropshot",
            "message": "request completed",
            "request_id": "5ad0b7f2",
            "method": "GET",
            "uri": "/payments/{payment_id}",
            "remote_addr": "127.0.0.1:50000",
            "status": 200,
            "duration_us": 1234,
            "others": "local_addr=\"127.0.0.1:8080\"",
        })]
    );
}

#[test]
fn everyday_lines_are_for_debugging_but_dropshots_own_errors_are_not() {
    let lines = heard("info", |root| {
        let log = of_request(&root);
        slog::info!(root, "accepted connection"; "remote_addr" => "127.0.0.1:50000");
        slog::info!(log, "request completed"; "response_code" => 200_u16);
        slog::info!(log, "request completed"; "response_code" => 400_u16,
            "error_message_internal" => "invalid path encoding",
            "error_message_external" => "bad");
        slog::info!(root, "listening");
    });
    let said: Vec<_> = lines
        .iter()
        .map(|line| {
            (
                line["level"].as_str().unwrap(),
                &line["message"],
                &line["error"],
            )
        })
        .collect();
    assert_eq!(
        said,
        [
            (
                "INFO",
                &json!("request completed"),
                &json!("invalid path encoding")
            ),
            ("INFO", &json!("listening"), &Value::Null),
        ]
    );
}

#[test]
fn secrets_are_masked_wherever_they_stand() {
    let secret = "pay_1_secret_AbCdEfGh1234567890ab";
    let lines = heard("trace", |root| {
        let log = of_request(&root);
        slog::warn!(log, "cannot read {}", secret; "error" => secret, "body" => secret);
        slog::error!(log, "again"; "response_code" => secret, "req_id" => secret);
    });
    assert_eq!(lines.len(), 2);
    for line in lines {
        assert!(!line.to_string().contains("AbCdEfGh"), "{line}");
    }
}

#[test]
fn a_path_is_logged_as_its_template_and_an_invented_method_not_at_all() {
    let lines = heard("info", |root| {
        let speaks = |method: &'static str, uri: &'static str| {
            let log = root.new(slog::o!("method" => method, "uri" => uri));
            slog::warn!(log, "look");
        };
        speaks("POST", "/payments/4111-1111-1111-1111/confirm?x=1");
        speaks("GET", "/4111%201111%201111%201111");
        speaks("M4111x1111", "/payments");
    });
    let said: Vec<_> = lines
        .iter()
        .map(|line| (&line["method"], &line["uri"]))
        .collect();
    assert_eq!(
        said,
        [
            (&json!("POST"), &json!("/payments/{payment_id}/confirm")),
            (&json!("GET"), &json!("unknown")),
            (&json!("unknown"), &json!("/payments")),
        ]
    );
}

#[test]
fn levels_stay_and_the_lines_own_values_win() {
    let lines = heard("trace", |root| {
        let log = root.new(slog::o!("method" => "PUT"));
        slog::crit!(log, "a"; "method" => "GET");
        slog::error!(log, "b");
        slog::warn!(log, "c");
        slog::info!(log, "d");
        slog::debug!(log, "e");
    });
    let levels: Vec<_> = lines.iter().map(|line| line["level"].clone()).collect();
    assert_eq!(levels, ["ERROR", "ERROR", "WARN", "INFO", "DEBUG"]);
    assert_eq!(lines[0]["method"], "GET");
    assert_eq!(lines[1]["method"], "PUT");
}
