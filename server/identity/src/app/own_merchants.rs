//! Lists the merchant accounts in which a user has a role.

use std::sync::Arc;

use multirail_app::platform::paging::page_size;
use multirail_domain::accounts::merchant::MerchantAccount;
use multirail_identity_domain::{Role, role_in};

use super::AppError;
use super::find::Users;
use super::sessions::UserCaller;

/// The largest page of accounts.
const LARGEST_PAGE: i64 = 100;

/// A user's view of a merchant account in which they have a role.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnMerchant {
    pub account: Arc<MerchantAccount>,
    pub role: Role,
    /// True if the request's session acts there.
    pub is_current: bool,
}

impl Users {
    /// Returns a page of the open accounts in which the caller has a role, oldest first.
    ///
    /// # Errors
    /// [`Refusal::InvalidValue`](multirail_kernel::refusal::Refusal::InvalidValue) for a limit outside of 0 to 100.
    pub async fn merchants(
        &self,
        caller: &UserCaller,
        limit: Option<i64>,
        offset: i64,
    ) -> Result<Vec<OwnMerchant>, AppError> {
        let limit = page_size(limit, LARGEST_PAGE)?;
        let user_id = &caller.user_id;
        let grants = self.store.grants(user_id).await?;
        let page = self.store.accounts_of_user(user_id, limit, offset).await?;
        let mut found = Vec::with_capacity(page.len());
        for merchant_id in page {
            // The account may have been closed, or the role removed, between the reads.
            let Some(account) = self.accounts.merchant(&merchant_id).await? else {
                continue;
            };
            let role = role_in(&grants, &account.organization_id, &merchant_id);
            found.extend(role.map(|role| OwnMerchant {
                account,
                role,
                is_current: merchant_id == caller.merchant_id,
            }));
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use multirail_app::fixture::{Committed, base};
    use multirail_identity_domain::Grant;
    use multirail_kernel::ids::{MerchantId, OrganizationId};

    use super::*;
    use crate::fixture::{Stored, account, caller, grant, users};

    #[tokio::test]
    async fn an_account_is_shown_with_the_role_there_and_no_closed_one() {
        let store = Arc::new(Stored::default());
        let role = Role::MerchantViewOnly;
        let closed = Grant {
            organization_id: OrganizationId::parse("org_1").expect("an id"),
            merchant_id: MerchantId::parse("florist").expect("an id"),
            ..grant(role)
        };
        let grants = [closed, grant(role)];
        store.grants.lock().expect("no panic").extend(grants);
        let caller = caller(role);
        let users = users(&base(&Arc::new(Committed::default())), &store);
        let found = users.merchants(&caller, None, 0).await;
        let own = OwnMerchant {
            account: Arc::new(account()),
            role,
            is_current: true,
        };
        assert_eq!(found.expect("a page"), [own]);
        let refused = users.merchants(&caller, Some(101), 0).await;
        let refused = refused.expect_err("too many").to_string();
        assert!(refused.contains("limit"), "{refused}");
    }
}
