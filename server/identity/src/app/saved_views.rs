//! The views that a user saves in the merchant account in which their session acts.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_app::Origin;
use multirail_app::accounts::ports::deletion_guard::{Deleted, DeletionGuard};
use multirail_app::platform::decisions::Decisions;
use multirail_app::platform::idempotency::ForKey;
use multirail_app::platform::ports::{Change, CommitError, StoreFailure};
use multirail_identity_domain::SavedView;
use multirail_kernel::ids::SavedViewId;
use multirail_kernel::refusal::{Object, Refusal};

use super::find::Users;
use super::sessions::UserCaller;
use super::{AppError, storable};
use crate::ports::{UserChange, UserStore};

impl Users {
    /// Returns the caller's views, oldest first.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn saved_views(&self, caller: &UserCaller) -> Result<Vec<SavedView>, AppError> {
        let found = self.store.saved_views(&caller.user_id, &caller.merchant_id);
        Ok(found.await?)
    }

    /// Saves a query under a name.
    ///
    /// # Errors
    /// The refusals of [`SavedView::create`].
    pub async fn save_view(
        &self,
        origin: &Origin,
        caller: &UserCaller,
        name: &str,
        query: &str,
    ) -> Result<SavedView, AppError> {
        let owner = (&caller.user_id, &caller.merchant_id);
        let mut decisions = Decisions::begin(Object::SavedView);
        loop {
            let known = self.saved_views(caller).await?;
            let (now, random) = (self.base.now(), self.base.random.as_ref());
            let view = SavedView::create((name, query), &known, owner, now, random)?;
            let save = UserChange::SaveView(view.clone());
            match self.commit_view(origin, caller, save).await {
                Ok(()) => return Ok(view),
                Err(error) => {
                    decisions
                        .retry_on_conflict(random, error, AppError::of_commit)
                        .await?
                }
            }
        }
    }

    /// Deletes a view of the caller.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] if the caller has no such view in the merchant account.
    pub async fn delete_view(
        &self,
        origin: &Origin,
        caller: &UserCaller,
        saved_view_id: &SavedViewId,
    ) -> Result<(), AppError> {
        let delete = UserChange::DeleteView {
            user_id: caller.user_id.clone(),
            merchant_id: caller.merchant_id.clone(),
            saved_view_id: saved_view_id.clone(),
        };
        match self.commit_view(origin, caller, delete).await {
            Ok(()) => Ok(()),
            Err(CommitError::Conflict) => Err(Refusal::not_found(Object::SavedView).into()),
            Err(error) => Err(AppError::of_commit(error)),
        }
    }

    async fn commit_view(
        &self,
        origin: &Origin,
        caller: &UserCaller,
        change: UserChange,
    ) -> Result<(), CommitError> {
        let change_set = self.base.change_set(
            origin,
            Some(&caller.merchant_id),
            ForKey::Nothing,
            storable(self.store.as_ref(), [change]),
        );
        self.base.commit(change_set).await
    }
}

/// Deletes the views in a merchant account with the account.
pub struct ViewsOfAccount {
    pub store: Arc<dyn UserStore>,
}

#[async_trait]
impl DeletionGuard for ViewsOfAccount {
    fn guards(&self, deleted: Deleted<'_>) -> Vec<Change> {
        match deleted {
            Deleted::Merchant(merchant_id) => {
                let delete = UserChange::DeleteViewsOfAccount(merchant_id.clone());
                storable(self.store.as_ref(), [delete])
            }
            Deleted::Customer(..) => Vec::new(),
        }
    }

    async fn refusal(&self, _: Deleted<'_>) -> Result<Option<Refusal>, StoreFailure> {
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use multirail_app::fixture::{Committed, base, operator};
    use multirail_identity_domain::Role;

    use super::*;
    use crate::fixture::{Stored, caller, users};

    /// Another call saves a view between the decision and its commit.
    #[tokio::test]
    async fn a_conflict_is_decided_again() {
        let committed = Arc::new(Committed::default());
        let store = Arc::new(Stored::default());
        let users = users(&base(&committed), &store);
        let ada = caller(Role::MerchantViewOnly);
        let save = async |name: &str| {
            let query = "group=failed";
            users.save_view(&operator(), &ada, name, query).await
        };
        committed.refuse(CommitError::Conflict);
        let saved = save("Failed").await.expect("a view at the second try");
        store.views.lock().expect("no panic").push(saved);
        let refused = save("Failed").await.err();
        assert!(matches!(
            refused,
            Some(AppError::Refused(Refusal::Precondition { .. }))
        ));
    }

    #[tokio::test]
    async fn a_view_that_is_gone_is_not_found() {
        let committed = Arc::new(Committed::default());
        let users = users(&base(&committed), &Arc::default());
        let ada = caller(Role::MerchantViewOnly);
        let gone = SavedViewId::parse("svw_gone").expect("an id");
        committed.refuse(CommitError::Conflict);
        let refused = users.delete_view(&operator(), &ada, &gone).await.err();
        assert!(matches!(
            refused,
            Some(AppError::Refused(Refusal::NotFound { .. }))
        ));
    }
}
