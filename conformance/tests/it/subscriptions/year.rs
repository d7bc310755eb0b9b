//! A year on two servers that die in turn, with pauses, a new price, declines and lost answers. Every period has one
//! invoice, and each invoice one successful charge.

use std::sync::Arc;
use std::time::{Duration, Instant};

use multirail_conformance::{Shop, TestServer};
use multirail_server::config::Setting;
use multirail_simulator::scripted::Call as ScriptedCall;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::{DAY, declined, invoices, now, offers, on, subscribed};
use crate::fault_proxy::{FaultProxy, NetworkFault, Way};
use crate::servers::site::{Site, closed, moved};

/// Servers on one database, each in its own runtime that can be killed.
struct Fleet {
    site: Site,
    proxy: FaultProxy,
    ships: Vec<Ship>,
}

struct Ship {
    folder: &'static str,
    runtime: Runtime,
    way: Way,
    shop: Shop,
}

impl Fleet {
    async fn on(site: Site, folders: &[&'static str]) -> Self {
        let mut fleet = Fleet {
            site,
            proxy: FaultProxy::new().await,
            ships: Vec::new(),
        };
        for folder in folders {
            let (runtime, way, server) = fleet.launched(folder).await;
            let shop = match fleet.ships.first() {
                None => server.shop("bookshop").await,
                Some(first) => moved(first.shop.clone(), server).0,
            };
            fleet.ships.push(Ship {
                folder,
                runtime,
                way,
                shop,
            });
        }
        fleet
    }

    async fn launched(&self, folder: &'static str) -> (Runtime, Way, Arc<TestServer>) {
        let runtime = Runtime::new().expect("a runtime");
        let way = self.proxy.way().await;
        let (site, url) = (self.site.clone(), way.url().to_owned());
        let server = runtime.spawn(async move {
            // The test counts the events of the whole year, so the server must not delete old ones.
            let inputs = |inputs: multirail_server::config::Inputs| {
                inputs
                    .with(Setting::SimulatorUrl, &url)
                    .with(Setting::EventRetentionDays, "400")
            };
            site.server_with(folder, inputs).await
        });
        let server = server.await.expect("a server starts");
        (runtime, way, server)
    }

    /// Kills and restarts a server, whatever it is doing. Its requests must arrive first, because the clock then
    /// jumps past the minutes in which a request may be in flight.
    async fn loses(&mut self, index: usize) {
        let Ship {
            folder,
            runtime,
            way,
            shop,
        } = self.ships.remove(index);
        runtime.shutdown_background();
        let (old, left) = closed(shop);
        drop(old);
        way.lies_deserted().await;
        let (runtime, way, server) = self.launched(folder).await;
        let ship = Ship {
            folder,
            runtime,
            way,
            shop: left.opens_at(server),
        };
        self.ships.insert(index, ship);
    }

    fn shop(&self) -> &Shop {
        &self.ships[0].shop
    }

    /// Lets every server answer several times, each with a commit. A call that a slow machine has not sent yet gets
    /// as many turns meanwhile.
    async fn answers(&self) {
        for _ in 0..8 {
            for ship in &self.ships {
                ship.shop.time_passes(0).await;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    fn goes_home(self) {
        for ship in self.ships {
            ship.runtime.shutdown_background();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_year_of_two_servers_on_postgres() {
    if let Some(site) = Site::on_postgres().await {
        a_year(Fleet::on(site, &["one", "two"]).await).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_year_of_one_server_on_sqlite() {
    a_year(Fleet::on(Site::on_sqlite(), &["one"]).await).await;
}

async fn a_year(mut fleet: Fleet) {
    offers(fleet.shop()).await;
    let mut all = Vec::new();
    for _ in 0..3 {
        all.push(subscribed(fleet.shop(), "reader_monthly").await);
    }
    let [paused, changed, plain] = [&all[0], &all[1], &all[2]];
    for month in 1..=12_u64 {
        match month {
            // The charge is declined now, and the dunning schedule repeats it.
            3 | 9 => {
                for _ in 0..2 {
                    fleet
                        .proxy
                        .next_call_meets(ScriptedCall::Authorize, declined());
                }
            }
            4 => {
                on(fleet.shop(), "subscriptions_pause", paused).await.ok();
            }
            // The answers about the charge are lost.
            5 => {
                for _ in 0..2 {
                    let lost = NetworkFault::AnswerReset;
                    fleet.proxy.next("POST /fauxpay/authorizations", lost);
                }
            }
            6 => {
                let resume = on(fleet.shop(), "subscriptions_resume", paused);
                resume.json(&json!({})).await.ok();
            }
            8 => {
                let dearer =
                    json!({ "plan_id": "reader_plus", "item_price_id": "reader_plus_monthly" });
                let update = on(fleet.shop(), "subscriptions_update", changed);
                update.json(&dearer).await.ok();
            }
            _ => {}
        }
        fleet.shop().time_passes(31 * DAY).await;
        tokio::time::sleep(Duration::from_millis(month * 7 % 60)).await;
        let doomed = usize::try_from(month).expect("few") % fleet.ships.len();
        fleet.loses(doomed).await;
        for subscription in [paused, changed, plain] {
            is_settled(&fleet, subscription).await;
        }
    }
    check(&fleet, &all).await;
    fleet.goes_home();
}

/// Waits until nothing is due any more. Dunning takes days, and charges of a dead server minutes. Before each step of
/// the clock, calls of running servers must finish, because days of business time are longer than any timeout.
async fn is_settled(fleet: &Fleet, subscription: &Value) {
    let shop = fleet.shop();
    let limit = Instant::now() + Duration::from_secs(90);
    loop {
        let clock = shop.time_passes(0).await;
        let now = now(shop, subscription).await;
        let is_paid = now["invoice"]["status"] == "invoice_paid";
        let is_ahead = now["next_billing_at"].as_str() > clock["now"].as_str();
        if is_paid && (is_ahead || now["status"] == "paused") {
            return;
        }
        assert!(Instant::now() < limit, "not in time at {clock}: {now:#}");
        let passes = match now["invoice"]["status"].as_str() {
            Some("payment_failed") => Some(DAY / 4),
            Some("payment_pending") => Some(60),
            _ => None,
        };
        if let Some(seconds) = passes {
            fleet.proxy.rests_during(|| fleet.answers()).await;
            shop.time_passes(seconds).await;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn check(fleet: &Fleet, all: &[Value]) {
    let shop = fleet.shop();
    let (mut billed, mut number) = (0, 0);
    for (index, subscription) in all.iter().enumerate() {
        let invoices = invoices(shop, subscription).await;
        let mut periods = Vec::new();
        for (index, invoice) in invoices.iter().enumerate() {
            assert_eq!(invoice["number"], index + 1);
            assert_eq!(invoice["status"], "invoice_paid", "{invoice:#}");
            billed += invoice["amount"].as_i64().expect("an amount");
            number += 1;
            if invoice["period_start"].is_string() {
                periods.push((&invoice["period_start"], &invoice["period_end"]));
            }
        }
        let gaps = periods.windows(2).filter(|two| two[0].1 != two[1].0);
        let paused = usize::from(index == 0);
        assert_eq!(
            gaps.count(),
            paused,
            "time is billed without a gap: {periods:#?}"
        );
        assert!(periods.len() >= 10, "{periods:#?}");
    }
    assert_eq!(
        fleet.proxy.money().captured,
        billed,
        "each invoice is charged once"
    );
    let filter = json!({ "event_types": ["invoice_paid"], "limit": 1 });
    let told = shop.server.operator("events_list");
    let told = told.at("merchant_id", "bookshop").json(&filter).await.ok();
    assert_eq!(told["total_count"], number);
}
