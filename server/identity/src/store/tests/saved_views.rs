//! Tests of saved views.

use multirail_app::platform::ports::CommitError;
use multirail_identity_domain::{MOST_SAVED_VIEWS, SavedView, User};
use multirail_kernel::email::Email;
use multirail_kernel::ids::{MerchantId, SavedViewId, UserId};
use multirail_store::fixture::on_both_engines;

use super::test_users::{TestStore, at, changing, shop};
use crate::ports::{UserChange, UserStore};

on_both_engines! {
    a_view_is_seen_by_its_user_in_its_account_until_it_is_deleted
    a_name_is_taken_once
    views_that_are_saved_at_once_count_each_other
}

/// Stores the bookshop and a user of it.
async fn ada(test: &TestStore) -> UserId {
    test.merchant("bookshop").await;
    let email = Email::parse("ada@books.example").expect("an address");
    let user_id = UserId::parse("ada").expect("an id");
    let user = User::create(user_id.clone(), shop(), email, None, at(1));
    let insert = changing(UserChange::Insert(Box::new(user)));
    test.commit(vec![insert]).await.expect("a commit");
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
