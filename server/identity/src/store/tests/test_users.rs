//! The users' store of one test.

use std::ops::Deref;

use multirail_app::platform::ports::Change;
use multirail_identity_domain::User;
use multirail_kernel::email::Email;
use multirail_kernel::ids::{MerchantId, UserId};
use multirail_kernel::timestamp::Timestamp;
use multirail_store::fixture;

use super::super::users::{DECLARED, SqlUsers};
use crate::ports::UserChange;

/// The store of one test.
pub(super) struct TestStore {
    pub(super) store: SqlUsers,
    under: fixture::TestStore,
}

impl TestStore {
    pub(super) async fn sqlite() -> Option<TestStore> {
        Some(TestStore::over(
            fixture::TestStore::sqlite_with(&[DECLARED]).await?,
        ))
    }

    pub(super) async fn postgres() -> Option<TestStore> {
        Some(TestStore::over(
            fixture::TestStore::postgres_with(&[DECLARED]).await?,
        ))
    }

    /// Returns the store that all subjects share.
    pub(super) fn shared(&self) -> &fixture::TestStore {
        &self.under
    }

    fn over(under: fixture::TestStore) -> TestStore {
        TestStore {
            store: SqlUsers::new(under.store.clone()),
            under,
        }
    }
}

impl Deref for TestStore {
    type Target = fixture::TestStore;

    fn deref(&self) -> &fixture::TestStore {
        &self.under
    }
}

pub(super) fn changing(change: UserChange) -> Change {
    Box::new(change)
}

/// Stores changes in one commit.
pub(super) async fn store(test: &TestStore, changes: impl IntoIterator<Item = UserChange>) {
    let changes = changes.into_iter().map(changing).collect();
    test.commit(changes).await.expect("a commit");
}

pub(super) fn at(seconds: i64) -> Timestamp {
    Timestamp::EPOCH.plus_seconds(seconds).expect("in range")
}

pub(super) fn shop() -> MerchantId {
    MerchantId::parse("bookshop").expect("an id")
}

/// Makes a user of the bookshop, without a password.
pub(super) fn ada() -> User {
    let email = Email::parse("ada@books.example").expect("an address");
    let user_id = UserId::parse("user_1").expect("an id");
    User::create(user_id, shop(), email, None, at(1))
}
