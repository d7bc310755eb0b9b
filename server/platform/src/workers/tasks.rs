//! What a worker does beside its loop: tasks whose panics are counted, and which outlive a loop that fails.

use std::any::Any;
use std::ops::{Deref, DerefMut};
use std::panic::AssertUnwindSafe;

use futures::FutureExt;
use tokio::task::JoinSet;

use super::TASK_PANICS;

/// The tasks of a worker's loop. A loop that panics leaves them running: each finishes what it has begun and gives its
/// lease back, where cutting it off would leave a processor's or a merchant's answer unrecorded.
pub struct Tasks<T: 'static>(JoinSet<T>);

impl<T> Default for Tasks<T> {
    fn default() -> Self {
        Tasks(JoinSet::new())
    }
}

impl<T> Deref for Tasks<T> {
    type Target = JoinSet<T>;

    fn deref(&self) -> &JoinSet<T> {
        &self.0
    }
}

impl<T> DerefMut for Tasks<T> {
    fn deref_mut(&mut self) -> &mut JoinSet<T> {
        &mut self.0
    }
}

impl<T> Drop for Tasks<T> {
    fn drop(&mut self) {
        self.0.detach_all();
    }
}

/// A task panicked. What it had claimed stays claimed until its lease lapses, and is taken up again then: a task that
/// panics every time comes at the pace of its lease, not at once.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("a task panicked: {0}")]
pub struct Panicked(pub String);

/// Does the work of one task of this worker; a panic is counted.
///
/// # Errors
/// [`Panicked`]
pub async fn caught<T>(worker: &'static str, work: impl Future<Output = T>) -> Result<T, Panicked> {
    let done = AssertUnwindSafe(work).catch_unwind().await;
    done.map_err(|payload| {
        metrics::counter!(TASK_PANICS, "worker" => worker).increment(1);
        Panicked(panic_message(payload.as_ref()))
    })
}

/// What a panic said.
pub fn panic_message(payload: &(dyn Any + Send)) -> String {
    if let Some(message) = payload.downcast_ref::<&str>() {
        (*message).to_owned()
    } else if let Some(message) = payload.downcast_ref::<String>() {
        message.clone()
    } else {
        "a panic without a message".to_owned()
    }
}
