//! Paged lists: newest first, from one payment on in both directions, and by page number.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use crate::bodies::{order, with};
use crate::run::micros;
use crate::run::{Merchant, Run, Stop};
use crate::wire::Call;

/// The number of listed payments.
const MANY: usize = 4;

/// The greatest difference between the clocks of two machines. A sandbox's clock moves only forward.
const APART: TimeDelta = TimeDelta::days(1);

pub(super) async fn turned(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let customer = format!("pages_{}", micros());
    let begun = Utc::now();
    let mut ids = Vec::new();
    for _ in 0..MANY {
        let of = json!({ "customer": { "id": customer } });
        let call = merchant.call("payments_create").json(&with(order(), of));
        let made = run.works("one more order", call, &[]).await?;
        ids.insert(0, made["payment_id"].clone());
    }
    let list = |more: &[(&str, &Value)]| {
        let call = merchant.call("payments_list");
        let call = call.query("customer_id", &customer);
        more.iter().fold(call, |call, (name, value)| {
            call.query(
                name,
                value.as_str().map_or(value.to_string(), str::to_owned),
            )
        })
    };
    let call = list(&[("limit", &json!(100))]);
    let wanted = listed(&ids);
    let all = run.works("all orders, newest first", call, &wanted).await?;
    // If the list wasn't called, there is nothing to check.
    if !all.is_null() {
        ages(run, &all, begun);
    }
    let two = json!(2);
    let third = &all["data"][2]["created"];
    for (scenario, call, wanted) in [
        ("the newest two", list(&[("limit", &two)]), &ids[..2]),
        (
            "those after the second",
            list(&[("limit", &two), ("starting_after", &ids[1])]),
            &ids[2..],
        ),
        (
            "those before the third",
            list(&[("limit", &two), ("ending_before", &ids[2])]),
            &ids[..2],
        ),
        (
            "those that came after the third",
            list(&[("created.gt", third)]),
            &ids[..2],
        ),
    ] {
        run.works(scenario, call, &listed(wanted)).await?;
    }
    let filter = |more: Value| -> Call {
        let body = with(json!({ "customer_id": customer, "limit": 2 }), more);
        merchant.call("payments_filter").json(&body)
    };
    let oldest_first = json!({ "order": { "on": "created", "by": "asc" } });
    for (scenario, call, wanted) in [
        (
            "without the first",
            filter(json!({ "offset": 1 })),
            [&ids[1], &ids[2]],
        ),
        ("oldest first", filter(oldest_first), [&ids[3], &ids[2]]),
    ] {
        let wanted = [
            ("/count", json!(2)),
            ("/total_count", json!(MANY)),
            ("/data/0/payment_id", wanted[0].clone()),
            ("/data/1/payment_id", wanted[1].clone()),
        ];
        run.works(scenario, call, &wanted).await?;
    }
    Ok(())
}

/// Returns the values of a page with exactly these payments in this order.
fn listed(ids: &[Value]) -> Vec<(&'static str, Value)> {
    const PLACES: [&str; MANY] = [
        "/data/0/payment_id",
        "/data/1/payment_id",
        "/data/2/payment_id",
        "/data/3/payment_id",
    ];
    let places = PLACES.into_iter().zip(ids.iter().cloned());
    [("/size", json!(ids.len()))]
        .into_iter()
        .chain(places)
        .collect()
}

/// Checks that later payments are newer, and that none is older than the run.
fn ages(run: &mut Run, all: &Value, begun: DateTime<Utc>) {
    let created = |index: usize| {
        let text = all["data"][index]["created"].as_str()?;
        DateTime::parse_from_rfc3339(text).ok()
    };
    let told = |index: usize| all["data"][index]["created"].to_string();
    let (newest, oldest) = (created(0), created(MANY - 1));
    let result = if newest <= oldest {
        Err(format!(
            "the newest is of {}, the oldest of {}",
            told(0),
            told(MANY - 1)
        ))
    } else if oldest.is_none_or(|oldest| oldest < begun - APART) {
        Err(format!(
            "made just now, it says that it is of {}",
            told(MANY - 1)
        ))
    } else {
        Ok(())
    };
    let (operation, took) = ("payments_list".to_owned(), std::time::Duration::ZERO);
    let _ = run.file(operation, "each is as old as it is", took, result);
}
