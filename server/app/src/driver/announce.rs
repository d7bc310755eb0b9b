//! Announcing objects that are still changed by methods of [`App`].

use multirail_domain::announcement::Announcement;

use super::super::App;
use super::{Aggregate, Content, Identity};
use crate::ports::{ChangeSet, CommitError, EventRecord, StoreFailure};

impl App {
    /// Adds the events that announce a changed object, as [`crate::announcer::Announcer::record`].
    pub(crate) async fn record_events<A: Aggregate>(
        &self,
        object: &A,
        version: i64,
        announcements: Vec<Announcement>,
        events: &mut Vec<EventRecord>,
    ) -> Result<Option<String>, StoreFailure> {
        let content = || object.content(self);
        self.record_events_of(object.identity(), version, announcements, content, events)
            .await
    }

    /// The same of an object that asks nothing of a processor itself.
    pub(crate) async fn record_events_of(
        &self,
        identity: Identity<'_>,
        version: i64,
        announcements: Vec<Announcement>,
        content: impl FnOnce() -> Content + Send,
        events: &mut Vec<EventRecord>,
    ) -> Result<Option<String>, StoreFailure> {
        self.announcer
            .record(identity, version, announcements, content, events)
            .await
    }

    /// As [`crate::announcer::Announcer::commit`].
    pub(crate) async fn commit(&self, change_set: ChangeSet) -> Result<(), CommitError> {
        self.announcer.commit(change_set).await
    }
}
