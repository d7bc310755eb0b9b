//! `POST /events/{merchant_id}`: every filter, alone and with others.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, DECLINED};
use multirail_conformance::response::moment;
use serde_json::{Value, json};

use super::{listed, members, paid, punctual_shop, types};

/// Four events, an hour apart, of three payments in two profiles. The shop has no endpoint.
struct Books {
    shop: Shop,
    second_profile: String,
    /// The events, oldest first.
    events: Vec<Value>,
}

async fn books() -> Books {
    let shop = punctual_shop().await;
    let second_profile = shop.second_profile().await;
    let there = json!({ "profile_id": second_profile });
    shop.connects("stripe_test", there.clone()).await.ok();

    paid(&shop, APPROVED, json!({ "payment_id": "paid" })).await;
    shop.time_passes(3600).await;
    paid(&shop, DECLINED, json!({ "payment_id": "declined" })).await;
    shop.time_passes(3600).await;
    let manual =
        json!({ "payment_id": "held", "profile_id": second_profile, "capture_method": "manual" });
    let held = paid(&shop, APPROVED, manual).await;
    shop.time_passes(3600).await;
    shop.cancels(&held, json!({})).await.ok();
    let page = listed(&shop, json!({})).await;
    let mut events = page["events"].as_array().expect("events").clone();
    events.reverse();
    Books {
        shop,
        second_profile,
        events,
    }
}

impl Books {
    /// Returns the types that a filter finds, newest first. The count must match the list.
    async fn finds(&self, filter: &Value) -> Vec<String> {
        let page = listed(&self.shop, filter.clone()).await;
        let found: Vec<String> = types(&page).into_iter().map(str::to_owned).collect();
        assert_eq!(page["total_count"], found.len(), "{filter}: {page}");
        found
    }

    fn event(&self, number: usize, member: &str) -> Value {
        self.events[number][member].clone()
    }
}

const ALL: [&str; 4] = [
    "payment_cancelled",
    "payment_authorized",
    "payment_failed",
    "payment_succeeded",
];
const SUCCEEDED: [&str; 1] = ["payment_succeeded"];
const OF_HELD: [&str; 2] = ["payment_cancelled", "payment_authorized"];
const NONE: [&str; 0] = [];

#[tokio::test]
async fn each_filter_narrows_the_list() {
    let books = books().await;
    let (second_hour, third_hour) = (books.event(1, "created"), books.event(2, "created"));
    let profile = &books.second_profile;
    let cases: &[(Value, &[&str])] = &[
        (json!({}), &ALL),
        (json!({ "object_id": "paid" }), &SUCCEEDED),
        (json!({ "object_id": "held" }), &OF_HELD),
        (json!({ "object_id": "nothing" }), &NONE),
        (
            json!({ "event_id": books.event(0, "event_id") }),
            &SUCCEEDED,
        ),
        (json!({ "event_id": "evt_nothing" }), &NONE),
        (json!({ "profile_id": profile }), &OF_HELD),
        (json!({ "created_after": third_hour }), &OF_HELD),
        (
            json!({ "created_before": second_hour }),
            &["payment_failed", "payment_succeeded"],
        ),
        (
            json!({ "created_after": second_hour, "created_before": second_hour }),
            &["payment_failed"],
        ),
        (json!({ "event_classes": ["payments"] }), &ALL),
        (json!({ "event_classes": ["refunds", "payouts"] }), &NONE),
        (json!({ "event_classes": [] }), &ALL),
        (
            json!({ "event_types": ["payment_failed", "payment_cancelled"] }),
            &["payment_cancelled", "payment_failed"],
        ),
        (json!({ "event_types": ["invoice_paid"] }), &NONE),
        (
            json!({ "event_types": ["invoice_paid", "payment_succeeded"] }),
            &SUCCEEDED,
        ),
        (json!({ "is_delivered": true }), &NONE),
        (json!({ "is_delivered": false }), &ALL),
    ];
    for (filter, expected) in cases {
        assert_eq!(books.finds(filter).await, *expected, "{filter}");
    }
}

#[tokio::test]
async fn filters_combine() {
    let books = books().await;
    let (third_hour, fourth_hour) = (books.event(2, "created"), books.event(3, "created"));
    let profile = &books.second_profile;
    let cases: &[(Value, &[&str])] = &[
        (
            json!({ "object_id": "held", "event_types": ["payment_cancelled"] }),
            &["payment_cancelled"],
        ),
        (json!({ "object_id": "paid", "profile_id": profile }), &NONE),
        (
            json!({ "object_id": "held", "created_before": third_hour }),
            &["payment_authorized"],
        ),
        (
            json!({ "event_id": books.event(3, "event_id"), "object_id": "held", "limit": 5 }),
            &["payment_cancelled"],
        ),
        (
            json!({ "event_id": books.event(3, "event_id"), "object_id": "paid" }),
            &NONE,
        ),
        (
            json!({ "profile_id": profile, "created_after": fourth_hour, "is_delivered": false }),
            &["payment_cancelled"],
        ),
        (
            json!({ "event_classes": ["payments", "refunds"], "event_types": ["payment_failed"] }),
            &["payment_failed"],
        ),
        (
            json!({ "event_classes": ["payments", "refunds"], "event_types": ["refund_failed"] }),
            &ALL,
        ),
        (
            json!({
                "created_after": books.event(0, "created"), "created_before": fourth_hour,
                "object_id": "held", "profile_id": profile, "event_classes": ["payments"],
                "event_types": ["payment_authorized"], "is_delivered": false, "limit": 10, "offset": 0,
            }),
            &["payment_authorized"],
        ),
    ];
    for (filter, expected) in cases {
        assert_eq!(books.finds(filter).await, *expected, "{filter}");
    }
}

#[tokio::test]
async fn pages_are_counted_as_a_whole() {
    let books = books().await;
    let shop = &books.shop;
    let cases: &[(Value, &[&str], usize)] = &[
        (json!({ "limit": 1 }), &ALL[..1], 4),
        (json!({ "limit": 2, "offset": 1 }), &ALL[1..3], 4),
        (json!({ "offset": 3 }), &ALL[3..], 4),
        (json!({ "offset": 4 }), &NONE, 4),
        (json!({ "limit": 0 }), &NONE, 4),
        (json!({ "limit": 100 }), &ALL, 4),
        (json!({ "limit": 1, "object_id": "held" }), &OF_HELD[..1], 2),
        (
            json!({ "limit": 1, "offset": 1, "object_id": "held" }),
            &OF_HELD[1..],
            2,
        ),
    ];
    for (body, expected, total) in cases {
        let page = listed(shop, body.clone()).await;
        assert_eq!(types(&page), *expected, "{body}");
        assert_eq!(page["total_count"], *total, "{body}");
    }
    let mut moments = members(&listed(shop, json!({})).await, "created")
        .into_iter()
        .map(str::to_owned)
        .collect::<Vec<_>>();
    moments.reverse();
    assert!(moments.is_sorted(), "newest first: {moments:?}");
}

/// A time that the API shows works as a filter's bound.
#[tokio::test]
async fn bounds_may_have_an_offset_or_no_fraction() {
    let books = books().await;
    let created = moment(&books.event(1, "created"));
    let elsewhere = chrono::FixedOffset::east_opt(2 * 3600).expect("an offset");
    let bound = created.with_timezone(&elsewhere).to_rfc3339();
    let filter = json!({ "created_after": bound, "created_before": bound });
    assert_eq!(books.finds(&filter).await, ["payment_failed"], "{bound}");
    let whole = created.format("%Y-%m-%dT%H:%M:%SZ").to_string();
    let filter = json!({ "created_after": whole, "object_id": "declined" });
    assert_eq!(books.finds(&filter).await, ["payment_failed"], "{whole}");
}
