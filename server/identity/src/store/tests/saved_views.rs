//! Tests of saved views.

use multirail_app::accounts::ports::MerchantChange;
use multirail_app::platform::ports::CommitError;
use multirail_domain::accounts::merchant::MerchantAccount;
use multirail_identity_domain::{Grant, MOST_SAVED_VIEWS, Role, SavedView, User};
use multirail_kernel::email::Email;
use multirail_kernel::ids::{MerchantId, SavedViewId, UserId};
use multirail_store::fixture;
use multirail_store::fixture::on_both_engines;

use super::test_users::{TestStore, at, changing, shop, store};
use crate::ports::{UserChange, UserStore};

on_both_engines! {
    a_view_is_seen_by_its_user_in_its_account_until_it_is_deleted
    a_name_is_taken_once
    views_that_are_saved_at_once_count_each_other
    views_end_with_the_role_or_the_account
}

fn role(user_id: &UserId, account: &MerchantAccount) -> Grant {
    Grant {
        user_id: user_id.clone(),
        organization_id: account.organization_id.clone(),
        merchant_id: account.merchant_id.clone(),
        role: Role::MerchantViewOnly,
        created_at: at(1),
    }
}

/// Stores the bookshop and a user of it.
async fn ada(test: &TestStore) -> UserId {
    let account = test.merchant("bookshop").await.account;
    let email = Email::parse("ada@books.example").expect("an address");
    let user_id = UserId::parse("ada").expect("an id");
    let user = User::create(user_id.clone(), shop(), email, None, at(1));
    let insert = changing(UserChange::Insert(Box::new(user)));
    let grant = changing(UserChange::Grant(role(&user_id, &account)));
    test.commit(vec![insert, grant]).await.expect("a commit");
    user_id
}

fn view(user_id: &UserId, number: usize) -> SavedView {
    SavedView {
        saved_view_id: SavedViewId::parse(&format!("svw_{number}")).expect("an id"),
        user_id: user_id.clone(),
        merchant_id: shop(),
        name: format!("View {number}"),
        query: "group=failed&currency=EUR".to_owned(),
        created_at: at(number as i64),
    }
}

async fn save(test: &TestStore, view: &SavedView) -> Result<(), CommitError> {
    let save = changing(UserChange::SaveView(view.clone()));
    test.commit(vec![save]).await
}

async fn delete(test: &TestStore, of: &SavedView) -> Result<(), CommitError> {
    let delete = UserChange::DeleteView {
        user_id: of.user_id.clone(),
        merchant_id: of.merchant_id.clone(),
        saved_view_id: of.saved_view_id.clone(),
    };
    test.commit(vec![changing(delete)]).await
}

async fn a_view_is_seen_by_its_user_in_its_account_until_it_is_deleted(test: TestStore) {
    let user_id = ada(&test).await;
    let (first, second) = (view(&user_id, 1), view(&user_id, 2));
    assert_eq!(save(&test, &second).await, Ok(()));
    assert_eq!(save(&test, &first).await, Ok(()));
    let seen = test.store.saved_views(&user_id, &shop()).await;
    assert_eq!(
        seen,
        Ok(vec![first.clone(), second.clone()]),
        "oldest first"
    );
    let bakery = MerchantId::parse("bakery").expect("an id");
    let elsewhere = test.store.saved_views(&user_id, &bakery).await;
    assert_eq!(elsewhere, Ok(Vec::new()));
    let grace = UserId::parse("grace").expect("an id");
    let others = test.store.saved_views(&grace, &shop()).await;
    assert_eq!(others, Ok(Vec::new()));
    let of_grace = SavedView {
        user_id: grace,
        ..first.clone()
    };
    assert_eq!(delete(&test, &of_grace).await, Err(CommitError::Conflict));
    assert_eq!(delete(&test, &first).await, Ok(()));
    assert_eq!(delete(&test, &first).await, Err(CommitError::Conflict));
    let left = test.store.saved_views(&user_id, &shop()).await;
    assert_eq!(left, Ok(vec![second]));
}

async fn a_name_is_taken_once(test: TestStore) {
    let user_id = ada(&test).await;
    let first = view(&user_id, 1);
    assert_eq!(save(&test, &first).await, Ok(()));
    let same_name = SavedView {
        name: first.name.clone(),
        ..view(&user_id, 2)
    };
    assert_eq!(save(&test, &same_name).await, Err(CommitError::Conflict));
}

async fn views_that_are_saved_at_once_count_each_other(test: TestStore) {
    let user_id = ada(&test).await;
    for number in 1..MOST_SAVED_VIEWS {
        assert_eq!(save(&test, &view(&user_id, number)).await, Ok(()));
    }
    let (last, one_more) = (view(&user_id, 20), view(&user_id, 21));
    let (one, other) = tokio::join!(save(&test, &last), save(&test, &one_more));
    assert!(one.is_ok() != other.is_ok(), "{one:?} {other:?}");
    let seen = test.store.saved_views(&user_id, &shop()).await;
    assert_eq!(seen.map(|views| views.len()), Ok(MOST_SAVED_VIEWS));
}

async fn views_end_with_the_role_or_the_account(test: TestStore) {
    let ada = ada(&test).await;
    let stall = test.merchant("stall").await.account;
    let grace = UserId::parse("grace").expect("an id");
    let email = Email::parse("grace@books.example").expect("an address");
    let user = User::create(grace.clone(), shop(), email, None, at(1));
    let in_stall = [&ada, &grace].map(|user_id| role(user_id, &stall));
    let [of_ada, of_grace] = in_stall.clone().map(UserChange::Grant);
    let insert = UserChange::Insert(Box::new(user));
    store(&test, [insert, of_ada, of_grace]).await;
    let there = |user_id: &UserId, number| SavedView {
        merchant_id: stall.merchant_id.clone(),
        ..view(user_id, number)
    };
    let (in_shop, in_stall_too) = (view(&ada, 1), there(&ada, 2));
    for saved in [&in_shop, &in_stall_too, &there(&grace, 3)] {
        assert_eq!(save(&test, saved).await, Ok(()));
    }
    let seen = async |user_id: &UserId, merchant_id: &MerchantId| {
        let seen = test.store.saved_views(user_id, merchant_id).await;
        seen.expect("a read").len()
    };
    let [ended, _] = in_stall;
    let loses = [
        UserChange::TakeAway(ended),
        UserChange::DeleteViewsWithoutRole(ada.clone()),
    ];
    store(&test, loses).await;
    assert_eq!(seen(&ada, &stall.merchant_id).await, 0);
    assert_eq!(seen(&ada, &shop()).await, 1, "where they have a role");
    assert_eq!(seen(&grace, &stall.merchant_id).await, 1, "of a colleague");
    // A request that was under way saves nothing after the role has ended.
    let late = save(&test, &in_stall_too).await;
    assert_eq!(late, Err(CommitError::Conflict));

    let close = fixture::changing(MerchantChange::Delete {
        merchant_id: stall.merchant_id.clone(),
        version: 1,
    });
    let account = stall.merchant_id.clone();
    let views = changing(UserChange::DeleteViewsOfAccount(account));
    test.commit(vec![close, views]).await.expect("a commit");
    assert_eq!(seen(&grace, &stall.merchant_id).await, 0);
    assert_eq!(seen(&ada, &shop()).await, 1, "of another account");
    let late = save(&test, &there(&grace, 4)).await;
    assert_eq!(late, Err(CommitError::Conflict));
}
