//! One fake kind of object, and a store that returns it.

use std::sync::Mutex;
use std::time::Duration;

use multirail_domain::accounts::connector_account::ConnectorAccount;
use multirail_kernel::ids::{ConnectorAccountId, NoticeId, ProfileId};
use multirail_platform::account_limits::AccountLimits;
use multirail_platform::{Change, Changes};
use multirail_sdk::connector::{
    Approval, Connector, ConnectorDirectory, Description, DisputeNews, News, Notice, OperationKind,
    RawNotice,
};

use super::super::*;
use crate::accounts::ports::{ConnectorAccountChange, ConnectorAccountStore};
use crate::accounts::processor_accounts::ProcessorAccounts;
use crate::fixture::{Committed, NOW, Noted, base, operator};
use crate::operations::notices::{NoticeNotifier, Notices};
use crate::operations::ports::notices::{
    ClaimedNotice, Filed, NewNotice, NoticeSearch, NoticeStore, NoticeWork, StoredNotice,
};
use crate::operations::ports::open_operations::{ClaimedOperation, OpenObject, OpenOutcomes, Room};
use crate::operations::ports::{DisputeListener, OpenOperationStore};
use crate::operations::processors::Processors;
use crate::platform::base::Base;
use crate::platform::ports::StoreFailure;

pub const PARCEL: ObjectClass = ObjectClass::new("parcel");
pub const LETTER: ObjectClass = ObjectClass::new("letter");

/// Objects of one class. Those with the id `lost` are not found; those with the id `torn` can't be read.
#[derive(Default)]
pub struct Post {
    pub class: Option<ObjectClass>,
    pub told: Mutex<Option<ToldOf>>,
    pub heard: Mutex<Vec<String>>,
}

#[async_trait]
impl Replay for Post {
    fn class(&self) -> ObjectClass {
        self.class.unwrap_or(PARCEL)
    }

    async fn replay(
        &self,
        _: &Origin,
        _: &Claim,
        _: &KeyRecord,
    ) -> Result<Option<Answer>, AppError> {
        Ok(None)
    }
}

#[async_trait]
impl OperatedObject for Post {
    async fn ask(
        &self,
        _: &Origin,
        _: &MerchantId,
        id: &str,
        _: &ProcessorKey,
        now: &(dyn Fn() -> Timestamp + Send + Sync),
    ) -> Result<Asked, AppError> {
        let torn = || Err(AppError::Broken("torn".to_owned()));
        Ok(Asked {
            next: now().plus_seconds(60),
            result: if id == "torn" { torn() } else { Ok(()) },
        })
    }

    async fn unresolved(
        &self,
        found: &UnresolvedOperation,
    ) -> Result<Option<Unresolved>, AppError> {
        match found.object.id.as_str() {
            "torn" => Err(AppError::Broken("torn".to_owned())),
            id => {
                self.heard.lock().expect("no panic").push(id.to_owned());
                Ok(None)
            }
        }
    }

    async fn read_notice(
        &self,
        _: &MerchantId,
        id: &str,
        _: Sender<'_>,
        _: &About,
        _: Option<&Outcome>,
    ) -> Result<Told, AppError> {
        let told = self.told.lock().expect("no panic").clone();
        Ok(Told {
            object: OpenObject::new(PARCEL, id),
            told: told.unwrap_or(ToldOf::NotAskedFor),
            by_others: None,
        })
    }

    async fn hear(
        &self,
        _: &Origin,
        _: &MerchantId,
        id: &str,
        _: ToldOf,
    ) -> Result<Heard, AppError> {
        self.heard.lock().expect("no panic").push(id.to_owned());
        Ok(Heard::Applied)
    }
}

/// Stored operations, and the recorded ends of claims and notices.
#[derive(Default)]
pub struct Desk {
    pub found: Vec<&'static str>,
    pub written: Mutex<Vec<String>>,
}

impl Desk {
    pub fn write(&self, line: String) {
        self.written.lock().expect("no panic").push(line);
    }

    pub fn lines(&self) -> Vec<String> {
        self.written.lock().expect("no panic").clone()
    }
}

pub fn key() -> ProcessorKey {
    ProcessorKey::parse("mrk_1").expect("a key")
}

pub fn bookshop() -> MerchantId {
    MerchantId::parse("bookshop").expect("an id")
}

#[async_trait]
impl OpenOperationStore for Desk {
    fn classes(&self) -> &'static [ObjectClass] {
        &[PARCEL]
    }

    async fn claim_operations(
        &self,
        _: Timestamp,
        _: Timestamp,
        _: i64,
        _: Room,
    ) -> Result<Vec<ClaimedOperation>, StoreFailure> {
        Ok(Vec::new())
    }

    async fn end_claim(
        &self,
        claimed: &ClaimedOperation,
        next: Option<Timestamp>,
    ) -> Result<(), StoreFailure> {
        let seconds = next.map(|next| next.as_micros() / 1_000_000 - NOW);
        self.write(format!("{} again in {seconds:?}", claimed.object.id));
        Ok(())
    }

    async fn open_outcomes(&self) -> Result<OpenOutcomes, StoreFailure> {
        Ok(OpenOutcomes::default())
    }

    async fn unresolved_operations(
        &self,
        _: i64,
        _: i64,
    ) -> Result<Vec<UnresolvedOperation>, StoreFailure> {
        let found = self.found.iter().map(|id| UnresolvedOperation {
            processor_key: key(),
            merchant_id: bookshop(),
            object: OpenObject::new(PARCEL, *id),
            next_question_at: Timestamp::EPOCH,
        });
        Ok(found.collect())
    }
}

#[async_trait]
impl NoticeStore for Desk {
    async fn file_notice(&self, _: &NewNotice) -> Result<Filed, StoreFailure> {
        Ok(Filed::New)
    }

    async fn claim_notices(
        &self,
        _: Timestamp,
        _: Timestamp,
        _: i64,
        _: i64,
    ) -> Result<Vec<ClaimedNotice>, StoreFailure> {
        Ok(Vec::new())
    }

    async fn end_notice(&self, _: &ClaimedNotice, work: &NoticeWork) -> Result<(), StoreFailure> {
        self.write(format!("{:?}", work.status));
        Ok(())
    }

    async fn notices(&self, _: &NoticeSearch) -> Result<Vec<StoredNotice>, StoreFailure> {
        Ok(Vec::new())
    }

    async fn notice(
        &self,
        _: &NoticeId,
    ) -> Result<Option<(StoredNotice, RawNotice)>, StoreFailure> {
        Ok(None)
    }

    async fn replay_notice(&self, _: &NoticeId, _: Timestamp) -> Result<bool, StoreFailure> {
        Ok(false)
    }

    async fn objects_of_notice(
        &self,
        _: &MerchantId,
        _: &About,
    ) -> Result<Vec<OpenObject>, StoreFailure> {
        let found = self.found.iter();
        Ok(found.map(|id| OpenObject::new(PARCEL, *id)).collect())
    }

    async fn waiting_notices(&self) -> Result<i64, StoreFailure> {
        Ok(0)
    }

    async fn purge_notices(&self, _: Timestamp, _: i64) -> Result<u64, StoreFailure> {
        Ok(0)
    }
}

#[async_trait]
impl DisputeListener for Desk {
    async fn hear_of(
        &self,
        _: &Origin,
        _: &MerchantId,
        _: Sender<'_>,
        _: &DisputeNews,
    ) -> Result<Option<String>, AppError> {
        Ok(None)
    }
}

impl Changes<ConnectorAccountChange> for Desk {
    fn change(&self, change: ConnectorAccountChange) -> Box<dyn Change> {
        Box::new(Noted(change))
    }
}

#[async_trait]
impl ConnectorAccountStore for Desk {
    async fn connector_account(
        &self,
        _: &MerchantId,
        _: &ConnectorAccountId,
    ) -> Result<Option<Arc<ConnectorAccount>>, StoreFailure> {
        Ok(None)
    }

    async fn connector_account_ever(
        &self,
        _: &MerchantId,
        _: &ConnectorAccountId,
    ) -> Result<Option<Arc<ConnectorAccount>>, StoreFailure> {
        Ok(None)
    }

    async fn connector_accounts(
        &self,
        _: &MerchantId,
        _: Option<&ProfileId>,
    ) -> Result<Vec<Arc<ConnectorAccount>>, StoreFailure> {
        Ok(Vec::new())
    }

    async fn every_connector_account(
        &self,
        _: Option<(MerchantId, ConnectorAccountId)>,
        _: i64,
    ) -> Result<Vec<Arc<ConnectorAccount>>, StoreFailure> {
        Ok(Vec::new())
    }
}

impl ConnectorDirectory for Desk {
    fn find(&self, _: &str) -> Option<Arc<dyn Connector>> {
        None
    }

    fn describe(&self, _: &str) -> Option<&'static Description> {
        None
    }

    fn names(&self) -> Vec<&'static str> {
        Vec::new()
    }
}

/// The three services over one such store.
pub struct Office {
    pub desk: Arc<Desk>,
    pub post: Arc<Post>,
    pub base: Arc<Base>,
    pub objects: Arc<OperatedObjects>,
}

impl Office {
    pub fn new(found: &[&'static str], told: Option<ToldOf>) -> Self {
        let post = Arc::new(Post {
            told: Mutex::new(told),
            ..Post::default()
        });
        let objects = OperatedObjects::new(vec![post.clone()], &[PARCEL]);
        Office {
            desk: Arc::new(Desk {
                found: found.to_vec(),
                ..Desk::default()
            }),
            base: base(&Arc::new(Committed::default())),
            post,
            objects: Arc::new(objects.expect("one class")),
        }
    }

    pub fn notices(&self) -> Notices {
        Notices {
            base: Arc::clone(&self.base),
            store: self.desk.clone(),
            accounts: self.desk.clone(),
            processors: Arc::new(Processors {
                base: Arc::clone(&self.base),
                connectors: self.desk.clone(),
                accounts: Arc::new(ProcessorAccounts {
                    store: self.desk.clone(),
                    connectors: self.desk.clone(),
                }),
                questions: AccountLimits::new(1, Duration::ZERO),
            }),
            objects: Arc::clone(&self.objects),
            disputes: self.desk.clone(),
            notifier: NoticeNotifier::default(),
        }
    }

    /// Applies a notice that a capture is done.
    pub async fn hears(&self) -> (Heard, Option<String>) {
        let news = News::Outcome {
            about: About {
                kind: OperationKind::Capture,
                key: Some(key()),
                reference: None,
                authorization_reference: None,
                authorization_key: None,
            },
            outcome: Outcome::Done(Approval::default()),
        };
        let notice = Notice {
            id: String::new(),
            kind: String::new(),
            happened_at: None,
            news,
        };
        let random = self.base.random.as_ref();
        let sender = Sender {
            account: &ConnectorAccountId::generate(random),
            profile: &ProfileId::generate(random),
            connector: "fauxpay",
        };
        let notices = self.notices();
        let (origin, merchant_id) = (operator(), bookshop());
        let applied = notices.apply(&origin, &merchant_id, sender, &notice);
        applied.await.expect("applied")
    }

    pub fn heard(&self) -> Vec<String> {
        self.post.heard.lock().expect("no panic").clone()
    }
}
