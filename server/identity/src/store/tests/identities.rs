//! Tests of sign-ins by the identity provider, and of the removal of roles.

use multirail_app::platform::ports::CommitError;
use multirail_app::platform::ports::failure::duplicate;
use multirail_identity_domain::{BegunOidc, Grant, IdentityLink, Role, User};
use multirail_kernel::email::Email;
use multirail_kernel::ids::{OrganizationId, UserId};
use multirail_store::fixture::on_both_engines;

use super::test_users::{TestStore, at, changing, shop};
use crate::ports::{UserChange, UserStore};

on_both_engines! {
    a_sign_in_in_progress_is_taken_once_and_in_time
    one_of_the_provider_is_one_user_and_the_other_way_round
    a_role_is_taken_away_as_it_was_seen
}

fn user(name: &str) -> UserId {
    UserId::parse(name).expect("an id")
}

async fn a_sign_in_in_progress_is_taken_once_and_in_time(test: TestStore) {
    for hash in ["one", "two", "three"] {
        let begun = BegunOidc {
            hash: hash.to_owned(),
            expires_at: at(600),
        };
        test.store.begin_oidc(&begun).await.expect("a commit");
    }
    let take = async |hash, seconds| {
        let taken = test.store.take_oidc(hash, at(seconds)).await;
        taken.expect("a commit")
    };
    assert!(!take("unborn", 1).await);
    assert!(take("one", 599).await);
    assert!(!take("one", 599).await);
    assert!(!take("two", 600).await);
    assert_eq!(test.store.purge_sign_ins(at(599), 10).await, Ok(0));
    assert_eq!(test.store.purge_sign_ins(at(600), 10).await, Ok(2));
}

async fn one_of_the_provider_is_one_user_and_the_other_way_round(test: TestStore) {
    test.merchant("bookshop").await;
    for (name, email) in [
        ("user_1", "ada@books.example"),
        ("user_2", "grace@books.example"),
    ] {
        let email = Email::parse(email).expect("an address");
        let insert = UserChange::Insert(Box::new(User::create(
            user(name),
            shop(),
            email,
            None,
            at(1),
        )));
        test.commit(vec![changing(insert)]).await.expect("a commit");
    }
    let link = async |hash: &str, name: &str| {
        let link = IdentityLink {
            hash: hash.to_owned(),
            user_id: user(name),
            created_at: at(1),
        };
        let version = User::FIRST_VERSION;
        let change = UserChange::Link { link, version };
        test.commit(vec![changing(change)]).await
    };
    let of = async |hash: &str| test.store.user_of_identity(hash).await.expect("a read");
    assert_eq!(of("ada").await, None);
    link("ada", "user_1").await.expect("a commit");
    assert_eq!(of("ada").await, Some(user("user_1")));
    let taken = Err(CommitError::Duplicate(duplicate::IDENTITY));
    assert_eq!(link("ada", "user_2").await, taken);
    assert_eq!(link("countess", "user_1").await, taken);
    assert_eq!(link("ada", "user_1").await, taken);
    let has = async |name: &str| test.store.has_identity(&user(name)).await;
    assert_eq!(has("user_1").await, Ok(true));
    assert_eq!(has("user_2").await, Ok(false));
    // Removing the link twice is no error.
    for _ in 0..2 {
        let unlink = UserChange::Unlink(user("user_1"));
        test.commit(vec![changing(unlink)]).await.expect("a commit");
    }
    assert_eq!(of("ada").await, None);
    link("ada", "user_2").await.expect("a commit");
}

async fn a_role_is_taken_away_as_it_was_seen(test: TestStore) {
    test.merchant("bookshop").await;
    let grant = |role| Grant {
        user_id: user("user_1"),
        organization_id: OrganizationId::parse("org_1").expect("an id"),
        merchant_id: shop(),
        role,
        created_at: at(1),
    };
    let commit = async |change: UserChange| test.commit(vec![changing(change)]).await;
    let grants = async || {
        let grants = test.store.grants(&user("user_1")).await;
        let grants = grants.expect("a read").into_iter();
        grants.map(|grant| grant.role).collect::<Vec<_>>()
    };
    for role in [Role::MerchantOperator, Role::OrgAdmin] {
        let given = commit(UserChange::Grant(grant(role))).await;
        given.expect("a commit");
    }
    // The role was replaced meanwhile.
    let seen = UserChange::TakeAway(grant(Role::MerchantViewOnly));
    assert_eq!(commit(seen).await, Err(CommitError::Conflict));
    let taken = commit(UserChange::TakeAway(grant(Role::OrgAdmin))).await;
    taken.expect("a commit");
    assert_eq!(grants().await, [Role::MerchantOperator]);
    let taken = commit(UserChange::TakeAway(grant(Role::MerchantOperator))).await;
    taken.expect("a commit");
    assert!(grants().await.is_empty());
}
