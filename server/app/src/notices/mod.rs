//! What processors tell unasked: received and filed at once, worked on after, and shown to operators.

mod match_operation;
mod of_others;
mod operator;
mod receive;
mod work;

pub use operator::ShownNotice;
pub use receive::NoticeFiled;

use tokio::sync::Notify;

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
