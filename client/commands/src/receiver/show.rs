//! Prints a delivery.

use std::fmt;

use multirail_webhooks::Event;
use serde_json::Value;

use super::object::object_lines;
use super::{Check, Delivery};
use crate::terminal::one_line;

impl fmt::Display for Delivery<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = self
            .event
            .as_ref()
            .map_or("?", |event| event.event_type.as_str());
        write!(
            f,
            "#{}  {}  POST {}",
            self.number,
            one_line(what),
            one_line(self.path)
        )?;
        if self.tries > 1 {
            write!(f, "  (try {} of this event)", self.tries)?;
        }
        writeln!(f)?;
        match &self.event {
            Ok(event) => event_lines(event, self.body, f)?,
            Err(error) => writeln!(f, "    event        {}", one_line(&error.to_string()))?,
        }
        writeln!(
            f,
            "    webhook-signature        {}",
            words(&self.by_secret, "--secret")
        )?;
        writeln!(
            f,
            "    x-webhook-signature-512  {}",
            words(&self.by_hash_key, "--hash-key")
        )?;
        match &self.forwarded {
            Some(Ok(status)) => writeln!(f, "    forwarded    {}", status.as_u16())?,
            Some(Err(reason)) => writeln!(f, "    forwarded    FAILED: {}", one_line(reason))?,
            None => {}
        }
        writeln!(f, "    answered     {}", self.status.as_u16())?;
        if self.shows_body {
            for line in body_text(self.body).lines() {
                writeln!(f, "    {}", one_line(line))?;
            }
        }
        writeln!(f)
    }
}

fn event_lines(event: &Event, body: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let id = one_line(&event.event_id);
    let made = event.timestamp.format("%Y-%m-%dT%H:%M:%S%.3fZ");
    writeln!(f, "    event        {id}, made {made}")?;
    for line in object_lines(body) {
        writeln!(f, "    {}", one_line(line.trim_end()))?;
    }
    Ok(())
}

fn words(check: &Check, option: &str) -> String {
    match check {
        Check::Fits => "fits".to_owned(),
        Check::Refused(error) => format!("DOESN'T FIT: {error}"),
        Check::Unchecked => format!("not checked: give {option}"),
        Check::Absent => "absent".to_owned(),
    }
}

fn body_text(body: &[u8]) -> String {
    serde_json::from_slice::<Value>(body)
        .and_then(|body| serde_json::to_string_pretty(&body))
        .unwrap_or_else(|_| String::from_utf8_lossy(body).into_owned())
}
