//! Subscriptions in memory, and their payments.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use multirail_app::fixture::{Noted, announcer};
use multirail_app::payments::PaymentView;
use multirail_app::payments::confirm::ConfirmPayment;
use multirail_app::payments::create::{CreatePayment, NewOfOwner};
use multirail_app::payments::ports::PaymentChange;
use multirail_app::platform::base::Base;
use multirail_app::platform::ports::{ChangeSet, ChangeSetStore, CommitError, StoreFailure};
use multirail_app::{AppError, Origin};
use multirail_billing_domain::catalogue::{CatalogueKind, CatalogueOf};
use multirail_billing_domain::chargeable::Chargeable;
use multirail_billing_domain::dunning::DunningSchedule;
use multirail_billing_domain::item::Item;
use multirail_billing_domain::price::Price;
use multirail_billing_domain::subscription::{Invoice, Standing, Subscription};
use multirail_domain::customers::customer::CustomerStatus;
use multirail_domain::customers::saved_method::SavedMethod;
use multirail_domain::payments::payment::Payment;
use multirail_domain::payments::payment::recurring::FoundMethod;
use multirail_domain::payments::refund::{Refund, Step as Made};
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{
    ConnectorAccountId, CustomerId, InvoiceId, ItemId, MerchantId, PaymentId, PaymentMethodId,
    PaymentToken, ProfileId, RefundId, SubscriptionId,
};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::{Change, Changes};

use super::super::content::SubscriptionContent;
use super::super::{
    BillingNotifier, Collector, Decider, SubscriptionReads, SubscriptionView, Subscriptions,
};
use crate::app::catalogue::Catalogue;
use crate::ports::subscriptions::{ClaimTerms, ClaimedSubscription, Page, Turns};
use crate::ports::{
    BillingAccounts, CatalogueChange, CatalogueSearch, CatalogueStore, ChargedMethods,
    InvoicePayments, ItemSearch, StoredEntry, Subscribers, SubscriptionChange, SubscriptionSearch,
    SubscriptionStore,
};

/// One stored subscription. A change takes effect when its change set is committed.
pub struct Ledger {
    pub standing: Mutex<Standing>,
    pending: Mutex<Option<(Subscription, Vec<Invoice>)>>,
    /// The errors of the next commits, the last one first.
    pub refusals: Mutex<Vec<CommitError>>,
    pub commits: Mutex<usize>,
    pub released: Mutex<usize>,
}

impl Ledger {
    pub fn new(standing: Standing) -> Arc<Self> {
        Arc::new(Ledger {
            standing: Mutex::new(standing),
            pending: Mutex::default(),
            refusals: Mutex::default(),
            commits: Mutex::default(),
            released: Mutex::default(),
        })
    }

    pub fn refuse(&self, error: CommitError) {
        self.refusals.lock().expect("no panic").push(error);
    }

    /// Returns the invoice with this number.
    pub fn invoice(&self, number: u32) -> Invoice {
        let standing = self.standing.lock().expect("no panic");
        let mut open = standing.open.iter();
        let found = open.find(|invoice| invoice.number == number);
        found.expect("an invoice").clone()
    }
}

#[async_trait]
impl ChangeSetStore for Ledger {
    async fn commit(&self, _: ChangeSet) -> Result<(), CommitError> {
        let pending = self.pending.lock().expect("no panic").take();
        if let Some(error) = self.refusals.lock().expect("no panic").pop() {
            return Err(error);
        }
        *self.commits.lock().expect("no panic") += 1;
        if let Some((subscription, changed)) = pending {
            let mut standing = self.standing.lock().expect("no panic");
            let version = standing.subscription.version + 1;
            standing.subscription = subscription;
            standing.subscription.version = version;
            let is_new = |one: &Invoice| changed.iter().any(|new| new.invoice_id == one.invoice_id);
            standing.open.retain(|one| !is_new(one));
            standing.open.extend(changed);
            standing.open.sort_by_key(|one| one.number);
        }
        Ok(())
    }

    async fn purge_change_sets(&self, _: Timestamp, _: i64) -> Result<u64, StoreFailure> {
        Ok(0)
    }
}

impl Changes<SubscriptionChange> for Ledger {
    fn change(&self, change: SubscriptionChange) -> Box<dyn Change> {
        if let SubscriptionChange::Update {
            subscription,
            invoices,
            ..
        } = &change
        {
            let changed = (Subscription::clone(subscription), invoices.clone());
            *self.pending.lock().expect("no panic") = Some(changed);
        }
        Box::new(Noted(change))
    }
}

#[async_trait]
impl SubscriptionStore for Ledger {
    async fn subscription(
        &self,
        _: &MerchantId,
        _: &SubscriptionId,
    ) -> Result<Option<Standing>, StoreFailure> {
        let mut standing = self.standing.lock().expect("no panic").clone();
        standing.open.retain(Invoice::is_open);
        Ok(Some(standing))
    }

    async fn subscription_with_last_invoice(
        &self,
        _: &MerchantId,
        _: &SubscriptionId,
    ) -> Result<Option<(Subscription, Option<Invoice>)>, StoreFailure> {
        Ok(None)
    }

    async fn subscriptions(
        &self,
        _: &MerchantId,
        _: &SubscriptionSearch,
    ) -> Result<Vec<Subscription>, StoreFailure> {
        Ok(Vec::new())
    }

    async fn invoice(
        &self,
        _: &MerchantId,
        invoice_id: &InvoiceId,
    ) -> Result<Option<Invoice>, StoreFailure> {
        let standing = self.standing.lock().expect("no panic");
        let mut all = standing.open.iter();
        Ok(all.find(|one| one.invoice_id == *invoice_id).cloned())
    }

    async fn last_invoice(
        &self,
        _: &MerchantId,
        _: &SubscriptionId,
    ) -> Result<Option<Invoice>, StoreFailure> {
        Ok(self.standing.lock().expect("no panic").open.last().cloned())
    }

    async fn invoices(
        &self,
        _: &MerchantId,
        _: &SubscriptionId,
        _: Page,
    ) -> Result<Vec<Invoice>, StoreFailure> {
        Ok(self.standing.lock().expect("no panic").open.clone())
    }

    async fn claim_subscriptions(
        &self,
        _: ClaimTerms,
        _: &mut Turns,
    ) -> Result<Vec<ClaimedSubscription>, StoreFailure> {
        Ok(Vec::new())
    }

    async fn has_live_subscription(
        &self,
        _: &MerchantId,
        _: Option<&CustomerId>,
    ) -> Result<bool, StoreFailure> {
        Ok(true)
    }

    async fn release_subscription(&self, _: &ClaimedSubscription) -> Result<(), StoreFailure> {
        *self.released.lock().expect("no panic") += 1;
        Ok(())
    }
}

/// A core in memory with its payments and the errors of the next requests.
#[derive(Default)]
pub struct Core {
    pub payments: Mutex<Vec<Payment>>,
    /// The ids of the requested payments in order.
    pub asked: Mutex<Vec<String>>,
    /// The errors of the next payments, the last one first.
    pub troubles: Mutex<Vec<AppError>>,
    pub is_redacted: bool,
}

impl Core {
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("no panic").clone()
    }
}

impl Changes<PaymentChange> for Core {
    fn change(&self, change: PaymentChange) -> Box<dyn Change> {
        Box::new(Noted(change))
    }
}

#[async_trait]
impl InvoicePayments for Core {
    async fn find(
        &self,
        _: &MerchantId,
        payment_id: &PaymentId,
    ) -> Result<Option<Payment>, StoreFailure> {
        let payments = self.payments.lock().expect("no panic");
        let mut all = payments.iter();
        Ok(all.find(|one| one.payment_id == *payment_id).cloned())
    }

    fn view(&self, payment: Payment) -> PaymentView<'static> {
        PaymentView {
            payment: std::borrow::Cow::Owned(payment),
            client_secret: SecretText::new(""),
            sdk_authorization: None,
            redirect_to_url: None,
            complete_url: None,
            link: None,
            method_status: None,
            ephemeral_key: None,
            refunds: Vec::new(),
            disputes: Vec::new(),
            written: None,
        }
    }

    async fn decide_first(
        &self,
        _: &Origin,
        _: NewOfOwner<'_>,
    ) -> Result<(PaymentView<'static>, Vec<Box<dyn Change>>), AppError> {
        Err(AppError::Broken("no first payment is made here".to_owned()))
    }

    async fn make(&self, _: &Origin, request: CreatePayment) -> Result<(), AppError> {
        let payment_id = request.payment_id.expect("an id");
        self.asked.lock().expect("no panic").push(payment_id);
        let trouble = self.troubles.lock().expect("no panic").pop();
        Err(trouble.unwrap_or_else(|| AppError::Broken("nothing was told to happen".to_owned())))
    }

    async fn confirm(
        &self,
        _: &Origin,
        _: ConfirmPayment,
    ) -> Result<PaymentView<'static>, AppError> {
        Err(AppError::Broken("nothing is confirmed here".to_owned()))
    }

    async fn cancel(
        &self,
        _: &Origin,
        _: &MerchantId,
        _: &PaymentId,
        _: String,
    ) -> Result<(), AppError> {
        Ok(())
    }

    fn refund_step(&self, _: &Payment) -> i64 {
        1
    }

    async fn find_refund(
        &self,
        _: &MerchantId,
        _: &RefundId,
    ) -> Result<Option<Refund>, StoreFailure> {
        Ok(None)
    }

    fn refund(&self, _: Payment, _: Made) -> Vec<Box<dyn Change>> {
        Vec::new()
    }
}

#[async_trait]
impl Subscribers for Core {
    async fn check(&self, _: &MerchantId, _: &CustomerId) -> Result<(), AppError> {
        Ok(())
    }

    async fn check_customer(&self, _: &MerchantId, _: &CustomerId) -> Result<(), AppError> {
        Ok(())
    }

    async fn customer_status(
        &self,
        _: &MerchantId,
        _: &CustomerId,
    ) -> Result<Option<CustomerStatus>, StoreFailure> {
        Ok(Some(match self.is_redacted {
            true => CustomerStatus::Redacted,
            false => CustomerStatus::Active,
        }))
    }
}

#[async_trait]
impl ChargedMethods for Core {
    async fn saved(
        &self,
        _: &MerchantId,
        _: &PaymentMethodId,
    ) -> Result<Option<SavedMethod>, StoreFailure> {
        Ok(None)
    }

    async fn by_token(
        &self,
        _: &MerchantId,
        _: &PaymentToken,
    ) -> Result<Option<SavedMethod>, StoreFailure> {
        Ok(None)
    }

    async fn charged(
        &self,
        _: &MerchantId,
        _: Option<&CustomerId>,
        _: &str,
    ) -> Result<FoundMethod, AppError> {
        Ok(FoundMethod::Nothing)
    }
}

/// A catalogue that offers nothing, and accounts that can charge every amount.
struct Nothing;

impl Changes<CatalogueChange> for Nothing {
    fn change(&self, change: CatalogueChange) -> Box<dyn Change> {
        Box::new(Noted(change))
    }
}

#[async_trait]
impl CatalogueStore for Nothing {
    async fn catalogue_entry(
        &self,
        _: &CatalogueOf,
        _: CatalogueKind,
        _: &str,
    ) -> Result<Option<StoredEntry>, StoreFailure> {
        Ok(None)
    }

    async fn search_catalogue(
        &self,
        _: &CatalogueOf,
        _: &CatalogueSearch,
    ) -> Result<Vec<StoredEntry>, StoreFailure> {
        Ok(Vec::new())
    }

    async fn offered_items(
        &self,
        _: &CatalogueOf,
        _: &ItemSearch,
    ) -> Result<Vec<Item>, StoreFailure> {
        Ok(Vec::new())
    }

    async fn offered_prices(
        &self,
        _: &CatalogueOf,
        _: &ItemSearch,
    ) -> Result<Vec<Price>, StoreFailure> {
        Ok(Vec::new())
    }

    async fn count_prices(&self, _: &CatalogueOf, _: &ItemId) -> Result<i64, StoreFailure> {
        Ok(0)
    }
}

#[async_trait]
impl BillingAccounts for Nothing {
    async fn account(&self, _: &MerchantId, _: &ProfileId) -> Result<ConnectorAccountId, AppError> {
        Err(AppError::Broken("no account is opened here".to_owned()))
    }

    async fn chargeable(
        &self,
        _: &MerchantId,
        _: &ProfileId,
        _: Currency,
    ) -> Result<Chargeable, AppError> {
        Ok(Chargeable::ANY)
    }
}

impl SubscriptionContent for Nothing {
    fn subscription(&self, _: &SubscriptionView) -> String {
        "{}".to_owned()
    }
}

/// Makes the service that does due work, over this ledger and this core.
pub fn collector(base: &Arc<Base>, ledger: &Arc<Ledger>, core: &Arc<Core>) -> Arc<Collector> {
    let reads = Arc::new(SubscriptionReads {
        base: Arc::clone(base),
        store: ledger.clone(),
        notifier: BillingNotifier::default(),
    });
    let nothing = Arc::new(Nothing);
    let catalogue = Arc::new(Catalogue {
        base: Arc::clone(base),
        store: nothing.clone(),
        accounts: nothing.clone(),
    });
    let announcer = announcer(base);
    let decider = Arc::new(Decider {
        base: Arc::clone(base),
        reads: Arc::clone(&reads),
        catalogue,
        payments: core.clone(),
        methods: core.clone(),
        owners: core.clone(),
        announcer: Arc::new(announcer),
        content: nothing,
        dunning: DunningSchedule::default(),
    });
    Arc::new(Collector {
        base: Arc::clone(base),
        reads,
        decider,
        payments: core.clone(),
        owners: core.clone(),
    })
}

/// Makes the service of merchants and payers that uses this collector.
pub fn subscriptions(collector: &Arc<Collector>, core: &Arc<Core>) -> Subscriptions {
    Subscriptions {
        base: Arc::clone(&collector.base),
        reads: Arc::clone(&collector.reads),
        catalogue: Arc::clone(&collector.decider.catalogue),
        decider: Arc::clone(&collector.decider),
        collector: Arc::clone(collector),
        payments: core.clone(),
        methods: core.clone(),
        owners: core.clone(),
    }
}
