//! A worker's tasks: their panics are counted, and they outlive a loop that fails.

use std::any::Any;
use std::ops::{Deref, DerefMut};
use std::panic::AssertUnwindSafe;

use futures::FutureExt;
use tokio::task::JoinSet;

use super::TASK_PANICS;

/// The tasks of a worker's loop. They go on if the loop panics. Each finishes its work and ends its lease; otherwise a
/// processor's or a merchant's answer would be lost.
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

/// A task panicked. Its claim stays until the lease expires and is then taken again: a task that panics every time runs at
/// the pace of its lease, not at once.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("a task panicked: {0}")]
pub struct Panicked(pub String);

/// Runs one task of this worker; a panic is counted.
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

/// Returns the message of a panic.
pub fn panic_message(payload: &(dyn Any + Send)) -> String {
    if let Some(message) = payload.downcast_ref::<&str>() {
        (*message).to_owned()
    } else if let Some(message) = payload.downcast_ref::<String>() {
        message.clone()
    } else {
        "a panic without a message".to_owned()
    }
}
