//! Events of mandates.

use multirail_domain::customers::mandate::MandateView;
use multirail_kernel::announcement::{AnnouncedStatus, Announcement};
use multirail_kernel::envelope::MANDATE_DETAILS;
use multirail_kernel::event::EventType;

use super::Mandates;
use crate::platform::announcer::{Announcer, Content, Identity};
use crate::platform::ports::{EventRecord, StoreFailure};

/// Renders a mandate for the body of a webhook.
pub trait MandateContent: Send + Sync {
    /// Returns the mandate as JSON, exactly as the API answers it to the merchant's secret key.
    fn mandate(&self, view: &MandateView) -> String;
}

/// Adds one event for each mandate, with its state after the change.
pub(crate) async fn announce(
    announcer: &Announcer,
    rendered: &dyn MandateContent,
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
            status: AnnouncedStatus::Unlisted,
            about: mandate.mandate_id.to_string(),
        };
        let content = || Content {
            content_type: MANDATE_DETAILS,
            object: rendered.mandate(view),
        };
        let version = mandate.version + 1;
        let news = vec![announcement];
        announcer
            .record(identity, version, news, content, events)
            .await?;
    }
    Ok(())
}

impl Mandates {
    /// As [`announce`].
    pub(crate) async fn record(
        &self,
        event_type: EventType,
        changed: &[MandateView],
        events: &mut Vec<EventRecord>,
    ) -> Result<(), StoreFailure> {
        let rendered = self.content.as_ref();
        announce(&self.announcer, rendered, event_type, changed, events).await
    }
}
