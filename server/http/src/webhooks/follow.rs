//! The stream of changes. It is written by a task of its own, so it holds no place of a request.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use dropshot::RequestContext;
use http::HeaderValue;
use multirail_api::{ApiError, EventStream, Op, Principal, User};
use multirail_app::AppError;
use multirail_app::webhooks::feed::{Following, Full, NotFollowed, Told};
use multirail_app::webhooks::ports::events::StoredEvent;
use multirail_kernel::event::EventClass;
use multirail_kernel::ids::{EventId, SessionId};
use serde::Serialize;
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until, timeout};

use crate::Context;
use crate::platform::errors::{api_error, no_stream, too_many_streams};
use crate::platform::scope;

const LAST_EVENT_HEADER: &str = "last-event-id";

/// The first line: the milliseconds after which a browser begins the next stream.
const RETRY: &str = "retry: 3000\n\n";

const HEARTBEAT: &str = ":\n\n";
const HEARTBEAT_EVERY: Duration = Duration::from_secs(15);

/// The time between look-ups of the session while nothing happens. Another one comes before each event that is told.
const CHECK_EVERY: Duration = Duration::from_secs(5);

/// The time in which a reader has to take a piece.
const PATIENCE: Duration = Duration::from_secs(30);

/// Begins the stream of a user.
pub(super) async fn follow(
    rqctx: &RequestContext<Context>,
    user: User,
) -> Result<EventStream, ApiError> {
    let state = rqctx.context();
    if state.stopping.has_begun() {
        return Err(no_stream("it is stopping"));
    }
    let last = rqctx.request.headers().get(LAST_EVENT_HEADER);
    let last = last.map(event_id).transpose()?;
    let session_id = SessionId::parse(&user.session_id);
    let session_id =
        session_id.map_err(|_| ApiError::internal("a sign-in has a session without an id"))?;
    let merchant_id = scope::merchant_id(&user.merchant_id)?;
    let feed = &state.services.change_feed;
    let following = feed.follow(&session_id, &merchant_id, last.as_ref()).await;
    let (pieces, stream) = EventStream::new();
    let writer = Writer {
        state: Arc::clone(state),
        following: following.map_err(not_followed)?,
        reader: Reader::new(user),
        pieces,
    };
    tokio::spawn(writer.run());
    Ok(stream)
}

fn event_id(named: &HeaderValue) -> Result<EventId, ApiError> {
    let found = named.to_str().ok().map(EventId::parse);
    let found = found.and_then(Result::ok);
    found.ok_or_else(|| ApiError::wrong_format("`Last-Event-ID` is no identifier of an event."))
}

fn not_followed(why: NotFollowed) -> ApiError {
    match why {
        NotFollowed::Full(Full::Session) => too_many_streams("session"),
        NotFollowed::Full(Full::Merchant) => too_many_streams("merchant account"),
        NotFollowed::Full(Full::Server) => no_stream("it has too many"),
        NotFollowed::Failed(error) => api_error(error),
    }
}

/// Writes one stream until its session ends, nobody reads it any more, or the server stops.
struct Writer {
    state: Context,
    following: Following,
    reader: Reader,
    pieces: mpsc::Sender<Bytes>,
}

impl Writer {
    async fn run(mut self) {
        let stopping = self.state.stopping.begun();
        let pieces = self.pieces.clone();
        tokio::select! {
            () = stopping => {}
            () = pieces.closed() => {}
            () = self.write() => {}
        }
    }

    async fn write(&mut self) {
        let mut checks = interval(CHECK_EVERY);
        checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // The first tick is over at once.
        checks.tick().await;
        let mut piece = RETRY.to_owned();
        loop {
            if !piece.is_empty() && !self.send(piece).await {
                return;
            }
            let beat_at = Instant::now() + HEARTBEAT_EVERY;
            piece = loop {
                tokio::select! {
                    told = self.following.next() => {
                        let piece = self.reader.piece(&told);
                        if !piece.is_empty() {
                            if !self.goes_on().await {
                                return;
                            }
                            break piece;
                        }
                    }
                    _ = checks.tick() => if !self.goes_on().await {
                        return;
                    },
                    () = sleep_until(beat_at) => break HEARTBEAT.to_owned(),
                }
            };
        }
    }

    /// Returns whether the reader has taken the piece.
    async fn send(&self, piece: String) -> bool {
        let sent = self.pieces.send(Bytes::from(piece));
        matches!(timeout(PATIENCE, sent).await, Ok(Ok(())))
    }

    /// Returns whether the session and its rights are those with which the stream began. After a failure, the reader asks
    /// again.
    async fn goes_on(&self) -> bool {
        let found = self.state.tokens.read_session(self.reader.session_id());
        self.reader.is_still(found.await)
    }
}

/// The user of a stream, who decides what it shows.
struct Reader {
    /// As they signed in, whatever the call is narrowed to.
    user: User,
    principal: Principal,
    /// The only profile that is shown, if the call is narrowed to one.
    profile_id: Option<String>,
}

/// The data of an event: identifiers and words only.
#[derive(Serialize)]
struct Change<'a> {
    event_class: &'a str,
    event_type: &'a str,
    object_id: &'a str,
    profile_id: &'a str,
    created: String,
}

impl Reader {
    fn new(mut user: User) -> Self {
        let profile_id = user.narrowed_to.take();
        Self {
            principal: Principal::User(Box::new(user.clone())),
            user,
            profile_id,
        }
    }

    fn session_id(&self) -> &str {
        &self.user.session_id
    }

    /// Returns whether the user of the session is the same as at the beginning.
    fn is_still(&self, found: Result<Option<User>, AppError>) -> bool {
        match found {
            Ok(found) => found.is_some_and(|user| user == self.user),
            Err(error) => {
                tracing::debug!(%error, "the session of a stream can't be looked up");
                false
            }
        }
    }

    /// Returns the frames of a message, without events that the user may not list.
    fn piece(&self, told: &Told) -> String {
        match told {
            Told::Reset => "event: reset\ndata: {}\n\n".to_owned(),
            Told::Events(events) => {
                let shown = events.iter().filter(|event| self.is_shown(event));
                shown.map(frame).collect()
            }
        }
    }

    fn is_shown(&self, event: &StoredEvent) -> bool {
        let is_of_profile = |id: &String| id == event.profile_id.as_str();
        self.profile_id.as_ref().is_none_or(is_of_profile)
            && self
                .principal
                .may_call(list_of(event.event_type.class()).info())
    }
}

/// Returns the operation by which a user lists the objects of a class. Where there is none for users, the list of events
/// counts.
fn list_of(class: EventClass) -> Op {
    match class {
        EventClass::Payments => Op::PaymentsFilter,
        EventClass::Refunds => Op::RefundsList,
        EventClass::Disputes => Op::DisputesList,
        EventClass::Mandates | EventClass::Subscriptions => Op::EventsList,
    }
}

fn frame(event: &StoredEvent) -> String {
    let change = Change {
        event_class: event.event_type.class().as_str(),
        event_type: event.event_type.as_str(),
        object_id: &event.object_id,
        profile_id: event.profile_id.as_str(),
        created: event.created_at.to_string(),
    };
    let data = serde_json::to_string(&change).expect("texts are plain JSON");
    format!("id: {}\nevent: change\ndata: {data}\n\n", event.event_id)
}

#[cfg(test)]
mod tests {
    use multirail_api::Role;
    use multirail_kernel::event::EventType;
    use multirail_kernel::ids::{MerchantId, ProfileId};
    use multirail_kernel::timestamp::Timestamp;

    use super::*;

    fn user(narrowed_to: Option<&str>) -> User {
        User {
            user_id: "user_1".to_owned(),
            session_id: "ses_1".to_owned(),
            organization_id: "org_1".to_owned(),
            merchant_id: "bookshop".to_owned(),
            profile_id: Some("pro_1".to_owned()),
            narrowed_to: narrowed_to.map(str::to_owned),
            lacks_second_factor: false,
            role: Role::MerchantViewOnly,
        }
    }

    fn event(event_type: EventType, object_id: &str, profile_id: &str) -> StoredEvent {
        let created_at = Timestamp::from_micros(1_767_323_045_123_456);
        StoredEvent {
            merchant_id: MerchantId::parse("bookshop").expect("an id"),
            event_id: EventId::first_at(created_at),
            profile_id: ProfileId::parse(profile_id).expect("an id"),
            event_type,
            object_id: object_id.to_owned(),
            endpoint_id: None,
            is_delivered: None,
            created_at,
        }
    }

    #[test]
    fn a_message_has_identifiers_and_words_only() {
        let paid = event(EventType::PaymentSucceeded, "pay_1", "pro_1");
        let lost = event(EventType::DisputeLost, "dp_1", "pro_2");
        let both = Told::Events([paid, lost].into());
        let everything = Reader::new(user(None));
        insta::assert_snapshot!(everything.piece(&both), @r#"
        id: evt_019b7ca98d0300000000000000000000
        event: change
        data: {"event_class":"payments","event_type":"payment_succeeded","object_id":"pay_1","profile_id":"pro_1","created":"2026-01-02T03:04:05.123Z"}

        id: evt_019b7ca98d0300000000000000000000
        event: change
        data: {"event_class":"disputes","event_type":"dispute_lost","object_id":"dp_1","profile_id":"pro_2","created":"2026-01-02T03:04:05.123Z"}
        "#);
        let narrowed = Reader::new(user(Some("pro_2"))).piece(&both);
        assert!(!narrowed.contains("pay_1") && narrowed.contains("dp_1"));
        assert_eq!(Reader::new(user(Some("pro_3"))).piece(&both), "");
        assert_eq!(everything.piece(&Told::Reset), "event: reset\ndata: {}\n\n");
    }

    #[test]
    fn a_stream_ends_with_the_rights_of_its_user() {
        let reader = Reader::new(user(Some("pro_2")));
        assert!(reader.is_still(Ok(Some(user(None)))));
        let promoted = User {
            role: Role::MerchantAdmin,
            ..user(None)
        };
        let elsewhere = User {
            merchant_id: "florist".to_owned(),
            ..user(None)
        };
        for found in [Some(promoted), Some(elsewhere), None] {
            assert!(!reader.is_still(Ok(found)));
        }
        assert!(!reader.is_still(Err(AppError::Unavailable("it is gone".to_owned()))));
    }

    #[test]
    fn roles_see_the_classes_that_they_may_list() {
        let reader = Reader::new(user(None));
        for event_type in [
            EventType::PaymentSucceeded,
            EventType::RefundFailed,
            EventType::DisputeOpened,
            EventType::MandateActive,
            EventType::InvoicePaid,
        ] {
            assert!(reader.is_shown(&event(event_type, "x", "pro_1")));
        }
    }
}
