//! The team of the merchant account in which its admin's session acts.

use multirail_app::platform::paging::page_size;
use multirail_identity_domain::Member;

use super::AppError;
use super::find::Users;
use super::sessions::UserCaller;

/// The largest page of members.
const LARGEST_PAGE: i64 = 100;

impl Users {
    /// Returns a page of the account's users, and of the people with an open offer, oldest first.
    ///
    /// # Errors
    /// [`Refusal::InvalidValue`](multirail_kernel::refusal::Refusal::InvalidValue) for a limit outside of 0 to 100.
    pub async fn team(
        &self,
        caller: &UserCaller,
        limit: Option<i64>,
        offset: i64,
    ) -> Result<Vec<Member>, AppError> {
        let page = (page_size(limit, LARGEST_PAGE)?, offset);
        let (organization_id, merchant_id) = (&caller.organization_id, &caller.merchant_id);
        let now = self.base.now();
        let found = self.store.team(organization_id, merchant_id, now, page);
        Ok(found.await?)
    }
}
