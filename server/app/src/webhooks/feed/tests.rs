use async_trait::async_trait;
use futures::FutureExt;
use multirail_kernel::event::EventType;
use multirail_kernel::ids::ProfileId;
use multirail_kernel::random::{Random, SeededRandom};
use multirail_kernel::timestamp::Timestamp;

use super::*;
use crate::fixture::{Committed, NOW, base};

/// Makes an event of a payment that succeeded.
pub(super) fn event(made_at: Timestamp, random: &dyn Random, object_id: &str) -> StoredEvent {
    StoredEvent {
        merchant_id: MerchantId::parse("bookshop").expect("an id"),
        event_id: EventId::generate(made_at, random),
        profile_id: ProfileId::parse("pro_1").expect("an id"),
        event_type: EventType::PaymentSucceeded,
        object_id: object_id.to_owned(),
        endpoint_id: None,
        is_delivered: None,
        created_at: made_at,
    }
}

/// The stored events of the bookshop.
#[derive(Default)]
struct Stored(Mutex<Vec<StoredEvent>>);

impl Stored {
    /// Stores an event that was made so many seconds before the clock's time.
    fn has(&self, seconds_ago: i64, random: &dyn Random, object_id: &str) -> EventId {
        let made_at = Timestamp::from_micros(NOW * 1_000_000).later(-seconds_ago);
        let event = event(made_at, random, object_id);
        let event_id = event.event_id.clone();
        self.0.lock().expect("no panic").push(event);
        event_id
    }
}

#[async_trait]
impl EventSequence for Stored {
    async fn events_from(
        &self,
        merchant_id: &MerchantId,
        first: &EventId,
        at_most: i64,
    ) -> Result<Vec<StoredEvent>, StoreFailure> {
        let all = self.0.lock().expect("no panic");
        let fits =
            |event: &&StoredEvent| event.merchant_id == *merchant_id && event.event_id >= *first;
        let mut found: Vec<StoredEvent> = all.iter().filter(fits).cloned().collect();
        found.sort_by(|one, other| one.event_id.cmp(&other.event_id));
        found.truncate(usize::try_from(at_most).expect("a count"));
        Ok(found)
    }
}

fn feed() -> (ChangeFeed, Arc<Stored>, SeededRandom) {
    let stored = Arc::new(Stored::default());
    let events = Arc::clone(&stored) as Arc<dyn EventSequence>;
    let feed = ChangeFeed::new(base(&Arc::new(Committed::default())), events);
    (feed, stored, SeededRandom::new(7))
}

async fn follows(feed: &ChangeFeed, merchant: &str, last: Option<&EventId>) -> Following {
    let session_id = SessionId::parse("ses_1").expect("an id");
    let merchant_id = MerchantId::parse(merchant).expect("an id");
    let begun = feed.follow(&session_id, &merchant_id, last).await;
    begun.unwrap_or_else(|why| panic!("{why:?}"))
}

/// Returns the objects of the messages that are there already.
fn heard(following: &mut Following) -> Vec<String> {
    let mut heard = Vec::new();
    while let Some(told) = following.next().now_or_never() {
        match told {
            Told::Events(events) => {
                heard.extend(events.iter().map(|event| event.object_id.clone()));
            }
            Told::Reset => heard.push("reset".to_owned()),
        }
    }
    heard
}

#[tokio::test]
async fn a_stream_is_told_of_the_latest_events_and_of_each_later_one_once() {
    let (feed, stored, random) = feed();
    stored.has(60, &random, "pay_old");
    stored.has(5, &random, "pay_latest");
    let mut books = follows(&feed, "bookshop", None).await;
    let mut flowers = follows(&feed, "florist", None).await;
    assert_eq!(heard(&mut books), ["pay_latest"]);
    stored.has(0, &random, "pay_new");
    for _ in 0..2 {
        feed.look().await.expect("a store");
    }
    assert_eq!(heard(&mut books), ["pay_new"]);
    assert_eq!(heard(&mut flowers), Vec::<String>::new());
    // Nobody follows any more.
    drop((books, flowers));
    feed.look().await.expect("a store");
    assert!(feed.lock().is_empty());
}

#[tokio::test]
async fn a_stream_goes_on_after_the_last_event_that_its_reader_has_seen() {
    let (feed, stored, random) = feed();
    stored.has(300, &random, "pay_1");
    let seen = stored.has(120, &random, "pay_2");
    stored.has(60, &random, "pay_3");
    let mut books = follows(&feed, "bookshop", Some(&seen)).await;
    assert_eq!(heard(&mut books), ["pay_3"]);
    // An event of another merchant account is as unknown as one that never was.
    let mut flowers = follows(&feed, "florist", Some(&seen)).await;
    assert_eq!(heard(&mut flowers), ["reset"]);
}

#[tokio::test]
async fn a_stream_that_is_too_far_behind_is_told_to_load_everything_again() {
    let (feed, stored, random) = feed();
    let mut books = follows(&feed, "bookshop", None).await;
    for count in 0..=LOOKS_BEHIND {
        stored.has(0, &random, &format!("pay_{count}"));
        feed.look().await.expect("a store");
    }
    let told = heard(&mut books);
    assert_eq!((told[0].as_str(), told.len()), ("reset", 1 + LOOKS_BEHIND));
    let last = stored.has(0, &random, "pay_last");
    for _ in 0..=MOST {
        stored.has(0, &random, "pay_more");
    }
    let mut late = follows(&feed, "bookshop", Some(&last)).await;
    assert_eq!(heard(&mut late), ["reset"]);
    feed.look().await.expect("a store");
    assert_eq!(heard(&mut books), ["reset"]);
}
