//! Servers of two versions on one database: the older one changes rows that the newer one wrote.

use multirail_app::accounts::ports::{
    ApiKeyChange, ApiKeyStore, ConnectorAccountChange, ConnectorAccountStore, MerchantChange,
    MerchantStore, ProfileChange, ProfileStore,
};
use multirail_app::payments::ports::{PaymentSearch, PaymentStore};
use multirail_app::platform::ports::{Seal, StoreFailure};
use multirail_domain::accounts::api_key::ApiKeyUpdate;
use multirail_domain::accounts::connector_account::ConnectorAccountUpdate;
use multirail_domain::accounts::merchant::MerchantAccountUpdate;
use multirail_domain::accounts::profile::ProfileUpdate;
use multirail_domain::accounts::webhook_settings::WebhookSettingsInput;
use multirail_domain::payments::payment::{Changes, Command, Input, PaymentStatus};
use multirail_kernel::secret::SecretText;
use serde_json::Value;

use super::super::super::engine::{Read, Row, Write, values};
use super::super::news::{at, shop};
use super::super::refund_story::{Refunding, wish};
use super::super::story::{Story, card, declined, done};
use crate::fixture::on_both_engines;
use crate::fixture::records::later_member;
use crate::fixture::shape;
use crate::fixture::{CONNECTOR, Mirror, TestStore, changing};

on_both_engines! {
    a_payment_keeps_what_a_newer_server_stored
    a_refund_keeps_what_a_newer_server_stored
    what_a_caller_replaces_goes_as_a_whole
    accounts_keep_what_a_newer_server_stored
    a_word_of_a_newer_server_changes_nothing_and_hides_nothing
}

/// The member that the newer version has and the older one doesn't.
const NAME: &str = "of_a_later_version";

/// A column of records.
struct Column {
    name: &'static str,
    /// Reads the records in the order of their rows' keys.
    select: &'static str,
    /// Replaces one record by `$2`.
    update: &'static str,
}

macro_rules! columns {
    ($($table:literal $column:literal by $key:literal),+) => {
        [$(Column {
            name: concat!($table, ".", $column),
            select: concat!("select ", $column, " as stored from ", $table, " order by ", $key),
            update: concat!("update ", $table, " set ", $column, " = $2 where ", $column, " = $1"),
        }),+]
    };
}

const OF_PAYMENTS: [Column; 3] = columns![
    "payments" "record" by "payment_id",
    "attempts" "record" by "attempt_number",
    "captures" "record" by "capture_sequence"
];

const OF_ACCOUNTS: [Column; 7] = columns![
    "merchant_accounts" "record" by "merchant_id",
    "merchant_accounts" "secrets" by "merchant_id",
    "business_profiles" "record" by "profile_id",
    "business_profiles" "secrets" by "profile_id",
    "api_keys" "record" by "key_id",
    "connector_accounts" "record" by "merchant_connector_id",
    "connector_accounts" "secrets" by "merchant_connector_id"
];

impl Column {
    fn is_sealed(&self) -> bool {
        self.name.ends_with(".secrets")
    }

    /// Reads the stored texts; sealed texts come with the place that they are sealed for.
    async fn read(&self, test: &TestStore) -> Vec<(Option<String>, Value)> {
        let rows = test.engine.fetch(Read::new(self.select, Vec::new())).await;
        let read = |row: &Row| {
            if !self.is_sealed() {
                let text = row.str("stored").expect("a record");
                return (None, serde_json::from_str(text).expect("JSON"));
            }
            let sealed = row.bytes("stored").expect("secrets");
            let sealed_for = Mirror::place_of(&sealed);
            let text = Mirror.open(&sealed_for, &sealed).expect("a text");
            let secrets = serde_json::from_str(text.expose()).expect("JSON");
            (Some(sealed_for), secrets)
        };
        rows.expect("rows").iter().map(read).collect()
    }

    /// Adds a member to every object, as a newer server would.
    async fn is_stored_by_a_newer_server(&self, test: &TestStore) {
        for (sealed_for, stored) in self.read(test).await {
            let mut newer = stored.clone();
            for object in shape::pointers(&stored, Value::is_object) {
                newer.pointer_mut(&object).expect("an object")[NAME] = later_member();
            }
            let (before, after) = (stored.to_string(), newer.to_string());
            let parameters = match sealed_for {
                None => values![before, after],
                Some(sealed_for) => {
                    let sealed = |text| Mirror.seal(&sealed_for, &SecretText::new(text));
                    values![sealed(before), sealed(after)]
                }
            };
            test.insert(Write::new(self.update, parameters)).await;
        }
    }
}

/// Returns the contents of every record of the columns.
async fn stored(test: &TestStore, columns: &[Column]) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    for column in columns {
        for (i, (_, value)) in column.read(test).await.into_iter().enumerate() {
            all.push((format!("{} {i}", column.name), value));
        }
    }
    all
}

/// Returns the objects that still have the newer server's member, and those that lost it.
fn objects_with_and_without(
    before: &[(String, Value)],
    after: &[(String, Value)],
) -> (Vec<String>, Vec<String>) {
    let mut added = Vec::new();
    for (row, was) in before {
        let is = after.iter().find(|(same, _)| same == row);
        let (_, is) = is.unwrap_or_else(|| panic!("{row} is gone"));
        for object in shape::pointers(was, |value| value.get(NAME).is_some()) {
            let found = is.pointer(&object).and_then(|object| object.get(NAME));
            added.push((format!("{row}{object}"), found == Some(&later_member())));
        }
    }
    let (kept, lost): (Vec<_>, Vec<_>) = added.into_iter().partition(|(_, is_kept)| *is_kept);
    let names = |all: Vec<(String, bool)>| all.into_iter().map(|(name, _)| name).collect();
    (names(kept), names(lost))
}

/// The payment has two attempts: the first was declined, the second captured in part. The newer server has written all of
/// it. The older one captures more and has the rest voided.
async fn a_payment_keeps_what_a_newer_server_stored(test: TestStore) {
    let profile = test.merchant("bookshop").await.profiles.remove(0);
    let mut story = Story::begin(&test, "pay_1", &profile).await;
    story.confirm(&test).await;
    story.learns(&test, declined()).await;
    story.confirm(&test).await;
    story.learns(&test, done()).await;
    story.capture(&test, 1000).await;
    story.learns(&test, done()).await;
    for column in &OF_PAYMENTS {
        column.is_stored_by_a_newer_server(&test).await;
    }
    let before = stored(&test, &OF_PAYMENTS).await;

    let older = test.another();
    story.capture(&older, 500).await;
    story.learns(&older, declined()).await;
    story.capture(&older, 700).await;
    story.learns(&older, done()).await;
    let void = Command::VoidTheRest {
        reason: "merchant account deleted".to_owned(),
    };
    story.step(&older, |_| Input::Command(void)).await;
    story.learns(&older, done()).await;

    let payment = story.payment(&test).await.expect("a payment");
    assert_eq!(payment.status, PaymentStatus::PartiallyCaptured);
    assert_eq!(payment.amounts().received, Some(1700));
    let after = stored(&test, &OF_PAYMENTS).await;
    let changed = |row: &str| {
        let of = |all: &[(String, Value)]| all.iter().find(|(name, _)| name == row).cloned();
        of(&before) != of(&after)
    };
    // The attempt that was declined is over; nothing writes it.
    let written: Vec<&str> = before.iter().map(|(row, _)| row.as_str()).collect();
    let written: Vec<&str> = written.into_iter().filter(|row| changed(row)).collect();
    assert_eq!(written, ["payments.record 0", "attempts.record 1"]);
    assert_eq!(
        after.len(),
        before.len() + 2,
        "captures of the older server"
    );
    let (kept, lost) = objects_with_and_without(&before, &after);
    assert_eq!(lost, [""; 0]);
    assert_eq!(kept.len(), 21, "{kept:#?}");
}

/// The older server applies the processor's outcome to one refund, and makes another one.
async fn a_refund_keeps_what_a_newer_server_stored(test: TestStore) {
    let story = Refunding::begin(&test, "pay_1").await;
    let refund = story.refund(&test, wish("ref_1", 1000));
    refund.await.expect("a commit");
    let columns = columns!["refunds" "record" by "refund_id", "payments" "record" by "payment_id"];
    for column in &columns {
        column.is_stored_by_a_newer_server(&test).await;
    }
    let before = stored(&test, &columns).await;

    let older = test.another();
    story.learns(&older, "ref_1", 101, declined()).await;
    let refund = story.refund(&older, wish("ref_2", 500));
    refund.await.expect("a commit");

    let after = stored(&test, &columns).await;
    assert_eq!(
        after.len(),
        before.len() + 1,
        "the refund of the older server"
    );
    assert_eq!(after[0].1["status"], "failed");
    let (kept, lost) = objects_with_and_without(&before, &after);
    assert_eq!(lost, [""; 0]);
    let of_refund = ["/charge", "/operation", ""].map(|object| format!("refunds.record 0{object}"));
    let of_payment = ["/notes", "/refunds/0", "/terms", ""];
    let of_payment = of_payment.map(|object| format!("payments.record 0{object}"));
    let mut kept = kept;
    kept.sort();
    let mut expected = [&of_refund[..], &of_payment].concat();
    expected.sort();
    assert_eq!(kept, expected);
}

/// An update sets other terms and another card: the new card is another object, all others are unchanged.
async fn what_a_caller_replaces_goes_as_a_whole(test: TestStore) {
    let profile = test.merchant("bookshop").await.profiles.remove(0);
    let mut story = Story::begin(&test, "pay_1", &profile).await;
    for column in &OF_PAYMENTS {
        column.is_stored_by_a_newer_server(&test).await;
    }
    let before = stored(&test, &OF_PAYMENTS).await;
    let changes = Changes {
        amount: Some(7000),
        instrument: card(),
        ..Changes::default()
    };
    let update = Input::Command(Command::Update(changes.into()));
    story.step(&test.another(), |_| update).await;
    let after = stored(&test, &OF_PAYMENTS).await;
    assert_eq!(after[0].1["terms"]["amount"], 7000);
    let (kept, lost) = objects_with_and_without(&before, &after);
    let of_payment = ["/terms", "/notes", ""].map(|object| format!("payments.record 0{object}"));
    let of_attempt = ["attempts.record 0".to_owned()];
    assert_eq!(kept, [&of_payment[..], &of_attempt].concat());
    let of_card = ["/card", "/billing/address", "/billing", ""];
    let of_card = of_card.map(|object| format!("attempts.record 0/instrument{object}"));
    assert_eq!(lost, of_card);
}

async fn accounts_keep_what_a_newer_server_stored(test: TestStore) {
    let made = test.merchant("bookshop").await;
    let mut profile = made.profiles[0].clone();
    profile.version = 1;
    let settings = WebhookSettingsInput {
        webhook_url: Some("https://shop.example/hooks".to_owned()),
        webhook_password: Some(SecretText::new("password")),
        ..WebhookSettingsInput::default()
    };
    let update = ProfileUpdate {
        webhook: Some(settings),
        custom_headers: Some(vec![("x-shop".to_owned(), SecretText::new("header"))]),
        ..ProfileUpdate::default()
    };
    let profile = profile.update(update, at(1)).expect("a profile");
    let key = test.api_key(&made.account);
    let connector = test.account(&profile, "mca_1", "cards");
    let changes = vec![
        changing(ProfileChange::Update(profile.clone())),
        changing(ApiKeyChange::Insert(key.clone())),
        changing(ConnectorAccountChange::Insert(connector.clone())),
    ];
    test.commit(changes).await.expect("a commit");
    for column in &OF_ACCOUNTS {
        column.is_stored_by_a_newer_server(&test).await;
    }
    let before = stored(&test, &OF_ACCOUNTS).await;

    let older = test.another();
    let merchant = older.store.merchant(&shop()).await.expect("a read");
    let merchant = merchant.expect("a merchant");
    let named = MerchantAccountUpdate {
        merchant_name: Some("Bookshop".to_owned()),
        ..MerchantAccountUpdate::default()
    };
    let merchant = merchant.update(named, &[], at(2)).expect("an account");
    let profile = older.store.profile(&shop(), &profile.profile_id).await;
    let profile = profile.expect("a read").expect("a profile");
    let slower = ProfileUpdate {
        session_expiry: Some(1200),
        ..ProfileUpdate::default()
    };
    let profile = profile.update(slower, at(2)).expect("a profile");
    let key = older.store.api_key(&shop(), &key.key_id).await;
    let key = key.expect("a read").expect("a key");
    let renamed = ApiKeyUpdate {
        name: Some("web shop".to_owned()),
        ..ApiKeyUpdate::default()
    };
    let key = key.update(renamed, at(2)).expect("a key");
    let id = &connector.merchant_connector_id;
    let connector = older.store.connector_account(&shop(), id).await;
    let connector = connector.expect("a read").expect("an account");
    let switched = ConnectorAccountUpdate {
        disabled: Some(true),
        ..ConnectorAccountUpdate::default()
    };
    let connector = connector
        .update(switched, &CONNECTOR, at(2))
        .expect("an account");
    let changes = vec![
        changing(MerchantChange::Update(merchant)),
        changing(ProfileChange::Update(profile)),
        changing(ApiKeyChange::Update(key)),
        changing(ConnectorAccountChange::Update(connector)),
    ];
    older.commit(changes).await.expect("a commit");

    let after = stored(&test, &OF_ACCOUNTS).await;
    assert_eq!(after.len(), before.len());
    let unchanged = before.iter().zip(&after).filter(|(was, is)| was == is);
    let unchanged: Vec<&str> = unchanged.map(|((row, _), _)| row.as_str()).collect();
    let sealed = [
        "merchant_accounts",
        "business_profiles",
        "connector_accounts",
    ];
    assert_eq!(unchanged, sealed.map(|table| format!("{table}.secrets 0")));
    let (kept, lost) = objects_with_and_without(&before, &after);
    assert_eq!(lost, [""; 0]);
    assert_eq!(kept.len(), 14, "{kept:#?}");
}

/// A newer version uses a new word where an older server must not act without understanding.
async fn a_word_of_a_newer_server_changes_nothing_and_hides_nothing(test: TestStore) {
    let profile = test.merchant("bookshop").await.profiles.remove(0);
    let mut newer = Story::begin(&test, "pay_newer", &profile).await;
    newer.confirm(&test).await;
    let mut other = Story::begin(&test, "pay_other", &profile).await;
    other.confirm(&test).await;
    let sql = "update payments set record = replace(record, '\"processing\"', '\"teleported\"') \
         where payment_id = 'pay_newer'";
    test.insert(Write::new(sql, Vec::new())).await;
    let before = stored(&test, &OF_PAYMENTS).await;

    let older = test.another();
    let Err(StoreFailure::Broken(why)) = newer.payment(&older).await else {
        panic!("it is read");
    };
    assert_eq!(
        why,
        "payments.record does not read: teleported is not a word of PaymentStatus at line 1 column 112"
    );
    other.learns(&older, done()).await;
    let all = PaymentSearch {
        limit: 10,
        ..PaymentSearch::default()
    };
    let listed = older.store.search_payments(&shop(), &all).await;
    let listed: Vec<String> = listed
        .expect("a list")
        .iter()
        .map(|payment| format!("{} {}", payment.payment_id, payment.status))
        .collect();
    assert_eq!(listed, ["pay_other requires_capture"]);
    let after = stored(&test, &OF_PAYMENTS).await;
    assert_eq!(
        after[0], before[0],
        "the row is as the newer server left it"
    );
    assert_ne!(after[1], before[1]);
}
