//! Metrics, in the text format of Prometheus.

use std::sync::{Mutex, PoisonError};

use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use multirail_app::platform::ports::metric::{ALL, Form, Metric};

/// The metrics of this process. Several servers in one process share them.
#[derive(Clone)]
pub struct Figures(PrometheusHandle);

/// Why metrics can't be recorded.
#[derive(Debug, thiserror::Error)]
pub enum FiguresError {
    #[error("a list of buckets is not accepted: {0}")]
    Buckets(#[from] BuildError),
    #[error("another recorder in this process already takes the metrics")]
    Taken,
}

impl Figures {
    /// Installs the recorder. It comes before everything that measures: a metric that found no recorder doesn't look again.
    ///
    /// # Errors
    /// Fails when another recorder is installed.
    pub fn keep() -> Result<Self, FiguresError> {
        static KEPT: Mutex<Option<Figures>> = Mutex::new(None);
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(figures) = &*kept {
            return Ok(figures.clone());
        }
        let recorder = builder()?.build_recorder();
        let figures = Figures(recorder.handle());
        metrics::set_global_recorder(recorder).map_err(|_| FiguresError::Taken)?;
        describe();
        Ok(kept.insert(figures).clone())
    }

    /// Returns all present values.
    pub fn text(&self) -> String {
        self.0.render()
    }

    /// Moves single values into their buckets, so that they don't pile up while nothing reads them. Called a few times a
    /// minute.
    pub fn tidy(&self) {
        self.0.run_upkeep();
    }
}

fn builder() -> Result<PrometheusBuilder, BuildError> {
    let mut builder = PrometheusBuilder::new();
    for Metric { name, form, .. } in ALL {
        builder = match form {
            Form::Counter | Form::Gauge => builder,
            Form::Histogram(limits) => {
                builder.set_buckets_for_metric(Matcher::Full((*name).to_owned()), limits)?
            }
        };
    }
    Ok(builder)
}

fn describe() {
    for Metric { name, form, help } in ALL.iter().copied() {
        match form {
            Form::Counter => metrics::describe_counter!(name, help),
            Form::Gauge => metrics::describe_gauge!(name, help),
            Form::Histogram(_) => metrics::describe_histogram!(name, help),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique_and_say_what_they_count() {
        let names: BTreeSet<_> = ALL.iter().map(|metric| metric.name).collect();
        assert_eq!(names.len(), ALL.len());
        for Metric { name, form, help } in ALL {
            assert!(name.starts_with("multirail_"), "{name}");
            assert_eq!(name.ends_with("_total"), *form == Form::Counter, "{name}");
            assert!(help.ends_with('.'), "{name}");
        }
    }

    #[test]
    fn a_text_has_help_type_buckets_and_labels() {
        let recorder = builder().unwrap().build_recorder();
        let figures = Figures(recorder.handle());
        metrics::with_local_recorder(&recorder, || {
            describe();
            metrics::counter!(multirail_app::platform::ports::metric::REQUESTS, "operation" => "health_check")
                .increment(2);
            metrics::histogram!(multirail_app::platform::ports::metric::COMMIT_BATCH).record(3.0);
        });
        figures.tidy();
        let text = figures.text();
        for line in [
            "# HELP multirail_requests_total Requests that have their answer, by operation and status.",
            "# TYPE multirail_requests_total counter",
            "multirail_requests_total{operation=\"health_check\"} 2",
            "# TYPE multirail_store_commit_batch_size histogram",
            "multirail_store_commit_batch_size_bucket{le=\"2\"} 0",
            "multirail_store_commit_batch_size_bucket{le=\"4\"} 1",
            "multirail_store_commit_batch_size_sum 3",
        ] {
            assert!(text.lines().any(|l| l == line), "{line}\nin\n{text}");
        }
    }
}
