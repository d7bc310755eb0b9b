//! Records events in the commit of the change that they announce.

use std::sync::Arc;

use multirail_kernel::announcement::Announcement;
use multirail_kernel::envelope::Envelope;
use multirail_kernel::event::EventType;
use multirail_kernel::ids::{CustomerId, EventId, MerchantId, ProfileId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;

use crate::platform::base::Base;
use crate::platform::ports::event_record::{DeliveryQueue, Endpoint, EventRecord, WishStore};
use crate::platform::ports::{ChangeSet, CommitError, StoreFailure};

/// The largest number of events of an object in one change.
const EVENTS_IN_A_CHANGE: i64 = 16;

/// The owner, id and version of an object.
#[derive(Clone, Copy)]
pub struct Identity<'a> {
    pub merchant_id: &'a MerchantId,
    pub profile_id: &'a ProfileId,
    pub object_id: &'a str,
    /// The customer whose data the object contains, if any.
    pub customer_id: Option<&'a CustomerId>,
    /// 0 until the object is stored.
    pub version: i64,
    pub modified_at: Timestamp,
}

/// The object in the body of an event.
pub struct Content {
    /// `payment_details` and the like.
    pub content_type: &'static str,
    /// The object as JSON.
    pub object: String,
}

/// Records events of objects, and wakes their delivery once they are stored.
pub struct Announcer {
    pub base: Arc<Base>,
    pub wishes: Arc<dyn WishStore>,
    pub queue: Arc<dyn DeliveryQueue>,
}

impl Announcer {
    /// Adds the events of a changed object, and returns the object as they contain it. `version` is the object's
    /// version after the change.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn record(
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
        let wishes = self.wishes.wishes(merchant_id, profile_id).await?;
        let content = content();
        for (index, announcement) in (0..).zip(announcements) {
            let event_id = self.base.event_id();
            let wishes = wishes.as_ref();
            let is_wanted = wishes.is_some_and(|wishes| wishes.wants(announcement.status));
            let endpoints = wishes.map(|wishes| wishes.endpoints(announcement.event_type));
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
                endpoints: endpoints.unwrap_or_default(),
                created_at: identity.modified_at,
            });
        }
        Ok(Some(content.object))
    }

    /// Commits, and wakes the delivery worker where an event is to be delivered.
    ///
    /// # Errors
    /// As [`Base::commit`].
    pub async fn commit(&self, change_set: ChangeSet) -> Result<(), CommitError> {
        let events = change_set.events.iter();
        let queued: Vec<Endpoint> = events.flat_map(EventRecord::queued_for).collect();
        self.base.commit(change_set).await?;
        for endpoint in queued {
            self.queue.notify(endpoint);
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

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use async_trait::async_trait;
    use multirail_domain::payments::payment::PaymentStatus;
    use multirail_kernel::announcement::AnnouncedStatus;
    use multirail_kernel::ids::WebhookEndpointId;

    use super::*;
    use crate::fixture::{Committed, base, operator};
    use crate::platform::idempotency::ForKey;
    use crate::platform::ports::event_record::Wishes;

    /// A profile that wants events of succeeded payments.
    struct Succeeded;

    impl Wishes for Succeeded {
        fn wants(&self, status: AnnouncedStatus) -> bool {
            status == AnnouncedStatus::Payment(PaymentStatus::Succeeded)
        }

        fn endpoints(&self, event_type: EventType) -> Vec<WebhookEndpointId> {
            let id = WebhookEndpointId::parse("whe_1").expect("an id");
            let wants = event_type == EventType::PaymentCancelled;
            wants.then_some(id).into_iter().collect()
        }
    }

    #[async_trait]
    impl WishStore for Succeeded {
        async fn wishes(
            &self,
            _: &MerchantId,
            _: &ProfileId,
        ) -> Result<Option<Arc<dyn Wishes>>, StoreFailure> {
            Ok(Some(Arc::new(Succeeded)))
        }
    }

    /// The endpoints that were notified.
    #[derive(Default)]
    struct Named(Mutex<Vec<String>>);

    impl DeliveryQueue for Named {
        fn notify(&self, endpoint: Endpoint) {
            let mut named = self.0.lock().expect("no panic");
            let further = endpoint.endpoint_id.map(|id| id.to_string());
            named.push(further.unwrap_or(endpoint.profile_id.to_string()));
        }
    }

    /// Records that a payment of a profile reached this status.
    async fn news(
        announcer: &Announcer,
        event_type: EventType,
        status: PaymentStatus,
    ) -> ChangeSet {
        let merchant_id = MerchantId::parse("bookshop").expect("an id");
        let profile_id = ProfileId::parse("pro_1").expect("an id");
        let identity = Identity {
            merchant_id: &merchant_id,
            profile_id: &profile_id,
            object_id: "pay_1",
            customer_id: None,
            version: 2,
            modified_at: announcer.base.now(),
        };
        let announcement = Announcement {
            event_type,
            status: AnnouncedStatus::Payment(status),
            about: "pay_1_1".to_owned(),
        };
        let content = || Content {
            content_type: "payment_details",
            object: "{}".to_owned(),
        };
        let mut events = Vec::new();
        let recorded = announcer.record(identity, 3, vec![announcement], content, &mut events);
        assert_eq!(recorded.await, Ok(Some("{}".to_owned())));
        let of = Some(&merchant_id);
        let change_set = announcer
            .base
            .change_set(&operator(), of, ForKey::Nothing, Vec::new());
        ChangeSet {
            events,
            ..change_set
        }
    }

    fn announcer() -> (Announcer, Arc<Committed>, Arc<Named>) {
        let (committed, named) = (Arc::new(Committed::default()), Arc::new(Named::default()));
        let announcer = Announcer {
            base: base(&committed),
            wishes: Arc::new(Succeeded),
            queue: Arc::clone(&named) as Arc<dyn DeliveryQueue>,
        };
        (announcer, committed, named)
    }

    #[tokio::test]
    async fn an_unwanted_event_is_recorded_and_not_queued() {
        let (announcer, _, named) = announcer();
        let failed = news(&announcer, EventType::PaymentFailed, PaymentStatus::Failed).await;
        assert_eq!(failed.events.len(), 1);
        assert_eq!(failed.events[0].deliver_at, None);
        announcer.commit(failed).await.expect("stored");
        assert_eq!(*named.0.lock().expect("no panic"), Vec::<String>::new());
    }

    #[tokio::test]
    async fn a_further_endpoint_gets_what_it_has_chosen() {
        let (announcer, _, named) = announcer();
        let event_type = EventType::PaymentCancelled;
        let cancelled = news(&announcer, event_type, PaymentStatus::Cancelled).await;
        assert_eq!(cancelled.events[0].deliver_at, None);
        assert_eq!(cancelled.events[0].endpoints.len(), 1);
        announcer.commit(cancelled).await.expect("stored");
        assert_eq!(*named.0.lock().expect("no panic"), ["whe_1"]);
    }

    #[tokio::test]
    async fn the_worker_hears_of_an_event_once_it_is_stored() {
        let (announcer, committed, named) = announcer();
        let (event_type, status) = (EventType::PaymentSucceeded, PaymentStatus::Succeeded);
        committed.refuse(CommitError::Conflict);
        let first = news(&announcer, event_type, status).await;
        assert_eq!(announcer.commit(first).await, Err(CommitError::Conflict));
        assert_eq!(*named.0.lock().expect("no panic"), Vec::<String>::new());

        let again = news(&announcer, event_type, status).await;
        assert_eq!(again.events[0].object_sequence, 48);
        announcer.commit(again).await.expect("stored");
        assert_eq!(*named.0.lock().expect("no panic"), ["pro_1"]);
    }
}
