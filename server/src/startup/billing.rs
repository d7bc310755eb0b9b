//! Builds the services of billing over the adapters of their ports.

use std::sync::Arc;

use multirail_app::Services;
use multirail_billing::app::catalogue::{AccountsOfProfiles, Catalogue};
use multirail_billing::app::subscriptions::{
    Billing, BillingNotifier, Collector, Decider, InvoicePages, Invoices, OfCore,
    SubscriptionReads, Subscriptions,
};
use multirail_billing::store::SqlBilling;
use multirail_billing_http::content::AsAnswered;

use super::open::Opened;
use crate::config::Config;

pub(super) fn services(config: &Config, url: &str, opened: &Opened, core: &Services) -> Billing {
    let (base, store) = (&core.base, &opened.store);
    let stored = Arc::new(SqlBilling::new(store.clone()));
    let of_core = Arc::new(OfCore {
        base: Arc::clone(base),
        merchants: Arc::clone(&core.merchants),
        customers: Arc::clone(&core.customers),
        payments: Arc::clone(&core.payments),
        refunds: Arc::clone(&core.refunds),
        processors: Arc::clone(&core.processors),
        stored_customers: store.clone(),
        stored_payments: store.clone(),
        stored_refunds: store.clone(),
        saved_methods: store.clone(),
    });
    let catalogue = Arc::new(Catalogue {
        base: Arc::clone(base),
        store: stored.clone(),
        accounts: Arc::new(AccountsOfProfiles {
            profiles: Arc::clone(&core.profiles),
            accounts: Arc::clone(&core.processor_accounts),
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
        payments: of_core.clone(),
        methods: of_core.clone(),
        owners: of_core.clone(),
        announcer: Arc::clone(&core.announcer),
        content: Arc::new(AsAnswered),
        dunning: config.subscription_dunning.clone(),
    });
    let collector = Arc::new(Collector {
        base: Arc::clone(base),
        reads: Arc::clone(&reads),
        decider: Arc::clone(&decider),
        payments: of_core.clone(),
        owners: of_core.clone(),
    });
    let subscriptions = Arc::new(Subscriptions {
        base: Arc::clone(base),
        reads: Arc::clone(&reads),
        catalogue: Arc::clone(&catalogue),
        decider: Arc::clone(&decider),
        collector: Arc::clone(&collector),
        payments: of_core.clone(),
        methods: of_core.clone(),
        owners: of_core,
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
