//! Tests of the merchant accounts in which users have roles.

use multirail_app::accounts::ports::{MerchantChange, OrganizationChange};
use multirail_domain::accounts::merchant::{
    MerchantAccount, MerchantAccountUpdate, NewMerchantAccount,
};
use multirail_domain::accounts::organization::Organization;
use multirail_identity_domain::{Grant, Role};
use multirail_kernel::environment::Environment;
use multirail_kernel::ids::{MerchantId, UserId};
use multirail_kernel::random::SeededRandom;
use multirail_store::fixture;
use multirail_store::fixture::on_both_engines;

use super::test_users::{TestStore, at, changing};
use crate::ports::{UserChange, UserStore};

on_both_engines! {
    accounts_of_a_user_are_those_in_which_they_have_a_role
}

fn account(organization: &Organization, merchant_id: &str, opened: i64) -> MerchantAccount {
    let input = NewMerchantAccount {
        merchant_id: MerchantId::parse(merchant_id).expect("an id"),
        merchant_account_type: None,
        settings: MerchantAccountUpdate::default(),
    };
    let made = MerchantAccount::create(
        input,
        organization,
        false,
        Environment::Sandbox,
        at(opened),
        &SeededRandom::new(opened as u64),
    );
    made.expect("an account").account
}

fn grant(user_id: &str, organization: &Organization, merchant_id: &str, role: Role) -> Grant {
    Grant {
        user_id: UserId::parse(user_id).expect("an id"),
        organization_id: organization.organization_id.clone(),
        merchant_id: MerchantId::parse(merchant_id).expect("an id"),
        role,
        created_at: at(1),
    }
}

async fn accounts_of_a_user_are_those_in_which_they_have_a_role(test: TestStore) {
    let hall = Organization::standard(None, at(1), &SeededRandom::new(71));
    let mall = Organization::standard(None, at(1), &SeededRandom::new(72));
    let organizations = [&hall, &mall].map(|one| OrganizationChange::Insert(one.clone()));
    let accounts = [
        account(&hall, "c", 1),
        account(&hall, "a", 2),
        account(&hall, "b", 3),
        account(&mall, "d", 4),
        account(&mall, "e", 5),
    ];
    let grants = [
        grant("user_1", &hall, "c", Role::OrgAdmin),
        grant("user_1", &hall, "a", Role::MerchantViewOnly),
        grant("user_1", &mall, "e", Role::MerchantOperator),
        grant("user_2", &mall, "d", Role::OrgAdmin),
    ];
    let mut changes: Vec<_> = organizations.map(fixture::changing).into();
    changes.extend(accounts.map(|one| fixture::changing(MerchantChange::Insert(one))));
    changes.extend(grants.map(|one| changing(UserChange::Grant(one))));
    test.commit(changes).await.expect("a commit");
    let list = async |user_id: &str, limit, offset| {
        let user_id = UserId::parse(user_id).expect("an id");
        let found = test.store.accounts_of_user(&user_id, limit, offset).await;
        let names = found.expect("a read").into_iter();
        names.map(|id| id.to_string()).collect::<Vec<String>>()
    };
    assert_eq!(list("user_1", 10, 0).await, ["c", "a", "b", "e"]);
    assert_eq!(list("user_1", 2, 1).await, ["a", "b"]);
    assert_eq!(list("user_2", 10, 0).await, ["d", "e"]);
    assert_eq!(list("user_3", 10, 0).await, [""; 0]);
    let close = MerchantChange::Delete {
        merchant_id: MerchantId::parse("a").expect("an id"),
        version: 1,
    };
    let closed = test.commit(vec![fixture::changing(close)]).await;
    closed.expect("a commit");
    assert_eq!(list("user_1", 10, 0).await, ["c", "b", "e"]);
}
