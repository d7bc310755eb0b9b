//! A user's sessions, and how they end.

use multirail_conformance::{Shop, TestServer};
use serde_json::Value;

use super::{PASSWORD, Person, sign_in, token};
use crate::servers::site::{Site, moved};

async fn listed(person: &Person) -> Vec<Value> {
    let listed = person.call("user_sessions_list").await.ok();
    listed.as_array().expect("a list").clone()
}

fn id(session: &Value) -> &str {
    session["session_id"].as_str().expect("an id")
}

/// Signs the same user in again, from a client of this name.
async fn again(person: &Person, client: &str) -> Person {
    let call = sign_in(&person.server, &person.email, PASSWORD).header("user-agent", client);
    Person {
        token: token(&call.await.ok()),
        email: person.email.clone(),
        server: person.server.clone(),
    }
}

#[tokio::test]
async fn a_user_lists_and_ends_sessions() {
    let server = TestServer::start().await;
    let ada = Person::new(&server, "ada").await;
    server.time_passes(1).await;
    let phone = again(&ada, "telephone/1").await;
    server.time_passes(1).await;
    let laptop = again(&ada, &format!("laptop/{}", "x".repeat(300))).await;

    let seen = listed(&laptop).await;
    assert_eq!(seen.len(), 3, "{seen:?}");
    let current: Vec<&Value> = seen.iter().map(|one| &one["is_current"]).collect();
    assert_eq!(current, [true, false, false], "newest first");
    assert_eq!(seen[1]["user_agent"], "telephone/1");
    assert_eq!(seen[1]["client_address"], "127.0.0.1");
    let bounded = seen[0]["user_agent"].as_str().map(str::len);
    assert_eq!(bounded, Some(256));
    // The telephone's session was never used. The list itself is a use of the laptop's session.
    assert_eq!(seen[1]["last_used_at"], Value::Null);
    assert_ne!(listed(&laptop).await[0]["last_used_at"], Value::Null);
    assert!(!laptop.token.contains(id(&seen[0])), "no part of the token");

    // Another user neither sees nor ends these sessions.
    let grace = Person::new(&server, "grace").await;
    assert_eq!(listed(&grace).await.len(), 1);
    let end = |person: &Person, id: &str| person.call("user_sessions_end").at("session_id", id);
    end(&grace, id(&seen[1])).await.refused(404, "HE_02");
    end(&grace, "unborn").await.refused(404, "HE_02");
    phone.details().await;

    let ended = end(&laptop, id(&seen[1])).await;
    assert_eq!((ended.status, ended.text.as_str()), (200, ""));
    phone.call("users_retrieve").await.refused(401, "IR_17");
    end(&laptop, id(&seen[1])).await.refused(404, "HE_02");
    assert_eq!(listed(&laptop).await.len(), 2);

    let call = laptop.call("user_sessions_end_others");
    assert_eq!(call.await.status, 200);
    ada.call("users_retrieve").await.refused(401, "IR_17");
    grace.details().await;
    let left = listed(&laptop).await;
    assert_eq!(left.len(), 1);
    // Ending the current session signs out.
    end(&laptop, id(&left[0])).await;
    laptop.call("users_retrieve").await.refused(401, "IR_17");
}

#[tokio::test]
async fn a_use_is_noted_once_in_ten_minutes_and_what_lapsed_is_not_listed() {
    let server = TestServer::start().await;
    let ada = Person::new(&server, "ada").await;
    let used = async |person: &Person| listed(person).await[0]["last_used_at"].clone();
    ada.details().await;
    let first = used(&ada).await;
    server.time_passes(540).await;
    assert_eq!(used(&ada).await, first);
    server.time_passes(61).await;
    ada.details().await;
    assert_ne!(used(&ada).await, first);

    server.time_passes(172_800).await;
    let later = again(&ada, "later/1").await;
    let left = listed(&later).await;
    assert_eq!((left.len(), &left[0]["user_agent"]), (1, &"later/1".into()));
}

#[tokio::test]
async fn a_session_that_ends_at_one_server_ends_at_all() {
    let Some(site) = Site::on_postgres().await else {
        return;
    };
    let here: Shop = site.server("one").await.shop("bookshop").await;
    let ada = Person::new(&here.server, "ada").await;
    let phone = again(&ada, "telephone/1").await;
    let (there, here) = moved(here, site.server("two").await);
    let elsewhere = |person: &Person| Person {
        server: there.server.clone(),
        email: person.email.clone(),
        token: person.token.clone(),
    };
    let (ada_there, phone_there) = (elsewhere(&ada), elsewhere(&phone));
    phone_there.details().await;
    let seen = listed(&ada_there).await;
    let other = seen.iter().find(|one| one["is_current"] == false);
    let end = ada.call("user_sessions_end");
    let end = end.at("session_id", id(other.expect("the telephone's")));
    assert_eq!(end.await.status, 200);
    phone_there
        .call("users_retrieve")
        .await
        .refused(401, "IR_17");
    let tablet = again(&ada, "tablet/1").await;
    let others = ada_there.call("user_sessions_end_others").await;
    assert_eq!(others.status, 200);
    tablet.call("users_retrieve").await.refused(401, "IR_17");
    ada.details().await;
    drop(here);
}
