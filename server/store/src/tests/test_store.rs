//! A store of one test, and what is put into it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use multirail_app::ports::installation_keys::{InstallationKey, KeysRefused};
use multirail_app::ports::seal::{DataKey, SealedBy, Subject, Unopened, WrappedDataKey};
use multirail_app::ports::{
    Actor, Change, ChangeSet, ChangeSetStore, CommitError, IdempotencyChange, MerchantChange,
    OrganizationChange, OrganizationStore, ProfileChange, Seal,
};
use multirail_domain::api_key::{ApiKey, Expiration, NewApiKey};
use multirail_domain::connector_account::{
    ConnectorAccount, ConnectorAccountUpdate, CredentialsInput, NewConnectorAccount,
};
use multirail_domain::merchant::{MerchantAccount, MerchantAccountUpdate, NewMerchantAccount};
use multirail_domain::new_merchant::NewMerchant;
use multirail_domain::organization::Organization;
use multirail_domain::payment::CaptureMethod;
use multirail_domain::profile::{NewProfile, Profile};
use multirail_kernel::audit::Stamp;
use multirail_kernel::environment::Environment;
use multirail_kernel::ids::{ChangeSetId, ConnectorAccountId, MerchantId};
use multirail_kernel::random::SeededRandom;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_platform as platform;
use multirail_sdk::connector::{
    Absence, Capabilities, ConnectorType, CredentialsKind, Description, DisputeAbilities,
    Recoveries, Recovery, Units,
};
use multirail_sdk::payment_method::PaymentMethod;
use multirail_sdk::wallet::WalletAbilities;
use multirail_test_postgres::TestPostgres;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use super::super::SqlStore;
use super::super::engine::{Engine, Options, Write};
use super::super::lower::Stored;

/// The connector of all accounts and payments of these tests.
pub(super) static CONNECTOR: Description = Description {
    name: "stripe_test",
    is_simulator: true,
    offers: &[ConnectorType::PaymentProcessor],
    credentials: CredentialsKind::HeaderKey,
    settings: &[],
    shown: &[],
    category_of: |_| None,
    capabilities: Capabilities {
        payment_methods: &[PaymentMethod::Card],
        capture_methods: CaptureMethod::ALL,
        units: Units::ISO,
        redirects: true,
        authenticates_by_browser: false,
        verifies_cards: true,
        recovery: Recoveries::all(Recovery::LookUp(Absence::Proves)),
        repeats_authorizations: false,
        several_captures_setting: None,
        kept_answers: None,
        asks_with_return: false,
        voids_captured: false,
        charges_kept: true,
        keeps_customers: false,
        raises_authorizations: true,
        holds_for_review: true,
        extends_authorizations: true,
        overcaptures: true,
        wallets: WalletAbilities::NONE,
        disputes: DisputeAbilities {
            accepts: Some(Recovery::LookUp(Absence::Proves)),
            challenges: Some(Recovery::LookUp(Absence::Proves)),
            finds: true,
            lists: true,
        },
    },
};

/// Turns texts around and remembers the place in front: enough to see what is sealed and where.
pub(super) struct Mirror;

impl Mirror {
    /// The place that bytes are sealed for.
    pub(super) fn place_of(sealed: &[u8]) -> String {
        let text = std::str::from_utf8(sealed).expect("a text");
        let text = text.split_once('#').map_or(text, |(_, rest)| rest);
        let (place, _) = text.split_once('|').expect("a place in front");
        place.to_owned()
    }
}

impl Seal for Mirror {
    fn seal(&self, place: &str, text: &SecretText) -> Vec<u8> {
        let turned: String = text.expose().chars().rev().collect();
        format!("{place}|{turned}").into_bytes()
    }

    fn open(&self, place: &str, sealed: &[u8]) -> Result<SecretText, Unopened> {
        let text = std::str::from_utf8(sealed).map_err(|_| Unopened)?;
        let turned = text
            .strip_prefix(place)
            .and_then(|rest| rest.strip_prefix('|'))
            .ok_or(Unopened)?;
        Ok(SecretText::new(turned.chars().rev().collect::<String>()))
    }

    fn sealed_by<'a>(&self, sealed: &'a [u8]) -> Option<SealedBy<'a>> {
        let (key_id, _) = std::str::from_utf8(sealed).ok()?.split_once('#')?;
        Some(SealedBy::Subject(key_id))
    }

    fn make_key(&self, subject: &Subject) -> (Arc<dyn DataKey>, WrappedDataKey) {
        static MADE: AtomicU64 = AtomicU64::new(0);
        let key_id = format!("key_{}", MADE.fetch_add(1, Ordering::Relaxed));
        let stored = WrappedDataKey {
            wrapped: format!("{key_id} of {subject}").into_bytes(),
            key_id: key_id.clone(),
        };
        (Arc::new(MirrorKey(key_id)), stored)
    }

    fn unwrap_key(
        &self,
        subject: &Subject,
        stored: &WrappedDataKey,
    ) -> Result<Arc<dyn DataKey>, Unopened> {
        let key_id = &stored.key_id;
        if stored.wrapped != format!("{key_id} of {subject}").into_bytes() {
            return Err(Unopened);
        }
        Ok(Arc::new(MirrorKey(key_id.clone())))
    }

    fn wrap_anew(
        &self,
        _subject: &Subject,
        stored: &WrappedDataKey,
    ) -> Result<WrappedDataKey, Unopened> {
        Ok(stored.clone())
    }

    fn installation_key(&self) -> String {
        "mirror".to_owned()
    }

    fn has_installation_key(&self, _key_id: &str) -> bool {
        true
    }

    fn take_up(&self, _stored: &[InstallationKey]) -> Result<(), KeysRefused> {
        Ok(())
    }

    fn hash_api_key(&self, key: &SecretText) -> String {
        format!("hash of {} characters", key.expose().len())
    }

    /// Not keyed.
    fn audit_stamp(&self, parts: &[&[u8]]) -> Stamp {
        Sha256::digest(parts.join(&b'|')).into()
    }

    fn fingerprint(&self, scope: &str, value: &str) -> String {
        format!("{scope}: {} characters", value.len())
    }

    fn client_secret_suffix(&self, _merchant_id: &str, _payment_id: &str) -> SecretText {
        SecretText::default()
    }

    fn visit_token(&self, _about: &[&str]) -> SecretText {
        SecretText::default()
    }
}

/// What a [`Mirror`] makes: it seals like it, with its name in front.
struct MirrorKey(String);

impl DataKey for MirrorKey {
    fn key_id(&self) -> &str {
        &self.0
    }

    fn seal(&self, place: &str, text: &SecretText) -> Vec<u8> {
        let sealed = Mirror.seal(place, text);
        [self.0.as_bytes(), b"#", &sealed].concat()
    }

    fn open(&self, place: &str, sealed: &[u8]) -> Result<SecretText, Unopened> {
        let own = [self.0.as_bytes(), b"#"].concat();
        Mirror.open(place, sealed.strip_prefix(own.as_slice()).ok_or(Unopened)?)
    }
}

/// A change of a resource that answers for itself.
pub(super) fn changing<C>(change: C) -> Change
where
    Stored<C>: platform::Change + 'static,
{
    Box::new(Stored(change))
}

/// A store of one test.
pub(super) struct TestStore {
    pub(super) store: SqlStore,
    pub(super) engine: Engine,
    random: SeededRandom,
    _directory: Option<TempDir>,
}

impl TestStore {
    pub(super) async fn sqlite() -> Option<TestStore> {
        let directory = TempDir::new().expect("a directory");
        let url = format!("sqlite:{}/test.db", directory.path().display());
        Some(TestStore::open(&url, Some(directory)).await)
    }

    pub(super) async fn postgres() -> Option<TestStore> {
        let cluster = TestPostgres::start_or_explain().ok()?;
        Some(TestStore::open(&cluster.create_database(), None).await)
    }

    pub(super) async fn open(url: &str, directory: Option<TempDir>) -> TestStore {
        TestStore::open_with(url, directory, Options::default()).await
    }

    pub(super) async fn open_with(
        url: &str,
        directory: Option<TempDir>,
        options: Options,
    ) -> TestStore {
        let engine = Engine::open(url, options).await;
        let engine = engine.expect("an engine");
        engine.migrate().await.expect("a schema");
        TestStore {
            store: SqlStore::new(engine.clone(), Arc::new(Mirror), 40),
            engine,
            random: SeededRandom::new(1),
            _directory: directory,
        }
    }

    /// Another server on the same database.
    pub(super) fn another(&self) -> TestStore {
        TestStore {
            store: SqlStore::new(self.engine.clone(), Arc::new(Mirror), 40),
            engine: self.engine.clone(),
            random: SeededRandom::new(2),
            _directory: None,
        }
    }

    pub(super) async fn commit(&self, changes: Vec<Change>) -> Result<(), CommitError> {
        self.commit_at(Timestamp::EPOCH, changes).await
    }

    pub(super) async fn commit_at(
        &self,
        at: Timestamp,
        changes: Vec<Change>,
    ) -> Result<(), CommitError> {
        self.store.commit(self.change_set(at, changes)).await
    }

    pub(super) fn change_set(&self, at: Timestamp, changes: Vec<Change>) -> ChangeSet {
        ChangeSet {
            id: ChangeSetId::generate(at, &self.random),
            merchant_id: None,
            actor: Actor::Admin,
            request_id: None,
            at,
            changes,
            events: Vec::new(),
            idempotency: Vec::new(),
            audit: None,
        }
    }

    /// Commits changes together with what becomes of an idempotency key.
    pub(super) async fn commit_for_key(
        &self,
        changes: Vec<Change>,
        idempotency: Vec<IdempotencyChange>,
    ) -> Result<(), CommitError> {
        let change_set = ChangeSet {
            idempotency,
            ..self.change_set(Timestamp::EPOCH, changes)
        };
        self.store.commit(change_set).await
    }

    /// A row past the store.
    pub(super) async fn insert(&self, write: Write) {
        self.engine.write(vec![write]).await.expect("a row");
    }

    pub(super) async fn merchant(&self, id: &str) -> NewMerchant {
        let now = Timestamp::EPOCH;
        let organization = Organization::standard(None, now, &self.random);
        let input = NewMerchantAccount {
            merchant_id: MerchantId::parse(id).expect("an id"),
            merchant_account_type: None,
            settings: MerchantAccountUpdate::default(),
        };
        let environment = Environment::Sandbox;
        let made =
            MerchantAccount::create(input, &organization, true, environment, now, &self.random)
                .expect("an account");
        let mut changes = vec![
            changing(OrganizationChange::Insert(organization.clone())),
            changing(MerchantChange::Insert(made.account.clone())),
        ];
        let profiles = made.profiles.iter().cloned();
        changes.extend(profiles.map(|profile| changing(ProfileChange::Insert(profile))));
        self.commit(changes).await.expect("a commit");
        let id = &organization.organization_id;
        let stored = self.store.organization(id).await.expect("a read");
        assert_eq!(stored.map(|one| one.version), Some(1));
        made
    }

    pub(super) fn profile(&self, merchant: &MerchantAccount, name: &str) -> Profile {
        let input = NewProfile {
            profile_name: Some(name.to_owned()),
            custom_headers: Some(vec![(
                "x-shop".to_owned(),
                SecretText::new("header-secret"),
            )]),
            ..NewProfile::default()
        };
        Profile::create(input, merchant, Timestamp::EPOCH, &self.random).expect("a profile")
    }

    pub(super) fn account(&self, profile: &Profile, id: &str, label: &str) -> ConnectorAccount {
        let key = ("api_key".to_owned(), SecretText::new("credential-secret"));
        let input = NewConnectorAccount {
            merchant_connector_id: ConnectorAccountId::parse(id).ok(),
            connector_type: ConnectorType::PaymentProcessor,
            connector_name: CONNECTOR.name.to_owned(),
            business_country: None,
            business_label: None,
            business_sub_label: None,
            settings: ConnectorAccountUpdate {
                connector_label: Some(label.to_owned()),
                credentials: Some(CredentialsInput {
                    kind: CredentialsKind::HeaderKey,
                    members: [key].into(),
                }),
                ..ConnectorAccountUpdate::default()
            },
        };
        let now = Timestamp::EPOCH;
        ConnectorAccount::create(input, &CONNECTOR, profile, true, now, &self.random)
            .expect("an account")
    }

    pub(super) fn api_key(&self, merchant: &MerchantAccount) -> ApiKey {
        let input = NewApiKey {
            name: "shop server".to_owned(),
            description: None,
            expiration: Expiration::Never,
            restriction: None,
        };
        let id = merchant.merchant_id.clone();
        let environment = Environment::Sandbox;
        let hash = |plain: &SecretText| Mirror.hash_api_key(plain);
        ApiKey::create(input, id, environment, Timestamp::EPOCH, &self.random, hash)
            .expect("a key")
            .0
    }
}
