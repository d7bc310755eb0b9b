//! Recording what happened, in the commit in which it happens.

use multirail_domain::announcement::{AnnouncedStatus, Announcement};
use multirail_domain::event::EventType;
use multirail_domain::ids::EventId;
use multirail_domain::mandate::MandateView;
use multirail_domain::secret::SecretText;
use multirail_domain::webhook::{Envelope, MANDATE_DETAILS};

use super::super::App;
use super::super::driver::{Aggregate, Content, Identity};
use crate::ports::events::EventRecord;
use crate::ports::profiles::Endpoint;
use crate::ports::{ChangeSet, CommitError, StoreFailure};

/// An object has at most this many events in one change of it.
const EVENTS_IN_A_CHANGE: i64 = 16;

impl App {
    /// Adds the events that announce a changed object, and answers what they say of it. `version` is the object's after
    /// the change.
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
        if announcements.is_empty() {
            return Ok(None);
        }
        let (merchant_id, profile_id) = (identity.merchant_id, identity.profile_id);
        let profile = self.store.profile(merchant_id, profile_id).await?;
        let settings = profile
            .as_ref()
            .and_then(|profile| profile.webhook.as_ref());
        let content = content();
        for (index, announcement) in (0..).zip(announcements) {
            let event_id = self.event_id();
            let is_wanted = settings.is_some_and(|settings| settings.wants(announcement.status));
            let body = body(identity, &event_id, announcement.event_type, &content);
            events.push(EventRecord {
                event_id,
                merchant_id: merchant_id.clone(),
                profile_id: profile_id.clone(),
                event_type: announcement.event_type,
                object_id: identity.object_id.to_owned(),
                about_id: announcement.about,
                object_sequence: version * EVENTS_IN_A_CHANGE + index,
                body,
                customer_id: identity.customer_id.cloned(),
                deliver_at: is_wanted.then_some(identity.modified_at),
                created_at: identity.modified_at,
            });
        }
        Ok(Some(content.object))
    }

    /// Adds the events that announce mandates as they stand after a change, each once.
    pub(crate) async fn record_mandates(
        &self,
        event_type: EventType,
        changed: &[MandateView],
        events: &mut Vec<EventRecord>,
    ) -> Result<(), StoreFailure> {
        for view in changed {
            let mandate = &view.mandate;
            let identity = Identity {
                merchant_id: &mandate.merchant_id,
                profile_id: &mandate.profile_id,
                object_id: mandate.mandate_id.as_str(),
                customer_id: Some(&mandate.customer_id),
                version: mandate.version,
                modified_at: mandate.modified_at,
            };
            let announcement = Announcement {
                event_type,
                status: AnnouncedStatus::Mandate(mandate.status),
                about: mandate.mandate_id.to_string(),
            };
            let content = || Content {
                content_type: MANDATE_DETAILS,
                object: self.event_content.mandate(view),
            };
            let version = mandate.version + 1;
            let news = vec![announcement];
            self.record_events_of(identity, version, news, content, events)
                .await?;
        }
        Ok(())
    }

    /// Commits, and notifies the delivery worker where something is to be delivered.
    pub(crate) async fn commit(&self, change_set: ChangeSet) -> Result<(), CommitError> {
        let events = change_set.events.iter();
        let queued = events.filter(|event| event.deliver_at.is_some());
        let queued: Vec<Endpoint> = queued.map(EventRecord::endpoint).collect();
        self.store.commit(change_set).await?;
        for endpoint in queued {
            self.deliveries.notifier.notify(endpoint);
        }
        Ok(())
    }
}

fn body(
    of: Identity<'_>,
    event_id: &EventId,
    event_type: EventType,
    content: &Content,
) -> SecretText {
    let envelope = Envelope {
        merchant_id: of.merchant_id,
        event_id,
        event_type,
        content_type: content.content_type,
        object: &content.object,
        timestamp: of.modified_at,
    };
    SecretText::new(envelope.to_body())
}
