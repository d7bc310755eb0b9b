//! A platform's secret key that makes calls for the merchants connected to it. Looked up at every call, so that closing either
//! account ends it on every server as soon as keys end there.

use multirail_kernel::ids::MerchantId;
use multirail_kernel::refusal::Refusal;

use super::merchant_accounts::Merchants;
use crate::AppError;

impl Merchants {
    /// The account that a secret key of `caller` makes a call for. `named` is what the caller says.
    ///
    /// # Errors
    /// [`Refusal::NotActedFor`], whatever the reason: strangers don't learn which accounts there are.
    pub async fn acted_for(
        &self,
        caller: &MerchantId,
        named: &str,
    ) -> Result<MerchantId, AppError> {
        let refused = || AppError::from(Refusal::NotActedFor);
        let named = MerchantId::parse(named.trim()).map_err(|_| refused())?;
        let platform = self.store.merchant(caller).await?.ok_or_else(refused)?;
        // Nobody but a platform has others looked up.
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
