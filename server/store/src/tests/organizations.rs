//! Organizations in a real database of either kind, with their accounts.

use multirail_app::accounts::ports::{MerchantChange, OrganizationChange, OrganizationStore};
use multirail_app::platform::ports::{Actor, ChangeSet, ChangeSetStore, CommitError};
use multirail_domain::accounts::merchant::{
    MerchantAccount, MerchantAccountType, MerchantAccountUpdate, NewMerchantAccount,
};
use multirail_domain::accounts::organization::{Organization, OrganizationUpdate};
use multirail_kernel::environment::Environment;
use multirail_kernel::ids::{MerchantId, OrganizationId};
use multirail_kernel::random::SeededRandom;
use multirail_kernel::timestamp::Timestamp;
use serde_json::json;

use super::super::engine::Read;
use crate::fixture::on_both_engines;
use crate::fixture::{TestStore, changing};

on_both_engines! {
    an_organization_is_changed_under_its_version
    accounts_are_listed_in_the_order_in_which_they_were_opened
    the_operator_lists_all_organizations_and_accounts
    a_change_by_a_platform_names_platform_and_key
}

fn organization() -> Organization {
    let hall = MerchantId::parse("hall").expect("an id");
    Organization::platform(
        "Hall".to_owned(),
        hall,
        Timestamp::EPOCH,
        &SeededRandom::new(7),
    )
}

fn account(organization: &Organization, merchant_id: &str, opened: i64) -> MerchantAccount {
    let input = NewMerchantAccount {
        merchant_id: MerchantId::parse(merchant_id).expect("an id"),
        merchant_account_type: Some(MerchantAccountType::Connected),
        settings: MerchantAccountUpdate::default(),
    };
    let made = MerchantAccount::create(
        input,
        organization,
        false,
        Environment::Sandbox,
        Timestamp::from_micros(opened),
        &SeededRandom::new(opened as u64),
    );
    made.expect("an account").account
}

async fn an_organization_is_changed_under_its_version(test: TestStore) {
    let made = organization();
    let insert = changing(OrganizationChange::Insert(made.clone()));
    test.commit(vec![insert]).await.expect("a commit");
    let read = async || {
        let found = test.store.organization(&made.organization_id).await;
        found.expect("a read").expect("an organization")
    };
    let stored = read().await;
    let expected = Organization {
        version: 1,
        ..made.clone()
    };
    assert_eq!(stored, expected);
    let notes = json!({ "metadata": { "floor": 2 } });
    let said = OrganizationUpdate {
        notes: notes.as_object().cloned().expect("an object"),
        ..OrganizationUpdate::default()
    };
    let updated = stored.update(said, Timestamp::from_micros(7));
    let updated = updated.expect("an update");
    let change = || changing(OrganizationChange::Update(updated.clone()));
    test.commit(vec![change()]).await.expect("a commit");
    let expected = Organization {
        version: 2,
        ..updated.clone()
    };
    assert_eq!(read().await, expected);
    let late = test.commit(vec![change()]).await;
    assert_eq!(late, Err(CommitError::Conflict));
}

async fn accounts_are_listed_in_the_order_in_which_they_were_opened(test: TestStore) {
    let hall = organization();
    test.merchant("florist").await;
    let opened = [("c", 1), ("a", 2), ("b", 3), ("d", 4)];
    let mut changes = vec![changing(OrganizationChange::Insert(hall.clone()))];
    for (name, at) in opened {
        let account = account(&hall, name, at);
        changes.push(changing(MerchantChange::Insert(account)));
    }
    test.commit(changes).await.expect("a commit");
    let close = MerchantChange::Delete {
        merchant_id: MerchantId::parse("a").expect("an id"),
        version: 1,
    };
    test.commit(vec![changing(close)]).await.expect("a commit");
    let list = async |limit, offset| {
        let id = &hall.organization_id;
        let found = test.store.accounts_of_organization(id, limit, offset).await;
        let names = found.expect("a list").into_iter();
        let names = names.map(|account| account.merchant_id.to_string());
        names.collect::<Vec<String>>()
    };
    assert_eq!(list(10, 0).await, ["c", "b", "d"]);
    assert_eq!(list(1, 1).await, ["b"]);
    assert_eq!(list(10, 3).await, [""; 0]);
    let nobody = OrganizationId::parse("org_unborn").expect("an id");
    let none = test.store.accounts_of_organization(&nobody, 10, 0).await;
    assert_eq!(none, Ok(Vec::new()));
}

async fn the_operator_lists_all_organizations_and_accounts(test: TestStore) {
    let hall = organization();
    let mut changes = vec![changing(OrganizationChange::Insert(hall.clone()))];
    for (name, at) in [("shop_a", 1), ("shopxa", 2), ("stall", 3), ("shop_b", 4)] {
        let account = account(&hall, name, at);
        changes.push(changing(MerchantChange::Insert(account)));
    }
    test.commit(changes).await.expect("a commit");
    let close = MerchantChange::Delete {
        merchant_id: MerchantId::parse("stall").expect("an id"),
        version: 1,
    };
    test.commit(vec![changing(close)]).await.expect("a commit");
    let list = async |beginning: &str, limit, offset| {
        let found = test.store.accounts(beginning, limit, offset).await;
        let names = found.expect("a list").into_iter();
        let names = names.map(|account| account.merchant_id.to_string());
        names.collect::<Vec<String>>()
    };
    assert_eq!(list("", 10, 0).await, ["shop_b", "shopxa", "shop_a"]);
    assert_eq!(list("", 1, 1).await, ["shopxa"]);
    // No character of an id stands for others.
    assert_eq!(list("shop_", 10, 0).await, ["shop_b", "shop_a"]);
    assert_eq!(list("%", 10, 0).await, [""; 0]);
    let organizations = test.store.organizations(10, 0).await.expect("a list");
    let ids = organizations.iter().map(|one| &one.organization_id);
    assert_eq!(ids.collect::<Vec<_>>(), [&hall.organization_id]);
    assert_eq!(test.store.organizations(10, 1).await, Ok(Vec::new()));
}

async fn a_change_by_a_platform_names_platform_and_key(test: TestStore) {
    let change = changing(OrganizationChange::Insert(organization()));
    let change_set = ChangeSet {
        actor: Actor::Platform {
            merchant_id: "hall".to_owned(),
            key_id: "snd_1".to_owned(),
        },
        ..test.change_set(Timestamp::EPOCH, vec![change])
    };
    test.store.commit(change_set).await.expect("a commit");
    let read = Read::new("select actor from change_sets", Vec::new());
    let row = test.engine.fetch_optional(read).await.expect("a read");
    let row = row.expect("a row");
    assert_eq!(row.str("actor").expect("a text"), "platform:hall:snd_1");
}
