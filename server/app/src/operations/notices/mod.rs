//! What processors tell unasked: received and filed at once, worked on after, and shown to operators.

mod match_operation;
mod operator;
mod receive;
mod work;

pub use operator::ShownNotice;
pub use receive::NoticeFiled;

use std::sync::Arc;

use tokio::sync::Notify;

use super::operated::OperatedObjects;
use super::processors::Processors;
use crate::accounts::ports::ConnectorAccountStore;
use crate::operations::ports::{DisputeListener, NoticeStore};
use crate::platform::base::Base;

/// The inbox of notices, and what comes of them.
pub struct Notices {
    pub base: Arc<Base>,
    pub store: Arc<dyn NoticeStore>,
    pub accounts: Arc<dyn ConnectorAccountStore>,
    pub processors: Arc<Processors>,
    /// The objects that notices tell of.
    pub objects: Arc<OperatedObjects>,
    pub disputes: Arc<dyn DisputeListener>,
    pub notifier: NoticeNotifier,
}

/// Wakes the worker of this server when a notice was filed here. Only a hint: what counts is what is stored.
#[derive(Default)]
pub struct NoticeNotifier(Notify);

impl NoticeNotifier {
    fn notify(&self) {
        self.0.notify_one();
    }

    /// Waits until something was filed. Loses nothing when it is dropped while it waits.
    pub async fn filed(&self) {
        self.0.notified().await;
    }
}
