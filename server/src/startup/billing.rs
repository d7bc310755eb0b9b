//! Billing: its services with the ports that they use, filled in.

use std::sync::Arc;

use multirail_app::App;
use multirail_billing::app::catalogue::{AccountsOfProfiles, Catalogue};
use multirail_billing::app::subscriptions::{
    Billing, BillingNotifier, Collector, Decider, InvoicePages, Invoices, OfCore,
    SubscriptionReads, Subscriptions,
};
use multirail_billing::store::SqlBilling;
use multirail_billing_http::content::AsAnswered;

use super::open::Opened;
use crate::config::Config;

pub(super) fn services(config: &Config, url: &str, opened: &Opened, app: &Arc<App>) -> Billing {
    let (base, store) = (&app.base, &opened.store);
    let stored = Arc::new(SqlBilling::new(store.clone()));
    let core = Arc::new(OfCore(Arc::clone(app)));
    let catalogue = Arc::new(Catalogue {
        base: Arc::clone(base),
        store: stored.clone(),
        accounts: Arc::new(AccountsOfProfiles {
            profiles: Arc::clone(&app.profiles),
            accounts: Arc::clone(&app.processor_accounts),
            store: store.clone(),
        }),
    });
    let reads = Arc::new(SubscriptionReads {
        base: Arc::clone(base),
        store: stored,
        notifier: BillingNotifier::default(),
    });
    let decider = Arc::new(Decider {
        base: Arc::clone(base),
        reads: Arc::clone(&reads),
        catalogue: Arc::clone(&catalogue),
        payments: core.clone(),
        methods: core.clone(),
        owners: core.clone(),
        announcer: Arc::clone(&app.announcer),
        content: Arc::new(AsAnswered),
        dunning: config.subscription_dunning.clone(),
    });
    let collector = Arc::new(Collector {
        base: Arc::clone(base),
        reads: Arc::clone(&reads),
        decider: Arc::clone(&decider),
        payments: core.clone(),
        owners: core.clone(),
    });
    let subscriptions = Arc::new(Subscriptions {
        base: Arc::clone(base),
        reads: Arc::clone(&reads),
        catalogue: Arc::clone(&catalogue),
        decider: Arc::clone(&decider),
        collector: Arc::clone(&collector),
        payments: core.clone(),
        methods: core.clone(),
        owners: core,
    });
    Billing {
        invoices: Invoices {
            base: Arc::clone(base),
            reads: Arc::clone(&reads),
            decider,
        },
        invoice_pages: Arc::new(InvoicePages {
            base: Arc::clone(base),
            reads: Arc::clone(&reads),
            merchants: store.clone(),
            customers: store.clone(),
            public_url: url.to_owned(),
        }),
        catalogue,
        reads,
        subscriptions,
        collector,
    }
}
