//! Calls that a platform's secret key makes for the merchants connected to it. Both accounts are looked up at every
//! call. Closing either one ends such calls on every server as soon as its keys stop working there.

use multirail_kernel::ids::MerchantId;
use multirail_kernel::refusal::Refusal;

use super::merchant_accounts::Merchants;
use crate::AppError;

impl Merchants {
    /// Returns the account for which a secret key of `caller` makes a call. `named` is the account that the caller
    /// names.
    ///
    /// # Errors
    /// [`Refusal::NotActedFor`] for every reason, so that strangers don't learn which accounts exist.
    pub async fn acted_for(
        &self,
        caller: &MerchantId,
        named: &str,
    ) -> Result<MerchantId, AppError> {
        let refused = || AppError::from(Refusal::NotActedFor);
        let named = MerchantId::parse(named.trim()).map_err(|_| refused())?;
        let platform = self.store.merchant(caller).await?.ok_or_else(refused)?;
        // Only a platform may act for other accounts.
        if !platform.is_platform() {
            return Err(refused());
        }
        let connected = self.store.merchant(&named).await?.ok_or_else(refused)?;
        if platform.acts_for(&connected) {
            Ok(named)
        } else {
            Err(refused())
        }
    }
}
