//! Notices that processors send: received and filed at once, worked on afterwards, and shown to operators.

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

/// The inbox of notices, and the work on them.
pub struct Notices {
    pub base: Arc<Base>,
    pub store: Arc<dyn NoticeStore>,
    pub accounts: Arc<dyn ConnectorAccountStore>,
    pub processors: Arc<Processors>,
    /// The objects that notices are about.
    pub objects: Arc<OperatedObjects>,
    pub disputes: Arc<dyn DisputeListener>,
    pub notifier: NoticeNotifier,
}

/// Wakes the worker of this server when this server has filed a notice. It is only a hint: the worker acts on stored
/// rows.
#[derive(Default)]
pub struct NoticeNotifier(Notify);

impl NoticeNotifier {
    fn notify(&self) {
        self.0.notify_one();
    }

    /// Waits until a notice is filed. Dropping the future while it waits loses nothing.
    pub async fn filed(&self) {
        self.0.notified().await;
    }
}
