//! Recording what happened, in the commit in which it happens.

use multirail_domain::event::EventType;
use multirail_domain::ids::EventId;
use multirail_domain::payment::{Announcement, Payment, PaymentStatus};
use multirail_domain::profile::Profile;
use multirail_domain::secret::SecretText;
use multirail_domain::webhook::{Envelope, PAYMENT_DETAILS};

use super::super::App;
use crate::ports::change_set::EventRecord;
use crate::ports::events::Endpoint;
use crate::ports::{Change, ChangeSet, CommitError, StoreFailure};

/// An object has at most this many events in one change of it.
const EVENTS_IN_A_CHANGE: i64 = 16;

impl App {
    /// Adds the events that announce a changed payment. `version` is the payment's after the change.
    pub(crate) async fn record_events(
        &self,
        payment: &Payment,
        version: i64,
        announcements: Vec<Announcement>,
        changes: &mut Vec<Change>,
    ) -> Result<(), StoreFailure> {
        if announcements.is_empty() {
            return Ok(());
        }
        let (merchant_id, profile_id) = (&payment.merchant_id, &payment.profile_id);
        let profile = self.store.profile(merchant_id, profile_id).await?;
        let object = self.event_content.payment(&self.view(payment.clone()));
        for (index, announcement) in (0..).zip(announcements) {
            let event_id = self.event_id();
            let profile = profile.as_ref();
            let listens = profile.is_some_and(|profile| is_told(profile, announcement.status));
            let body = self.body(payment, &event_id, announcement.event_type, &object);
            changes.push(Change::RecordEvent(EventRecord {
                event_id,
                merchant_id: merchant_id.clone(),
                profile_id: profile_id.clone(),
                event_type: announcement.event_type,
                object_id: payment.payment_id.to_string(),
                about_id: announcement.about,
                object_sequence: version * EVENTS_IN_A_CHANGE + index,
                body,
                deliver_at: listens.then_some(payment.modified_at),
                created_at: payment.modified_at,
            }));
        }
        Ok(())
    }

    fn body(
        &self,
        payment: &Payment,
        event_id: &EventId,
        event_type: EventType,
        object: &str,
    ) -> SecretText {
        let envelope = Envelope {
            merchant_id: &payment.merchant_id,
            event_id,
            event_type,
            content_type: PAYMENT_DETAILS,
            object,
            timestamp: payment.modified_at,
        };
        SecretText::new(envelope.to_body())
    }

    /// Commits, and wakes whoever delivers when something is to be delivered.
    pub(crate) async fn commit(&self, change_set: ChangeSet) -> Result<(), CommitError> {
        let queued: Vec<Endpoint> = change_set.changes.iter().filter_map(queued).collect();
        self.store.commit(change_set).await?;
        for endpoint in queued {
            self.deliveries.wake(endpoint);
        }
        Ok(())
    }
}

/// Whether the profile has an address and wants to know of this status.
fn is_told(profile: &Profile, status: PaymentStatus) -> bool {
    let settings = profile.webhook.as_ref();
    settings.is_some_and(|settings| {
        settings.webhook_url.is_some() && settings.announces_payment(status)
    })
}

fn queued(change: &Change) -> Option<Endpoint> {
    match change {
        Change::RecordEvent(event) if event.deliver_at.is_some() => Some(event.endpoint()),
        _ => None,
    }
}
