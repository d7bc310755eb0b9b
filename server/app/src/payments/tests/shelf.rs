//! A store with one payment, its merchant, profile and account, and the processor of that account.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use multirail_domain::accounts::connector_account::{
    ConnectorAccount, ConnectorAccountUpdate, NewConnectorAccount,
};
use multirail_domain::accounts::merchant::{
    MerchantAccount, MerchantAccountUpdate, NewMerchantAccount,
};
use multirail_domain::accounts::organization::Organization;
use multirail_domain::accounts::profile::Profile;
use multirail_domain::customers::mandate::MandateView;
use multirail_domain::operations::error_mapping::{ErrorMapping, ErrorMappings, MappingKey};
use multirail_domain::payments::payment::{CaptureMethod, Payment};
use multirail_domain::payments::refund::Refund;
use multirail_kernel::environment::Environment;
use multirail_kernel::ids::{ConnectorAccountId, MerchantId, PaymentId, ProfileId};
use multirail_kernel::random::SeededRandom;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::{Change, Changes};
use multirail_sdk::connector::{
    Access, AccountCheck, AuthorizeRequest, Capabilities, CaptureRequest, Connector,
    ConnectorDirectory, ConnectorType, CredentialsInput, CredentialsKind, Description, Finding,
    LookUpRequest, Notice, NoticePart, Notices, Outcome, Payments, RawNotice, RefundRequest,
    Unreadable, VoidRequest, WebhookSecrets,
};
use multirail_sdk::payment_method::PaymentMethod;

use crate::accounts::ports::deletion_guard::Deleted;
use crate::accounts::ports::{
    ConnectorAccountChange, ConnectorAccountStore, DeletionGuard, MerchantChange, MerchantStore,
    ProfileChange, ProfileStore,
};
use crate::customers::mandates::announce::MandateContent;
use crate::fixture::{Committed, Noted};
use crate::operations::ports::{ErrorMappingChange, ErrorMappingStore};
use crate::payments::PaymentView;
use crate::payments::content::PaymentContent;
use crate::payments::ports::{PaymentChange, PaymentSearch, PaymentStore};
use crate::payments::refunds::content::RefundContent;
use crate::platform::ports::{ChangeSet, ChangeSetStore, CommitError, StoreFailure};

static PROCESSOR: Description = Description {
    name: "fauxpay",
    is_simulator: true,
    offers: &[ConnectorType::PaymentProcessor],
    credentials: CredentialsKind::HeaderKey,
    credential_names: &["API key"],
    webhook_secrets: &[],
    settings: &[],
    shown: &[],
    api_version: None,
    notice_answer: "",
    category_of: |_| None,
    capabilities: Capabilities {
        payment_methods: &[PaymentMethod::Card],
        capture_methods: &[CaptureMethod::Automatic, CaptureMethod::Manual],
        ..Capabilities::NONE
    },
};

/// The stored objects of one payment. Changes take effect when their change-set is committed.
pub struct Shelf {
    pub committed: Committed,
    merchant: Arc<MerchantAccount>,
    profile: Arc<Profile>,
    account: Arc<ConnectorAccount>,
    payment: Mutex<Option<Payment>>,
    pending: Mutex<Option<(Option<i64>, Payment)>>,
    commits: Mutex<usize>,
    /// The processor's next answers. `None` stands for an answer that never comes.
    answers: Mutex<VecDeque<Option<Outcome>>>,
    asked: Mutex<Vec<String>>,
}

impl Shelf {
    pub fn new() -> Arc<Self> {
        let (random, now) = (SeededRandom::new(7), Timestamp::EPOCH);
        let input = NewMerchantAccount {
            merchant_id: MerchantId::parse("bookshop").expect("an id"),
            merchant_account_type: None,
            settings: MerchantAccountUpdate::default(),
        };
        let organization = Organization::standard(None, now, &random);
        let sandbox = Environment::Sandbox;
        let made = MerchantAccount::create(input, &organization, true, sandbox, now, &random);
        let mut made = made.expect("a merchant");
        let profile = made.profiles.remove(0);
        let key = ("api_key".to_owned(), SecretText::new("key_of_bookshop"));
        let input = NewConnectorAccount {
            merchant_connector_id: None,
            connector_type: ConnectorType::PaymentProcessor,
            connector_name: PROCESSOR.name.to_owned(),
            business_country: None,
            business_label: None,
            business_sub_label: None,
            settings: ConnectorAccountUpdate {
                credentials: Some(CredentialsInput {
                    kind: CredentialsKind::HeaderKey,
                    members: [key].into(),
                }),
                ..ConnectorAccountUpdate::default()
            },
        };
        let account = ConnectorAccount::create(input, &PROCESSOR, &profile, true, now, &random);
        Arc::new(Shelf {
            committed: Committed::default(),
            merchant: Arc::new(made.account),
            profile: Arc::new(profile),
            account: Arc::new(account.expect("an account")),
            payment: Mutex::default(),
            pending: Mutex::default(),
            commits: Mutex::default(),
            answers: Mutex::default(),
            asked: Mutex::default(),
        })
    }

    pub fn merchant_id(&self) -> MerchantId {
        self.merchant.merchant_id.clone()
    }

    /// Adds an answer of the processor.
    pub fn will_answer(&self, outcome: Option<Outcome>) {
        self.answers.lock().expect("no panic").push_back(outcome);
    }

    /// Returns the calls to the processor, each with the number of commits before it.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("no panic").clone()
    }

    pub fn commits(&self) -> usize {
        *self.commits.lock().expect("no panic")
    }

    /// Returns the stored payment.
    pub fn stored(&self) -> Payment {
        let payment = self.payment.lock().expect("no panic").clone();
        payment.expect("a payment")
    }

    async fn answer(&self, call: &str) -> Outcome {
        let line = format!("{call} after {} commits", self.commits());
        self.asked.lock().expect("no panic").push(line);
        let answer = self.answers.lock().expect("no panic").pop_front();
        match answer.expect("an answer was said before the call") {
            Some(outcome) => outcome,
            None => std::future::pending().await,
        }
    }
}

#[async_trait]
impl ChangeSetStore for Shelf {
    async fn commit(&self, change_set: ChangeSet) -> Result<(), CommitError> {
        let pending = self.pending.lock().expect("no panic").take();
        let mut stored = self.payment.lock().expect("no panic").clone();
        if let Some((before, mut after)) = pending {
            if stored.map(|payment| payment.version) != before {
                return Err(CommitError::Conflict);
            }
            after.version = before.unwrap_or(0) + 1;
            stored = Some(after);
        }
        self.committed.commit(change_set).await?;
        *self.payment.lock().expect("no panic") = stored;
        *self.commits.lock().expect("no panic") += 1;
        Ok(())
    }

    async fn purge_change_sets(&self, _: Timestamp, _: i64) -> Result<u64, StoreFailure> {
        Ok(0)
    }
}

impl Changes<PaymentChange> for Shelf {
    fn change(&self, change: PaymentChange) -> Box<dyn Change> {
        let pending = match &change {
            PaymentChange::Insert(after) => (None, Payment::clone(after)),
            PaymentChange::Update { before, after } => {
                (Some(before.version), Payment::clone(after))
            }
            PaymentChange::Unchanged { .. } | PaymentChange::Delete(_) => {
                panic!("no test here needs {change:?}")
            }
        };
        *self.pending.lock().expect("no panic") = Some(pending);
        Box::new(Noted(change))
    }
}

#[async_trait]
impl PaymentStore for Shelf {
    async fn payment(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> Result<Option<Payment>, StoreFailure> {
        let stored = self.payment.lock().expect("no panic").clone();
        Ok(stored.filter(|one| one.merchant_id == *merchant_id && one.payment_id == *payment_id))
    }

    async fn search_payments(
        &self,
        _: &MerchantId,
        _: &PaymentSearch,
    ) -> Result<Vec<Payment>, StoreFailure> {
        panic!("no test here lists payments")
    }

    async fn count_payments(
        &self,
        _: &MerchantId,
        _: &PaymentSearch,
        _: i64,
    ) -> Result<i64, StoreFailure> {
        panic!("no test here counts payments")
    }

    async fn payments_held_or_open(
        &self,
        _: &MerchantId,
        _: Option<&PaymentId>,
        _: i64,
    ) -> Result<Vec<Payment>, StoreFailure> {
        let stored = self.payment.lock().expect("no panic").clone();
        Ok(stored.into_iter().collect())
    }
}

impl Changes<MerchantChange> for Shelf {
    fn change(&self, change: MerchantChange) -> Box<dyn Change> {
        Box::new(Noted(change))
    }
}

#[async_trait]
impl MerchantStore for Shelf {
    async fn merchant(&self, _: &MerchantId) -> Result<Option<Arc<MerchantAccount>>, StoreFailure> {
        Ok(Some(Arc::clone(&self.merchant)))
    }

    async fn merchant_by_publishable_key(
        &self,
        _: &str,
    ) -> Result<Option<Arc<MerchantAccount>>, StoreFailure> {
        Ok(None)
    }
}

impl Changes<ProfileChange> for Shelf {
    fn change(&self, change: ProfileChange) -> Box<dyn Change> {
        Box::new(Noted(change))
    }
}

#[async_trait]
impl ProfileStore for Shelf {
    async fn profile(
        &self,
        _: &MerchantId,
        _: &ProfileId,
    ) -> Result<Option<Arc<Profile>>, StoreFailure> {
        Ok(Some(Arc::clone(&self.profile)))
    }

    async fn profiles(&self, _: &MerchantId) -> Result<Vec<Profile>, StoreFailure> {
        Ok(vec![Profile::clone(&self.profile)])
    }
}

impl Changes<ConnectorAccountChange> for Shelf {
    fn change(&self, change: ConnectorAccountChange) -> Box<dyn Change> {
        Box::new(Noted(change))
    }
}

#[async_trait]
impl ConnectorAccountStore for Shelf {
    async fn connector_account(
        &self,
        _: &MerchantId,
        _: &ConnectorAccountId,
    ) -> Result<Option<Arc<ConnectorAccount>>, StoreFailure> {
        Ok(Some(Arc::clone(&self.account)))
    }

    async fn connector_account_ever(
        &self,
        _: &MerchantId,
        _: &ConnectorAccountId,
    ) -> Result<Option<Arc<ConnectorAccount>>, StoreFailure> {
        Ok(Some(Arc::clone(&self.account)))
    }

    async fn connector_accounts(
        &self,
        _: &MerchantId,
        _: Option<&ProfileId>,
    ) -> Result<Vec<Arc<ConnectorAccount>>, StoreFailure> {
        Ok(vec![Arc::clone(&self.account)])
    }

    async fn every_connector_account(
        &self,
        _: Option<(MerchantId, ConnectorAccountId)>,
        _: i64,
    ) -> Result<Vec<Arc<ConnectorAccount>>, StoreFailure> {
        Ok(vec![Arc::clone(&self.account)])
    }
}

impl Changes<ErrorMappingChange> for Shelf {
    fn change(&self, change: ErrorMappingChange) -> Box<dyn Change> {
        Box::new(Noted(change))
    }
}

#[async_trait]
impl ErrorMappingStore for Shelf {
    async fn error_mappings(&self) -> Result<Arc<ErrorMappings>, StoreFailure> {
        Ok(Arc::default())
    }

    async fn error_mapping(&self, _: &MappingKey) -> Result<Option<ErrorMapping>, StoreFailure> {
        Ok(None)
    }
}

#[async_trait]
impl DeletionGuard for Shelf {
    fn guards(&self, _: Deleted<'_>) -> Vec<crate::platform::ports::Change> {
        Vec::new()
    }

    async fn refusal(&self, _: Deleted<'_>) -> Result<Option<Refusal>, StoreFailure> {
        Ok(None)
    }
}

impl PaymentContent for Shelf {
    fn payment(&self, _: &PaymentView<'_>) -> String {
        "{}".to_owned()
    }
}

impl RefundContent for Shelf {
    fn refund(&self, _: &Refund) -> String {
        "{}".to_owned()
    }
}

impl MandateContent for Shelf {
    fn mandate(&self, _: &MandateView) -> String {
        "{}".to_owned()
    }
}

/// Finds the one processor.
pub struct Directory(pub Arc<Shelf>);

impl ConnectorDirectory for Directory {
    fn find(&self, _: &str) -> Option<Arc<dyn Connector>> {
        Some(Arc::clone(&self.0) as Arc<dyn Connector>)
    }

    fn describe(&self, _: &str) -> Option<&'static Description> {
        Some(&PROCESSOR)
    }

    fn names(&self) -> Vec<&'static str> {
        vec![PROCESSOR.name]
    }
}

#[async_trait]
impl Connector for Shelf {
    fn description(&self) -> &'static Description {
        &PROCESSOR
    }

    async fn check(&self, _: Access) -> AccountCheck {
        panic!("no test here checks an account")
    }
}

#[async_trait]
impl Payments for Shelf {
    async fn authorize(&self, _: AuthorizeRequest) -> Outcome {
        self.answer("authorize").await
    }

    async fn capture(&self, _: CaptureRequest) -> Outcome {
        self.answer("capture").await
    }

    async fn void(&self, _: VoidRequest) -> Outcome {
        self.answer("void").await
    }

    async fn refund(&self, _: RefundRequest) -> Outcome {
        panic!("no test here refunds")
    }

    async fn look_up(&self, _: LookUpRequest) -> Finding {
        panic!("no test here asks about an operation")
    }
}

impl Notices for Shelf {
    fn verify_notice(&self, _: &RawNotice, _: Option<&WebhookSecrets>, _: Timestamp) -> bool {
        panic!("no test here hears notices")
    }

    fn read_notices(&self, _: &RawNotice, _: &Access) -> Result<Vec<Notice>, Unreadable> {
        panic!("no test here hears notices")
    }

    fn notice_parts(&self, raw: RawNotice) -> Vec<NoticePart> {
        vec![NoticePart::whole(raw)]
    }
}
