//! Receives the webhooks of the demo's week, so that the console has deliveries to show.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use multirail_client::Client;
use multirail_client::types::{BusinessProfile, EventListRequest};
use tokio::task::JoinHandle;

use crate::failure::Failure;
use crate::listen::{Registration, can_deliver_here, register};
use crate::receiver::{Manners, WebhookListener, bind, serve};
use crate::trigger::stage::done;

/// The first deliveries fail, and arrive when they are tried again.
const FAILURES: u32 = 2;
/// The maximum number of looks for events that are still on their way, and the pause between two of them: five seconds.
const LOOKS: u32 = 20;
const PAUSE: Duration = Duration::from_millis(250);

/// A receiver of webhooks on this machine, registered in the profile while the week is made.
pub(super) struct Deliveries {
    registration: Registration,
    merchant_id: String,
    task: JoinHandle<Infallible>,
}

impl Deliveries {
    /// Registers a receiver. A server on another machine couldn't reach it, so then there is none.
    pub(super) async fn begin(
        client: &Client,
        server: &str,
        profile: BusinessProfile,
    ) -> Result<Option<Self>, Failure> {
        if !can_deliver_here(server) {
            return Ok(None);
        }
        let socket = bind(0).await?;
        let address = socket.local_addr()?;
        let manners = Manners {
            fail_next: FAILURES,
            ..Manners::default()
        };
        let listener = WebhookListener::new(manners, Utc::now, Box::new(io::sink()));
        let task = tokio::spawn(serve(socket, Arc::new(listener)));
        let merchant_id = profile.merchant_id.clone();
        let registration = register(client, profile, address).await?;
        Ok(Some(Self {
            registration,
            merchant_id,
            task,
        }))
    }

    /// Waits for the events since this time, as far as they come soon.
    pub(super) async fn arrive(
        &self,
        operator: &Client,
        since: DateTime<Utc>,
    ) -> Result<(), Failure> {
        for _ in 0..LOOKS {
            let late = EventListRequest::new()
                .is_delivered(false)
                .created_after(since)
                .limit(1);
            let call = operator.events_list().merchant_id(&self.merchant_id);
            let late = done("the list of events", call.body(late).send().await)?;
            if late.total_count == 0 {
                break;
            }
            tokio::time::sleep(PAUSE).await;
        }
        Ok(())
    }

    /// Restores the profile's webhook settings.
    pub(super) async fn end(self, client: &Client) -> Result<(), Failure> {
        let undone = self.registration.undo(client).await;
        self.task.abort();
        undone.map(drop)
    }
}
