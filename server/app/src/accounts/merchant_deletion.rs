//! Deleting a merchant account. Its keys stop working, so nothing may remain that only they could finish: reserved
//! money, an unknown outcome, a payer who may still approve.

use std::sync::Arc;

use futures::{StreamExt, stream};
use multirail_kernel::ids::MerchantId;
use multirail_kernel::refusal::{Object, OpenPayments as Counted, Refusal};

use super::merchant_accounts::Merchants;
use crate::accounts::ports::deletion_guard::Deleted;
use crate::accounts::ports::open_payments::Fate;
use crate::accounts::ports::{DeletionGuard, MerchantChange, OpenPayments};
use crate::platform::base::Base;
use crate::platform::decisions::Decisions;
use crate::platform::idempotency::ForKey;
use crate::{AppError, Origin};

/// Unfinished payments are counted up to about this number.
const COUNTED: usize = 1_000;
/// The number of payments that are released at the same time.
const AT_ONCE: usize = 8;
/// The time after which no further payment is released: the request ends, and the next one continues.
const PATIENCE_SECONDS: i64 = 15;
/// The cancellation reason of released payments.
const REASON: &str = "merchant account deleted";

/// The deletion of merchant accounts.
pub struct MerchantDeletion {
    pub base: Arc<Base>,
    pub merchants: Arc<Merchants>,
    pub guard: Arc<dyn DeletionGuard>,
    /// The payments that prevent an account from being closed.
    pub payments: Arc<dyn OpenPayments>,
}

impl MerchantDeletion {
    /// Closes the account: after the commit neither the account nor its keys are found.
    ///
    /// Unfinished payments prevent that, unless `void_open_payments` has them released first. With it the request also
    /// accepts an account that is closed already. Such an account may have unfinished payments: an earlier version
    /// didn't check, and a payment may begin while the account is deleted.
    ///
    /// # Errors
    ///
    /// An unknown account. [`Refusal::ActiveSubscriptions`], because an active subscription would be billed forever.
    /// [`Refusal::OpenPayments`], after which nothing is closed; the same request continues where it stopped.
    pub async fn delete(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        void_open_payments: bool,
    ) -> Result<(), AppError> {
        let is_known = self.merchants.store.merchant(merchant_id).await?.is_some();
        if is_known {
            self.check_not_needed(merchant_id).await?;
        }
        if !is_known && !void_open_payments {
            return Err(Refusal::not_found(Object::MerchantAccount).into());
        }
        if void_open_payments {
            let freed = self.release_all(origin, merchant_id).await?;
            match (is_known, freed) {
                (true, _) => {}
                (false, 0) => return Err(Refusal::not_found(Object::MerchantAccount).into()),
                (false, _) => return Ok(()),
            }
        }
        self.close(origin, merchant_id).await
    }

    async fn close(&self, origin: &Origin, merchant_id: &MerchantId) -> Result<(), AppError> {
        let mut decisions = Decisions::begin(Object::MerchantAccount);
        loop {
            let account = self.merchants.find(merchant_id).await?;
            self.check_not_needed(merchant_id).await?;
            let unfinished = self.payments.unfinished(merchant_id, COUNTED).await?;
            if !unfinished.is_empty() {
                return Err(open_payments(unfinished.len(), 0, false));
            }
            let mut changes = vec![self.merchants.store.change(MerchantChange::Delete {
                merchant_id: account.merchant_id.clone(),
                version: account.version,
            })];
            changes.extend(self.guard.guards(Deleted::Merchant(merchant_id)));
            let change_set =
                self.base
                    .change_set(origin, Some(merchant_id), ForKey::Nothing, changes);
            match self.base.commit(change_set).await {
                Ok(()) => return Ok(()),
                // The commit conflicts where the account changed, or a payment or subscription began meanwhile.
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }

    async fn check_not_needed(&self, merchant_id: &MerchantId) -> Result<(), AppError> {
        let deleted = Deleted::Merchant(merchant_id);
        match self.guard.refusal(deleted).await? {
            Some(refusal) => Err(refusal.into()),
            None => Ok(()),
        }
    }

    /// Releases all unfinished payments of the merchant and returns their number.
    async fn release_all(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
    ) -> Result<usize, AppError> {
        let unfinished = self.payments.unfinished(merchant_id, COUNTED).await?;
        let began = self.base.clock.wall();
        let fates: Vec<Result<Fate, AppError>> = stream::iter(unfinished)
            .map(|payment_id| async move {
                if self.base.clock.wall().seconds_since(began) >= PATIENCE_SECONDS {
                    return Ok(Fate::Open);
                }
                let payments = &self.payments;
                payments
                    .release_payment(origin, merchant_id, &payment_id, REASON)
                    .await
            })
            .buffer_unordered(AT_ONCE)
            .collect()
            .await;
        let fates = fates.into_iter().collect::<Result<Vec<Fate>, _>>()?;
        let number_of = |wanted| fates.iter().filter(|fate| **fate == wanted).count();
        match (number_of(Fate::Open), number_of(Fate::Refused)) {
            (0, 0) => Ok(fates.len()),
            (open, refused) => Err(open_payments(open, refused, true)),
        }
    }
}

fn open_payments(open: usize, refused: usize, was_voiding: bool) -> AppError {
    Refusal::OpenPayments(Counted {
        open,
        or_more: open >= COUNTED,
        refused,
        was_voiding,
    })
    .into()
}
