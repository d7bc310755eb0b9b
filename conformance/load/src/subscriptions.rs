//! Renewals: a merchant whose subscriptions are all due at once, and the payments of another merchant's payers meanwhile.

use std::io;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::connection::Connection;
use crate::customer::Tally;
use crate::drive::{Drive, drive};
use crate::fill::with_many;
use crate::lists::refused;
use crate::merchant::{self, Merchant};
use crate::party::{Party, SIMULATED_CARD};
use crate::quantiles::Quantiles;
use crate::report;
use crate::requests::{once, once_with};
use crate::scenario::Scenario;
use crate::server::Server;
use crate::settle::{FEW, Result, settle};

/// Longer than any month.
const A_MONTH: u64 = 32 * 86_400;
/// Rounds a second of the payers, unless the arguments set it: as many as a machine of two processors does beside other
/// work.
const RATE: u32 = 100;
/// The longest time without a charge.
const PATIENCE: Duration = Duration::from_secs(60);

/// The payers' latencies while nothing was due, or while everything was.
struct Met {
    tally: Tally,
    took: Duration,
}

/// Charges so many subscriptions, with payers of another merchant in parallel, and prints the times of both.
///
/// # Errors
/// Fails when the server refuses, or charges nothing any more.
pub async fn measure(arguments: &Arguments, server: &Server, count: u64) -> Result<()> {
    let biller = fill(server, count).await?;
    let mut party = Party::open(server, None, arguments.routing).await?;
    party.fills(server, FEW).await?;
    settle(server).await?;
    let connections = arguments.connections.first().copied().unwrap_or(8);
    let plan = Drive {
        party: &party,
        scenario: Scenario::CreateThenConfirm,
        connections,
        rate: Some(arguments.rate.unwrap_or(RATE)),
        warm_up: arguments.warm_up,
        duration: arguments.duration,
    };
    let outcome = drive(server, &plan).await?;
    let idle = Met {
        tally: outcome.tally,
        took: outcome.elapsed,
    };
    let began = Instant::now();
    biller.a_month_passes(server).await?;
    let (mut charged, mut progressed) = (0, Instant::now());
    let mut busy = Tally::default();
    while charged < count {
        // Without a warm-up: everything counts from the first charge on.
        let plan = Drive {
            warm_up: Duration::ZERO,
            ..plan
        };
        busy.add(drive(server, &plan).await?.tally);
        let now = biller.charged(server).await?.saturating_sub(count);
        if now > charged {
            (charged, progressed) = (now, Instant::now());
        } else if progressed.elapsed() > PATIENCE {
            let what = format!("no more than {charged} of {count} renewals were charged");
            return Err(io::Error::other(what).into());
        }
        let seconds = began.elapsed().as_secs();
        eprintln!("{charged} of {count} renewals in {seconds} s");
    }
    let busy = Met {
        tally: busy,
        took: began.elapsed(),
    };
    let rate = count as f64 / busy.took.as_secs_f64();
    println!(
        "{count} subscriptions that fell due at once were charged in at most {:.0} s, {rate:.0}/s\n\n\
         payers of another merchant meanwhile, {} rounds/s asked of {connections} connections; milliseconds\n\n{}",
        busy.took.as_secs_f64(),
        plan.rate.unwrap_or_default(),
        table(&[("nothing due", idle), ("renewals", busy)]),
    );
    println!(
        "load average at the end: {}",
        crate::process::load_average()
    );
    Ok(())
}

fn table(met: &[(&str, Met)]) -> String {
    let heads = [
        "while", "seconds", "rounds/s", "errors", "request", "p50", "p95", "p99", "max",
    ];
    let mut table = report::Table::new(&heads);
    for (state, met) in met {
        for (step, times) in &met.tally.times {
            let seconds = met.took.as_secs_f64();
            let q = Quantiles::from_times(times.clone());
            let mut line = vec![
                (*state).to_owned(),
                format!("{seconds:.0}"),
                format!("{:.0}", met.tally.rounds as f64 / seconds),
                met.tally.errors.values().sum::<u64>().to_string(),
                step.as_str().to_owned(),
            ];
            line.extend([q.p50, q.p95, q.p99, q.max].map(|ms| format!("{ms:.2}")));
            table.add(line);
        }
    }
    table.text()
}

/// A merchant with subscriptions.
struct Biller {
    merchant: Merchant,
}

/// Creates this many monthly subscriptions. Each has its own customer, and its first month is paid.
async fn fill(server: &Server, count: u64) -> io::Result<Biller> {
    let (address, key) = (&server.address, &server.admin_key);
    let name = format!("load_billing_{}", std::process::id());
    let merchant = merchant::open(address, key, &name, &merchant::simulated(), None).await?;
    let biller = Biller { merchant };
    biller.offers(address).await?;
    with_many(address, count, "subscriptions", async |line, number| {
        biller.subscribes(line, address, number).await
    })
    .await?;
    Ok(biller)
}

impl Biller {
    /// Sets up billing and offers one plan for one price.
    async fn offers(&self, address: &str) -> io::Result<()> {
        let line = &mut Connection::open(address).await?;
        let Merchant {
            merchant_id,
            profile_id,
            ..
        } = &self.merchant;
        let account = json!({ "connector_type": "billing_processor", "connector_name": "multirail_billing",
            "connector_account_details": { "auth_type": "NoKey" } });
        let path = format!("/account/{merchant_id}/connectors");
        let account = self.asks(line, address, &path, account).await?;
        let profile = json!({ "billing_processor_id": account["merchant_connector_id"] });
        let path = format!("/account/{merchant_id}/business_profile/{profile_id}");
        self.asks(line, address, &path, profile).await?;
        for (list, body) in [
            (
                "products",
                json!({ "product_id": "reading", "name": "Reading" }),
            ),
            (
                "items",
                json!({ "item_id": "reader", "product_id": "reading", "item_type": "plan", "name": "Reader" }),
            ),
            (
                "item_prices",
                json!({ "item_price_id": "monthly", "item_id": "reader", "amount": 990, "currency": "EUR",
                    "interval": "month" }),
            ),
        ] {
            let path = format!("/subscriptions/{list}");
            self.asks(line, address, &path, body).await?;
        }
        Ok(())
    }

    /// Lets a customer subscribe and pay for the first month.
    async fn subscribes(
        &self,
        line: &mut Connection,
        address: &str,
        number: u64,
    ) -> io::Result<()> {
        let customer = format!("cus_{number}");
        let body = json!({ "customer_id": customer });
        self.asks(line, address, "/customers", body).await?;
        let card = &SIMULATED_CARD;
        let body = json!({
            "item_price_id": "monthly",
            "customer_id": customer,
            "payment_details": {
                "return_url": "https://reader.example/thanks",
                "payment_method": "card",
                "payment_method_type": "credit",
                "payment_method_data": { "card": {
                    "card_number": card.number, "card_exp_month": "10", "card_exp_year": "2035",
                    "card_holder_name": card.holder, "card_cvc": card.code,
                } },
                "customer_acceptance": {
                    "acceptance_type": "online",
                    "accepted_at": "2026-01-05T10:11:12.345Z",
                    "online": { "ip_address": "192.0.2.7", "user_agent": "Browser/1.0" },
                },
            },
        });
        let made = self.asks(line, address, "/subscriptions", body).await?;
        match made["status"].as_str() {
            Some("active") => Ok(()),
            _ => Err(io::Error::other(format!("a subscription became {made}"))),
        }
    }

    /// Makes everything due.
    async fn a_month_passes(&self, server: &Server) -> io::Result<()> {
        let body = json!({ "advance_seconds": A_MONTH });
        let path = "/sandbox/clock";
        let request = once("POST", path, &server.address, &server.admin_key, Some(body));
        let mut line = Connection::open(&server.address).await?;
        let answer = line.exchange(&request).await?;
        match answer.status {
            200 => Ok(()),
            status => Err(refused(path, status, answer.body)),
        }
    }

    /// Returns how many of its invoices are paid. It counts events, because lists of payments count to 10,000 only.
    async fn charged(&self, server: &Server) -> io::Result<u64> {
        let body = json!({ "limit": 1, "event_types": ["invoice_paid"] });
        let path = format!("/events/{}", self.merchant.merchant_id);
        let (address, key) = (&server.address, &server.admin_key);
        let request = once("POST", &path, address, key, Some(body));
        let mut line = Connection::open(address).await?;
        let answer = line.exchange(&request).await?;
        if answer.status != 200 {
            return Err(refused(&path, answer.status, answer.body));
        }
        let listed: Value = serde_json::from_slice(answer.body).map_err(io::Error::other)?;
        Ok(listed["total_count"].as_u64().unwrap_or_default())
    }

    async fn asks(
        &self,
        line: &mut Connection,
        address: &str,
        path: &str,
        body: Value,
    ) -> io::Result<Value> {
        let Merchant {
            key, profile_id, ..
        } = &self.merchant;
        let profile = ("x-profile-id", profile_id.as_str());
        let request = once_with(profile, "POST", path, address, key, Some(body));
        let answer = line.exchange(&request).await?;
        match answer.status {
            200 => serde_json::from_slice(answer.body).map_err(io::Error::other),
            status => Err(refused(path, status, answer.body)),
        }
    }
}
