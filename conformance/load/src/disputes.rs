//! Lists of disputes: a merchant whose payments are nearly all disputed, by notices of the simulated processor. Measures
//! reading twenty of them.

use std::io;
use std::time::{Duration, Instant};

use multirail_simulator::notice::{SIGNATURE_HEADER, sign};
use serde_json::{Value, json};

use crate::connection::Connection;
use crate::fill::with_many;
use crate::lists::{List, refused};
use crate::merchant::{self, Merchant};
use crate::party::SIMULATED_CARD;
use crate::requests::{Requests, Step, once};
use crate::server::Server;

/// The longest time without a new dispute.
const PATIENCE: Duration = Duration::from_secs(60);
/// The secret that signs notices.
const SECRET: &str = "of the simulated processor and the load program";

/// One dispute in so many has the rare status.
const RARE: u64 = 1_000;

/// A merchant with disputes.
pub struct Filled {
    merchant: Merchant,
    count: u64,
    /// The time of a dispute in the middle.
    middle: String,
}

/// Stores so many disputes, each of a payment of its own.
///
/// # Errors
/// Fails when the server refuses, or notices raise no more disputes.
pub async fn fill(server: &Server, count: u64) -> io::Result<Filled> {
    let mut account = merchant::simulated();
    account["connector_webhook_details"] = json!({ "merchant_secret": SECRET });
    let name = format!("load_disputes_{}", std::process::id());
    let merchant =
        merchant::open(&server.address, &server.admin_key, &name, &account, None).await?;
    let began = Instant::now();
    let requests = Requests::new(&server.address, &merchant.key, &SIMULATED_CARD);
    let mut create = Vec::new();
    requests.write(Step::CreateConfirmed, "", &mut create);
    let address = &server.address;
    let path = format!(
        "/webhooks/{}/{}",
        merchant.merchant_id, merchant.merchant_connector_id
    );
    with_many(
        address,
        count,
        "payments and notices",
        async |line, number| {
            let paid = line.exchange(&create).await?;
            let Some(reference) = paid.text("connector_transaction_id") else {
                return Err(refused("a payment", paid.status, paid.body));
            };
            let notice = notice(address, &path, &raised(reference, number));
            let told = line.exchange(&notice).await?;
            match told.status {
                200 => Ok(()),
                status => Err(refused("a notice", status, told.body)),
            }
        },
    )
    .await?;
    let mut filled = Filled {
        merchant,
        count,
        middle: String::new(),
    };
    filled.is_complete(server).await?;
    let middle = filled.at(server, count / 2).await?;
    let middle = middle[0]["created_at"].as_str().unwrap_or_default();
    filled.middle = middle.to_owned();
    eprintln!("all announced after {:.0} s", began.elapsed().as_secs_f64());
    Ok(filled)
}

impl Filled {
    /// Waits until the last of them is listed.
    async fn is_complete(&self, server: &Server) -> io::Result<()> {
        let count = self.count;
        // The known number of disputes, and when it last grew.
        let (mut known, mut heard) = (0, Instant::now());
        while known < count {
            let step = (count / 100).max(1).min(count - known);
            if self.at(server, known + step - 1).await? == json!([]) {
                if heard.elapsed() > PATIENCE {
                    let what = format!("only {known} of {count} disputes were announced");
                    return Err(io::Error::other(what));
                }
                tokio::time::sleep(Duration::from_millis(200)).await;
            } else {
                (known, heard) = (known + step, Instant::now());
            }
        }
        Ok(())
    }

    /// Returns the dispute at an offset of a list.
    async fn at(&self, server: &Server, offset: u64) -> io::Result<Value> {
        let path = format!("/disputes/list?limit=1&offset={offset}");
        let request = once("GET", &path, &server.address, &self.merchant.key, None);
        let mut line = Connection::open(&server.address).await?;
        let answer = line.exchange(&request).await?;
        if answer.status != 200 {
            return Err(refused("a list", answer.status, answer.body));
        }
        serde_json::from_slice(answer.body).map_err(io::Error::other)
    }

    /// Returns the lists to measure.
    pub fn lists(&self, address: &str) -> Vec<List> {
        let (profile, middle) = (&self.merchant.profile_id, &self.middle);
        let list = |name, query: String| List {
            name,
            request: once(
                "GET",
                &format!("/disputes/{query}&limit=20"),
                address,
                &self.merchant.key,
                None,
            ),
        };
        vec![
            list("profile", format!("profile/list?profile_id={profile}")),
            list(
                "profile that has none",
                "profile/list?profile_id=pro_none".to_owned(),
            ),
            list(
                "status of most",
                "list?dispute_status=dispute_opened".to_owned(),
            ),
            list(
                "status of one in 1000",
                "list?dispute_status=dispute_won".to_owned(),
            ),
            list(
                "two statuses of none",
                "list?dispute_status=dispute_expired,dispute_cancelled".to_owned(),
            ),
            list("stage of none", "list?dispute_stage=arbitration".to_owned()),
            list("older half", format!("list?received_time.lt={middle}")),
            list("one moment", format!("list?received_time={middle}")),
            list(
                "page at the middle",
                format!("list?offset={}", self.count / 2),
            ),
        ]
    }
}

/// Returns a notice that the money of this authorization is disputed.
fn raised(authorization: &str, number: u64) -> Value {
    let status = if number % RARE == RARE / 2 {
        "dispute_won"
    } else {
        "dispute_opened"
    };
    json!({
        "id": format!("{authorization}_told"), "happened_at": "2026-11-21T10:15:00Z",
        "dispute": {
            "reference": format!("{authorization}_dispute"), "authorization": authorization, "stage": "dispute",
            "status": status, "amount": 6540, "currency": "USD", "reason": "fraudulent", "reason_code": "10.4",
        },
    })
}

/// Returns a notice as the processor sends it.
fn notice(address: &str, path: &str, body: &Value) -> Vec<u8> {
    let body = body.to_string();
    let (signature, length) = (sign(SECRET, &body), body.len());
    format!(
        "POST {path} HTTP/1.1\r\nhost: {address}\r\n{SIGNATURE_HEADER}: {signature}\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}
