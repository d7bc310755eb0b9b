//! The stored form of a routing trace.

use std::fmt;
use std::sync::Arc;

use multirail_kernel::ids::RoutingId;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use super::algorithm::AlgorithmKind;
use super::in_line;
use super::trace::{Considered, DynamicTrace, RoutedBy, RoutingTrace};

/// The JSON text of a [`RoutingTrace`], possibly with members of a later version. It stays a text because payments are often
/// stored and read, but their traces rarely looked at.
#[derive(Clone)]
pub struct StoredTrace(Arc<RawValue>);

/// The content of the text.
#[derive(Serialize, Deserialize)]
struct Text {
    by: RoutedBy,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    routing_id: Option<RoutingId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<AlgorithmKind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rule: Option<String>,
    /// The candidates as one line, in the form of [`in_line::write`]. As objects, twenty accounts would be most of a stored
    /// attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    accounts: Option<String>,
    /// The candidates in attempts stored before the line was introduced.
    #[serde(default, skip_serializing)]
    candidates: Vec<Considered>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dynamic: Option<DynamicTrace>,
}

impl StoredTrace {
    /// Makes the text of a trace.
    pub fn from_trace(trace: &RoutingTrace) -> Self {
        let text = serde_json::value::to_raw_value(&Text {
            by: trace.by,
            routing_id: trace.routing_id.clone(),
            kind: trace.kind,
            rule: trace.rule.clone(),
            accounts: Some(in_line::write(&trace.candidates)),
            candidates: Vec::new(),
            dynamic: trace.dynamic.clone(),
        });
        StoredTrace(Arc::from(text.expect("plain members become JSON")))
    }

    /// Reads the trace.
    ///
    /// # Errors
    /// If the text has a word of a later version.
    pub fn read(&self) -> Result<RoutingTrace, serde_json::Error> {
        let text: Text = serde_json::from_str(self.0.get())?;
        let candidates = match &text.accounts {
            Some(line) => in_line::read(line).map_err(serde::de::Error::custom)?,
            None => text.candidates,
        };
        Ok(RoutingTrace {
            by: text.by,
            routing_id: text.routing_id,
            kind: text.kind,
            rule: text.rule,
            candidates,
            dynamic: text.dynamic,
        })
    }
}

impl PartialEq for StoredTrace {
    fn eq(&self, other: &Self) -> bool {
        self.0.get() == other.0.get()
    }
}

impl fmt::Debug for StoredTrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.get())
    }
}

impl Serialize for StoredTrace {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for StoredTrace {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Box::<RawValue>::deserialize(deserializer)?;
        Ok(StoredTrace(Arc::from(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::Dropped;
    use multirail_kernel::ids::ConnectorAccountId;

    #[test]
    fn it_reads_as_it_was_chosen() {
        let trace = RoutingTrace {
            by: RoutedBy::Default,
            routing_id: None,
            kind: None,
            rule: Some("large".to_owned()),
            candidates: vec![considered("mca_first"), considered("mca_second")],
            dynamic: None,
        };
        let kept = StoredTrace::from_trace(&trace);
        assert_eq!(kept.read().expect("its own words"), trace);
        let at_rest = serde_json::to_string(&kept).expect("JSON");
        insta::assert_snapshot!(at_rest, @r#"{"by":"default","rule":"large","accounts":"stripe/mca_first mca_second"}"#);
        let read: StoredTrace = serde_json::from_str(&at_rest).expect("JSON");
        assert_eq!(read, kept);
    }

    #[test]
    fn a_trace_of_before_reads_as_it_stands() {
        let at_rest = r#"{"by":"default","candidates":[
            {"connector":"stripe","merchant_connector_id":"mca_first","dropped":"amount"},
            {"connector":"stripe","merchant_connector_id":"mca_second"}]}"#;
        let kept: StoredTrace = serde_json::from_str(at_rest).expect("JSON");
        let first = Considered {
            dropped: Some(Dropped::Amount),
            ..considered("mca_first")
        };
        let candidates = kept.read().expect("known words").candidates;
        assert_eq!(candidates, [first, considered("mca_second")]);
        assert_eq!(serde_json::to_string(&kept).expect("JSON"), at_rest);
    }

    #[test]
    fn a_word_of_a_later_version_is_stored_and_does_not_read() {
        for at_rest in [
            r#"{"by":"oracle","accounts":""}"#,
            r#"{"by":"default","accounts":"stripe/mca_first!mood"}"#,
        ] {
            let kept: StoredTrace = serde_json::from_str(at_rest).expect("JSON");
            assert!(kept.read().is_err());
            assert_eq!(serde_json::to_string(&kept).expect("JSON"), at_rest);
        }
    }

    fn considered(id: &str) -> Considered {
        Considered {
            connector: "stripe".to_owned(),
            merchant_connector_id: ConnectorAccountId::parse(id).expect("an id"),
            dropped: None,
            moved: None,
            success_rate: None,
            expected_cost: None,
        }
    }
}
