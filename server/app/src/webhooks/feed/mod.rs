//! The feed of changes: tells streams of the events of a merchant account, soon after any server has stored them.
//!
//! One worker looks for new events of every merchant account that is followed. All its streams share the look.

mod places;
mod start;
mod window;

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use multirail_kernel::ids::{EventId, MerchantId, SessionId};
use multirail_kernel::timestamp::Timestamp;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use crate::AppError;
use crate::platform::base::Base;
use crate::platform::ports::StoreFailure;
use crate::webhooks::ports::EventSequence;
use crate::webhooks::ports::events::StoredEvent;
use places::{Place, Places};
use start::{Start, start};
use window::{MOST, News, OVERLAP_SECONDS, Window};

pub use places::Full;

/// Looks that a slow stream may be behind. One that is further behind is told to read everything again.
const LOOKS_BEHIND: usize = 32;

/// The feed of one server.
pub struct ChangeFeed {
    base: Arc<Base>,
    events: Arc<dyn EventSequence>,
    places: Places,
    followed: Mutex<HashMap<MerchantId, Followed>>,
}

/// A merchant account that at least one stream followed at the last look.
struct Followed {
    window: Window,
    told: broadcast::Sender<Told>,
}

/// A message to a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// New events, in the order of their ids.
    Events(Arc<[StoredEvent]>),
    /// Events are left out: their reader has to load everything again.
    Reset,
}

/// One stream of changes.
pub struct Following {
    /// Told before everything else.
    first: Option<Told>,
    /// The events of that message, which the feed may find again.
    is_told: HashSet<EventId>,
    heard: broadcast::Receiver<Told>,
    _place: Place,
}

/// Why a stream doesn't begin.
#[derive(Debug)]
pub enum NotFollowed {
    Full(Full),
    Failed(AppError),
}

impl ChangeFeed {
    pub fn new(base: Arc<Base>, events: Arc<dyn EventSequence>) -> Self {
        Self {
            base,
            events,
            places: Places::default(),
            followed: Mutex::default(),
        }
    }

    /// Begins a stream: after the event with the id `last`, else with the latest ones.
    ///
    /// # Errors
    /// There are too many streams, or the store fails.
    pub async fn follow(
        &self,
        session_id: &SessionId,
        merchant_id: &MerchantId,
        last: Option<&EventId>,
    ) -> Result<Following, NotFollowed> {
        let place = self.places.take(session_id, merchant_id);
        let place = place.map_err(NotFollowed::Full)?;
        // Listening begins before the read, so that no event falls between the two.
        let heard = self.listen(merchant_id);
        let first = self.first(merchant_id, last).await;
        let first = first.map_err(|failure| NotFollowed::Failed(failure.into()))?;
        let is_told = match &first {
            Some(Told::Events(events)) => {
                events.iter().map(|event| event.event_id.clone()).collect()
            }
            Some(Told::Reset) | None => HashSet::new(),
        };
        Ok(Following {
            first,
            is_told,
            heard,
            _place: place,
        })
    }

    fn listen(&self, merchant_id: &MerchantId) -> broadcast::Receiver<Told> {
        let mut followed = self.lock();
        let known = followed.entry(merchant_id.clone());
        let known = known.or_insert_with(|| Followed {
            window: Window::begin(self.base.clock.wall()),
            told: broadcast::Sender::new(LOOKS_BEHIND),
        });
        known.told.subscribe()
    }

    /// Returns the first message of a stream, if it has one.
    async fn first(
        &self,
        merchant_id: &MerchantId,
        last: Option<&EventId>,
    ) -> Result<Option<Told>, StoreFailure> {
        let (from, last) = match start(last, self.base.clock.wall()) {
            Start::Reset => return Ok(Some(Told::Reset)),
            Start::Latest(from) => (from, None),
            Start::After { last, from } => (from, Some(last)),
        };
        let mut found = self.read(merchant_id, &from).await?;
        if found.len() > MOST {
            return Ok(Some(Told::Reset));
        }
        if let Some(last) = &last {
            let count = found.len();
            found.retain(|event| event.event_id != *last);
            if found.len() == count {
                return Ok(Some(Told::Reset));
            }
        }
        Ok((!found.is_empty()).then(|| Told::Events(found.into())))
    }

    /// Looks for new events of every merchant account that is followed, and forgets the others.
    ///
    /// # Errors
    /// The store fails. The next look finds the same events.
    pub async fn look(&self) -> Result<(), StoreFailure> {
        for (merchant_id, from) in self.to_look_at() {
            // The time is taken before the read: an event that is stored during a slow read must not lie before the next look.
            let wall = self.base.clock.wall();
            let found = self.read(&merchant_id, &from).await?;
            if let Some(followed) = self.lock().get_mut(&merchant_id) {
                followed.tell(found, wall);
            }
        }
        Ok(())
    }

    /// Returns when this server has stored events.
    pub async fn has_news(&self) {
        self.base.stored_events.notified().await;
    }

    fn to_look_at(&self) -> Vec<(MerchantId, EventId)> {
        let mut followed = self.lock();
        followed.retain(|_, one| one.told.receiver_count() > 0);
        let all = followed.iter();
        all.map(|(merchant_id, one)| (merchant_id.clone(), one.window.from().clone()))
            .collect()
    }

    /// Reads one event more than are told, to notice that there are more.
    async fn read(
        &self,
        merchant_id: &MerchantId,
        from: &EventId,
    ) -> Result<Vec<StoredEvent>, StoreFailure> {
        let at_most = MOST as i64 + 1;
        self.events.events_from(merchant_id, from, at_most).await
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<MerchantId, Followed>> {
        self.followed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Followed {
    fn tell(&mut self, found: Vec<StoredEvent>, wall: Timestamp) {
        let told = match self.window.take(found, wall) {
            News::Events(news) if news.is_empty() => return,
            News::Events(news) => Told::Events(news.into()),
            News::TooMany => Told::Reset,
        };
        // Without a receiver nobody has to be told.
        let _ = self.told.send(told);
    }
}

impl Following {
    /// Returns the next message. Dropping the future while it waits loses nothing.
    pub async fn next(&mut self) -> Told {
        if let Some(first) = self.first.take() {
            return first;
        }
        loop {
            match self.heard.recv().await {
                Ok(told) => {
                    if let Some(told) = self.untold(told) {
                        return told;
                    }
                }
                Err(RecvError::Lagged(_)) => return Told::Reset,
                // The feed keeps a merchant account while it has a receiver.
                Err(RecvError::Closed) => std::future::pending().await,
            }
        }
    }

    /// Leaves out the events of the first message.
    fn untold(&mut self, told: Told) -> Option<Told> {
        let Told::Events(events) = &told else {
            return Some(told);
        };
        if self.is_told.is_empty() {
            return Some(told);
        }
        let mut left = events.to_vec();
        left.retain(|event| !self.is_told.remove(&event.event_id));
        (!left.is_empty()).then(|| Told::Events(left.into()))
    }
}
