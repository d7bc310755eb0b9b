//! Whether the users of a merchant account need a second factor.

use multirail_app::Origin;
use multirail_app::platform::idempotency::ForKey;
use multirail_identity_domain::{SecondFactor, may_require_second_factor};

use super::find::Users;
use super::sessions::UserCaller;
use super::{AppError, storable};
use crate::ports::UserChange;

impl Users {
    /// Returns whether the users of the caller's account need a second factor.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn is_second_factor_required(&self, caller: &UserCaller) -> Result<bool, AppError> {
        let merchant_id = &caller.merchant_id;
        Ok(self.store.requires_second_factor(merchant_id).await?)
    }

    /// Sets whether the users of the caller's account need a second factor. From the commit on, users without one can
    /// only set it up there, at every server.
    ///
    /// # Errors
    /// The refusals of [`may_require_second_factor`].
    pub async fn require_second_factor(
        &self,
        origin: &Origin,
        caller: &UserCaller,
        is_required: bool,
    ) -> Result<(), AppError> {
        let own = self.store.second_factor(&caller.user_id).await?;
        let is_own_on = own.as_ref().is_some_and(SecondFactor::is_on);
        may_require_second_factor(is_required, is_own_on)?;
        let change = UserChange::RequireSecondFactor {
            merchant_id: caller.merchant_id.clone(),
            since: is_required.then(|| self.base.now()),
        };
        let change_set = self.base.change_set(
            origin,
            Some(&caller.merchant_id),
            ForKey::Nothing,
            storable(self.store.as_ref(), [change]),
        );
        let committed = self.base.commit(change_set).await;
        committed.map_err(AppError::of_commit)
    }
}
