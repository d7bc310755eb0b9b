//! Real processors, called by a server in production: each story runs once for every processor, against the
//! processor's stand-in. The snapshots show the differences side by side.

mod accounts;
mod amounts;
mod back_office;
mod cancels;
mod captures;
mod cards;
mod certified;
mod charges;
mod contact;
mod declines;
mod disputes;
mod lapses;
mod lost_answers;
mod metrics;
mod notices;
mod payers;
pub mod production_shop;
mod raises;
mod refunds;
mod stored_cards;
mod wallets;

use std::sync::Arc;

use multirail_peers::StandIn;
use multirail_peers::adyen::Adyen;
use multirail_peers::checkout::Checkout;
use multirail_peers::stripe::Stripe;
use multirail_peers::system_time;

use production_shop::ProductionShop;

/// Creates a stand-in with empty books.
type Make = fn() -> Arc<dyn StandIn>;

/// Every processor, by its connector's name.
const PROCESSORS: &[(&str, Make)] = &[
    ("adyen", || Arc::new(Adyen::new())),
    ("checkout", || Arc::new(Checkout::new())),
    ("stripe", || Arc::new(Stripe::new(system_time))),
];

/// Plays a story for every processor. Returns what each story wrote down, below the processor's name.
async fn of_each(story: impl AsyncFn(&mut ProductionShop)) -> String {
    let all: Vec<&str> = PROCESSORS.iter().map(|(name, _)| *name).collect();
    of_these(&all, story).await
}

/// Plays a story for each of these processors.
pub async fn of_these(connectors: &[&str], story: impl AsyncFn(&mut ProductionShop)) -> String {
    let mut told = String::new();
    let these = PROCESSORS.iter();
    for (connector, stand_in) in these.filter(|(name, _)| connectors.contains(name)) {
        let mut shop = ProductionShop::open(connector, stand_in()).await;
        story(&mut shop).await;
        told.push_str(&shop.evidence());
    }
    told
}
