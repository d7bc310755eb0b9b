//! Users follow the changes of their merchant account.

use std::process::Command;

use multirail_conformance::bodies::{APPROVED, paid_with};
use multirail_conformance::patience::{PATIENCE, until};
use multirail_conformance::shop::id;
use multirail_conformance::{Shop, TestServer};
use multirail_server::config::Setting;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::{PASSWORD, Person, token};
use crate::disk::process::{Manner, Process};
use crate::servers::site::{Site, moved};

/// An open stream, with the part that was read and not used yet.
pub struct Stream {
    answer: reqwest::Response,
    read: String,
}

/// A frame of a stream.
#[derive(Debug, Default)]
pub struct Frame {
    id: String,
    event: String,
    data: Value,
}

impl Stream {
    /// Opens a stream of the person, after the last event that they have seen.
    async fn open(person: &Person, last: Option<&str>) -> Self {
        let base = person.server.wire.base_url();
        Self::at(base, &person.token, last).await
    }

    /// Opens a stream at the server with this address.
    pub async fn at(base: &str, token: &str, last: Option<&str>) -> Self {
        let http = reqwest::Client::builder().no_proxy().build();
        let asked = http
            .expect("a client")
            .get(format!("{base}/user/changes"))
            .bearer_auth(token);
        let asked = match last {
            Some(last) => asked.header("last-event-id", last),
            None => asked,
        };
        let answer = asked.send().await.expect("an answer");
        assert_eq!(answer.status(), 200);
        Self {
            answer,
            read: String::new(),
        }
    }

    /// Returns the next frame that is no heartbeat; `None` at the end.
    pub async fn next(&mut self) -> Option<Frame> {
        timeout(PATIENCE, self.read_next())
            .await
            .expect("the stream is silent")
    }

    async fn read_next(&mut self) -> Option<Frame> {
        loop {
            while let Some((frame, rest)) = self.read.split_once("\n\n") {
                let (frame, rest) = (Frame::read(frame), rest.to_owned());
                self.read = rest;
                if !frame.event.is_empty() {
                    return Some(frame);
                }
            }
            let piece = self.answer.chunk().await.expect("a whole stream")?;
            self.read
                .push_str(std::str::from_utf8(&piece).expect("a text"));
        }
    }

    /// Returns the next change.
    async fn change(&mut self) -> Frame {
        let frame = self.next().await.expect("it goes on");
        assert_eq!(frame.event, "change", "{frame:?}");
        frame
    }
}

impl Frame {
    fn read(text: &str) -> Self {
        let mut frame = Frame::default();
        for line in text.lines() {
            match line.split_once(": ") {
                Some(("id", id)) => frame.id = id.to_owned(),
                Some(("event", event)) => frame.event = event.to_owned(),
                Some(("data", data)) => frame.data = serde_json::from_str(data).expect("JSON"),
                Some(_) | None => {}
            }
        }
        frame
    }
}

async fn pays(shop: &Shop) -> Value {
    shop.creates(paid_with(APPROVED)).await.ok()
}

#[tokio::test]
async fn a_payment_is_announced_to_its_merchants_user_and_to_no_other() {
    let shop = Shop::open().await;
    let server = &shop.server;
    let florist = server.shop("florist").await;
    let ada = Person::invited(server, "ada", "merchant_view_only", "bookshop").await;
    let flora = Person::invited(server, "flora", "merchant_admin", "florist").await;
    let (mut books, mut flowers) = (
        Stream::open(&ada, None).await,
        Stream::open(&flora, None).await,
    );
    let book = pays(&shop).await;
    let told = books.change().await;
    assert_eq!(told.data["object_id"], book["payment_id"]);
    assert_eq!(told.data["event_class"], "payments");
    assert_eq!(told.data["event_type"], "payment_succeeded");
    assert_eq!(told.data["profile_id"], shop.profile_id.as_str());
    let stored = server
        .operator("events_list")
        .at("merchant_id", "bookshop")
        .json(&json!({ "object_id": book["payment_id"] }))
        .await
        .ok();
    assert_eq!(told.id, stored["events"][0]["event_id"]);
    assert_eq!(told.data["created"], stored["events"][0]["created"]);
    let members = told.data.as_object().map(serde_json::Map::len);
    assert_eq!(members, Some(5), "identifiers and words only");
    // The other merchant's stream has nothing before the payment of its own.
    let flower = pays(&florist).await;
    assert_eq!(
        flowers.change().await.data["object_id"],
        flower["payment_id"]
    );
    let refund = shop.refunds(&book, json!({})).await.ok();
    let told = books.change().await;
    assert_eq!(told.data["object_id"], refund["refund_id"]);
    assert_eq!(told.data["event_class"], "refunds");
}

#[tokio::test]
async fn a_stream_goes_on_where_the_last_one_ended_or_says_load_again() {
    let shop = Shop::open().await;
    let ada = Person::invited(&shop.server, "ada", "merchant_operator", "bookshop").await;
    let mut stream = Stream::open(&ada, None).await;
    pays(&shop).await;
    let seen = stream.change().await;
    drop(stream);
    let missed = pays(&shop).await;
    let mut stream = Stream::open(&ada, Some(&seen.id)).await;
    let told = stream.change().await;
    assert_eq!(told.data["object_id"], missed["payment_id"]);
    assert_ne!(told.id, seen.id);

    let unknown = format!("{}ff", &seen.id[..seen.id.len() - 2]);
    let old = "evt_019b8dabcdef7a12b3c45d6e7f809a1b";
    for last in [unknown.as_str(), old, "7"] {
        let mut stream = Stream::open(&ada, Some(last)).await;
        let told = stream.next().await.expect("it goes on");
        assert_eq!(
            (told.event.as_str(), told.id.as_str()),
            ("reset", ""),
            "{last}"
        );
        // It then tells of what comes.
        let next = pays(&shop).await;
        while stream.change().await.data["object_id"] != next["payment_id"] {}
    }
    let call = ada.call("events_follow").header("last-event-id", "a b");
    call.await.refused(422, "IR_05");
}

#[tokio::test]
async fn a_stream_ends_with_its_session() {
    let shop = Shop::open().await;
    let server = &shop.server;
    let ada = Person::invited(server, "ada", "merchant_operator", "bookshop").await;
    let grace = Person::invited(server, "grace", "merchant_operator", "bookshop").await;
    let mut stream = Stream::open(&ada, None).await;
    let mut other = Stream::open(&grace, None).await;
    assert_eq!(ada.call("users_sign_out").await.status, 200);
    // A payment after that is told to the other user only.
    let payment = pays(&shop).await;
    assert!(stream.next().await.is_none());
    assert_eq!(
        other.change().await.data["object_id"],
        payment["payment_id"]
    );
    // The session expires, although the stream is open.
    server.time_passes(172_800).await;
    assert!(other.next().await.is_none());
    ada.call("events_follow").await.refused(401, "IR_17");
}

#[tokio::test]
async fn a_stream_ends_when_its_user_gets_another_role() {
    let shop = Shop::open().await;
    let server = &shop.server;
    let ada = Person::invited(server, "ada", "merchant_admin", "bookshop").await;
    let grace = Person::invited(server, "grace", "merchant_operator", "bookshop").await;
    let mut stream = Stream::open(&grace, None).await;
    let user_id = grace.details().await["user_id"].clone();
    let call = ada.call("team_update");
    let call = call.at("user_id", user_id.as_str().expect("an id"));
    let role = json!({ "role_id": "merchant_view_only" });
    call.json(&role).await.ok();
    assert!(stream.next().await.is_none());
    Stream::open(&grace, None).await;
}

#[tokio::test]
async fn a_session_has_only_so_many_streams_and_they_hold_no_place_of_a_request() {
    let server = TestServer::start_with(|inputs| inputs.with(Setting::MaxRequests, "2")).await;
    let shop = server.shop("bookshop").await;
    let ada = Person::invited(&server, "ada", "merchant_operator", "bookshop").await;
    let grace = Person::invited(&server, "grace", "merchant_operator", "bookshop").await;
    let mut streams = Vec::new();
    for _ in 0..4 {
        streams.push(Stream::open(&ada, None).await);
    }
    let answer = ada.call("events_follow").await;
    assert!(answer.header("retry-after").is_some());
    let message = answer.refused(429, "MR_03");
    assert!(message.contains("streams of this session"), "{message}");
    // Others go on, and so do ordinary calls.
    Stream::open(&grace, None).await;
    let payment = pays(&shop).await;
    for stream in &mut streams {
        assert_eq!(stream.change().await.data["object_id"], id(&payment));
    }
    streams.pop();
    until(
        "the place of a closed stream",
        async || ada.call("events_follow").await.status,
        |status| *status == 200,
    )
    .await;
}

#[tokio::test]
async fn a_stream_tells_of_payments_at_another_server() {
    let Some(site) = Site::on_postgres().await else {
        return;
    };
    let here = site.server("one").await.shop("bookshop").await;
    let ada = Person::invited(&here.server, "ada", "merchant_operator", "bookshop").await;
    let mut stream = Stream::open(&ada, None).await;
    let (there, here) = moved(here, site.server("two").await);
    let payment = pays(&there).await;
    assert_eq!(
        stream.change().await.data["object_id"],
        payment["payment_id"]
    );
    drop(here);
}

/// The server goes on until load balancers have noticed, but its streams end at once.
#[tokio::test(flavor = "multi_thread")]
async fn streams_end_when_the_stop_begins() {
    for guard in ["off", "on"] {
        let manner = Manner {
            environment: vec![
                ("MULTIRAIL_SHUTDOWN_DELAY_SECONDS", "60".to_owned()),
                ("MULTIRAIL_CONNECTION_GUARD", guard.to_owned()),
            ],
            ..Manner::default()
        };
        let process = Process::start(manner).await.expect("a server");
        let who = json!({ "email": "ada@books.example", "password": PASSWORD });
        let made = process.wire.call("users_sign_up").json(&who).await.ok();
        let ada = token(&made);
        let mut stream = Stream::at(process.wire.base_url(), &ada, None).await;
        let pid = process.pid().to_string();
        let told = Command::new("kill").args(["-TERM", &pid]).status();
        assert!(told.expect("kill is there").success());
        assert!(stream.next().await.is_none(), "guard {guard}");
        // It still answers, and begins no other stream.
        let own = process.wire.call("users_retrieve").token(&ada).await;
        assert_eq!(own.status, 200);
        let follow = process.wire.call("events_follow").token(&ada);
        follow.await.refused(503, "HE_00");
    }
}
