//! Accounts in a real database of either kind, written as change-sets and read back.

use std::sync::Arc;

use multirail_app::accounts::ports::{
    ApiKeyChange, ApiKeyStore, ConnectorAccountChange, ConnectorAccountStore, MerchantChange,
    MerchantStore, ProfileChange, ProfileStore,
};
use multirail_app::platform::ports::failure::duplicate;
use multirail_app::platform::ports::{ClockChange, ClockStore, CommitError};
use multirail_domain::accounts::api_key::ApiKey;
use multirail_domain::accounts::connector_account::ConnectorAccount;
use multirail_domain::accounts::merchant::MerchantAccount;
use multirail_domain::accounts::new_merchant::NewMerchant;
use multirail_domain::accounts::profile::{Profile, ProfileUpdate};
use multirail_kernel::ids::MerchantId;
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Changes;

use super::super::engine::Read;
use crate::fixture::on_both_engines;
use crate::fixture::{TestStore, changing};

on_both_engines! {
    accounts_come_back_as_they_were
    secrets_rest_sealed_in_their_place
    a_deleted_merchant_is_gone_with_its_keys
    what_is_taken_is_named
    a_deleted_connector_account_stays_for_what_was_begun
    an_update_of_something_old_is_a_conflict
    keys_come_in_pages_oldest_first
    the_clock_goes_forward_by_the_sum
}

async fn accounts_come_back_as_they_were(test: TestStore) {
    let NewMerchant { account, profiles } = test.merchant("bookshop").await;
    let key = test.api_key(&account);
    let connector = test.account(&profiles[0], "mca_1", "euro cards");
    test.commit(vec![
        changing(ApiKeyChange::Insert(key.clone())),
        changing(ConnectorAccountChange::Insert(connector.clone())),
    ])
    .await
    .expect("a commit");
    let (store, id) = (&test.store, &account.merchant_id);

    let expected = MerchantAccount {
        version: 1,
        ..account.clone()
    };
    let expected = Some(Arc::new(expected));
    assert_eq!(store.merchant(id).await, Ok(expected.clone()));
    let by_key = store.merchant_by_publishable_key(&account.publishable_key);
    assert_eq!(by_key.await, Ok(expected));

    let profile = Profile {
        version: 1,
        ..profiles[0].clone()
    };
    assert_eq!(
        store.profile(id, &profile.profile_id).await,
        Ok(Some(Arc::new(profile.clone())))
    );
    assert_eq!(store.profiles(id).await, Ok(vec![profile.clone()]));

    let key = ApiKey { version: 1, ..key };
    assert_eq!(store.api_key(id, &key.key_id).await, Ok(Some(key.clone())));
    assert_eq!(
        store.api_key_by_hash(&key.hash).await,
        Ok(Some(Arc::new(key)))
    );

    let connector = Arc::new(ConnectorAccount {
        version: 1,
        ..connector
    });
    let found = store.connector_account(id, &connector.merchant_connector_id);
    assert_eq!(found.await, Ok(Some(connector.clone())));
    let all = Ok(vec![connector]);
    assert_eq!(store.connector_accounts(id, None).await, all);
    let of_profile = store.connector_accounts(id, Some(&profile.profile_id));
    assert_eq!(of_profile.await, all);
    let other = MerchantId::parse("flower_shop").expect("an id");
    assert_eq!(store.connector_accounts(&other, None).await, Ok(Vec::new()));
}

async fn secrets_rest_sealed_in_their_place(test: TestStore) {
    let NewMerchant { account, .. } = test.merchant("bookshop").await;
    let profile = test.profile(&account, "outlet");
    let connector = test.account(&profile, "mca_1", "euro cards");
    test.commit(vec![
        changing(ProfileChange::Insert(profile)),
        changing(ConnectorAccountChange::Insert(connector)),
    ])
    .await
    .expect("a commit");
    for (table, secret) in [
        ("business_profiles", "header-secret"),
        ("connector_accounts", "credential-secret"),
    ] {
        let read = Read::new(format!("select record, secrets from {table}"), Vec::new());
        for row in test.engine.fetch(read).await.expect("rows") {
            let record = row.str("record").expect("a record");
            assert!(!record.contains(secret), "{table}");
            let sealed = String::from_utf8(row.bytes("secrets").expect("bytes")).expect("text");
            assert!(!sealed.contains(secret), "{table}");
            assert!(sealed.starts_with(&format!("{table}:bookshop/")), "{table}");
        }
    }
}

async fn a_deleted_merchant_is_gone_with_its_keys(test: TestStore) {
    let NewMerchant { account, profiles } = test.merchant("bookshop").await;
    let key = test.api_key(&account);
    test.commit(vec![changing(ApiKeyChange::Insert(key.clone()))])
        .await
        .expect("a commit");
    let delete = |version| {
        vec![changing(MerchantChange::Delete {
            merchant_id: account.merchant_id.clone(),
            version,
        })]
    };
    let old = test.commit(delete(0)).await;
    assert_eq!(old, Err(CommitError::Conflict));
    assert_eq!(test.commit(delete(1)).await, Ok(()));

    let (store, id) = (&test.store, &account.merchant_id);
    assert_eq!(store.merchant(id).await, Ok(None));
    let by_key = store.merchant_by_publishable_key(&account.publishable_key);
    assert_eq!(by_key.await, Ok(None));
    assert_eq!(store.api_key_by_hash(&key.hash).await, Ok(None));
    let profile = store.profile(id, &profiles[0].profile_id).await;
    assert!(
        profile.expect("a read").is_some(),
        "payments finish with it"
    );
    let again = test
        .commit(vec![changing(MerchantChange::Insert(account))])
        .await;
    assert_eq!(again, Err(CommitError::Duplicate(duplicate::MERCHANT)));
}

async fn what_is_taken_is_named(test: TestStore) {
    let NewMerchant { account, profiles } = test.merchant("bookshop").await;
    let taken = |what| Err(CommitError::Duplicate(what));

    let second = test.profile(&account, "default");
    let answer = test
        .commit(vec![changing(ProfileChange::Insert(second))])
        .await;
    assert_eq!(answer, taken(duplicate::PROFILE_NAME));

    let outlet = test.profile(&account, "outlet");
    let insert = vec![changing(ProfileChange::Insert(outlet.clone()))];
    assert_eq!(test.commit(insert).await, Ok(()));
    let rename = ProfileUpdate {
        profile_name: Some("default".to_owned()),
        ..ProfileUpdate::default()
    };
    let stored = Profile {
        version: 1,
        ..outlet
    };
    let renamed = stored.update(rename, Timestamp::EPOCH).expect("a profile");
    let answer = test
        .commit(vec![changing(ProfileChange::Update(renamed))])
        .await;
    assert_eq!(answer, taken(duplicate::PROFILE_NAME));

    let first = test.account(&profiles[0], "mca_1", "cards");
    let other = test.account(&profiles[0], "mca_2", "euro cards");
    let insert = vec![
        changing(ConnectorAccountChange::Insert(first.clone())),
        changing(ConnectorAccountChange::Insert(other.clone())),
    ];
    assert_eq!(test.commit(insert).await, Ok(()));
    for same in [
        test.account(&profiles[0], "mca_1", "other cards"),
        test.account(&profiles[0], "mca_3", "cards"),
    ] {
        let answer = test.commit(vec![changing(ConnectorAccountChange::Insert(same))]);
        assert_eq!(answer.await, taken(duplicate::CONNECTOR_LABEL));
    }
    let relabelled = ConnectorAccount {
        version: 1,
        connector_label: "cards".to_owned(),
        ..other
    };
    let answer = test.commit(vec![changing(ConnectorAccountChange::Update(relabelled))]);
    assert_eq!(answer.await, taken(duplicate::CONNECTOR_LABEL));
    let of_the_other_profile = test.account(&stored, "mca_4", "cards");
    let insert = vec![changing(ConnectorAccountChange::Insert(
        of_the_other_profile,
    ))];
    assert_eq!(test.commit(insert).await, Ok(()));
}

async fn a_deleted_connector_account_stays_for_what_was_begun(test: TestStore) {
    let NewMerchant { account, profiles } = test.merchant("bookshop").await;
    let (id, profile) = (&account.merchant_id, &profiles[0]);
    let connector = test.account(profile, "mca_1", "cards");
    let insert = vec![changing(ConnectorAccountChange::Insert(connector.clone()))];
    assert_eq!(test.commit(insert).await, Ok(()));
    let delete = changing(ConnectorAccountChange::Delete {
        merchant_id: id.clone(),
        merchant_connector_id: connector.merchant_connector_id.clone(),
    });
    assert_eq!(test.commit(vec![delete]).await, Ok(()));

    let (store, name) = (&test.store, &connector.merchant_connector_id);
    assert_eq!(store.connector_account(id, name).await, Ok(None));
    for of in [None, Some(&profile.profile_id)] {
        assert_eq!(store.connector_accounts(id, of).await, Ok(Vec::new()));
    }
    let kept = store.connector_account_ever(id, name).await;
    let kept = kept.expect("a read").expect("an account");
    assert_eq!(kept.secrets, connector.secrets);

    let update = changing(ConnectorAccountChange::Update(Arc::unwrap_or_clone(kept)));
    assert_eq!(test.commit(vec![update]).await, Err(CommitError::Conflict));
    let same_label = test.account(profile, "mca_2", "cards");
    let insert = vec![changing(ConnectorAccountChange::Insert(same_label))];
    assert_eq!(test.commit(insert).await, Ok(()));
    let same_id = test.account(profile, "mca_1", "other cards");
    let answer = test.commit(vec![changing(ConnectorAccountChange::Insert(same_id))]);
    assert_eq!(
        answer.await,
        Err(CommitError::Duplicate(duplicate::CONNECTOR_LABEL))
    );
}

async fn an_update_of_something_old_is_a_conflict(test: TestStore) {
    let NewMerchant { account, profiles } = test.merchant("bookshop").await;
    let key = test.api_key(&account);
    let connector = test.account(&profiles[0], "mca_1", "cards");
    test.commit(vec![
        changing(ApiKeyChange::Insert(key.clone())),
        changing(ConnectorAccountChange::Insert(connector.clone())),
    ])
    .await
    .expect("a commit");
    let updates = |version| {
        [
            changing(MerchantChange::Update(MerchantAccount {
                version,
                ..account.clone()
            })),
            changing(ProfileChange::Update(Profile {
                version,
                ..profiles[0].clone()
            })),
            changing(ApiKeyChange::Update(ApiKey {
                version,
                ..key.clone()
            })),
            changing(ConnectorAccountChange::Update(ConnectorAccount {
                version,
                ..connector.clone()
            })),
        ]
    };
    for change in updates(1) {
        assert_eq!(test.commit(vec![change]).await, Ok(()));
    }
    for change in updates(1) {
        let shown = format!("{change:?}");
        let answer = test.commit(vec![change]).await;
        assert_eq!(answer, Err(CommitError::Conflict), "{shown}");
    }
    for change in updates(2) {
        assert_eq!(test.commit(vec![change]).await, Ok(()));
    }
    let gone = || {
        [
            changing(ApiKeyChange::Delete {
                merchant_id: account.merchant_id.clone(),
                key_id: key.key_id.clone(),
            }),
            changing(ConnectorAccountChange::Delete {
                merchant_id: account.merchant_id.clone(),
                merchant_connector_id: connector.merchant_connector_id.clone(),
            }),
        ]
    };
    for change in gone() {
        assert_eq!(test.commit(vec![change]).await, Ok(()));
    }
    for change in gone() {
        let answer = test.commit(vec![change]).await;
        assert_eq!(answer, Err(CommitError::Conflict));
    }
}

async fn keys_come_in_pages_oldest_first(test: TestStore) {
    let NewMerchant { account, .. } = test.merchant("bookshop").await;
    let mut names = Vec::new();
    for second in [3, 1, 2] {
        let name = format!("key {second}");
        let key = ApiKey {
            created_at: Timestamp::EPOCH.plus_seconds(second).expect("in range"),
            hash: name.clone(),
            name,
            ..test.api_key(&account)
        };
        let insert = test.commit(vec![changing(ApiKeyChange::Insert(key))]);
        insert.await.expect("a commit");
    }
    for skip in 0..4 {
        let page = test.store.api_keys(&account.merchant_id, 1, skip).await;
        names.extend(page.expect("a page").into_iter().map(|key| key.name));
    }
    assert_eq!(names, ["key 1", "key 2", "key 3"]);
}

async fn the_clock_goes_forward_by_the_sum(test: TestStore) {
    assert_eq!(test.store.clock_offset().await, Ok(0));
    for (seconds, sum) in [(900, 900), (60, 960)] {
        let advance = test.store.change(ClockChange::Advance { seconds });
        assert_eq!(test.commit(vec![advance]).await, Ok(()));
        assert_eq!(test.store.clock_offset().await, Ok(sum));
    }
}
