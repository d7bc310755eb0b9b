//! A trace as an attempt keeps it.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use super::trace::RoutingTrace;

/// The text of a [`RoutingTrace`]. It is made once: a payment is stored and read several times, and hardly anybody asks why it
/// went where it went.
#[derive(Clone)]
pub struct KeptTrace(Arc<RawValue>);

impl KeptTrace {
    /// The text of a trace.
    pub fn of(trace: &RoutingTrace) -> Self {
        let text = serde_json::value::to_raw_value(trace);
        KeptTrace(Arc::from(text.expect("plain members become JSON")))
    }

    /// The trace.
    ///
    /// # Errors
    /// A word of a later version.
    pub fn read(&self) -> Result<RoutingTrace, serde_json::Error> {
        serde_json::from_str(self.0.get())
    }
}

impl PartialEq for KeptTrace {
    fn eq(&self, other: &Self) -> bool {
        self.0.get() == other.0.get()
    }
}

impl fmt::Debug for KeptTrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.get())
    }
}

impl Serialize for KeptTrace {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for KeptTrace {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Box::<RawValue>::deserialize(deserializer)?;
        Ok(KeptTrace(Arc::from(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::RoutedBy;
    use crate::unread::UnreadMembers;

    #[test]
    fn it_reads_as_it_was_chosen_and_rests_as_the_trace_itself_would() {
        let trace = RoutingTrace {
            by: RoutedBy::Default,
            routing_id: None,
            kind: None,
            rule: Some("large".to_owned()),
            candidates: Vec::new(),
            dynamic: None,
            unread: UnreadMembers::default(),
        };
        let kept = KeptTrace::of(&trace);
        assert_eq!(kept.read().expect("its own words"), trace);
        let at_rest = serde_json::to_string(&kept).expect("JSON");
        assert_eq!(at_rest, serde_json::to_string(&trace).expect("JSON"));
        let read: KeptTrace = serde_json::from_str(&at_rest).expect("JSON");
        assert_eq!(read, kept);
    }

    #[test]
    fn a_word_of_a_later_version_is_kept_and_does_not_read() {
        let at_rest = r#"{"by":"oracle","candidates":[]}"#;
        let kept: KeptTrace = serde_json::from_str(at_rest).expect("JSON");
        assert!(kept.read().is_err());
        assert_eq!(serde_json::to_string(&kept).expect("JSON"), at_rest);
    }
}
