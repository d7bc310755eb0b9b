//! A change of an object that no list of the store names: the change itself supplies everything that a commit needs.

use multirail_app::platform::ports::{Change, CommitError};
use multirail_kernel::audit::Named;
use multirail_kernel::ids::MerchantId;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_platform as platform;
use multirail_platform::{Invalidates, SealedFor, StoreFailure, Writing};

use super::super::engine::{Read, Write, values};
use crate::fixture::TestStore;
use crate::fixture::on_both_engines;
use crate::platform::key_counters;

on_both_engines! {
    its_statements_are_part_of_the_commit
    what_it_stores_is_under_the_key_that_it_names
    servers_forget_what_it_invalidates
}

const INSERT: &str =
    "insert into settings (name, value) values ($1, $2) on conflict (name) do nothing";

/// A setting with a sealed value.
#[derive(Debug)]
struct Parcel {
    merchant_id: MerchantId,
    is_sealed: bool,
    invalidates: Invalidates,
}

impl platform::Change for Parcel {
    fn write(&self, with: &Writing<'_>, writes: &mut Vec<Write>) -> Result<(), StoreFailure> {
        let value = if self.is_sealed {
            let text = SecretText::new("a book");
            let sealed = with.sealing.seal(&self.merchant_id, "parcel", &text);
            String::from_utf8(sealed).expect("the mirror seals to text")
        } else {
            with.at.as_micros().to_string()
        };
        writes.push(Write::new(INSERT, values!["parcel", value]).or_duplicate("parcel"));
        Ok(())
    }

    fn invalidates(&self) -> Invalidates {
        self.invalidates
    }

    fn sealed_for(&self) -> SealedFor<'_> {
        match self.is_sealed {
            true => SealedFor::Merchant(&self.merchant_id),
            false => SealedFor::Nobody,
        }
    }

    fn audited(&self) -> Option<Named> {
        None
    }
}

fn parcel(merchant_id: &MerchantId, is_sealed: bool, invalidates: Invalidates) -> Vec<Change> {
    let merchant_id = merchant_id.clone();
    vec![Box::new(Parcel {
        merchant_id,
        is_sealed,
        invalidates,
    })]
}

async fn stored(test: &TestStore, sql: &'static str) -> Option<String> {
    let row = test.engine.fetch_optional(Read::new(sql, values![])).await;
    row.expect("a read").map(|row| row.text(0).expect("a text"))
}

const VALUE: &str = "select value from settings where name = 'parcel'";

async fn its_statements_are_part_of_the_commit(test: TestStore) {
    let merchant_id = MerchantId::parse("books").expect("an id");
    let changes = || parcel(&merchant_id, false, Invalidates::Nothing);
    let at = Timestamp::from_micros(7);
    assert_eq!(test.commit_at(at, changes()).await, Ok(()));
    assert_eq!(stored(&test, VALUE).await.as_deref(), Some("7"));
    let again = test.commit_at(Timestamp::from_micros(8), changes()).await;
    assert_eq!(again, Err(CommitError::Duplicate("parcel")));
    assert_eq!(stored(&test, VALUE).await.as_deref(), Some("7"));
}

async fn what_it_stores_is_under_the_key_that_it_names(test: TestStore) {
    test.insert(key_counters::begin_with_merchants()).await;
    let merchant_id = MerchantId::parse("books").expect("an id");
    let changes = parcel(&merchant_id, true, Invalidates::Nothing);
    test.commit(changes).await.expect("a commit");
    let key = "select key_id from subject_keys where merchant_id = 'books'";
    let key = stored(&test, key).await.expect("a key");
    let value = stored(&test, VALUE).await.expect("a value");
    let sealed_by = value.split_once('#').map(|(key, _)| key);
    assert_eq!(sealed_by, Some(key.as_str()));
}

async fn servers_forget_what_it_invalidates(test: TestStore) {
    let merchant = test.merchant("books").await;
    let merchant_id = &merchant.account.merchant_id;
    let version = "select value from settings where name = 'accounts_version'";
    let before = stored(&test, version).await;
    let changes = parcel(merchant_id, false, Invalidates::Nothing);
    test.commit(changes).await.expect("a commit");
    assert_eq!(stored(&test, version).await, before);
    test.insert(Write::new(
        "delete from settings where name = 'parcel'",
        values![],
    ))
    .await;
    let changes = parcel(merchant_id, false, Invalidates::Settings);
    test.commit(changes).await.expect("a commit");
    assert_ne!(stored(&test, version).await, before);
}
